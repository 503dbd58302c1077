/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/freebsd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sources/lines.h"
#include "sources/variables.h"

#define IFCONFIG_PREFIX "ifconfig_"
#define VLANS_PREFIX "vlans_"

/* What is behind the prefix in the variable's name; NULL where that has another one. */
static const char *after(const struct variable *variable, const char *prefix) {
        return strncmp(variable->name, prefix, strlen(prefix)) == 0 ? variable->name + strlen(prefix) : NULL;
}

/* What the words of ifconfig_NAME say, copied. */
struct said {
        char *mtu;
        char *parent; /* vlandev */
};

static void said_free(struct said *said) {
        free(said->mtu);
        free(said->parent);
        *said = (struct said){ 0 };
}

/* The last one of each counts. */
static int read_words(const char *value, struct said *said) {
        CLEANUP(cleanup_free) char *words = strdup(value);
        char *rest = words, *word;

        if (!words)
                return -ENOMEM;
        while ((word = lines_word(&rest))) {
                char **field = strcmp(word, "mtu") == 0       ? &said->mtu
                               : strcmp(word, "vlandev") == 0 ? &said->parent
                                                              : NULL;
                char *next = field ? lines_word(&rest) : NULL;

                if (!next)
                        continue;
                free(*field);
                *field = strdup(next);
                if (!*field)
                        return -ENOMEM;
        }
        return 0;
}

/* ifconfig_alc0, ifconfig_alc0_ipv6 and ifconfig_alc0_alias1 are all of alc0; the name of a VLAN has a "_"
 * too, where its own has a ".". `size` is that of the device's part. */
static bool is_suffix(const char *rest) {
        return *rest == '\0' || strcmp(rest, "_ipv6") == 0 || strncmp(rest, "_alias", strlen("_alias")) == 0;
}

/* All that rc.conf says of one device, spelled as in a variable's name. `ret_variable` is where its MTU is.
 */
static int read_device(const struct variables *variables, const char *spelled, struct said *said,
                       const struct variable **ret_variable) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct variable *variable = &variables->items[i];
                const char *name = after(variable, IFCONFIG_PREFIX);
                struct said one = { 0 };
                int r;

                if (!name || strncmp(name, spelled, strlen(spelled)) != 0 ||
                    !is_suffix(name + strlen(spelled)) ||
                    variables_find(variables, variable->name) != variable)
                        continue;
                r = read_words(variable->value, &one);
                if (one.mtu) {
                        free(said->mtu);
                        said->mtu = one.mtu;
                        *ret_variable = variable;
                        one.mtu = NULL;
                }
                if (one.parent) {
                        free(said->parent);
                        said->parent = one.parent;
                        one.parent = NULL;
                }
                said_free(&one);
                if (r < 0)
                        return r;
        }
        return 0;
}

static const struct finding *find_finding(const struct reading *reading, const char *device) {
        for (size_t i = reading->findings->n_items; i > 0; i--) {
                const struct finding *finding = &reading->findings->items[i - 1];

                if (finding->source == SOURCE_FREEBSD && finding->match == FINDING_NAME &&
                    strcmp(finding->device, device) == 0 && strcmp(finding->file, reading->file) == 0)
                        return finding;
        }
        return NULL;
}

static void spell(char *name) {
        for (; *name; name++)
                if (strchr(".-/+", *name))
                        *name = '_';
}

/* Adds a device with an MTU of its own or its parent's. */
static int add_device(const struct reading *reading, const struct variables *variables, const char *device,
                      const char *parent, unsigned line) {
        CLEANUP(cleanup_free) char *spelled = strdup(device);
        CLEANUP(said_free) struct said said = { 0 };
        const struct variable *variable = NULL;
        struct draft draft = { .source = SOURCE_FREEBSD, .match = FINDING_NAME, .device = device };
        int r;

        if (!spelled)
                return -ENOMEM;
        spell(spelled);
        r = read_device(variables, spelled, &said, &variable);
        if (r < 0 || find_finding(reading, device))
                return r;
        if (said.mtu) {
                draft.line = variable->line;
                draft.value = said.mtu;
                draft.unclear = strchr(said.mtu, '$') ? "it is told only when the script runs" : NULL;
        } else {
                const struct finding *below;

                parent = parent ? parent : said.parent;
                below = parent ? find_finding(reading, parent) : NULL;
                if (!below)
                        return 0;
                draft.parent = parent;
                draft.line = line;
                draft.value = below->value;
                draft.mtu = below->mtu;
                draft.unclear = below->unclear;
        }
        return reading_add(reading, VALUE_DECIMAL, &draft);
}

/* vlans_alc0="5 storage0": a number is short for alc0.5. */
static int add_vlans(const struct reading *reading, const struct variables *variables) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct variable *variable = &variables->items[i];
                const char *parent = after(variable, VLANS_PREFIX);
                CLEANUP(cleanup_free) char *words = NULL;
                char *rest, *word;

                if (!parent || variable->is_dynamic || variables_find(variables, variable->name) != variable)
                        continue;
                rest = words = strdup(variable->value);
                if (!words)
                        return -ENOMEM;
                while ((word = lines_word(&rest))) {
                        CLEANUP(cleanup_free) char *device = NULL;
                        bool is_number = word[strspn(word, "0123456789")] == '\0';
                        int r = is_number ? asprintf(&device, "%s.%s", parent, word)
                                          : asprintf(&device, "%s", word);

                        if (r < 0) {
                                device = NULL;
                                return -ENOMEM;
                        }
                        r = add_device(reading, variables, device, parent, variable->line);
                        if (r < 0)
                                return r;
                }
        }
        return 0;
}

/* Whether `spelled` is that of a VLAN, whose name cannot be told from it alone. */
static bool is_vlan(const struct variables *variables, const char *spelled) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct variable *variable = &variables->items[i];
                const char *parent = after(variable, VLANS_PREFIX);
                size_t length = parent ? strlen(parent) : 0;

                if (parent && strncmp(spelled, parent, length) == 0 && spelled[length] == '_')
                        return true;
        }
        return false;
}

/* The device's part of a variable's name; the caller frees. NULL with errno 0: none is meant. */
static char *device_of(const struct variables *variables, const char *name) {
        char *device = strdup(name + strlen(IFCONFIG_PREFIX)), *underscore;

        if (!device)
                return NULL;
        underscore = strrchr(device, '_');
        if (underscore && is_suffix(underscore))
                *underscore = '\0';
        if (!*device || is_vlan(variables, device)) {
                free(device);
                errno = 0;
                return NULL;
        }
        return device;
}

/* The devices with a line of their own; those with a parent after all others. */
static int add_devices(const struct reading *reading, const struct variables *variables, bool with_parent) {
        for (size_t i = 0; i < variables->n_items; i++) {
                const struct variable *variable = &variables->items[i];
                CLEANUP(cleanup_free) char *device = NULL;
                CLEANUP(said_free) struct said said = { 0 };
                int r;

                if (!after(variable, IFCONFIG_PREFIX))
                        continue;
                r = read_words(variable->value, &said);
                if (r < 0)
                        return r;
                if (with_parent != (said.parent != NULL))
                        continue;
                errno = ENOMEM;
                device = device_of(variables, variable->name);
                if (!device && errno)
                        return -ENOMEM;
                if (!device)
                        continue;
                if (strcmp(device, "DEFAULT") == 0) {
                        struct draft draft = { .source = SOURCE_FREEBSD,
                                               .line = variable->line,
                                               .value = said.mtu };

                        r = said.mtu ? reading_add(reading, VALUE_DECIMAL, &draft) : 0;
                } else
                        r = add_device(reading, variables, device, NULL, variable->line);
                if (r < 0)
                        return r;
        }
        return 0;
}

int source_freebsd_read(const struct reading *reading) {
        CLEANUP(variables_free) struct variables variables = { 0 };
        int r = variables_read(reading, &variables);

        if (r == 0)
                r = add_devices(reading, &variables, false);
        if (r == 0)
                r = add_devices(reading, &variables, true);
        if (r == 0)
                r = add_vlans(reading, &variables);
        return r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/ifupdown.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sources/lines.h"
#include "sources/match.h"
#include "sources/mtu_command.h"

/* The iface stanza that is read. */
struct stanza {
        bool is_open;
        char device[64];
        char family[16];
        char method[32];
};

static bool is_word(const char *word, const char *text) {
        return word && strcmp(word, text) == 0;
}

static bool is_command(const char *word) {
        return is_word(word, "up") || is_word(word, "pre-up") || is_word(word, "post-up");
}

/* What ifupdown makes a command of: its inet.defn and inet6.defn. Where it does not, the line only becomes
 * $IF_MTU of hooks. */
static bool takes_mtu(const struct stanza *stanza) {
        if (strcmp(stanza->family, "inet6") == 0)
                return strcmp(stanza->method, "static") == 0 || strcmp(stanza->method, "manual") == 0 ||
                       strcmp(stanza->method, "v4tunnel") == 0 || strcmp(stanza->method, "6to4") == 0;
        return strcmp(stanza->method, "dhcp") != 0 && strcmp(stanza->method, "loopback") != 0;
}

/* Whether the device has more already. */
static bool has_larger(const struct reading *reading, const char *device, const char *value) {
        uint32_t mtu = value_read(value, VALUE_C, &(const char *){ NULL });

        for (size_t i = 0; i < reading->findings->n_items; i++) {
                const struct finding *finding = &reading->findings->items[i];

                if (finding->source == SOURCE_IFUPDOWN && finding->match == FINDING_NAME &&
                    strcmp(finding->device, device) == 0 && !finding->inactive && finding->mtu > mtu)
                        return true;
        }
        return false;
}

static int read_mtu(const struct reading *reading, const struct stanza *stanza, unsigned line,
                    const char *value, bool is_ifupdown2) {
        CLEANUP(cleanup_free) char *device = strdup(stanza->device);
        struct draft draft = { .source = SOURCE_IFUPDOWN,
                               .match = match_is_glob(stanza->device) ? FINDING_GLOB : FINDING_NAME,
                               .line = line,
                               .value = value };

        if (!device)
                return -ENOMEM;
        device[strcspn(device, ":")] = '\0';
        draft.device = device;
        if (!is_ifupdown2 && !takes_mtu(stanza)) {
                char family[TEXT_QUOTE_SIZE], method[TEXT_QUOTE_SIZE];

                draft.inactive = true;
                reading_warn(reading, line,
                             "ifupdown takes no mtu with %s %s: the line does nothing (ifupdown2 takes it)",
                             text_show(family, stanza->family), text_show(method, stanza->method));
        }
        /* It raises a device that has less, and is the MTU of IPv6 alone where it has more. */
        if (strcmp(stanza->family, "inet6") == 0 && !is_ifupdown2)
                draft.inactive |= has_larger(reading, device, value);
        return reading_add(reading, VALUE_C, &draft);
}

static int read_command(const struct reading *reading, const struct stanza *stanza, unsigned line,
                        const char *command) {
        const struct mtu_command_context context = { .source = SOURCE_IFUPDOWN };
        const struct shell_variable variables[] = { { "IFACE", stanza->device },
                                                    { "LOGICAL", stanza->device } };

        return mtu_command_read_script(reading, &context, command, strlen(command), variables,
                                       match_is_glob(stanza->device) ? 0 : 2, line);
}

static void begin_stanza(struct stanza *stanza, char *rest) {
        const char *device = lines_word(&rest), *family = lines_word(&rest), *method = lines_word(&rest);

        stanza->is_open = device != NULL;
        snprintf(stanza->device, sizeof(stanza->device), "%s", device ? device : "");
        snprintf(stanza->family, sizeof(stanza->family), "%s", family ? family : "");
        snprintf(stanza->method, sizeof(stanza->method), "%s", method ? method : "");
}

/* The words that begin something else than an option of a stanza. */
static bool begins_other(const char *word) {
        return is_word(word, "auto") || is_word(word, "mapping") || is_word(word, "source") ||
               is_word(word, "source-directory") || is_word(word, "no-auto-down") ||
               is_word(word, "rename") || is_word(word, "no-scripts") || is_word(word, "template") ||
               is_word(word, "vlan") || strncmp(word, "allow-", strlen("allow-")) == 0;
}

static int read_interfaces(const struct reading *reading, bool is_ifupdown2) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));
        struct stanza stanza = { 0 };
        int r = 0;

        if (!lines)
                return -ENOMEM;
        lines_open(lines, reading->text, reading->size, true);
        while (r == 0 && lines_next(lines)) {
                char *rest = lines->line, *word;

                if (*rest == '#')
                        continue;
                word = lines_word(&rest);
                if (!word)
                        continue;
                rest = lines_trim(rest);
                if (is_word(word, "iface"))
                        begin_stanza(&stanza, rest);
                else if (begins_other(word))
                        stanza.is_open = false;
                else if (!stanza.is_open)
                        ;
                else if (is_word(word, "mtu"))
                        r = read_mtu(reading, &stanza, lines->number, rest, is_ifupdown2);
                else if (is_command(word))
                        r = read_command(reading, &stanza, lines->number, rest);
        }
        return r;
}

int source_ifupdown_read(const struct reading *reading) {
        return read_interfaces(reading, false);
}

int source_ifupdown2_interfaces_read(const struct reading *reading) {
        return read_interfaces(reading, true);
}

/* A name, a pattern, or a pattern between slashes; a regular one is told by a third slash. */
static bool matches(char *word, const char *device) {
        size_t length = strlen(word);

        if (length > 2 && word[0] == '/' && word[length - 1] == '/') {
                word[length - 1] = '\0';
                word++;
        }
        return fnmatch(word, device, 0) == 0;
}

bool source_ifupdown_brings_up(const char *text, size_t size, const char *device) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));

        if (!lines)
                return true;
        lines_open(lines, text, size, true);
        while (lines_next(lines)) {
                char *rest = lines->line, *word = lines_word(&rest);

                if (!word || (!is_word(word, "auto") && strncmp(word, "allow-", strlen("allow-")) != 0))
                        continue;
                while ((word = lines_word(&rest)))
                        if (matches(word, device))
                                return true;
        }
        return false;
}

bool source_ifupdown_included(const char *text, size_t size, size_t *position, bool *ret_is_folder,
                              char *ret, size_t ret_size) {
        CLEANUP(cleanup_free) struct lines *lines = malloc(sizeof(*lines));

        if (!lines)
                return false;
        lines_open(lines, text, size, true);
        if (*position > lines->position)
                lines->position = *position;
        while (lines_next(lines)) {
                char *rest = lines->line, *word = lines_word(&rest);

                *position = lines->position;
                if (!is_word(word, "source") && !is_word(word, "source-directory"))
                        continue;
                *ret_is_folder = is_word(word, "source-directory");
                snprintf(ret, ret_size, "%s", lines_trim(rest));
                return true;
        }
        *position = size;
        return false;
}

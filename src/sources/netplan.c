/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/netplan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sources/match.h"

/* A value and where it stands. */
struct place {
        char *value;
        char *file;
        unsigned line;
};

struct definition {
        char *section; /* ethernets */
        char *id;
        struct place mtu;
        struct place name; /* match: name:; set-name: goes before */
        struct place set_name;
        struct place mac;
        struct place driver;
};

struct netplan {
        struct definition *items;
        size_t n_items;
};

static void place_free(struct place *place) {
        free(place->value);
        free(place->file);
}

int netplan_new(struct netplan **ret) {
        struct netplan *netplan = calloc(1, sizeof(*netplan));

        if (!netplan)
                return -ENOMEM;
        *ret = netplan;
        return 0;
}

void netplan_free(struct netplan **netplan) {
        if (!*netplan)
                return;
        for (size_t i = 0; i < (*netplan)->n_items; i++) {
                struct definition *definition = &(*netplan)->items[i];

                free(definition->section);
                free(definition->id);
                place_free(&definition->mtu);
                place_free(&definition->name);
                place_free(&definition->set_name);
                place_free(&definition->mac);
                place_free(&definition->driver);
        }
        free((*netplan)->items);
        free(*netplan);
        *netplan = NULL;
}

static struct definition *find(struct netplan *netplan, const char *section, const char *id) {
        struct definition *items;

        for (size_t i = 0; i < netplan->n_items; i++)
                if (strcmp(netplan->items[i].section, section) == 0 && strcmp(netplan->items[i].id, id) == 0)
                        return &netplan->items[i];
        items = reallocarray(netplan->items, netplan->n_items + 1, sizeof(*items));
        if (!items)
                return NULL;
        netplan->items = items;
        items[netplan->n_items] = (struct definition){ .section = strdup(section), .id = strdup(id) };
        if (!items[netplan->n_items].section || !items[netplan->n_items].id) {
                free(items[netplan->n_items].section);
                free(items[netplan->n_items].id);
                return NULL;
        }
        return &items[netplan->n_items++];
}

/* The text of a scalar, or NULL: another kind of node, or one with a NUL inside. */
static const char *scalar(const yaml_node_t *node) {
        const char *text = node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                                                  : NULL;

        return text && strlen(text) == node->data.scalar.length ? text : NULL;
}

static int put(struct place *place, const struct reading *reading, const yaml_node_t *node) {
        const char *text = scalar(node);
        struct place new = { .line = (unsigned)node->start_mark.line + 1 };

        if (!text)
                return 0;
        new.value = strdup(text);
        new.file = strdup(reading->file);
        if (!new.value || !new.file) {
                place_free(&new);
                return -ENOMEM;
        }
        place_free(place);
        *place = new;
        return 0;
}

/* One walk over a mapping: its keys are scalars, or are passed over. */
struct walk {
        yaml_document_t *document;
        const yaml_node_pair_t *next, *end;
        const char *key;
        const yaml_node_t *value;
};

static struct walk walk_of(yaml_document_t *document, const yaml_node_t *node) {
        struct walk walk = { .document = document };

        if (node && node->type == YAML_MAPPING_NODE) {
                walk.next = node->data.mapping.pairs.start;
                walk.end = node->data.mapping.pairs.top;
        }
        return walk;
}

static bool walk_next(struct walk *walk) {
        while (walk->next && walk->next < walk->end) {
                walk->key = scalar(yaml_document_get_node(walk->document, walk->next->key));
                walk->value = yaml_document_get_node(walk->document, walk->next->value);
                walk->next++;
                if (walk->key && walk->value)
                        return true;
        }
        return false;
}

static const yaml_node_t *get(yaml_document_t *document, const yaml_node_t *node, const char *key) {
        struct walk walk = walk_of(document, node);
        const yaml_node_t *found = NULL;

        while (walk_next(&walk))
                if (strcmp(walk.key, key) == 0)
                        found = walk.value;
        return found;
}

static int read_definition(struct definition *definition, const struct reading *reading,
                           yaml_document_t *document, const yaml_node_t *node) {
        struct walk walk = walk_of(document, node);
        int r = 0;

        while (r == 0 && walk_next(&walk))
                if (strcmp(walk.key, "mtu") == 0)
                        r = put(&definition->mtu, reading, walk.value);
                else if (strcmp(walk.key, "set-name") == 0)
                        r = put(&definition->set_name, reading, walk.value);
                else if (strcmp(walk.key, "match") == 0) {
                        struct walk match = walk_of(document, walk.value);

                        while (r == 0 && walk_next(&match))
                                if (strcmp(match.key, "name") == 0)
                                        r = put(&definition->name, reading, match.value);
                                else if (strcmp(match.key, "macaddress") == 0)
                                        r = put(&definition->mac, reading, match.value);
                                else if (strcmp(match.key, "driver") == 0) {
                                        r = put(&definition->driver, reading, match.value);
                                        /* A list of them. */
                                        if (r == 0 && !definition->driver.value) {
                                                definition->driver.value = strdup("(several)");
                                                r = definition->driver.value ? 0 : -ENOMEM;
                                        }
                                }
                }
        return r;
}

static bool is_device_section(const char *key) {
        static const char *const keys[] = {
                "ethernets", "vlans",      "bonds",         "bridges",          "wifis", "modems", "tunnels",
                "vrfs",      "nm-devices", "dummy-devices", "virtual-ethernets"
        };

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                if (strcmp(key, keys[i]) == 0)
                        return true;
        return false;
}

static int read_document(struct netplan *netplan, const struct reading *reading, yaml_document_t *document) {
        struct walk sections =
                        walk_of(document, get(document, yaml_document_get_root_node(document), "network"));
        int r = 0;

        while (r == 0 && walk_next(&sections)) {
                struct walk walk = walk_of(document, sections.value);

                while (r == 0 && is_device_section(sections.key) && walk_next(&walk)) {
                        struct definition *definition = find(netplan, sections.key, walk.key);

                        r = definition ? read_definition(definition, reading, document, walk.value)
                                       : -ENOMEM;
                }
        }
        return r;
}

int netplan_add(struct netplan *netplan, const struct reading *reading) {
        yaml_document_t document;
        yaml_parser_t parser;
        char shown[TEXT_QUOTE_SIZE];
        int r = 0;

        if (!yaml_parser_initialize(&parser))
                return -ENOMEM;
        yaml_parser_set_input_string(&parser, (const unsigned char *)reading->text, reading->size);
        if (yaml_parser_load(&parser, &document)) {
                r = read_document(netplan, reading, &document);
                yaml_document_delete(&document);
        } else if (parser.error == YAML_MEMORY_ERROR)
                r = -ENOMEM;
        else
                diagnostic_report(reading->sink, DIAGNOSTIC_ERROR, reading->file,
                                  (unsigned)parser.problem_mark.line + 1, NULL,
                                  "is not YAML here: %s; the file is not read",
                                  text_show(shown, parser.problem ? parser.problem : "no reason given"));
        yaml_parser_delete(&parser);
        return r;
}

static int add_finding(const struct definition *definition, const struct reading *reading) {
        char mac[MATCH_MAC_SIZE];
        CLEANUP(cleanup_free) char *other = NULL;
        struct draft draft = {
                .source = SOURCE_NETPLAN,
                .match = FINDING_NAME,
                .device = definition->id,
                .file = definition->mtu.file,
                .line = definition->mtu.line,
                .value = definition->mtu.value,
                .owner = definition->id,
        };
        bool is_physical = strcmp(definition->section, "ethernets") == 0 ||
                           strcmp(definition->section, "wifis") == 0 ||
                           strcmp(definition->section, "modems") == 0;

        if (strcmp(definition->section, "nm-devices") == 0) {
                draft.match = FINDING_OTHER;
        } else if (!is_physical) {
                /* The definition's own name is the device's. */
        } else if (definition->set_name.value) {
                draft.device = definition->set_name.value;
        } else if (definition->driver.value || (definition->name.value && definition->mac.value)) {
                if (asprintf(&other, "match%s%s%s%s%s%s", definition->name.value ? " name " : "",
                             definition->name.value ? definition->name.value : "",
                             definition->mac.value ? " macaddress " : "",
                             definition->mac.value ? definition->mac.value : "",
                             definition->driver.value ? " driver " : "",
                             definition->driver.value ? definition->driver.value : "") < 0) {
                        other = NULL;
                        return -ENOMEM;
                }
                draft.match = FINDING_OTHER;
                draft.device = other;
        } else if (definition->mac.value) {
                bool is_mac = match_read_mac(definition->mac.value, mac);

                draft.match = is_mac ? FINDING_MAC : FINDING_OTHER;
                draft.device = is_mac ? mac : definition->mac.value;
        } else if (definition->name.value) {
                draft.device = definition->name.value;
                draft.match = strcmp(draft.device, "*") == 0 ? FINDING_ANY
                              : match_is_glob(draft.device)  ? FINDING_GLOB
                                                             : FINDING_NAME;
                if (draft.match == FINDING_ANY)
                        draft.device = NULL;
        }
        return reading_add(reading, VALUE_DECIMAL, &draft);
}

int netplan_read(const struct netplan *netplan, const struct reading *reading) {
        for (size_t i = 0; i < netplan->n_items; i++) {
                const char *mtu = netplan->items[i].mtu.value;
                int r;

                if (!mtu || !*mtu || strcmp(mtu, "null") == 0 || strcmp(mtu, "~") == 0)
                        continue;
                r = add_finding(&netplan->items[i], reading);
                if (r < 0)
                        return r;
        }
        return 0;
}

int source_netplan_read(const struct reading *reading) {
        CLEANUP(netplan_free) struct netplan *netplan = NULL;
        int r = netplan_new(&netplan);

        if (r == 0)
                r = netplan_add(netplan, reading);
        return r == 0 ? netplan_read(netplan, reading) : r;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* YAML and JSON by their keys: netplan, cloud-init, ifupdown2's policies, docker's daemon.json. Mappings are
 * told by their indentation or braces; anchors, tags and merges are not followed. */

#include <string.h>

#include "base/text.h"
#include "mentions/reader.h"

#define DEPTH_MAX 32
#define SCALAR_SIZE 256

struct mapping {
        int indent;            /* of its keys; -1 in braces */
        char key[SCALAR_SIZE]; /* that it is the value of; or empty */
        char name[SCALAR_SIZE], set_name[SCALAR_SIZE], match_name[SCALAR_SIZE];
        bool has_match;
        size_t first; /* the first mention in it */
};

struct tree {
        struct reader *reader;
        struct mapping mappings[DEPTH_MAX];
        size_t depth;
        char pending[SCALAR_SIZE]; /* the last key */
        const char *at;
};

/* What holds devices by their names. */
static const char groups[] = "ethernets wifis modems bonds bridges vlans tunnels vrfs dummy-devices "
                             "virtual-ethernets nm-devices iface_defaults";

static bool is_one_of(char c, const char *set) {
        return c && strchr(set, c);
}

static struct mapping *top(struct tree *tree) {
        return &tree->mappings[tree->depth - 1];
}

static void open_mapping(struct tree *tree, int indent, const char *key) {
        if (tree->depth == DEPTH_MAX)
                return;
        tree->depth++;
        *top(tree) = (struct mapping){ .indent = indent, .first = tree->reader->mentions->n_items };
        snprintf(top(tree)->key, sizeof(top(tree)->key), "%s", key);
}

static void close_mapping(struct tree *tree) {
        struct mapping *mapping = top(tree), *outer = mapping > tree->mappings ? mapping - 1 : NULL;
        const char *device = "";

        tree->depth--;
        if (outer && strcmp(mapping->key, "match") == 0) {
                outer->has_match = true;
                memcpy(outer->match_name, mapping->name, sizeof(mapping->name));
                return;
        }
        if (*mapping->set_name)
                device = mapping->set_name;
        else if (mapping->has_match)
                device = mapping->match_name;
        else if (*mapping->name)
                device = mapping->name;
        else if (outer && text_is_among(outer->key, groups))
                device = mapping->key;
        reader_set_devices(tree->reader, mapping->first, device);
}

static void take_pair(struct tree *tree, const char *key, const char *value) {
        struct mapping *mapping = top(tree);
        bool is_mtu = strcmp(key, "mtu") == 0 || (text_ends_in(key, ".mtu") && !text_after(key, "ipv"));

        /* Not the MTU of a route. */
        if (is_mtu && strcmp(mapping->key, "routes") != 0)
                reader_add(tree->reader, NULL, value);
        else if (strcmp(key, "set-name") == 0)
                snprintf(mapping->set_name, SCALAR_SIZE, "%s", value);
        else if (text_is_among(key, "bridge ifname interface network_interface") ||
                 (strcmp(key, "name") == 0 && !*mapping->name))
                snprintf(mapping->name, SCALAR_SIZE, "%s", value);
        else
                reader_take_commands(tree->reader, value, NULL);
}

/* Takes a scalar, with its quotes off, up to one of `ends` or a comment. */
static void take_scalar(struct tree *tree, const char *ends, char ret[static SCALAR_SIZE]) {
        char quote = is_one_of(*tree->at, "\"'") ? *tree->at++ : '\0';
        size_t used = 0;

        for (; *tree->at && *tree->at != '\n'; tree->at++) {
                if (quote ? *tree->at == quote
                          : is_one_of(*tree->at, ends) || (*tree->at == '#' && text_is_space(tree->at[-1])))
                        break;
                if (used < SCALAR_SIZE - 1)
                        ret[used++] = *tree->at;
        }
        tree->at += quote && *tree->at == quote;
        while (!quote && used > 0 && text_is_space(ret[used - 1]))
                used--;
        ret[used] = '\0';
}

static void skip(struct tree *tree, const char *blanks) {
        for (; is_one_of(*tree->at, blanks) || *tree->at == '#'; tree->at++)
                if (*tree->at == '#')
                        tree->at += strcspn(tree->at, "\n") - 1;
                else if (*tree->at == '\n') {
                        tree->reader->line++;
                        tree->reader->at = tree->at + 1;
                }
}

/* A value: what is in braces or brackets, or a scalar up to one of `ends`. */
static void read_value(struct tree *tree, const char *key, const char *ends, unsigned depth) {
        char word[SCALAR_SIZE], words[2 * SCALAR_SIZE] = "", open = *tree->at;

        if (!is_one_of(open, "{[") || depth == DEPTH_MAX) {
                take_scalar(tree, ends, word);
                take_pair(tree, key, word);
                return;
        }
        tree->at++;
        if (open == '{')
                open_mapping(tree, -1, key);
        for (skip(tree, " \t\r\n,"); *tree->at && !strchr("}]", *tree->at); skip(tree, " \t\r\n,")) {
                const char *before = tree->at;

                if (open == '{') {
                        take_scalar(tree, ":,}", word);
                        skip(tree, " \t\r\n:");
                        read_value(tree, word, ",}]", depth + 1);
                } else if (strchr("{[", *tree->at))
                        read_value(tree, key, ",}]", depth + 1);
                else {
                        take_scalar(tree, ",]", word);
                        snprintf(words + strlen(words), sizeof(words) - strlen(words), " %s", word);
                }
                tree->at += tree->at == before;
        }
        tree->at += *tree->at != '\0';
        /* A command as a list of its words. */
        reader_take_commands(tree->reader, words, NULL);
        if (open == '{')
                close_mapping(tree);
}

static void close_deeper(struct tree *tree, int indent) {
        while (tree->depth > 1 && top(tree)->indent > indent)
                close_mapping(tree);
}

/* A line of indented YAML, from its first byte that is no blank. */
static void read_line(struct tree *tree, const char *begin) {
        char key[SCALAR_SIZE];
        const char *first;

        /* Each item of a list has a mapping of its own. */
        while (*tree->at == '-' && text_is_space(tree->at[1])) {
                close_deeper(tree, (int)(tree->at - begin));
                tree->at += 1 + strspn(tree->at + 1, " ");
        }
        first = tree->at;
        if (!is_one_of(*first, "{[")) {
                take_scalar(tree, ":", key);
                if (*tree->at == ':' && (!tree->at[1] || text_is_space(tree->at[1]))) {
                        close_deeper(tree, (int)(first - begin));
                        if (top(tree)->indent < first - begin)
                                open_mapping(tree, (int)(first - begin), tree->pending);
                        tree->at += 1 + strspn(tree->at + 1, " \t");
                        strcpy(tree->pending, key);
                } else {
                        tree->at = first;
                        strcpy(key, "");
                }
        } else
                strcpy(key, tree->pending);
        read_value(tree, key, "", 0);
}

void reader_read_tree(struct reader *reader) {
        struct tree tree = { .reader = reader, .at = reader->text };

        open_mapping(&tree, -1, "");
        for (const char *begin = tree.at; *begin; begin = tree.at) {
                reader->at = begin;
                tree.at += strspn(begin, " \t\r");
                if (begin == tree.at && strncmp(begin, "---", 3) == 0)
                        close_deeper(&tree, -1);
                else if (*tree.at && !strchr("\n#", *tree.at))
                        read_line(&tree, begin);
                tree.at += strcspn(tree.at, "\n");
                tree.at += *tree.at == '\n';
                reader->line++;
        }
        while (tree.depth > 0)
                close_mapping(&tree);
}

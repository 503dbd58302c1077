/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "sources/format/format.h"
#include "sources/format/netplan.h"
#include "sources/shell/exec_command.h"
#include "sources/shell/script.h"

/* The commands of a cloud-config: each is a text for a shell, or a list of words. */
static void read_commands(const struct source_parser *parser, struct walk_node root, const char *key,
                          const char *condition) {
        struct walk list = { walk_get(root, key) };
        struct pool *pool = source_pool(parser);

        while (walk_next(&list)) {
                const struct mtu_source source = { .kind = SOURCE_SCRIPT,
                                                   .line = walk_line(list.value),
                                                   .owner = "cloud-init",
                                                   .condition = condition };
                struct walk words = { list.value };
                struct shell_command command = { 0 };
                const char *text = walk_text(list.value);

                if (text)
                        script_read(parser, source, text, strlen(text), NULL);
                while (walk_next(&words)) {
                        text = walk_text(words.value);
                        shell_command_add(pool, &command,
                                          (struct shell_word){ pool_copy(pool, text ? text : ""), !text });
                }
                if (command.n_words > 0)
                        exec_command_read(parser, source, &command, NULL);
        }
}

/* Files for cloud-init to write, which are what their paths say. On the machine, they are read where they
 * are. */
static void read_written(const struct source_parser *parser, struct walk_node root) {
        struct walk files = { walk_get(root, "write_files") };
        struct pool *pool = source_pool(parser);

        while (!text_after(parser->file, "/etc/") && walk_next(&files)) {
                struct walk_node node = walk_get(files.value, "path");
                const char *path = walk_text(node), *text = walk_get_text(files.value, "content");
                const struct source_format *format =
                                path && text_after(path, "/etc/") ? source_format_of_path(path) : NULL;
                struct source_parser written = *parser;

                /* What a script is for, its path does not say. */
                if (!format || format->foreign || !text || text_ends_in(path, ".sh") ||
                    !source_mentions_mtu(text, strlen(text)))
                        continue;
                if (!format->read) {
                        source_warn(parser, walk_line(node),
                                    "cloud-init writes %s, which is read only where it is written",
                                    TEXT_SHOW(path));
                        continue;
                }
                written.file = pool_copy(pool, path);
                written.text = pool_copy(pool, text);
                written.size = strlen(text);
                written.first = parser->sources->n_items;
                format->read(&written);
        }
}

void cloud_init_read(const struct source_parser *parser, struct walk_node root) {
        read_commands(parser, root, "bootcmd", NULL);
        read_commands(parser, root, "runcmd", "cloud-init runs it at the first boot only");
        read_written(parser, root);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/line_edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "config/config_edit.h"
#include "store/config_files.h"
#include "store/config_write.h"

static int complain_of_file(int error) {
        static const struct {
                int error;
                const char *text;
        } texts[] = {
                { -ELOOP, "is a symbolic link, which an edit would replace with a file; edit the file that "
                          "it points to" },
                { -EROFS, "is read-only, by its mode or with its file system" },
                { -EACCES, "permission denied; run this as root" },
                { -EPERM,
                  "not permitted; as root, lsattr " CONFIG_FILE " shows whether it is immutable (i), "
                  "which chattr -i ends" },
                { -EINVAL, "is not a regular file" },
                { -EFBIG, "is larger than the limit of 1 MiB, or would be after the edit" },
                { -ESTALE, "another program has changed it meanwhile; try again" },
        };
        const char *text = strerror(-error);

        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
                if (texts[i].error == error)
                        text = texts[i].text;
        return log_fail(EXIT_CODE_FAILURE, CONFIG_FILE ": not changed: %s", text);
}

/* Reports a line in another file that the edit cannot change: that file overrides this one, or its line
 * would have to be removed. */
static bool is_overridden(const struct config *config, const char *name, bool has_line) {
        const struct config_line *line = config_find(config, name);

        if (!line || strcmp(line->file, CONFIG_FILE) == 0)
                return false;
        if (config_files_give_way(line->file))
                return !has_line &&
                       log_fail(true,
                                "%s: its line is in %s, which is not edited; a line in " CONFIG_FILE
                                " overrides it",
                                name, CONFIG_LINE_PLACE(line));
        return log_fail(true, "%s: its line is in %s, which overrides " CONFIG_FILE "; change it there",
                        name, CONFIG_LINE_PLACE(line));
}

/* Reports an error of config_edit_set() or config_edit_unset(). */
static int complain_of_edit(const char *name, int error) {
        if (error == -EINVAL)
                return log_fail(EXIT_CODE_USAGE, "%s: a line cannot begin with this name; see setmtu(5)",
                                name);
        if (error == -EBADMSG)
                return log_fail(EXIT_CODE_CONFIGURATION,
                                "%s: " CONFIG_FILE " has an error that changes what the edit means; first "
                                "correct what setmtu check reports",
                                name);
        return complain_of_file(error);
}

int line_edit_prepare_changes(const struct line_change *changes, size_t n_changes, struct line_edit *ret) {
        int r = config_write_open(CONFIG_FILE, &ret->write, &ret->text, &ret->size);

        if (r < 0)
                return complain_of_file(r);
        for (size_t i = 0; i < n_changes; i++) {
                const struct line_change *change = &changes[i];
                char *text;

                r = change->is_removal ? config_edit_unset(ret->text, ret->size, change->name, &text,
                                                           &ret->size)
                                       : config_edit_set(ret->text, ret->size, change->name, &change->spec,
                                                         &text, &ret->size);
                if (r < 0)
                        return complain_of_edit(change->name, r);
                free(ret->owned);
                ret->text = ret->owned = text;
                ret->n_changed += (unsigned)r;
        }
        return EXIT_CODE_DONE;
}

int line_edit_prepare(const struct config *config, const struct config_line *line, const char *name,
                      const struct mtu_spec *spec, struct line_edit *ret) {
        bool has_former = line && !line->is_pattern && strcmp(line->name, name) != 0;
        struct line_change changes[2] = { { .is_removal = true } }, *own = &changes[has_former];

        if (is_overridden(config, name, spec) || (has_former && is_overridden(config, line->name, spec)))
                return EXIT_CODE_FAILURE;
        ret->name = name;
        if (has_former)
                changes[0].name = strcpy(ret->former, line->name);
        *own = (struct line_change){ .name = name, .is_removal = !spec };
        if (spec)
                own->spec = *spec;
        return line_edit_prepare_changes(changes, 1u + has_former, ret);
}

int line_edit_write(struct line_edit *edit) {
        int r = 0;

        if (edit->n_changed > 0)
                r = config_write_replace(edit->write, edit->text, edit->size);
        return line_edit_log(edit, r);
}

int line_edit_log(const struct line_edit *edit, int result) {
        if (result < 0)
                return complain_of_file(result);
        if (edit->n_changed == 0)
                return EXIT_CODE_DONE;
        if (result > 0)
                log_warning(CONFIG_FILE ": changed, but it may not be on the disk yet: look again after a "
                                        "loss of power");
        log_info("%s%s" CONFIG_FILE " changed", edit->name ? edit->name : "", edit->name ? ": " : "");
        if (*edit->former)
                log_info("%s: its line had the alternative name %s, by which neither the udev rule nor the "
                         "unit finds the device at boot; it has the interface name now",
                         edit->name, edit->former);
        return EXIT_CODE_DONE;
}

void line_edit_cleanup(struct line_edit *edit) {
        config_write_cleanup(&edit->write);
        free(edit->owned);
        *edit = (struct line_edit){ 0 };
}

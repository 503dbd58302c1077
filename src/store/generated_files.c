/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "store/generated_files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/directory.h"
#include "base/root.h"
#include "base/text.h"
#include "base/whole_file.h"

#define MARK_FOR GENERATED_FILES_MARK " for "   /* one device */
#define MARK_FROM GENERATED_FILES_MARK " from " /* several lines */
/* More than any file: a copy of a .link file has the contents of one of at most 1 MiB and its drop-ins. */
#define TEXT_MAX (64 * 1024 * 1024)

void generated_files_free(struct generated_files *files) {
        for (size_t i = 0; i < files->n_items; i++)
                free(files->items[i].text);
        pool_free(&files->pool);
        *files = (struct generated_files){ 0 };
}

/* Adds an empty file at the end. NULL: out of memory. */
static struct generated_file *add_file(struct generated_files *files, const struct generated_kind *kind,
                                       const char *path) {
        struct generated_file *file = pool_add(&files->pool, &files->items, &files->n_items, sizeof(*file));

        if (file)
                *file = (struct generated_file){ .kind = kind, .path = pool_copy(&files->pool, path) };
        return files->pool.failed ? NULL : file;
}

FILE *generated_files_begin(struct generated_files *files, const struct generated_kind *kind,
                            const char *path, const struct config_line *line) {
        struct generated_file *file = add_file(files, kind, path);
        FILE *stream = file ? open_memstream(&file->text, &file->size) : NULL;

        if (!stream)
                return NULL;
        if (line)
                fprintf(stream, MARK_FOR "%s from %s", line->name, CONFIG_LINE_PLACE(line));
        else
                fputs(MARK_FROM CONFIG_FILE ", its drop-ins and the kernel command line.\n", stream);
        return stream;
}

int generated_files_end(struct generated_files *files, FILE *stream) {
        bool is_whole = !ferror(stream);

        is_whole &= fclose(stream) == 0;
        return is_whole && files->items[files->n_items - 1].text ? 0 : -ENOMEM;
}

/* 1 if the file is setmtu's; 0 if it is not; -ENOENT if there is none; or another error. */
static int read_ours(const char *path, char **ret_text, size_t *ret_size) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size;
        int r = whole_file_is_link(path);

        if (r == 0)
                r = whole_file_read(path, TEXT_MAX, &text, &size);
        else if (r > 0)
                return 0;
        if (r < 0)
                return r == -EINVAL || r == -EFBIG ? 0 : r == -ENOTDIR ? -ENOENT : r;
        if (!generated_file_text_is_ours(text))
                return 0;
        *ret_text = text;
        *ret_size = size;
        text = NULL;
        return 1;
}

static void report_unread(const struct diagnostic_sink *sink, const char *path, int error) {
        diagnostic_report_file(sink, path, "cannot be read: %s; left as it was", strerror(-error));
}

/* Adds the file if it is setmtu's. -ENOMEM is the only error. */
static int read_one(struct generated_files *files, const struct generated_kind *kind,
                    const struct generated_place *place, const char *path,
                    const struct diagnostic_sink *sink) {
        CLEANUP(cleanup_free) char *text = NULL;
        struct generated_file *file;
        size_t size;
        int r = read_ours(path, &text, &size);

        if (r == -ENOMEM)
                return r;
        if (r < 0 && r != -ENOENT)
                report_unread(sink, path, r);
        if (r <= 0)
                return 0;
        file = add_file(files, kind, path);
        if (!file)
                return -ENOMEM;
        file->place = place;
        file->text = text;
        file->size = size;
        text = NULL;
        return 0;
}

static int read_place(struct generated_files *files, const struct generated_kind *kind,
                      const struct generated_place *place, const struct diagnostic_sink *sink) {
        CLEANUP(directory_free) struct directory names = { 0 };
        int r = directory_list(place->directory, place->suffix, &names);

        if (r < 0 && r != -ENOMEM)
                report_unread(sink, place->directory, r);
        for (size_t i = 0; i < names.n_names && r == 0; i++) {
                char path[PATH_MAX];

                snprintf(path, sizeof(path), "%s/%s%s%s", place->directory, names.names[i],
                         place->below ? "/" : "", place->below ? place->below : "");
                r = read_one(files, kind, place, path, sink);
        }
        return r == -ENOMEM ? r : 0;
}

int generated_files_read(struct generated_files *files, const struct generated_kind *kind,
                         const struct diagnostic_sink *sink) {
        int r = 0;

        for (const struct generated_place *place = kind->places; place->directory && r == 0; place++)
                r = read_place(files, kind, place, sink);
        return r;
}

const struct generated_file *generated_files_find(const struct generated_files *files, const char *path) {
        for (size_t i = 0; i < files->n_items; i++)
                if (strcmp(files->items[i].path, path) == 0)
                        return &files->items[i];
        return NULL;
}

bool generated_file_text_is_ours(const char *text) {
        return text_after(text, MARK_FOR) || text_after(text, MARK_FROM);
}

int generated_file_is_ours(const char *path) {
        CLEANUP(cleanup_free) char *text = NULL;

        return read_ours(path, &text, &(size_t){ 0 });
}

static bool write_one(struct generated_file *file) {
        int r = whole_file_replace(file->path, file->text, file->size);

        file->is_changed = r > 0;
        file->error = r < 0 ? r : 0;
        return r >= 0;
}

static bool remove_one(struct generated_file *file) {
        char buffer[PATH_MAX], directory[PATH_MAX];
        const char *in_root = root_path(buffer, file->path);

        file->error = whole_file_remove(file->path);
        if (file->error == 0 && file->place->below) {
                snprintf(directory, sizeof(directory), "%.*s", (int)(strrchr(in_root, '/') - in_root),
                         in_root);
                /* The directory may have other files. */
                if (rmdir(directory) < 0 && errno != ENOTEMPTY && errno != EEXIST && errno != ENOENT)
                        file->error = -errno;
        }
        file->is_changed = file->error == 0;
        return file->is_changed;
}

bool generated_files_save(struct generated_files *wanted, struct generated_files *before, bool may_remove) {
        bool is_done = true;

        for (size_t i = 0; i < wanted->n_items; i++)
                is_done &= write_one(&wanted->items[i]);
        for (size_t i = 0; i < before->n_items && may_remove; i++)
                if (!generated_files_find(wanted, before->items[i].path))
                        is_done &= remove_one(&before->items[i]);
        return is_done;
}

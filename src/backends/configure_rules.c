/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/configure_rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/udev_rules.h"
#include "base/cleanup.h"
#include "base/whole_file.h"

/* The rules as text; NULL where memory is out. The caller frees it. */
static char *render(const struct plan *plan, size_t *ret_size) {
        char *text = NULL;
        FILE *stream = open_memstream(&text, ret_size);

        if (!stream)
                return NULL;
        udev_rules_write(plan, stream);
        if (ferror(stream) | fclose(stream)) {
                free(text);
                return NULL;
        }
        return text;
}

int configure_rules_save(const struct plan *plan) {
        CLEANUP(cleanup_free) char *text = NULL;
        size_t size = 0;

        if (!plan->has_rules)
                return whole_file_remove(UDEV_RULES_PATH);
        text = render(plan, &size);
        if (!text)
                return -ENOMEM;
        return whole_file_replace(UDEV_RULES_PATH, text, size);
}

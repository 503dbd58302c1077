/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/configure_networkmanager.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/networkmanager_conf.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "store/load_plan.h"
#include "system/active_unit.h"

#define WORD_SIZE (sizeof("4294967295:") + INTERFACE_NAME_SIZE)

/* The words for setmtu-networkmanager: MTU:NAME, what the file gave the device before; 0: nothing. */
struct words {
        const char **list; /* those of the command first, then `items`, then NULL */
        char (*items)[WORD_SIZE];
        size_t n_items;
};

static void words_cleanup(struct words *words) {
        free(words->list);
        free(words->items);
}

/* `size` bytes; NULL where memory is out. `ret_n` is the number of sections. */
static char *render(const struct plan *plan, const struct link_table *links, size_t *ret_size,
                    size_t *ret_n) {
        char *text = NULL;
        FILE *stream = open_memstream(&text, ret_size);

        if (!stream)
                return NULL;
        *ret_n = networkmanager_conf_write(plan, links, &load_plan_log, stream);
        if (ferror(stream) | fclose(stream)) {
                free(text);
                return NULL;
        }
        return text;
}

/* What a text gives the interface; 0: nothing. */
static uint32_t mtu_in(const char *text, const char *interface) {
        char name[INTERFACE_NAME_SIZE];
        uint32_t mtu;

        while (networkmanager_conf_next(&text, name, &mtu))
                if (strcmp(name, interface) == 0)
                        return mtu;
        return 0;
}

static size_t count(const char *text) {
        char name[INTERFACE_NAME_SIZE];
        uint32_t mtu;
        size_t n = 0;

        while (networkmanager_conf_next(&text, name, &mtu))
                n++;
        return n;
}

/* The devices to which the two texts give something else. */
static bool compare(const char *before, const char *now, struct words *ret) {
        static const char *const command[] = { LIBEXECDIR "/setmtu-networkmanager", "--" };
        const size_t n_command = sizeof(command) / sizeof(command[0]);
        size_t n_max = count(before) + count(now);
        struct words words = {
                .list = calloc(n_command + n_max + 1, sizeof(*words.list)),
                .items = calloc(n_max + 1, sizeof(*words.items)),
        };
        char name[INTERFACE_NAME_SIZE];
        const char *rest;
        uint32_t mtu;

        *ret = words;
        if (!words.list || !words.items)
                return false;
        for (rest = now; networkmanager_conf_next(&rest, name, &mtu);)
                if (mtu_in(before, name) != mtu)
                        snprintf(words.items[words.n_items++], WORD_SIZE, "%u:%s", mtu_in(before, name),
                                 name);
        for (rest = before; networkmanager_conf_next(&rest, name, &mtu);)
                if (mtu_in(now, name) == 0)
                        snprintf(words.items[words.n_items++], WORD_SIZE, "%u:%s", mtu, name);
        memcpy(words.list, command, sizeof(command));
        for (size_t i = 0; i < words.n_items; i++)
                words.list[n_command + i] = words.items[i];
        *ret = words;
        return true;
}

/* At boot it starts after this program, and reads the file by itself. */
static bool tell(const char *before, const char *now) {
        CLEANUP(words_cleanup) struct words words = { 0 };
        int r;

        if (!active_unit_is("NetworkManager.service"))
                return true;
        if (!compare(before, now, &words)) {
                log_out_of_memory();
                return false;
        }
        if (words.n_items == 0)
                return true;
        r = child_run(words.list);
        if (r < 0)
                log_error("%s: %s", words.list[0], strerror(-r));
        return r == EXIT_CODE_DONE;
}

/* Makes the file hold the text, or be gone. */
static bool save(const char *text, size_t size, bool is_wanted) {
        int r = is_wanted ? whole_file_replace(NETWORKMANAGER_CONF_PATH, text, size)
                          : whole_file_remove(NETWORKMANAGER_CONF_PATH);

        if (r < 0)
                log_error(NETWORKMANAGER_CONF_PATH ": %s", strerror(-r));
        else if (r > 0)
                log_info(NETWORKMANAGER_CONF_PATH " written");
        else if (!is_wanted)
                log_info(NETWORKMANAGER_CONF_PATH " removed");
        return r >= 0;
}

bool configure_networkmanager(const struct plan *plan, const struct link_table *links) {
        CLEANUP(cleanup_free) char *before = NULL, *now = NULL;
        size_t before_size, now_size, n;

        now = render(plan, links, &now_size, &n);
        if (!now) {
                log_out_of_memory();
                return false;
        }
        if (!networkmanager_conf_is_free(plan, &load_plan_log))
                return true;
        if (whole_file_read(NETWORKMANAGER_CONF_PATH, NETWORKMANAGER_CONF_MAX, &before, &before_size) < 0 &&
            n == 0)
                return true;
        return save(now, now_size, n > 0) && tell(before ? before : "", n > 0 ? now : "");
}

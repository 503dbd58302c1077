/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/configure_live.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "files/whole_file.h"
#include "programs/device_change.h"
#include "programs/log.h"
#include "writers/network_mark.h"

/* Runs a program to its end. Its exit status, or a negative errno. */
static int run(const char *const *words) {
        extern char **environ;
        char *arguments[8] = { 0 };
        int status, r;
        pid_t pid;

        for (size_t i = 0; words[i]; i++)
                if (!(arguments[i] = strdup(words[i])))
                        abort();
        r = posix_spawnp(&pid, words[0], NULL, NULL, arguments, environ);
        for (size_t i = 0; arguments[i]; i++)
                free(arguments[i]);
        if (r != 0)
                return -r;
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return -errno;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -ECANCELED;
}

/* False also where it is only about to run: systemd starts udevd and networkd after this program, and would
 * wait. */
static bool is_active(const char *unit) {
        return run((const char *const[]){ "systemctl", "is-active", "--quiet", unit, NULL }) == 0;
}

static bool reload(const char *what, const char *const *words) {
        int r = run(words);

        if (r != 0)
                log_message(LOG_PRIORITY_WARNING, "%s could not be made to read its files again: %s", what,
                            r < 0 ? strerror(-r) : "it refused");
        return r == 0;
}

static const struct network_output *find_output(const struct network_outputs *outputs,
                                                const char *interface) {
        for (size_t i = 0; i < outputs->n_items; i++)
                if (strcmp(outputs->items[i].line->name, interface) == 0)
                        return &outputs->items[i];
        return NULL;
}

/* Whether one of the files from before has given the interface this MTU. */
static bool was_ours(const struct network_own *own, const char *interface, uint32_t mtu) {
        char name[INTERFACE_NAME_SIZE];

        for (size_t i = 0; i < own->n_items; i++)
                if (network_mark_read(own->items[i].text, name) && strcmp(name, interface) == 0 &&
                    network_mark_read_mtu(own->items[i].text) == mtu)
                        return true;
        return false;
}

static bool set_one(const struct network_output *output, const struct network_own *own,
                    const struct link *link, struct link_socket *socket) {
        struct config_line line = *output->line;
        struct mtu_change change;
        bool is_done;

        line.request.up = false;
        is_done = device_change_apply(socket, &line, link, &change);
        /* What udevd or networkd has set is no MTU from before setmtu. */
        if (!change.has_former && change.original == change.before &&
            was_ours(own, link->name, change.before))
                original_mtu_remove(link->ifindex);
        return is_done;
}

static bool put_back(const char *interface, const struct link *link, struct link_socket *socket) {
        struct original_mtu record;

        if (original_mtu_read(link->ifindex, &record) == -ENOENT)
                log_message(LOG_PRIORITY_INFO,
                            "%s: its MTU stays %u until it appears again or the machine boots: it has had "
                            "it since then",
                            interface, link->mtu);
        return device_change_restore(socket, interface, link);
}

static bool apply_one(const char *interface, const struct network_outputs *outputs,
                      const struct network_own *own, const struct config *config,
                      struct link_socket *socket) {
        const struct network_output *output = find_output(outputs, interface);
        struct link link;

        if (link_get_by_name(socket, interface, &link) < 0 || strcmp(link.name, interface) != 0)
                return true; /* absent */
        if (output)
                return set_one(output, own, &link, socket);
        /* With a line that is another backend's, or in error, it stays as it is. */
        return config_find(config, interface) || put_back(interface, &link, socket);
}

bool configure_live_apply(const struct network_changes *changes, const struct network_outputs *outputs,
                          const struct network_own *own, const struct config *config,
                          struct link_socket *socket) {
        bool is_done = true;

        if (changes->n_interfaces == 0 || !whole_file_exists("/run/udev/control") ||
            !is_active("systemd-udevd.service"))
                return true;
        if (changes->links)
                is_done &= reload("udevd", (const char *const[]){ "udevadm", "control", "--reload", NULL });
        for (size_t i = 0; i < changes->n_interfaces && socket; i++)
                if (i == 0 || strcmp(changes->interfaces[i], changes->interfaces[i - 1]) != 0)
                        is_done &= apply_one(changes->interfaces[i], outputs, own, config, socket);
        if (changes->networks && is_active("systemd-networkd.service"))
                is_done &= reload("networkd", (const char *const[]){ "networkctl", "reload", NULL });
        return is_done;
}

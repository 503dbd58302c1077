/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/rival.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "state/unit_state.h"

#define DAEMON_JSON "/etc/docker/daemon.json"

void rivals_cleanup(struct rivals *rivals) {
        mentions_free(&rivals->mentions);
        managers_cleanup(&rivals->managers);
        pool_free(&rivals->pool);
}

const struct mentions *rivals_mentions(struct rivals *rivals) {
        if (!rivals->is_scanned)
                mentions_scan(&rivals->mentions);
        rivals->is_scanned = true;
        rivals->pool.failed |= rivals->mentions.pool.failed;
        return &rivals->mentions;
}

/* A comparison of two numbers: which of them takes effect is not known, but where setmtu's own files come
 * after: the udev rule after .link files, and a drop-in. */
static bool is_rival(const struct mention *mention, const struct device_status *status,
                     const struct manager_facts *facts) {
        const char *program = mention->place->program, *name = strrchr(facts->network_file, '/');
        char drop_in[PATH_MAX];

        if (mention->mtu == 0 || mention->mtu == status->wanted || !mention->is_active ||
            mention->place->is_lease || !mention_is_of(mention, device_status_name(status)) ||
            strcmp(program, "systemd-udevd") == 0)
                return false;
        /* It says so itself. */
        if (strcmp(program, "NetworkManager") == 0 && mention->mtu == facts->networkmanager.mtu)
                return false;
        if (!name || !text_is_among(program, "systemd-networkd netplan"))
                return true;
        snprintf(drop_in, sizeof(drop_in), NETWORK_DROP_IN, name + 1);
        return whole_file_exists(drop_in) <= 0;
}

/* Adds a rival; its command is left out if it cannot be pasted. Without a mention it is a manager's word. */
__attribute__((format(printf, 5, 6))) static void add_rival(struct rivals *rivals,
                                                            const struct device_status *status,
                                                            const struct mention *mention,
                                                            const char *command, const char *format, ...) {
        struct rival *rival = pool_add(&rivals->pool, &rivals->items, &rivals->n_items, sizeof(*rival));
        char text[512];

        TEXT_FORMAT(text, sizeof(text), format);
        if (rival)
                *rival = (struct rival){
                        .status = status,
                        .file = mention ? mention->file : NULL,
                        .line = mention ? mention->line : 0,
                        .text = pool_copy(&rivals->pool, text),
                        .command = text_is_plain(command) ? command : NULL,
                };
}

static void add_mention(struct rivals *rivals, const struct device_status *status,
                        const struct mention *mention) {
        char file[TEXT_SHELL_WORD_SIZE];

        add_rival(rivals, status, mention,
                  pool_print(&rivals->pool, "${EDITOR:-vi} +%u %s", mention->line,
                             text_shell_word(file, mention->file)),
                  "%s has %u here, not %u", mention->place->program, mention->mtu, status->wanted);
}

/* Whether its number is one for the containers at the bridge of that name. */
static bool is_for_containers(const struct mention *mention, const char *name) {
        const char *own = mention->place->device; /* of the whole file */

        /* A unit may have it on dockerd's command line, or set the bridge itself. */
        if (mention_is_of(mention, name))
                return strcmp(mention->place->program, "systemd") != 0 || strstr(mention->text, "--mtu");
        /* The other key of daemon.json is for networks that are made later. */
        return own && strcmp(own, name) == 0 && strstr(mention->text, "\"mtu\"");
}

const struct mention *rivals_find_containers(struct rivals *rivals, const char *name, const char *program) {
        const struct mentions *mentions = rivals_mentions(rivals);

        for (size_t i = 0; i < mentions->n_items; i++) {
                const struct mention *mention = &mentions->items[i];

                if (mention->mtu > 0 && text_is_among(mention->place->program, program) &&
                    is_for_containers(mention, name))
                        return mention;
        }
        return NULL;
}

/* Without the file, it can be written; the rest of one that is there is its owner's. */
const char *rivals_docker_command(struct pool *pool, const struct mention *setting, uint32_t mtu) {
        char file[TEXT_SHELL_WORD_SIZE];
        const char *write = "${EDITOR:-vi} " DAEMON_JSON;

        if (setting)
                write = pool_print(pool, "${EDITOR:-vi} +%u %s && systemctl daemon-reload", setting->line,
                                   text_shell_word(file, setting->file));
        else if (whole_file_exists(DAEMON_JSON) == 0)
                write = pool_print(pool, "mkdir -p /etc/docker && echo '{ \"mtu\": %u }' > " DAEMON_JSON,
                                   mtu);
        return pool_print(pool,
                          "c=$(docker ps -q); %s && systemctl restart docker && echo $c | xargs -r docker "
                          "start",
                          write);
}

/* Docker gives its containers 1500 without a setting; it does not look at the bridge. */
static void add_docker(struct rivals *rivals, const struct device_status *status) {
        const struct mention *setting = rivals_find_containers(rivals, "docker0", "Docker systemd");
        uint32_t mtu = setting ? setting->mtu : MTU_ETHERNET;

        /* What the command line has is a rival of the device already. */
        if (!status->link || strcmp(status->link->kind, "bridge") != 0 || mtu == status->wanted ||
            (setting && setting->device))
                return;
        add_rival(rivals, status, setting ? setting : &(struct mention){ .file = DAEMON_JSON },
                  rivals_docker_command(&rivals->pool, setting, status->wanted),
                  "Docker's containers get %u, not %u: write \"mtu\": %u; for networks to come, also "
                  "\"default-network-opts\" (Docker 24 or later)",
                  mtu, status->wanted, status->wanted);
}

void rivals_find(struct rivals *rivals, const struct device_status *status,
                 const struct manager_facts *facts, bool has_ends) {
        const struct networkmanager_device *device = &facts->networkmanager;
        const struct mentions *mentions;
        char profile[TEXT_SHELL_WORD_SIZE], name[TEXT_SHELL_WORD_SIZE];

        /* setmtu leaves a device alone whose unit is masked. */
        if (!status->line || status->wanted == 0 || unit_is_device_masked(status->line->name) > 0)
                return;
        if (device->mtu > 0 && device->mtu != status->wanted)
                add_rival(rivals, status, NULL,
                          pool_print(&rivals->pool,
                                     "nmcli connection modify %s %s.mtu %u && nmcli device reapply %s",
                                     text_shell_word(profile, device->profile), device->setting,
                                     status->wanted, text_shell_word(name, device_status_name(status))),
                          "NetworkManager sets %u, not %u: its profile \"%s\" has that MTU", device->mtu,
                          status->wanted, device->profile);
        mentions = rivals_mentions(rivals);
        if (has_ends && strcmp(device_status_name(status), "docker0") == 0)
                add_docker(rivals, status);
        for (size_t i = 0; i < mentions->n_items; i++)
                if (is_rival(&mentions->items[i], status, facts))
                        add_mention(rivals, status, &mentions->items[i]);
}

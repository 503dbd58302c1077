/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/rival.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/whole_file.h"
#include "state/unit_state.h"

#define DHCLIENT_HOOK "/etc/dhcp/dhclient-enter-hooks.d/setmtu"
#define IF_UP_HOOK "/etc/network/if-up.d/setmtu"
#define DAEMON_JSON "/etc/docker/daemon.json"

void rivals_cleanup(struct rivals *rivals) {
        network_files_free(&rivals->networks);
        mentions_free(&rivals->mentions);
        managers_cleanup(&rivals->managers);
        pool_free(&rivals->pool);
}

const struct mentions *rivals_mentions(struct rivals *rivals) {
        if (!rivals->is_scanned)
                rivals->pool.failed |= mentions_scan(&rivals->mentions) < 0;
        rivals->is_scanned = true;
        return &rivals->mentions;
}

/* Whether the mention is in the .network file in use, in a drop-in to it, or in what netplan makes it of. */
static bool is_in_use(const struct mention *mention, const struct device_status *status,
                      const struct manager_facts *facts) {
        const char *rest = facts->network_file[0] ? text_after(mention->file, facts->network_file) : NULL;

        return (rest && (!*rest || text_after(rest, ".d/"))) ||
               (strcmp(mention->place->program, "netplan") == 0 &&
                strstr(facts->network_file, "/10-netplan-") &&
                mention_is_of(mention, device_status_name(status)));
}

/* Whether the program acts before setmtu, or its manager has said what it does with this mention. What is
 * not in the applied profile of NetworkManager is in the next one. */
static bool is_settled(const struct mention *mention, const struct manager_facts *facts) {
        const char *program = mention->place->program;
        bool is_profile = strstr(mention->file, "/system-connections/") ||
                          text_is_among(program, "netplan ifcfg");

        if (strcmp(program, "systemd-udevd") == 0)
                return true;
        if (facts->network_file[0] && text_is_among(program, "systemd-networkd netplan"))
                return true;
        return facts->has_networkmanager && is_profile && facts->networkmanager.mtu == mention->mtu;
}

/* Whether setmtu has, or will have, a drop-in to the .network file in use: only where that is for the device
 * alone. */
static bool has_drop_in(struct rivals *rivals, const struct device_status *status,
                        const struct manager_facts *facts) {
        const struct network_file *own;
        const struct mtu_spec *spec = &status->line->spec;
        enum backend backend = spec->has_backend ? spec->backend : rivals->backend;

        if (backend == BACKEND_UNIT || backend == BACKEND_LINK)
                return false;
        if (!rivals->has_networks)
                rivals->pool.failed |= network_files_read(NETWORK_FILE_NETWORK, &diagnostic_silent,
                                                          &rivals->networks) == -ENOMEM;
        rivals->has_networks = true;
        own = network_files_find_own(&rivals->networks, status->line->name);
        return own && strcmp(own->path, facts->network_file) == 0;
}

/* A hook of setmtu in the program, by which the line overrides what it has. */
static bool has_hook(const struct mention *mention) {
        const char *program = mention->place->program;

        if (strcmp(program, "dhclient") == 0)
                return whole_file_exists(DHCLIENT_HOOK) > 0;
        if (strcmp(program, "ifupdown2") == 0)
                return whole_file_exists(IF_UP_HOOK) > 0;
        return strcmp(program, "dhcpcd") == 0;
}

/* Whether dhclient.conf(5) replaces what the server says. */
static bool is_superseded(const struct mentions *mentions, const struct device_status *status) {
        for (size_t i = 0; i < mentions->n_items; i++) {
                const struct mention *mention = &mentions->items[i];

                if (strcmp(mention->place->program, "dhclient") == 0 && !mention->place->is_lease &&
                    mention->mtu == status->wanted &&
                    (!mention->device || mention_is_of(mention, device_status_name(status))))
                        return true;
        }
        return false;
}

static bool is_rival(struct rivals *rivals, const struct mention *mention,
                     const struct device_status *status, const struct manager_facts *facts) {
        if (mention->mtu == 0 || mention->mtu == status->wanted || !mention->is_active)
                return false;
        if (is_in_use(mention, status, facts))
                return !has_drop_in(rivals, status, facts);
        return mention_is_of(mention, device_status_name(status)) && !is_settled(mention, facts) &&
               !has_hook(mention) && !(mention->place->is_lease && is_superseded(&rivals->mentions, status));
}

/* Adds a rival; its command is left out if it cannot be pasted. Without a mention it is a manager's word. */
__attribute__((format(printf, 6, 7))) static struct rival *add_rival(struct rivals *rivals,
                                                                     const struct device_status *status,
                                                                     const struct mention *mention,
                                                                     uint32_t mtu, const char *command,
                                                                     const char *format, ...) {
        struct rival *rival = pool_add(&rivals->pool, &rivals->items, &rivals->n_items, sizeof(*rival));
        char text[512];

        TEXT_FORMAT(text, sizeof(text), format);
        if (rival)
                *rival = (struct rival){
                        .status = status,
                        .file = mention ? mention->file : NULL,
                        .line = mention ? mention->line : 0,
                        .mtu = mtu,
                        .text = pool_copy(&rivals->pool, text),
                        .command = text_is_plain(command) ? command : NULL,
                };
        return rival;
}

static void add_profile(struct rivals *rivals, const struct device_status *status,
                        const struct networkmanager_device *device) {
        char profile[TEXT_SHELL_WORD_SIZE], name[TEXT_SHELL_WORD_SIZE];

        add_rival(rivals, status, NULL, device->mtu,
                  pool_print(&rivals->pool,
                             "nmcli connection modify %s %s.mtu %u && nmcli device reapply %s",
                             text_shell_word(profile, device->profile), device->setting, status->wanted,
                             text_shell_word(name, device_status_name(status))),
                  "NetworkManager sets %u, not %u: its profile \"%s\" has that MTU", device->mtu,
                  status->wanted, device->profile);
}

static void add_mention(struct rivals *rivals, const struct device_status *status,
                        const struct mention *mention) {
        char file[TEXT_SHELL_WORD_SIZE];

        if (mention->place->is_lease)
                add_rival(rivals, status, mention, mention->mtu, "${EDITOR:-vi} /etc/dhcp/dhclient.conf",
                          "dhclient sets %u from DHCP, not %u: the hook " DHCLIENT_HOOK
                          " is missing; without it, write supersede interface-mtu %u;",
                          mention->mtu, status->wanted, status->wanted);
        else
                add_rival(rivals, status, mention, mention->mtu,
                          pool_print(&rivals->pool, "${EDITOR:-vi} +%u %s", mention->line,
                                     text_shell_word(file, mention->file)),
                          "%s has %u here, not %u", mention->place->program, mention->mtu, status->wanted);
}

/* wg-quick(8) sets an MTU that it computes itself where its file has none. */
static void add_wg_quick(struct rivals *rivals, const struct device_status *status) {
        const char *name = device_status_name(status);
        const char *file = pool_print(&rivals->pool, "/etc/wireguard/%s.conf", name);
        const struct mentions *mentions = &rivals->mentions;
        char word[TEXT_SHELL_WORD_SIZE];

        for (size_t i = 0; i < mentions->n_items; i++)
                if (strcmp(mentions->items[i].file, file) == 0 && mention_is_of(&mentions->items[i], name))
                        return;
        if (text_is_plain(file) && whole_file_exists(file) > 0 && !pool_list_has(&mentions->unread, file) &&
            !pool_list_has(&mentions->left, file))
                add_rival(rivals, status, &(struct mention){ .file = file }, 0,
                          pool_print(&rivals->pool, "sed -i 's/^\\[Interface].*/&\\nMTU = %u/I' %s",
                                     status->wanted, text_shell_word(word, file)),
                          "wg-quick sets an MTU of its own, not %u: write MTU = %u below [Interface]",
                          status->wanted, status->wanted);
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
        struct rival *rival;

        /* What the command line has is a rival of the device already. */
        if (!status->link || strcmp(status->link->kind, "bridge") != 0 || mtu == status->wanted ||
            (setting && setting->device))
                return;
        rival = add_rival(
                        rivals, status, setting ? setting : &(struct mention){ .file = DAEMON_JSON }, mtu,
                        rivals_docker_command(&rivals->pool, setting, status->wanted),
                        "Docker's containers get %u, not %u: write \"mtu\": %u; for networks to come, also "
                        "\"default-network-opts\" (Docker 24 or later)",
                        mtu, status->wanted, status->wanted);
        if (rival)
                rival->is_of_ends = true;
}

void rivals_find(struct rivals *rivals, const struct device_status *status,
                 const struct manager_facts *facts) {
        const struct mentions *mentions;

        /* setmtu leaves a device alone whose unit is masked. */
        if (!status->line || status->wanted == 0 || unit_is_device_masked(status->line->name) > 0)
                return;
        if (facts->has_networkmanager && facts->networkmanager.mtu > 0 &&
            facts->networkmanager.mtu != status->wanted)
                add_profile(rivals, status, &facts->networkmanager);
        if (facts->has_ifupdown2 && status->wanted != MTU_ETHERNET && whole_file_exists(IF_UP_HOOK) <= 0)
                add_rival(rivals, status, NULL, MTU_ETHERNET, "${EDITOR:-vi} /etc/network/interfaces",
                          "ifupdown2 sets 1500, not %u, where its stanza has no mtu: the hook " IF_UP_HOOK
                          " is missing",
                          status->wanted);
        mentions = rivals_mentions(rivals);
        if (!facts->network_file[0] && !facts->has_networkmanager)
                add_wg_quick(rivals, status);
        if (strcmp(device_status_name(status), "docker0") == 0)
                add_docker(rivals, status);
        for (size_t i = 0; i < mentions->n_items; i++)
                if (is_rival(rivals, &mentions->items[i], status, facts))
                        add_mention(rivals, status, &mentions->items[i]);
}

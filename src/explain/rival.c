/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/rival.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/whole_file.h"
#include "system/network_files.h"
#include "system/unit_state.h"

#define DHCLIENT_HOOK "/etc/dhcp/dhclient-enter-hooks.d/setmtu"
#define IF_UP_HOOK "/etc/network/if-up.d/setmtu"

void rivals_cleanup(struct rivals *rivals) {
        network_files_free(&rivals->networks);
        mentions_free(&rivals->mentions);
        managers_cleanup(&rivals->managers);
        *rivals = (struct rivals){ 0 };
}

const struct mentions *rivals_mentions(struct rivals *rivals) {
        if (!rivals->is_scanned)
                rivals->is_broken |= mentions_scan(&rivals->mentions) < 0;
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
        if (facts && facts->network_file[0] && text_is_among(program, "systemd-networkd netplan"))
                return true;
        return facts && facts->has_networkmanager && is_profile && facts->networkmanager.mtu == mention->mtu;
}

/* Whether setmtu has, or will have, a drop-in to the .network file in use: only where that is for the device
 * alone. */
static bool has_drop_in(struct rivals *rivals, const struct device_status *status,
                        const struct manager_facts *facts) {
        const struct network_file *own;
        const struct device_plan *device = plan_find(&rivals->snapshot->plan, status->line->name);

        if (!device || device->backend == BACKEND_UNIT || device->backend == BACKEND_LINK)
                return false;
        if (!rivals->has_networks)
                rivals->is_broken |= network_files_read(NETWORK_FILE_NETWORK, &diagnostic_silent,
                                                        &rivals->networks) == -ENOMEM;
        rivals->has_networks = true;
        own = network_files_find_own(&rivals->networks, status->line->name);
        return own && strcmp(own->path, facts->network_file) == 0;
}

/* A hook of setmtu in the program, by which the line overrides what it has. */
static bool has_hook(const struct mention *mention) {
        static const struct {
                const char *program, *path;
        } hooks[] = {
                { "dhclient", DHCLIENT_HOOK },
                { "ifupdown2", IF_UP_HOOK },
        };

        for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
                if (strcmp(mention->place->program, hooks[i].program) == 0)
                        return whole_file_exists(hooks[i].path) > 0;
        return strcmp(mention->place->program, "dhcpcd") == 0;
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
        if (facts && is_in_use(mention, status, facts))
                return !has_drop_in(rivals, status, facts);
        return mention_is_of(mention, device_status_name(status)) && !is_settled(mention, facts) &&
               !has_hook(mention) && !(mention->place->is_lease && is_superseded(&rivals->mentions, status));
}

static bool take_profile(const struct device_status *status, const struct manager_facts *facts,
                         struct rival *ret) {
        const struct networkmanager_device *device = &facts->networkmanager;

        if (!facts->has_networkmanager || device->mtu == 0 || device->mtu == status->wanted)
                return false;
        *ret = (struct rival){ .mtu = device->mtu };
        snprintf(ret->text, sizeof(ret->text), "NetworkManager sets %u, not %u: its profile %s has that MTU",
                 device->mtu, status->wanted, TEXT_QUOTE(device->profile));
        snprintf(ret->command, sizeof(ret->command),
                 "nmcli connection modify %s %s.mtu %u && nmcli device reapply %s",
                 TEXT_SHELL_WORD(device->profile), device->setting, status->wanted,
                 TEXT_SHELL_WORD(device_status_name(status)));
        return true;
}

/* ifupdown2 sets 1500 where a stanza has no mtu, unless the hook is there. */
static bool take_default(const struct device_status *status, const struct manager_facts *facts,
                         struct rival *ret) {
        if (!facts->has_ifupdown2 || status->wanted == MTU_ETHERNET || whole_file_exists(IF_UP_HOOK) > 0)
                return false;
        *ret = (struct rival){ .mtu = MTU_ETHERNET };
        snprintf(ret->text, sizeof(ret->text),
                 "ifupdown2 sets 1500, not %u, where its stanza has no mtu: the hook " IF_UP_HOOK
                 " is missing",
                 status->wanted);
        snprintf(ret->command, sizeof(ret->command), "${EDITOR:-vi} /etc/network/interfaces");
        return true;
}

static void take_mention(const struct mention *mention, const struct device_status *status,
                         struct rival *ret) {
        *ret = (struct rival){ .file = mention->file, .line = mention->line, .mtu = mention->mtu };
        if (mention->place->is_lease) {
                snprintf(ret->text, sizeof(ret->text),
                         "dhclient sets %u from DHCP, not %u: the hook " DHCLIENT_HOOK
                         " is missing; without it, write supersede interface-mtu %u;",
                         mention->mtu, status->wanted, status->wanted);
                snprintf(ret->command, sizeof(ret->command), "${EDITOR:-vi} /etc/dhcp/dhclient.conf");
                return;
        }
        snprintf(ret->text, sizeof(ret->text), "%s has %u here, not %u", mention->place->program,
                 mention->mtu, status->wanted);
        snprintf(ret->command, sizeof(ret->command), "${EDITOR:-vi} +%u %s", mention->line,
                 TEXT_SHELL_WORD(mention->file));
}

/* 0 and 1 are the managers' words; the mentions follow. False: there is none at this index. */
static bool take(struct rivals *rivals, const struct device_status *status,
                 const struct manager_facts *facts, size_t index, struct rival *ret) {
        const struct mention *mention;

        if (index < 2)
                return facts && (index == 0 ? take_profile : take_default)(status, facts, ret);
        mention = &rivals->mentions.items[index - 2];
        if (!is_rival(rivals, mention, status, facts))
                return false;
        take_mention(mention, status, ret);
        return true;
}

bool rivals_next(struct rivals *rivals, const struct device_status *status,
                 const struct manager_facts *facts, size_t *index, struct rival *ret) {
        /* setmtu leaves a device alone whose unit is masked. */
        if (!status->line || status->wanted == 0 ||
            (*index == 0 && unit_is_device_masked(status->line->name) > 0))
                return false;
        while (*index < 2 + rivals_mentions(rivals)->n_items)
                if (take(rivals, status, facts, (*index)++, ret)) {
                        if (!text_is_plain(ret->command))
                                ret->command[0] = '\0';
                        return true;
                }
        return false;
}

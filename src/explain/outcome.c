/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "explain/explanation.h"
#include "explain/rules.h"
#include "plan/stack.h"

/* FILE:LINE, or the source's name for a step without a file. */
static const char *place_of(char buffer[static TEXT_PLACE_SIZE], const struct explain_step *step) {
        return step->file ? text_place(buffer, step->file, step->line) : step->source;
}
#define PLACE(step) place_of((char[TEXT_PLACE_SIZE]){ 0 }, step)

__attribute__((format(printf, 3, 4))) static void conclude(struct explanation *explanation,
                                                           bool is_explained, const char *format, ...) {
        explanation->is_explained = is_explained;
        TEXT_FORMAT(explanation->verdict, sizeof(explanation->verdict), format);
}

/* Adds a sentence, as far as there is room. */
__attribute__((format(printf, 2, 3))) static void advise(struct explanation *explanation, const char *format,
                                                         ...) {
        size_t used = strlen(explanation->advice);

        if (used > 0 && used + 1 < sizeof(explanation->advice))
                explanation->advice[used++] = ' ';
        TEXT_FORMAT(explanation->advice + used, sizeof(explanation->advice) - used, format);
}

/* A step that may set this MTU; otherwise one that sets it but does not win. NULL: none. */
static const struct explain_step *find_step(const struct explanation *explanation, uint32_t mtu) {
        const struct explain_step *found = NULL;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                if (!step->file || step->mtu != mtu)
                        continue;
                if (step->effect == EXPLAIN_MAYBE)
                        return step;
                if (step->effect == EXPLAIN_OVERRIDDEN || step->effect == EXPLAIN_SAME)
                        found = step;
        }
        return found;
}

static const struct explain_step *find_refused(const struct explanation *explanation) {
        for (size_t i = 0; i < explanation->n_steps; i++)
                if (explanation->steps[i].effect == EXPLAIN_REFUSED)
                        return &explanation->steps[i];
        return NULL;
}

/* No source sets the MTU: it comes from the kernel or the driver. */
static void conclude_driver(struct explained *explained) {
        const struct explain_device *device = &explained->device;
        const struct link_table *links = explained->machine.links;
        struct explanation *explanation = &explained->explanation;
        const struct link *link = device->link, *limit = stack_limit(links, link);
        const struct link *port = stack_smallest_port(links, link);
        const struct explain_step *step = find_step(explanation, link->mtu);
        const struct explain_step *refused = find_refused(explanation);
        const char *nothing = explained->machine.is_partial ? "nothing that could be read" : "nothing";
        /* The MTU of loopback and tunnels follows from their kind. The host may give a virtual NIC's driver
         * an MTU, which is then its maximum (virtnet_probe()). */
        bool is_made = strcmp(link->name, "lo") == 0 ||
                       (link->kind[0] && strcmp(link->kind, "veth") != 0 && !stack_is_setter(link) &&
                        strcmp(link->kind, "bridge") != 0) ||
                       (strcmp(device->driver, "virtio_net") == 0 && link->mtu == link->mtu_max);

        explanation->expected = link->mtu;
        if (refused)
                conclude(explanation, true, "%s is refused, and nothing else sets it; it has %u",
                         PLACE(refused), link->mtu);
        else if (limit && link->mtu == limit->mtu)
                conclude(explanation, true, "%s sets it; %u is that of %s below it", nothing, link->mtu,
                         limit->name);
        else if (strcmp(link->kind, "bridge") == 0 && port && link->mtu == port->mtu)
                conclude(explanation, true, "%s sets it; %u is that of its smallest port", nothing,
                         link->mtu);
        else if (link->mtu == device->original || link->mtu == 1500 || is_made)
                conclude(explanation, true, "%s sets it; %u is what it had when it appeared", nothing,
                         link->mtu);
        else {
                /* The driver's MTU was overridden, and the cause is uncertain. */
                explanation->expected = 0;
                explanation->steps[explanation->winner - explanation->steps].effect = EXPLAIN_OVERRIDDEN;
                explanation->winner = NULL;
                if (step)
                        conclude(explanation, true, "%u may come from %s", link->mtu, PLACE(step));
                else
                        conclude(explanation, false,
                                 "no known setting has the value %u: it was set by hand, or by another "
                                 "program",
                                 link->mtu);
        }
}

static void conclude_present(struct explained *explained) {
        struct explanation *explanation = &explained->explanation;
        const struct explain_step *winner = explanation->winner, *step;
        const char *place;
        uint32_t mtu = explained->device.link->mtu;

        if (winner->phase == PHASE_BIRTH) {
                conclude_driver(explained);
                return;
        }
        place = PLACE(winner);
        step = find_step(explanation, mtu);
        if (winner->mtu == 0)
                conclude(explanation, false, "%s wins; setmtu cannot tell which MTU it sets", place);
        else if (winner->mtu == mtu)
                conclude(explanation, true, "%u comes from %s", mtu, place);
        else if (step)
                conclude(explanation, false, "%s should win with %u, but the device has %u, as in %s", place,
                         winner->mtu, mtu, PLACE(step));
        else
                conclude(explanation, false,
                         "%s should win with %u, but the device has %u: it has not taken effect since, or "
                         "another program has changed the MTU",
                         place, winner->mtu, mtu);
}

static void conclude_absent(struct explanation *explanation) {
        const struct explain_step *winner = explanation->winner;

        if (winner->phase == PHASE_BIRTH)
                conclude(explanation, true, "it is not there, and nothing certain sets it when it appears");
        else if (winner->mtu == 0)
                conclude(explanation, true, "it is not there; %s decides when it appears", PLACE(winner));
        else
                conclude(explanation, true, "it is not there; it gets %u from %s when it appears",
                         winner->mtu, PLACE(winner));
}

static void advise_again(const struct explain_device *device, struct explanation *explanation) {
        const struct explain_step *winner = explanation->winner;
        /* SOURCE_COUNT: it is not from another program's file. */
        enum source_kind kind = winner->written ? winner->written->kind : SOURCE_COUNT;
        bool is_profile = kind == SOURCE_LEASE || kind == SOURCE_NETWORKMANAGER || kind == SOURCE_IFCFG;
        const char *name = TEXT_SHOW(device->name);

        if (explain_step_is_own(winner))
                advise(explanation, "Apply its line: setmtu apply %s.", name);
        else if (strcmp(winner->source, "kernel") == 0)
                advise(explanation, "Set the MTU of the bond or team again.");
        else if (kind == SOURCE_NETDEV)
                advise(explanation,
                       "Have systemd-networkd make it again: networkctl delete %s, and restart "
                       "systemd-networkd; or reboot.",
                       name);
        else if (kind == SOURCE_LINK || kind == SOURCE_UDEV_RULE)
                advise(explanation,
                       "Have udev set it again: udevadm trigger --action=add /sys/class/net/%s, or reboot.",
                       name);
        else if (kind == SOURCE_NETWORK)
                advise(explanation, "Have systemd-networkd set it again: networkctl reconfigure %s.", name);
        else if (kind == SOURCE_IFUPDOWN || kind == SOURCE_IFUPDOWN2)
                advise(explanation, "Bring it up again: ifdown %s && ifup %s.", name, name);
        else if (kind == SOURCE_COUNT ? winner->kind == KIND_PROFILE_LEASE
                                      : is_profile && device->owners.has[OWNER_NETWORKMANAGER])
                advise(explanation, "Have NetworkManager set it again: nmcli device reapply %s.", name);
        else if (kind == SOURCE_COUNT)
                advise(explanation, "Have ifupdown2 set it again: ifreload -a.");
        else if (is_profile)
                advise(explanation, "Bring the device up again.");
        else
                advise(explanation, "Have %s set it again, or reboot.", winner->who);
}

/* Whether the previous step repeats this one: setmtu's rule and its unit share a line. */
static bool is_repeated(const struct explain_step *step, const struct explanation *explanation) {
        return step > explanation->steps && step[-1].file == step->file && step[-1].line == step->line &&
               step[-1].effect == step->effect;
}

/* The setting that overrides the DHCP server's option; NULL: `winner` is not a lease. */
static const char *above_lease(const struct explain_step *winner) {
        if (winner->kind == KIND_NETWORKD_LEASE)
                return "MTUBytes= in the .network file";
        if (winner->kind == KIND_PROFILE_LEASE)
                return "an MTU in the profile";
        if (winner->kind == KIND_DHCLIENT_LEASE)
                return "supersede interface-mtu in dhclient.conf";
        return NULL;
}

/* Whether an earlier step that contradicts the winner has the same place to edit. */
static bool is_listed(const struct explanation *explanation, const struct explain_step *step) {
        const struct explain_step *place = explanation_origin(explanation, step);

        for (const struct explain_step *other = explanation->steps; other < step; other++) {
                const struct explain_step *before = explanation_origin(explanation, other);

                if (other->contradicts && before->file == place->file && before->line == place->line)
                        return true;
        }
        return false;
}

/* Lists the places of all steps that contradict the winner: A, B or C. */
static void list_places(const struct explanation *explanation, char *buffer, size_t size) {
        const struct explain_step *last = NULL;
        size_t used = 0;

        for (size_t i = 0; i < explanation->n_steps && used < size; i++) {
                const struct explain_step *step = &explanation->steps[i];

                if (!step->contradicts || is_listed(explanation, step))
                        continue;
                if (last)
                        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "",
                                                 PLACE(last));
                last = explanation_origin(explanation, step);
        }
        if (last && used < size)
                snprintf(buffer + used, size - used, "%s%s", used > 0 ? " or " : "", PLACE(last));
}

static void advise_one_place(struct explanation *explanation) {
        const struct explain_step *winner = explanation->winner;
        char places[EXPLAIN_TEXT_SIZE / 2] = "";

        list_places(explanation, places, sizeof(places));
        if (strcmp(winner->source, "kernel") == 0)
                advise(explanation, "Write the MTU for the bond or team, and not for its port in %s.",
                       places);
        else if (above_lease(winner))
                advise(explanation, "Correct option 26 on the DHCP server, or override it with %s.",
                       above_lease(winner));
        else if (!winner->file)
                advise(explanation,
                       "Write it in the device's stanza of /etc/network/interfaces, or remove %s.", places);
        else
                advise(explanation, "Keep one of them: %s%s%s.",
                       PLACE(explanation_origin(explanation, winner)),
                       strstr(places, " or ") ? ", " : " or ", places);
}

static void advise_all(const struct explain_device *device, struct explanation *explanation) {
        const struct explain_step *winner = explanation->winner;
        bool is_one_said = false;
        unsigned n_owners = 0;

        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                if (is_repeated(step, explanation))
                        continue;
                if (step->effect == EXPLAIN_REFUSED)
                        advise(explanation, "Correct %s: %s.", PLACE(explanation_origin(explanation, step)),
                               step->reason);
                else if (step->kind == KIND_NETPLAN &&
                         (step->contradicts || step->written->condition ||
                          (step->effect == EXPLAIN_IDLE && strstr(step->reason, "no file")))) {
                        if (step->written->condition)
                                advise(explanation, "Correct the mistake: %s.", step->written->condition);
                        advise(explanation, "Run netplan apply.");
                } else if (step->contradicts && !is_one_said) {
                        advise_one_place(explanation);
                        is_one_said = true;
                }
        }
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                n_owners += device->owners.has[i];
        if (n_owners > 1)
                advise(explanation, "Let only one network manager manage the device.");
        if (device->foreign_template && device->line)
                advise(explanation, "Remove %s: setmtu's own unit does more.", device->foreign_template);
        if (!device->link || explanation->is_explained)
                return;
        if (winner && winner->phase != PHASE_BIRTH)
                advise_again(device, explanation);
        else
                advise(explanation, "To make it permanent: setmtu set %s %u.", TEXT_SHOW(device->name),
                       device->link->mtu);
}

void outcome_reach(struct explained *explained) {
        if (explained->device.link)
                conclude_present(explained);
        else
                conclude_absent(&explained->explanation);
        advise_all(&explained->device, &explained->explanation);
}

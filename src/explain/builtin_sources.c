/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "explain/rules.h"
#include "plan/stack.h"

struct builtin {
        const struct explain_device *device;
        struct explain_step *steps;
        size_t n;
};

/* Adds a step that is written nowhere. */
static struct explain_step *add(struct builtin *builtin, const char *source, enum explain_phase phase,
                                enum step_kind kind, uint32_t mtu) {
        struct explain_step *step = &builtin->steps[builtin->n++];

        *step = (struct explain_step){ .source = source, .phase = phase, .kind = kind, .mtu = mtu };
        return step;
}

/* Adds a step of setmtu's line. Its MTU is 0 for a `max` that is not known. */
static struct explain_step *add_own(struct builtin *builtin, enum explain_phase phase, enum step_kind kind,
                                    const char *rank) {
        const struct config_line *line = builtin->device->line;
        const struct link *link = builtin->device->link;
        bool is_max = line->spec.mtu == MTU_MAX;
        uint32_t mtu = !is_max ? line->spec.mtu : link ? link->mtu_max : 0;
        struct explain_step *step = add(builtin, "setmtu", phase, kind, mtu);

        step->file = line->file;
        step->line = line->line;
        step->value = is_max ? "max" : NULL;
        step->rank = rank;
        return step;
}

static void add_unit(struct builtin *builtin) {
        const struct explain_device *device = builtin->device;
        struct explain_step *step = add_own(builtin, PHASE_UNIT, KIND_OTHER, NULL);

        if (device->is_masked)
                rules_set(step, EXPLAIN_IDLE, "setmtu@%s.service is masked", device->planned->instance);
        else if (device->foreign_template)
                rules_set(step, EXPLAIN_IDLE, "%s replaces setmtu's own unit", device->foreign_template);
        else
                rules_set(step, ACTS, "setmtu@%s.service, when the device appears",
                          device->planned->instance);
}

static bool is_own_link_file(const char *path) {
        return path && text_after(text_base_name(path), "05-setmtu-");
}

static void add_link_file(struct builtin *builtin) {
        struct explain_step *step = add_own(builtin, PHASE_LINK, KIND_LINK, NULL);
        const char *applied = builtin->device->owners.link_file;

        if (applied && !is_own_link_file(applied))
                rules_set(step, EXPLAIN_IDLE, "backend=link: %s was applied when the device appeared",
                          applied);
        else
                rules_set(step, ACTS, "backend=link: setmtu's .link file, when the device appears");
}

/* Adds what setmtu writes for a network manager. */
static void add_told(struct builtin *builtin, enum owner owner) {
        static const struct {
                enum step_kind kind;
                const char *rank;
                const char *reason;
        } told[OWNER_COUNT] = {
                [OWNER_NETWORKD] = { KIND_NETWORKD_BYTES, "50-setmtu.conf",
                                     "setmtu's drop-in to the .network file in effect" },
                [OWNER_NETWORKMANAGER] = { KIND_PROFILE_ELSE, "default",
                                           "setmtu's default for the device, where its profile has no MTU" },
                [OWNER_NETCTL] = { KIND_OTHER, "hook",
                                   "setmtu's netctl hook, before the device is brought up" },
        };
        struct explain_step *step = add_own(builtin, PHASE_MANAGER, told[owner].kind, told[owner].rank);

        if (rules_ask_owner(builtin->device, owner, step))
                rules_set(step, ACTS, "%s", told[owner].reason);
}

/* Adds the step of a backend without a unit. */
static void add_file(struct builtin *builtin) {
        enum backend backend = builtin->device->planned->backend;

        /* backend=networkd writes for udev or for networkd. */
        if (backend == BACKEND_LINK ||
            (backend == BACKEND_NETWORKD && is_own_link_file(builtin->device->owners.link_file)))
                add_link_file(builtin);
        else
                add_told(builtin, backend == BACKEND_NETWORKMANAGER ? OWNER_NETWORKMANAGER
                                  : backend == BACKEND_NETCTL       ? OWNER_NETCTL
                                                                    : OWNER_NETWORKD);
}

/* Whether the .network file in effect is for this device alone; only there backend auto adds a drop-in. */
static bool has_own_network(const struct explained *explained) {
        const char *in_effect = explained->device.owners.profile[OWNER_NETWORKD];
        const struct network_file *own =
                        network_files_find_own(explained->machine.network_files, explained->device.name);

        return own && (!in_effect || strcmp(own->path, in_effect) == 0);
}

static void add_setmtu(struct builtin *builtin, const struct explained *explained) {
        const struct explain_device *device = builtin->device;
        bool is_max;

        if (!device->line)
                return;
        if (!device->planned) {
                rules_set(add_own(builtin, PHASE_UNIT, KIND_OTHER, NULL), EXPLAIN_IDLE,
                          "the line cannot be carried out; setmtu check says why");
                return;
        }
        /* networkd matches alternative names as well. */
        if (strcmp(device->line->name, device->name) != 0 && device->planned->backend != BACKEND_NETWORK) {
                rules_set(add_own(builtin, PHASE_UNIT, KIND_OTHER, NULL), EXPLAIN_IDLE,
                          "nothing finds the device by its alternative name %s when it appears",
                          TEXT_SHOW(device->line->name));
                return;
        }
        if (!backend_has_unit(device->planned->backend)) {
                add_file(builtin);
                return;
        }
        is_max = device->line->spec.mtu == MTU_MAX;
        if (device->planned->has_rule && !device->is_masked && !is_max)
                rules_set(add_own(builtin, PHASE_RULE, KIND_OTHER, "81-setmtu.rules"), ACTS,
                          "setmtu's udev rule, when the device appears");
        add_unit(builtin);
        /* What backend auto also writes for the network managers. */
        if (device->planned->backend != BACKEND_AUTO || is_max)
                return;
        if (has_own_network(explained))
                add_told(builtin, OWNER_NETWORKD);
        if (device->owners.has[OWNER_NETWORKMANAGER])
                add_told(builtin, OWNER_NETWORKMANAGER);
        if (device->owners.has[OWNER_NETCTL])
                add_told(builtin, OWNER_NETCTL);
}

size_t builtin_sources_make(const struct explained *explained,
                            struct explain_step steps[static BUILTIN_STEPS_MAX]) {
        const struct explain_device *device = &explained->device;
        struct builtin builtin = { .device = device, .steps = steps };
        const struct link *link = device->link;
        const struct link *setter = link ? stack_setter(explained->machine.links, link) : NULL;
        const struct owners *owners = &device->owners;
        struct explain_step *step;

        rules_set(add(&builtin, "driver", PHASE_BIRTH, KIND_OTHER, device->original), ACTS, "%s",
                  device->original > 0 ? "what the device had before setmtu's first change"
                                       : "what the device has when it appears");
        add_setmtu(&builtin, explained);
        /* _process_mtu_config_mtu_none() in ifupdown2's addons/address.py. ifupdown2 takes a device's kind
         * from interfaces(5), where a veth has none. */
        if (link && owners->has[OWNER_IFUPDOWN2] && strcmp(link->name, "lo") != 0 &&
            !stack_is_limited(link)) {
                step = add(&builtin, "ifupdown2", PHASE_MANAGER, KIND_POLICY_ELSE, 1500);
                step->who = owner_title(OWNER_IFUPDOWN2);
                step->when = "on each ifup and ifreload";
                step->rank = IFUPDOWN2_DEFAULT_RANK;
                rules_set(step, ACTS,
                          "ifupdown2 sets 1500 on each ifup and ifreload where no mtu is written");
        }
        if (owners->has[OWNER_IFUPDOWN2] && device->has_if_up_hook && device->planned && !device->is_masked)
                rules_set(add_own(&builtin, PHASE_MANAGER, KIND_IF_UP, IFUPDOWN2_DEFAULT_RANK "~"), ACTS,
                          "setmtu's hook, after ifup and ifreload, where interfaces(5) has no mtu");
        if (owners->lease_mtu > 0) {
                step = add(&builtin, source_kind_name(SOURCE_LEASE), PHASE_MANAGER, KIND_PROFILE_LEASE,
                           owners->lease_mtu);
                step->file = owners->lease_file;
                step->line = owners->lease_line;
                step->who = owner_title(OWNER_NETWORKMANAGER);
                step->when = "on each lease";
                step->rank = "~lease";
                rules_set(step, ACTS,
                          "option 26 of DHCP, taken where neither the profile nor conf.d has an MTU");
        }
        /* bond_enslave() and team_port_add() give a port the MTU of the bond or team. */
        if (setter)
                rules_set(add(&builtin, "kernel", PHASE_PORT, KIND_OTHER, setter->mtu), ACTS,
                          "%s is a %s and gives its ports its own MTU", setter->name, setter->kind);
        return builtin.n;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "base/text.h"
#include "explain/rules.h"
#include "plan/stack.h"

static struct explain_step driver_step(const struct explain_device *device) {
        struct explain_step step = { .source = "driver", .phase = PHASE_BIRTH, .mtu = device->original };

        if (device->original > 0)
                rules_set(&step, ACTS, "what the device had before setmtu's first change");
        else
                rules_set(&step, ACTS, "what the device has when it appears");
        return step;
}

/* The MTU that the line asks for; 0: `max` of an unknown maximum. */
static uint32_t wanted_of(const struct explain_device *device) {
        uint32_t mtu = device->line->spec.mtu;

        return mtu != MTU_MAX ? mtu : device->link ? device->link->mtu_max : 0;
}

static struct explain_step setmtu_step(const struct explain_device *device, enum explain_phase phase) {
        return (struct explain_step){
                .source = "setmtu",
                .file = device->line->file,
                .line = device->line->line,
                .value = device->line->spec.mtu == MTU_MAX ? "max" : NULL,
                .mtu = wanted_of(device),
                .phase = phase,
        };
}

static struct explain_step rule_step(const struct explain_device *device) {
        struct explain_step step = setmtu_step(device, PHASE_RULE);

        step.rank = "81-setmtu.rules";
        rules_set(&step, ACTS, "setmtu's udev rule, when the device appears");
        return step;
}

static struct explain_step unit_step(const struct explain_device *device) {
        struct explain_step step = setmtu_step(device, PHASE_UNIT);

        if (device->is_masked)
                rules_set(&step, EXPLAIN_IDLE, "setmtu@%s.service is masked", device->planned->instance);
        else if (device->foreign_template)
                rules_set(&step, EXPLAIN_IDLE, "%s replaces setmtu's own unit", device->foreign_template);
        else
                rules_set(&step, ACTS, "setmtu@%s.service, when the device appears",
                          device->planned->instance);
        return step;
}

static bool is_own_link_file(const char *path) {
        return text_after(text_base_name(path), "05-setmtu-");
}

static struct explain_step link_step(const struct explain_device *device) {
        struct explain_step step = setmtu_step(device, PHASE_LINK);
        const char *applied = device->owners.link_file;

        step.kind = KIND_LINK;
        if (applied && !is_own_link_file(applied))
                rules_set(&step, EXPLAIN_IDLE, "backend=link: %s was applied when the device appeared",
                          applied);
        else
                rules_set(&step, ACTS, "backend=link: setmtu's .link file, when the device appears");
        return step;
}

static struct explain_step manager_step(const struct explain_device *device, enum owner owner,
                                        enum step_kind kind, const char *rank, const char *reason) {
        struct explain_step step = setmtu_step(device, PHASE_MANAGER);

        step.kind = kind;
        step.rank = rank;
        if (rules_ask_owner(device, owner, &step))
                rules_set(&step, ACTS, "%s", reason);
        return step;
}

static struct explain_step drop_in_step(const struct explain_device *device) {
        return manager_step(device, OWNER_NETWORKD, KIND_NETWORKD_BYTES, "50-setmtu.conf",
                            "setmtu's drop-in to the .network file in effect");
}

static struct explain_step default_step(const struct explain_device *device) {
        return manager_step(device, OWNER_NETWORKMANAGER, KIND_PROFILE_ELSE, "default",
                            "setmtu's default for the device, where its profile has no MTU");
}

static struct explain_step hook_step(const struct explain_device *device) {
        return manager_step(device, OWNER_NETCTL, KIND_OTHER, "hook",
                            "setmtu's netctl hook, before the device is brought up");
}

/* The step of a backend without a unit. */
static struct explain_step file_step(const struct explain_device *device) {
        enum backend backend = device->planned->backend;
        const char *applied = device->owners.link_file;
        struct explain_step step;

        /* backend=networkd writes for udev or for networkd. */
        if (backend == BACKEND_LINK || (backend == BACKEND_NETWORKD && applied && is_own_link_file(applied)))
                return link_step(device);
        if (backend == BACKEND_NETWORK || backend == BACKEND_NETWORKD)
                return drop_in_step(device);
        if (backend == BACKEND_NETWORKMANAGER)
                return default_step(device);
        if (backend == BACKEND_NETCTL)
                return hook_step(device);
        step = setmtu_step(device, PHASE_MANAGER);
        rules_set(&step, ACTS, "setmtu's file for backend %s", backend_name(backend));
        return step;
}

/* Whether the .network file in effect is for this device alone; only there backend auto adds a drop-in. */
static bool has_own_network(const struct explain_device *device, const struct explain_machine *machine) {
        const char *in_effect = device->owners.profile[OWNER_NETWORKD];
        const struct network_file *own = network_files_find_own(machine->network_files, device->name);

        return own && (!in_effect || strcmp(own->path, in_effect) == 0);
}

/* What backend auto also writes for the network managers. */
static size_t add_told(const struct explain_device *device, const struct explain_machine *machine,
                       struct explain_step *steps) {
        const struct owners *owners = &device->owners;
        size_t n = 0;

        if (device->line->spec.mtu == MTU_MAX)
                return 0;
        if (has_own_network(device, machine))
                steps[n++] = drop_in_step(device);
        if (owners->has[OWNER_NETWORKMANAGER])
                steps[n++] = default_step(device);
        if (owners->has[OWNER_NETCTL])
                steps[n++] = hook_step(device);
        return n;
}

static size_t add_setmtu(const struct explain_device *device, const struct explain_machine *machine,
                         struct explain_step *steps) {
        size_t n = 0;

        if (!device->line)
                return 0;
        if (!device->planned) {
                steps[n] = setmtu_step(device, PHASE_UNIT);
                rules_set(&steps[n++], EXPLAIN_IDLE,
                          "the line cannot be carried out; setmtu check says why");
                return n;
        }
        if (!device_plan_has_unit(device->planned)) {
                steps[n++] = file_step(device);
                return n;
        }
        if (device->planned->has_rule && !device->is_masked && device->line->spec.mtu != MTU_MAX)
                steps[n++] = rule_step(device);
        steps[n++] = unit_step(device);
        if (device->planned->backend == BACKEND_AUTO)
                n += add_told(device, machine, steps + n);
        return n;
}

/* bond_enslave() and team_port_add() give a port the MTU of the bond or team. */
static size_t add_setter(const struct explain_device *device, const struct explain_machine *machine,
                         struct explain_step *steps) {
        const struct link *setter = device->link ? stack_setter(machine->links, device->link) : NULL;

        if (!setter)
                return 0;
        *steps = (struct explain_step){ .source = "kernel", .phase = PHASE_PORT, .mtu = setter->mtu };
        rules_set(steps, ACTS, "%s is a %s and gives its ports its own MTU", setter->name, setter->kind);
        return 1;
}

/* _process_mtu_config_mtu_none() in ifupdown2's addons/address.py. ifupdown2 takes a device's kind from
 * interfaces(5), where a veth has none. */
static size_t add_reset(const struct explain_device *device, struct explain_step *steps) {
        const struct link *link = device->link;

        if (!link || !device->owners.has[OWNER_IFUPDOWN2] || strcmp(link->name, "lo") == 0 ||
            stack_is_limited(link))
                return 0;
        *steps = (struct explain_step){ .source = "ifupdown2",
                                        .phase = PHASE_MANAGER,
                                        .kind = KIND_POLICY_ELSE,
                                        .mtu = 1500,
                                        .who = owner_title(OWNER_IFUPDOWN2),
                                        .when = "on each ifup and ifreload",
                                        .rank = "~" };
        rules_set(steps, ACTS, "ifupdown2 sets 1500 on each ifup and ifreload where no mtu is written");
        return 1;
}

static size_t add_lease(const struct explain_device *device, struct explain_step *steps) {
        const struct owners *owners = &device->owners;

        if (owners->lease_mtu == 0)
                return 0;
        *steps = (struct explain_step){
                .source = source_kind_name(SOURCE_LEASE),
                .file = owners->lease_file,
                .line = owners->lease_line,
                .mtu = owners->lease_mtu,
                .phase = PHASE_MANAGER,
                .kind = KIND_PROFILE_LEASE,
                .rank = "~lease",
                .who = owner_title(OWNER_NETWORKMANAGER),
                .when = "on each lease",
        };
        rules_set(steps, ACTS, "option 26 of DHCP, taken where neither the profile nor conf.d has an MTU");
        return 1;
}

size_t builtin_sources_make(const struct explain_device *device, const struct explain_machine *machine,
                            struct explain_step steps[static BUILTIN_STEPS_MAX]) {
        size_t n = 0;

        steps[n++] = driver_step(device);
        n += add_setmtu(device, machine, steps + n);
        n += add_reset(device, steps + n);
        n += add_lease(device, steps + n);
        n += add_setter(device, machine, steps + n);
        return n;
}

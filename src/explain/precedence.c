/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/rules.h"

/* If a step of kind `over` acts, those of kind `under` do not. */
static const struct precedence {
        enum step_kind over;
        enum step_kind under;
        const char *reason; /* NULL: they are left out */
} precedences[] = {
        /* nm_device_get_configured_mtu_from_connection() in NetworkManager's src/core/devices/nm-device.c: a
         * default is used if the profile has no MTU. Both rank as NM_DEVICE_MTU_SOURCE_CONNECTION, above
         * NM_DEVICE_MTU_SOURCE_IP_CONFIG. */
        { KIND_PROFILE, KIND_PROFILE_ELSE, "used only if the profile has no MTU, and it has one" },
        { KIND_PROFILE, KIND_PROFILE_LEASE, "option 26 of DHCP: the profile's MTU overrides it" },
        { KIND_PROFILE_ELSE, KIND_PROFILE_LEASE, "option 26 of DHCP: the MTU of conf.d overrides it" },
        /* systemd.network(5), UseMTU=. */
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_USE, "switched off by MTUBytes=" },
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_LEASE, "option 26 of DHCP: MTUBytes= overrides it" },
        /* process_mtu() in ifupdown2's addons/address.py. */
        { KIND_INTERFACES, KIND_POLICY, "used only if interfaces(5) has no mtu, and it has one" },
        { KIND_INTERFACES, KIND_POLICY_ELSE, NULL },
        { KIND_POLICY, KIND_POLICY_ELSE, NULL },
        /* hooks/if-up.in */
        { KIND_INTERFACES, KIND_IF_UP, NULL },
        /* dhclient.conf(5), supersede. */
        { KIND_DHCLIENT, KIND_DHCLIENT_LEASE, "option 26 of DHCP: dhclient.conf overrides it" },
};

/* The first step of that kind, of those that act with `is_acting`; or NULL. */
static struct explain_step *find(struct explain_step *steps, size_t n_steps, enum step_kind kind,
                                 bool is_acting) {
        for (size_t i = 0; i < n_steps; i++)
                if (steps[i].kind == kind && (!is_acting || steps[i].effect == ACTS))
                        return &steps[i];
        return NULL;
}

/* networkd uses option 26 of its lease only with UseMTU=, which is off by default. */
static void settle_networkd(struct explain_step *steps, size_t n_steps) {
        struct explain_step *use = find(steps, n_steps, KIND_NETWORKD_USE, false);

        for (size_t i = 0; i < n_steps; i++) {
                if (steps[i].kind != KIND_NETWORKD_LEASE || steps[i].effect != ACTS)
                        continue;
                if (!use)
                        rules_set(&steps[i], EXPLAIN_IDLE,
                                  "option 26 of DHCP: not taken, because UseMTU= is off unless it is "
                                  "written");
                else
                        rules_set(use, EXPLAIN_IDLE, "takes the MTU from DHCP");
        }
}

/* A lease shows that dhclient runs for the device. */
static void settle_dhclient(struct explain_step *steps, size_t n_steps) {
        const struct explain_step *lease = find(steps, n_steps, KIND_DHCLIENT_LEASE, false);

        for (size_t i = 0; lease && i < n_steps; i++)
                if (steps[i].kind == KIND_DHCLIENT && steps[i].effect == EXPLAIN_MAYBE && steps[i].value)
                        rules_set(&steps[i], ACTS, "dhclient sets it on each new lease");
                else if (steps[i].kind == KIND_DHCLIENT && !steps[i].value)
                        rules_set(&steps[i], EXPLAIN_IDLE, "makes dhclient request the MTU from DHCP");
}

/* Returns how many steps are left. */
static size_t give_way(struct explain_step *steps, size_t n_steps, const struct precedence *precedence) {
        size_t n_left = 0;

        for (size_t i = 0; i < n_steps; i++) {
                struct explain_step *step = &steps[i];

                if (step->kind == precedence->under && !precedence->reason)
                        continue;
                /* setmtu's own line stays in the table as an acting step, since it is what the user wants.
                 * It stands before what overrides it, and so does not win. */
                if (step->kind == precedence->under &&
                    (step->effect == ACTS || step->effect == EXPLAIN_IDLE))
                        rules_set(step, explain_step_is_own(step) ? ACTS : EXPLAIN_IDLE, "%s",
                                  precedence->reason);
                steps[n_left++] = *step;
        }
        return n_left;
}

size_t rules_settle(struct explain_step *steps, size_t n_steps) {
        settle_networkd(steps, n_steps);
        settle_dhclient(steps, n_steps);
        for (size_t i = 0; i < sizeof(precedences) / sizeof(precedences[0]); i++)
                if (find(steps, n_steps, precedences[i].over, true))
                        n_steps = give_way(steps, n_steps, &precedences[i]);
        return n_steps;
}

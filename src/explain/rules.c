/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* Whether a source matches a device. PERHAPS if it matches by something unknown here. */
enum device_match { DEVICE_MATCH_NO, DEVICE_MATCH_PERHAPS, DEVICE_MATCH_YES };

struct subject {
        const struct explain_device *device;
        const struct mtu_source *source;
        const struct rule *rule;
        enum device_match match;
};

/* How sources of one kind act. */
struct rule {
        enum source_kind source;
        const char *part; /* of the path of its files, that tells them from others of the kind; or empty */
        /* Sets the effect of the step. False if the source does not concern the device. */
        bool (*apply)(const struct subject *subject, struct explain_step *step);
        enum explain_phase phase;
        enum step_kind kind;
        const char *who; /* what acts and when, as in a step, unless `apply` sets others */
        const char *when;
        const char *reason; /* why it acts, unless `apply` sets another */
        const char *rank;
        enum owner owner;   /* the manager that acts, if `apply` needs one */
        bool has_any_match; /* `apply` is also called for devices that do not match */
};

bool rules_set(struct explain_step *step, enum explain_effect effect, const char *format, ...) {
        step->effect = effect;
        TEXT_FORMAT(step->reason, sizeof(step->reason), format);
        return true;
}

/* Whether another manager than the one of this title has the device: the step is idle then. */
static bool is_of_another(const struct explain_device *device, const char *title,
                          struct explain_step *step) {
        for (unsigned i = 0; i < OWNER_COUNT && device->link; i++)
                if (device->owners.has[i])
                        return rules_set(step, EXPLAIN_IDLE, "%s manages this device, not %s",
                                         owner_title((enum owner)i), title);
        return false;
}

bool rules_ask_owner(const struct explain_device *device, enum owner owner, struct explain_step *step) {
        if (!device->link || device->owners.has[owner])
                return true;
        if (!is_of_another(device, owner_title(owner), step))
                rules_set(step, EXPLAIN_MAYBE,
                          "%s sets it if it manages the device; no program is known to manage it now",
                          owner_title(owner));
        return false;
}

/* Whether the match is uncertain. The step then becomes a "maybe" with the condition. */
static bool is_uncertain(const struct subject *subject, struct explain_step *step) {
        if (subject->match == DEVICE_MATCH_PERHAPS && subject->source->is_kernel_name)
                return rules_set(step, EXPLAIN_MAYBE,
                                 "only where the device was called %s when it was added, before udev "
                                 "renamed it",
                                 subject->source->device);
        if (subject->match == DEVICE_MATCH_PERHAPS)
                return rules_set(step, EXPLAIN_MAYBE, "only where %s%s",
                                 subject->source->match == MATCH_MAC ? "the device has the address " : "",
                                 subject->source->device);
        return subject->source->condition &&
               rules_set(step, EXPLAIN_MAYBE, "%s", subject->source->condition);
}

/* A source that always acts. */
static bool apply_plain(const struct subject *subject, struct explain_step *step) {
        return is_uncertain(subject, step) || rules_set(step, ACTS, "%s", subject->rule->reason);
}

/* A source of a manager, which acts on the devices that it manages. */
static bool apply_managed(const struct subject *subject, struct explain_step *step) {
        return !rules_ask_owner(subject->device, subject->rule->owner, step) || apply_plain(subject, step);
}

/* A default of all devices counts only where the device has no policy of its own. */
static bool apply_policy(const struct subject *subject, struct explain_step *step) {
        if (subject->source->match == MATCH_ANY) {
                step->kind = KIND_POLICY_ELSE;
                step->rank = IFUPDOWN2_DEFAULT_RANK;
        }
        return apply_managed(subject, step);
}

static bool is_drop_in(const char *file) {
        const char *base = text_base_name(file);

        return base - file > 3 && strncmp(base - 3, ".d/", 3) == 0;
}

/* The name by which systemd sorts a .link or .network file; for the drop-in BASE.d/NAME, BASE. */
static void main_name(const char *file, char ret[static 256]) {
        const char *base = text_base_name(file);
        size_t length = strlen(base);

        if (is_drop_in(file)) {
                const char *end = base - 3;

                for (base = end; base > file && base[-1] != '/';)
                        base--;
                length = (size_t)(end - base);
        }
        snprintf(ret, 256, "%.*s", (int)length, base);
}

/* Only the first matching file is applied (link_config_get() in src/udev/net/link-config.c). */
static bool apply_link(const struct subject *subject, struct explain_step *step) {
        const char *applied = subject->device->owners.link_file;
        char own[256], other[256] = "";

        main_name(subject->source->file, own);
        if (applied)
                main_name(applied, other);
        if (applied && strcmp(own, other) == 0)
                return rules_set(step, ACTS, "the .link file in effect, applied when the device appears");
        if (subject->match == DEVICE_MATCH_NO)
                return false;
        if (applied && strcmp(own, other) > 0)
                return rules_set(step, EXPLAIN_IDLE, MTU_SOURCE_HIDDEN, applied);
        if (applied && subject->match == DEVICE_MATCH_PERHAPS)
                return false; /* udevd has tried it: no match */
        if (applied)
                return rules_set(step, EXPLAIN_MAYBE,
                                 "%s was applied when the device appeared; this file takes precedence the "
                                 "next time",
                                 applied);
        return apply_plain(subject, step);
}

static bool apply_udev_rule(const struct subject *subject, struct explain_step *step) {
        step->rank = text_base_name(subject->source->file);
        if (strcmp(step->rank, "80-net-setup-link.rules") < 0)
                step->phase = PHASE_EARLY_RULE;
        if (step->repeats)
                step->when = "on each event of the device, as by udevadm trigger";
        return is_uncertain(subject, step) ||
               rules_set(step, ACTS, "udev rule, when the device appears%s%s",
                         step->phase == PHASE_EARLY_RULE ? ", before the .link file" : "",
                         step->repeats ? ", and again on each later event, as by udevadm trigger" : "");
}

static bool apply_unit(const struct subject *subject, struct explain_step *step) {
        const struct mtu_source *source = subject->source;
        const char *unit = source->owner ? source->owner
                                         : text_base_name(source->through ? source->through : source->file);

        step->who = unit;
        if (source->is_late)
                step->phase = PHASE_LATE_UNIT;
        return is_uncertain(subject, step) ||
               rules_set(step, ACTS, "%s runs once at boot, and not again after a hot-plug", unit);
}

/* The file in effect is known if networkd manages the device. */
static bool apply_network(const struct subject *subject, struct explain_step *step) {
        const char *in_effect = subject->device->owners.profile[OWNER_NETWORKD];
        char name[256];

        main_name(subject->source->file, name);
        step->kind = subject->source->value ? KIND_NETWORKD_BYTES : KIND_NETWORKD_USE;
        /* Drop-ins are read in the order of their names, after the file itself. */
        step->rank = is_drop_in(subject->source->file) ? text_base_name(subject->source->file) : "";
        if (in_effect && strcmp(name, text_base_name(in_effect)) != 0) {
                rules_set(step, EXPLAIN_IDLE, "systemd-networkd uses %s for this device", in_effect);
                return subject->match == DEVICE_MATCH_YES;
        }
        if (!in_effect && subject->match == DEVICE_MATCH_NO)
                return false;
        if (!rules_ask_owner(subject->device, OWNER_NETWORKD, step) ||
            (!in_effect && is_uncertain(subject, step)))
                return true;
        if (step->kind == KIND_NETWORKD_BYTES)
                return rules_set(step, ACTS, "systemd-networkd sets it whenever it configures the device");
        return rules_set(step, EXPLAIN_IDLE, "takes the MTU from DHCP, but no lease has one");
}

/* A source that sets nothing itself. */
static bool apply_idle(const struct subject *subject, struct explain_step *step) {
        return rules_set(step, EXPLAIN_IDLE, "%s", subject->rule->reason);
}

static bool apply_netplan(const struct subject *subject, struct explain_step *step) {
        if (subject->source->is_merged) {
                step->kind = KIND_OTHER;
                return rules_set(step, EXPLAIN_IDLE, "a later file of netplan overrides it");
        }
        if (subject->source->condition)
                return rules_set(step, EXPLAIN_IDLE, "no file of it is in effect: %s",
                                 subject->source->condition);
        return apply_idle(subject, step);
}

static bool apply_profile(const struct subject *subject, struct explain_step *step) {
        const char *active = subject->device->owners.profile[OWNER_NETWORKMANAGER];
        bool is_for_device = subject->match == DEVICE_MATCH_YES && subject->source->match != MATCH_ANY;

        if (active && strcmp(subject->source->file, active) != 0) {
                rules_set(step, EXPLAIN_IDLE, "the active profile is another one, %s", active);
                return is_for_device;
        }
        if (!active && subject->match == DEVICE_MATCH_NO)
                return false;
        if (!rules_ask_owner(subject->device, OWNER_NETWORKMANAGER, step))
                return true;
        if (!active && is_uncertain(subject, step))
                return true;
        if (active || (is_for_device && !subject->device->link))
                return rules_set(step, ACTS, "a profile's MTU is set on activation, whatever was there");
        return rules_set(step, EXPLAIN_MAYBE, "sets it where this profile is the active one");
}

static bool apply_ifupdown(const struct subject *subject, struct explain_step *step) {
        bool is_second = subject->device->owners.has[OWNER_IFUPDOWN2];
        enum owner owner = is_second ? OWNER_IFUPDOWN2 : OWNER_IFUPDOWN;
        const char *by = subject->source->by;

        step->who = owner_title(owner);
        /* With `by`, it is that device that ifupdown has to have. */
        return (!by && !rules_ask_owner(subject->device, owner, step)) || is_uncertain(subject, step) ||
               rules_set(step, ACTS, "%s sets it when it brings %s%s", step->who,
                         by ? "up " : "the device up", by ? by : "");
}

/* A profile runs after the hook of its interface. */
static bool apply_netctl(const struct subject *subject, struct explain_step *step) {
        const char *active = subject->device->owners.profile[OWNER_NETCTL], *file = subject->source->file,
                   *profile = subject->source->owner;
        bool is_hook = !profile && (strstr(file, "/interfaces/") || strstr(file, "/hooks/"));

        step->rank = is_hook ? "hook" : "profile";
        if (!rules_ask_owner(subject->device, OWNER_NETCTL, step))
                return true;
        if (!is_hook && active &&
            strcmp(profile ? profile : text_base_name(file), text_base_name(active)) != 0)
                return rules_set(step, EXPLAIN_IDLE, "the active profile is another one, %s", active);
        return is_uncertain(subject, step) ||
               rules_set(step, ACTS, "%s",
                         is_hook ? "a netctl hook, before the device is brought up"
                                 : "a command of the netctl profile, after the device is up");
}

/* A manager without state in /run: it may act, unless another manager has the device. */
static bool apply_other_manager(const struct subject *subject, struct explain_step *step) {
        const char *title = subject->rule->who;

        return is_of_another(subject->device, title, step) ||
               rules_set(step, EXPLAIN_MAYBE, "%s sets it where it manages the device", title);
}

/* dhcpcd applies option 26 to its routes, not to the device. */
static const char dhcpcd_reason[] = "dhcpcd makes it the MTU of its routes, not of the device";

/* hooks/dhclient-enter.in */
static bool is_kept_out(const struct subject *subject, struct explain_step *step) {
        const struct explain_device *device = subject->device;

        if (!device->has_dhclient_hook || !device->planned || device->is_masked)
                return false;
        return rules_set(step, EXPLAIN_IDLE,
                         "setmtu's hook for dhclient keeps it from a device with a line");
}

/* dhclient-script(8) sets it on BOUND and REBOOT, and not on RENEW. */
static bool apply_dhclient(const struct subject *subject, struct explain_step *step) {
        if (!subject->source->value)
                return rules_set(step, EXPLAIN_IDLE, "requests the MTU from DHCP, but no lease has one");
        return is_kept_out(subject, step) || is_uncertain(subject, step) ||
               rules_set(step, EXPLAIN_MAYBE,
                         "sets it on each new lease, where dhclient runs for the device");
}

static bool apply_dhclient_lease(const struct subject *subject, struct explain_step *step) {
        return is_kept_out(subject, step) || apply_plain(subject, step);
}

#define SCRIPT(part, when, reason) \
        { SOURCE_SCRIPT, part, apply_plain, PHASE_SCRIPT, KIND_OTHER, "a script", when, reason }

/* Kinds without a rule are those of other systems. A lease's MTU comes after the manager's other settings.
 */
static const struct rule rules[] = {
        { SOURCE_NETDEV, "", apply_plain, PHASE_NETDEV, KIND_OTHER, "systemd-networkd",
          "when it makes the device", "systemd-networkd makes the device with it" },
        { SOURCE_LINK, "", apply_link, PHASE_LINK, KIND_LINK, "systemd-udevd", "when the device appears",
          "applied when the device appears", .has_any_match = true },
        { SOURCE_UDEV_RULE, "", apply_udev_rule, PHASE_RULE, KIND_OTHER, "a udev rule",
          "when the device appears" },
        { SOURCE_UNIT, "", apply_unit, PHASE_UNIT, KIND_OTHER, "a unit", "once at boot" },
        { SOURCE_NETWORK, "", apply_network, PHASE_MANAGER, KIND_OTHER, "systemd-networkd",
          "whenever it configures the device", .has_any_match = true },
        { SOURCE_CLOUD_INIT, "", apply_idle, PHASE_BIRTH, KIND_OTHER, "cloud-init", "at the first boot",
          "cloud-init writes it into the files of the network manager, at the first boot" },
        { SOURCE_NETPLAN, "", apply_netplan, PHASE_BIRTH, KIND_NETPLAN, "netplan",
          "with the next netplan apply", "no file of it is in effect: run netplan apply" },
        { SOURCE_NETWORKMANAGER, "/system-connections/", apply_profile, PHASE_MANAGER, KIND_PROFILE,
          "NetworkManager", "on each activation", .rank = "profile", .has_any_match = true },
        { SOURCE_NETWORKMANAGER, "", apply_managed, PHASE_MANAGER, KIND_PROFILE_ELSE, "NetworkManager",
          "on each activation", "NetworkManager's default where a profile has no MTU", "default",
          OWNER_NETWORKMANAGER },
        { SOURCE_IFUPDOWN, "", apply_ifupdown, PHASE_MANAGER, KIND_INTERFACES, "ifupdown", "on each ifup" },
        { SOURCE_IFUPDOWN2, "", apply_policy, PHASE_MANAGER, KIND_POLICY, "ifupdown2",
          "on each ifup and ifreload", "ifupdown2's policy where interfaces(5) has no mtu",
          .owner = OWNER_IFUPDOWN2 },
        { SOURCE_IFCFG, "", apply_profile, PHASE_MANAGER, KIND_PROFILE, "NetworkManager",
          "on each activation", .rank = "profile", .has_any_match = true },
        { SOURCE_NETCTL, "", apply_netctl, PHASE_MANAGER, KIND_OTHER, "netctl",
          "whenever it brings the device up" },
        { SOURCE_NETCFG, "", apply_other_manager, PHASE_MANAGER, KIND_OTHER, "netcfg",
          "whenever it brings the device up" },
        { SOURCE_OPENRC, "", apply_other_manager, PHASE_MANAGER, KIND_OTHER, "OpenRC",
          "whenever it brings the device up" },
        { SOURCE_WIREGUARD, "", apply_plain, PHASE_MANAGER, KIND_OTHER, "wg-quick",
          "when it brings the device up", "wg-quick sets it when it brings the device up" },
        { SOURCE_DHCPCD, "", apply_idle, PHASE_DHCP, KIND_OTHER, "dhcpcd", "on each lease", dhcpcd_reason },
        { SOURCE_DHCLIENT, "", apply_dhclient, PHASE_DHCP, KIND_DHCLIENT, "dhclient", "on each new lease" },
        { SOURCE_LEASE, "/systemd/netif/", apply_managed, PHASE_MANAGER, KIND_NETWORKD_LEASE,
          "systemd-networkd", "on each lease", "option 26 of DHCP, taken because of UseMTU=", "~lease",
          OWNER_NETWORKD },
        { SOURCE_LEASE, "/NetworkManager/", apply_managed, PHASE_MANAGER, KIND_PROFILE_LEASE,
          "NetworkManager", "on each lease",
          "option 26 of DHCP, taken where neither the profile nor conf.d has an MTU", "~lease",
          OWNER_NETWORKMANAGER },
        { SOURCE_LEASE, "dhcpcd", apply_idle, PHASE_DHCP, KIND_OTHER, "dhcpcd", "on each lease",
          dhcpcd_reason },
        { SOURCE_LEASE, "", apply_dhclient_lease, PHASE_DHCP, KIND_DHCLIENT_LEASE, "dhclient",
          "on each new lease", "option 26 of DHCP, set by dhclient on each new lease" },
        SCRIPT("/NetworkManager/dispatcher.d/", "when the state of a device changes",
               "NetworkManager runs it when the state of a device changes"),
        SCRIPT("/networkd-dispatcher/", "when the state of a device changes",
               "networkd-dispatcher runs it when the state of a device changes"),
        SCRIPT("/init.d/", "at boot", "runs once, at boot"),
        SCRIPT("/rc3.d/", "at boot", "runs once, at boot"),
        SCRIPT("cron", "by cron", "cron runs it"),
        SCRIPT("/cloud", "at boot", "cloud-init runs it at boot"),
        SCRIPT("/dhclient-", "on each lease", "dhclient runs it on each lease"),
        SCRIPT("/dhcpcd.", "on each lease", "dhcpcd runs it on each lease"),
        SCRIPT("/dhcpcd-hooks/", "on each lease", "dhcpcd runs it on each lease"),
        SCRIPT("/ppp/", "on each connection", "pppd runs it on each connection"),
        SCRIPT("", "at the end of the boot", "runs once, at the end of the boot"),
        { SOURCE_TUNED, "", apply_plain, PHASE_TUNED, KIND_OTHER, "tuned", "when it starts its profile",
          "tuned sets it when it starts its profile" },
        { SOURCE_DOCKER, "", apply_plain, PHASE_SCRIPT, KIND_OTHER, "docker", "when it starts",
          "docker sets it on a bridge of its own" },
};

/* The first rule for the source; NULL: there is none. */
static const struct rule *rule_of(const struct mtu_source *source) {
        for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
                if (rules[i].source == source->kind && strstr(source->file, rules[i].part))
                        return &rules[i];
        return NULL;
}

static bool is_it(const struct mtu_source *source, const char *name) {
        if (source->match == MATCH_GLOB)
                return fnmatch(source->device, name, 0) == 0;
        return strcmp(source->device, name) == 0;
}

/* Matches the device's name or, in a .network file, an alternative name, which .link files do not match
 * (link_config_get() in systemd's src/udev/net/link-config.c). */
static bool is_named(const struct mtu_source *source, const struct explain_device *device,
                     const struct link_table *links) {
        const struct link_altname *altnames;
        size_t n;

        if (is_it(source, device->name))
                return true;
        if (!device->link || source->kind != SOURCE_NETWORK)
                return false;
        altnames = link_table_altnames(links, device->link, &n);
        for (size_t i = 0; i < n; i++)
                if (is_it(source, altnames[i].name))
                        return true;
        return false;
}

/* Whether the kernel may have called the device so: with Wi-Fi it counts wlan0, wlan1, without it eth0,
 * eth1. */
static bool may_have_been(const struct mtu_source *source, const struct explain_device *device) {
        char name[8];

        for (unsigned i = 0; i < 100; i++) {
                snprintf(name, sizeof(name), "%s%u", device->is_wireless ? "wlan" : "eth", i);
                if (is_it(source, name))
                        return true;
        }
        return false;
}

/* In the event that renames a device, udev compares the kernel's name, also behind the rule that renames it.
 * Later events have the new one, and so has the first one where the initrd has renamed the device. */
static enum device_match match_kernel_name(const struct mtu_source *source,
                                           const struct explain_device *device, bool is_match) {
        if (is_match)
                return source->repeats ? DEVICE_MATCH_YES : DEVICE_MATCH_PERHAPS;
        return source->is_early && may_have_been(source, device) ? DEVICE_MATCH_PERHAPS : DEVICE_MATCH_NO;
}

static enum device_match match_device(const struct mtu_source *source, const struct explain_device *device,
                                      const struct link_table *links) {
        bool is_match = true;

        if (source->match == MATCH_OTHER || (source->match == MATCH_MAC && !device->link))
                return DEVICE_MATCH_PERHAPS;
        if (source->match == MATCH_MAC)
                is_match = (fnmatch(source->device, device->link->addresses.mac, FNM_CASEFOLD) == 0 ||
                            fnmatch(source->device, device->link->addresses.permanent, FNM_CASEFOLD) == 0) &&
                           !(source->left_out && device->link->kind[0] &&
                             (strcmp(source->left_out, "*") == 0 ||
                              text_is_among(device->link->kind, source->left_out)));
        else if (source->match != MATCH_ANY)
                is_match = is_named(source, device, links);
        if (source->is_kernel_name && device->is_renamed && source->match != MATCH_ANY)
                return match_kernel_name(source, device, is_match);
        return is_match ? DEVICE_MATCH_YES : DEVICE_MATCH_NO;
}

/* Managers compare the permanent address, which the kernel may not know. */
static bool has_other_address(const struct subject *subject) {
        const struct link *link = subject->device->link;
        const char *address = subject->source->condition ? NULL : subject->source->address;

        return link && address && link->addresses.permanent[0] &&
               strcasecmp(link->addresses.permanent, address) != 0;
}

/* A manager acts on a device that it has, whether it is enabled or was started by hand, and also if
 * something else brings the device up, such as a bridge of ifupdown2. */
static const char *why_inactive(const struct subject *subject) {
        static const struct {
                enum source_kind kind;
                enum owner owner;
        } pairs[] = {
                { SOURCE_NETWORK, OWNER_NETWORKD },     { SOURCE_NETWORKMANAGER, OWNER_NETWORKMANAGER },
                { SOURCE_IFCFG, OWNER_NETWORKMANAGER }, { SOURCE_IFUPDOWN, OWNER_IFUPDOWN2 },
                { SOURCE_NETCTL, OWNER_NETCTL },
        };

        for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
                if (subject->source->kind == pairs[i].kind && !subject->source->by &&
                    subject->device->owners.has[pairs[i].owner])
                        return NULL;
        if (subject->source->kind == SOURCE_NETDEV && subject->device->owners.has[OWNER_NETWORKD] &&
            subject->source->inactive && text_ends_in(subject->source->inactive, MTU_SOURCE_NOT_ENABLED))
                return NULL;
        return !subject->source->inactive && has_other_address(subject) ? MTU_SOURCE_OF_ANOTHER
                                                                        : subject->source->inactive;
}

/* The earlier .link or .network file that matches the device, where its manager does not say which file it
 * uses. NULL: none. The address of a VLAN or bridge may be that of a device below. */
static const char *hiding_file(const struct subject *subject) {
        const struct explain_device *device = subject->device;
        const struct link_addresses *addresses =
                        device->link && !text_is_among(device->link->kind, "vlan bridge bond team")
                                        ? &device->link->addresses
                                        : NULL;

        if (subject->source->kind == SOURCE_LINK ? device->owners.link_file != NULL
                                                 : device->owners.has[OWNER_NETWORKD])
                return NULL;
        return mtu_source_hiding_file(subject->source, device->name,
                                      !addresses                ? ""
                                      : addresses->permanent[0] ? addresses->permanent
                                                                : addresses->mac);
}

bool rules_apply(const struct explained *explained, const struct mtu_source *source,
                 struct explain_step *ret) {
        const struct rule *rule = rule_of(source);
        const struct subject subject = {
                .device = &explained->device,
                .source = source,
                .rule = rule,
                .match = match_device(source, &explained->device, explained->machine.links),
        };
        const char *inactive, *hiding;
        struct explain_step step;

        if (!rule || (subject.match == DEVICE_MATCH_NO && !rule->has_any_match))
                return false;
        step = (struct explain_step){
                .source = source_kind_name(source->kind),
                .written = source,
                .file = source->file,
                .line = source->line,
                .value = source->value,
                .mtu = source->mtu,
                .phase = rule->phase,
                .kind = rule->kind,
                .rank = rule->rank,
                .who = rule->who,
                .when = rule->when,
                .repeats = source->repeats,
        };
        if (!rule->apply(&subject, &step))
                return false;
        if (step.effect == ACTS || step.effect == EXPLAIN_MAYBE) {
                inactive = why_inactive(&subject);
                hiding = hiding_file(&subject);
                if (inactive)
                        rules_set(&step, EXPLAIN_IDLE, "%s", inactive);
                else if (hiding)
                        rules_set(&step, EXPLAIN_IDLE, MTU_SOURCE_HIDDEN, hiding);
        }
        *ret = step;
        return true;
}

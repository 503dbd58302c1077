/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain/device_match.h"

/* What is judged. */
struct trial {
        const struct explain_device *device;
        const struct explain_machine *machine;
        const struct finding *finding;
        enum device_match match;
};

void judge_set(struct explain_step *step, enum explain_effect effect, const char *format, ...) {
        va_list arguments;

        step->effect = effect;
        va_start(arguments, format);
        vsnprintf(step->reason, sizeof(step->reason), format, arguments);
        va_end(arguments);
}

#define ACTS EXPLAIN_OVERRIDDEN

bool judge_owner(const struct explain_device *device, enum owner owner, struct explain_step *step) {
        if (!device->link || device->owners.has[owner])
                return true;
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (device->owners.has[i]) {
                        judge_set(step, EXPLAIN_IDLE, "%s manages this device, not %s",
                                  owner_title((enum owner)i), owner_title(owner));
                        return false;
                }
        judge_set(step, EXPLAIN_MAYBE, "%s sets it where it has the device; nobody is known to have it now",
                  owner_title(owner));
        return false;
}

/* A condition that is not known here. False where it is: `step` says so. */
static bool is_certain(const struct trial *trial, struct explain_step *step) {
        if (trial->match != DEVICE_MATCH_PERHAPS)
                return true;
        judge_set(step, EXPLAIN_MAYBE, "only where %s", trial->finding->device);
        return false;
}

/* The name by which systemd sorts a .link file, also for a drop-in to it: BASE of BASE.d/NAME. */
static void link_sort_name(const char *file, char ret[static 256]) {
        const char *base = device_match_base(file);
        size_t length = strlen(base);

        if (base - file > 3 && strncmp(base - 3, ".d/", 3) == 0) {
                const char *end = base - 3, *begin = end;

                while (begin > file && begin[-1] != '/')
                        begin--;
                base = begin;
                length = (size_t)(end - begin);
        }
        snprintf(ret, 256, "%.*s", (int)length, base);
}

/* Without udev's word for it: the first .link file that is for the device by its name or for all, and asks
 * for nothing else; NULL: none is known to be. */
static const char *likely_link_file(const struct trial *trial) {
        const struct network_files *files = trial->machine->link_files;

        for (size_t i = 0; files && i < files->n_items; i++) {
                const struct network_file *file = &files->items[i];
                bool has_list;

                if (network_file_has_match(file) && !network_file_has_match_besides(file, "OriginalName") &&
                    network_file_match_name(file, "OriginalName", trial->device->name, &has_list))
                        return file->path;
        }
        return NULL;
}

/* The first that matches is applied, and no other (link_config_get() in src/udev/net/link-config.c). */
static bool judge_link(const struct trial *trial, struct explain_step *step) {
        const char *applied = trial->device->owners.link_file;
        const char *in_effect = applied ? applied : likely_link_file(trial);
        char own[256], other[256] = "";

        link_sort_name(trial->finding->file, own);
        if (in_effect)
                link_sort_name(in_effect, other);
        step->phase = PHASE_LINK;
        step->kind = KIND_LINK;
        step->rank = NULL;
        if (applied && strcmp(own, other) == 0) {
                judge_set(step, ACTS, "the .link file in effect, applied at the device's birth");
                return true;
        }
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        if (in_effect && strcmp(own, other) > 0)
                judge_set(step, EXPLAIN_IDLE,
                          "hidden by %s: the first .link file that matches is the only one", in_effect);
        else if (applied && trial->match == DEVICE_MATCH_PERHAPS)
                return false; /* udevd has tried it and gone on */
        else if (applied)
                judge_set(step, EXPLAIN_MAYBE,
                          "%s was applied at the device's birth; this file goes before it from the next one "
                          "on",
                          applied);
        else if (is_certain(trial, step))
                judge_set(step, ACTS, "applied at the device's birth");
        return true;
}

static bool judge_udev_rule(const struct trial *trial, struct explain_step *step) {
        const char *base = device_match_base(trial->finding->file);

        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = strcmp(base, "80-net-setup-link.rules") < 0 ? PHASE_EARLY_RULE : PHASE_RULE;
        step->rank = base;
        if (is_certain(trial, step))
                judge_set(step, ACTS, "udev rule, at the device's birth%s",
                          step->phase == PHASE_EARLY_RULE ? ", before the .link file" : "");
        return true;
}

static bool judge_unit(const struct trial *trial, struct explain_step *step) {
        const struct finding *finding = trial->finding;
        const char *unit = finding->owner ? finding->owner
                                          : device_match_base(finding->through ? finding->through
                                                                               : finding->file);

        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_UNIT;
        if (is_certain(trial, step))
                judge_set(step, ACTS, "%s runs once at boot, and not again after a hot-plug", unit);
        return true;
}

/* Drop-ins are read by name, behind the file itself. */
static const char *drop_in_name(const char *file) {
        const char *base = device_match_base(file);

        return base - file > 3 && strncmp(base - 3, ".d/", 3) == 0 ? base : "";
}

/* The file in effect is known where networkd has the device. */
static bool judge_network(const struct trial *trial, struct explain_step *step) {
        const char *in_effect = trial->device->owners.profile[OWNER_NETWORKD];

        step->phase = PHASE_MANAGER;
        step->kind = trial->finding->value ? KIND_NETWORKD_BYTES : KIND_NETWORKD_USE;
        step->rank = drop_in_name(trial->finding->file);
        if (in_effect && !device_match_is_part(trial->finding->file, in_effect)) {
                if (trial->match != DEVICE_MATCH_YES)
                        return false;
                judge_set(step, EXPLAIN_IDLE, "systemd-networkd uses %s for this device", in_effect);
                return true;
        }
        if (!in_effect && trial->match == DEVICE_MATCH_NO)
                return false;
        if (!judge_owner(trial->device, OWNER_NETWORKD, step) || (!in_effect && !is_certain(trial, step)))
                return true;
        if (step->kind == KIND_NETWORKD_BYTES)
                judge_set(step, ACTS, "systemd-networkd sets it whenever it configures the device");
        else
                judge_set(step, EXPLAIN_IDLE, "takes the MTU of DHCP, and no lease with one is held");
        return true;
}

/* netplan sets nothing itself. */
static bool judge_netplan(const struct trial *trial, struct explain_step *step) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_BIRTH;
        step->kind = KIND_NETPLAN;
        judge_set(step, EXPLAIN_IDLE, "no file of it is in effect: run netplan apply");
        return true;
}

static bool judge_profile(const struct trial *trial, struct explain_step *step) {
        const char *active = trial->device->owners.profile[OWNER_NETWORKMANAGER];
        const char *file = trial->finding->file;

        step->phase = PHASE_MANAGER;
        step->kind = KIND_PROFILE;
        step->rank = "profile";
        if (active && strcmp(file, active) != 0) {
                if (trial->match != DEVICE_MATCH_YES || trial->finding->match == FINDING_ANY)
                        return false;
                judge_set(step, EXPLAIN_IDLE, "the active profile is another one, %s", active);
                return true;
        }
        if (!active && trial->match == DEVICE_MATCH_NO)
                return false;
        if (!judge_owner(trial->device, OWNER_NETWORKMANAGER, step))
                return true;
        if (active || (trial->match == DEVICE_MATCH_YES && trial->finding->match != FINDING_ANY &&
                       !trial->device->link))
                judge_set(step, ACTS, "a profile's MTU is set on activation, whatever was there");
        else
                judge_set(step, EXPLAIN_MAYBE, "sets it where this profile is the active one");
        return true;
}

static bool judge_networkmanager(const struct trial *trial, struct explain_step *step) {
        if (!strstr(trial->finding->file, "/conf.d/") &&
            strcmp(device_match_base(trial->finding->file), "NetworkManager.conf") != 0)
                return judge_profile(trial, step);
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        step->kind = KIND_PROFILE_ELSE;
        step->rank = "default";
        if (judge_owner(trial->device, OWNER_NETWORKMANAGER, step) && is_certain(trial, step))
                judge_set(step, ACTS, "NetworkManager's default where a profile has no MTU");
        return true;
}

static bool judge_ifupdown(const struct trial *trial, struct explain_step *step) {
        bool is_second = trial->device->owners.has[OWNER_IFUPDOWN2];
        enum owner owner = is_second ? OWNER_IFUPDOWN2 : OWNER_IFUPDOWN;

        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        step->kind = KIND_INTERFACES;
        if (judge_owner(trial->device, owner, step) && is_certain(trial, step))
                judge_set(step, ACTS, "%s sets it when it brings the device up", owner_title(owner));
        return true;
}

static bool judge_ifupdown2(const struct trial *trial, struct explain_step *step) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        step->kind = KIND_POLICY;
        if (judge_owner(trial->device, OWNER_IFUPDOWN2, step) && is_certain(trial, step))
                judge_set(step, ACTS, "ifupdown2's policy where interfaces(5) has no mtu");
        return true;
}

/* A profile runs after the hook of its interface. */
static bool judge_netctl(const struct trial *trial, struct explain_step *step) {
        const char *active = trial->device->owners.profile[OWNER_NETCTL], *file = trial->finding->file;
        bool is_hook = strstr(file, "/interfaces/") || strstr(file, "/hooks/");

        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        step->rank = is_hook ? "hook" : "profile";
        if (!judge_owner(trial->device, OWNER_NETCTL, step) || !is_certain(trial, step))
                return true;
        if (is_hook)
                judge_set(step, ACTS, "a netctl hook, before the device is brought up");
        else if (active && strcmp(file, active) != 0)
                judge_set(step, EXPLAIN_IDLE, "the active profile is another one, %s", active);
        else
                judge_set(step, ACTS, "a command of the netctl profile, after the device is up");
        return true;
}

/* What no runtime state tells of: it acts where its manager is used, and another one's word is against it.
 */
static bool judge_other_manager(const struct trial *trial, struct explain_step *step, const char *title) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                if (trial->device->link && trial->device->owners.has[i]) {
                        judge_set(step, EXPLAIN_IDLE, "%s manages this device, not %s",
                                  owner_title((enum owner)i), title);
                        return true;
                }
        judge_set(step, EXPLAIN_MAYBE, "%s sets it where it manages the device", title);
        return true;
}

/* Option 26 does not become the device's MTU but that of its routes. */
static bool judge_dhcpcd(const struct trial *trial, struct explain_step *step) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_DHCP;
        judge_set(step, EXPLAIN_IDLE, "dhcpcd makes it the MTU of its routes, not of the device");
        return true;
}

/* dhclient-script(8) sets it on BOUND and REBOOT, and not on RENEW. */
static bool judge_dhclient(const struct trial *trial, struct explain_step *step) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_DHCP;
        step->kind = KIND_DHCLIENT;
        if (!trial->finding->value)
                judge_set(step, EXPLAIN_IDLE, "asks for the MTU of DHCP, and no lease with one is held");
        else if (is_certain(trial, step))
                judge_set(step, EXPLAIN_MAYBE,
                          "sets it on each new lease, where dhclient runs for the device");
        return true;
}

static bool judge_lease(const struct trial *trial, struct explain_step *step) {
        const char *file = trial->finding->file;

        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = PHASE_MANAGER;
        step->rank = "~lease"; /* behind what the manager is told otherwise */
        if (strstr(file, "/systemd/netif/")) {
                step->kind = KIND_NETWORKD_LEASE;
                if (judge_owner(trial->device, OWNER_NETWORKD, step))
                        judge_set(step, ACTS, "option 26 of DHCP, taken because of UseMTU=");
        } else if (strstr(file, "/NetworkManager/")) {
                step->kind = KIND_PROFILE_LEASE;
                if (judge_owner(trial->device, OWNER_NETWORKMANAGER, step))
                        judge_set(step, ACTS,
                                  "option 26 of DHCP, taken where neither the profile nor conf.d has an "
                                  "MTU");
        } else if (strstr(file, "dhcpcd")) {
                step->rank = NULL;
                return judge_dhcpcd(trial, step);
        } else {
                step->rank = NULL;
                step->phase = PHASE_DHCP;
                step->kind = KIND_DHCLIENT_LEASE;
                judge_set(step, ACTS, "option 26 of DHCP, set by dhclient on each new lease");
        }
        return true;
}

static bool judge_late(const struct trial *trial, struct explain_step *step, enum explain_phase phase,
                       const char *reason) {
        if (trial->match == DEVICE_MATCH_NO)
                return false;
        step->phase = phase;
        if (is_certain(trial, step))
                judge_set(step, ACTS, "%s", reason);
        return true;
}

static const char *when_script_runs(const char *file) {
        if (strstr(file, "/NetworkManager/dispatcher.d/"))
                return "NetworkManager runs it when the state of a device changes";
        if (strstr(file, "/networkd-dispatcher/"))
                return "networkd-dispatcher runs it when the state of a device changes";
        if (strstr(file, "/dhclient-"))
                return "dhclient runs it on each lease";
        return "runs once, at the end of the boot";
}

static bool judge(const struct trial *trial, struct explain_step *step) {
        switch (trial->finding->source) {
        case SOURCE_LINK:
                return judge_link(trial, step);
        case SOURCE_UDEV_RULE:
                return judge_udev_rule(trial, step);
        case SOURCE_UNIT:
                return judge_unit(trial, step);
        case SOURCE_NETWORK:
                return judge_network(trial, step);
        case SOURCE_NETPLAN:
                return judge_netplan(trial, step);
        case SOURCE_NETWORKMANAGER:
                return judge_networkmanager(trial, step);
        case SOURCE_IFCFG:
                return judge_profile(trial, step);
        case SOURCE_IFUPDOWN:
                return judge_ifupdown(trial, step);
        case SOURCE_IFUPDOWN2:
                return judge_ifupdown2(trial, step);
        case SOURCE_NETCTL:
                return judge_netctl(trial, step);
        case SOURCE_NETCFG:
                return judge_other_manager(trial, step, "netcfg");
        case SOURCE_OPENRC:
                return judge_other_manager(trial, step, "OpenRC");
        case SOURCE_DHCPCD:
                return judge_dhcpcd(trial, step);
        case SOURCE_DHCLIENT:
                return judge_dhclient(trial, step);
        case SOURCE_LEASE:
                return judge_lease(trial, step);
        case SOURCE_SCRIPT:
                return judge_late(trial, step, PHASE_SCRIPT, when_script_runs(trial->finding->file));
        case SOURCE_DOCKER:
                return judge_late(trial, step, PHASE_SCRIPT, "docker sets it on a bridge of its own");
        case SOURCE_TUNED:
                return judge_late(trial, step, PHASE_TUNED, "tuned sets it when it starts its profile");
        case SOURCE_FREEBSD:
        case SOURCE_IRIX:
        case SOURCE_COUNT:
                break;
        }
        return false; /* of another machine */
}

/* A manager that has the device acts on it, whether it is enabled or was started by hand, and whatever else
 * has it bring the device up: a bridge of ifupdown2. */
static bool is_inactive(const struct trial *trial) {
        static const struct {
                enum source source;
                enum owner owner;
        } pairs[] = {
                { SOURCE_NETWORK, OWNER_NETWORKD },     { SOURCE_NETWORKMANAGER, OWNER_NETWORKMANAGER },
                { SOURCE_IFCFG, OWNER_NETWORKMANAGER }, { SOURCE_IFUPDOWN, OWNER_IFUPDOWN2 },
                { SOURCE_IFUPDOWN2, OWNER_IFUPDOWN2 },  { SOURCE_NETCTL, OWNER_NETCTL },
        };

        for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
                if (trial->finding->source == pairs[i].source && trial->device->owners.has[pairs[i].owner])
                        return false;
        return trial->finding->inactive;
}

static const char *why_inactive(const struct finding *finding) {
        if (finding->source == SOURCE_IFUPDOWN)
                return "not with this method, or nothing brings the stanza up";
        if (finding->source == SOURCE_SCRIPT)
                return "the script is not executable";
        return "written down, but not enabled";
}

bool judge_finding(const struct explain_device *device, const struct explain_machine *machine,
                   const struct finding *finding, struct explain_step *ret) {
        struct trial trial = {
                .device = device,
                .machine = machine,
                .finding = finding,
                .match = device_match_finding(finding, device, machine->links),
        };
        struct explain_step step = {
                .source = source_name(finding->source),
                .finding = finding,
                .file = finding->file,
                .line = finding->line,
                .value = finding->value,
                .mtu = finding->mtu,
        };

        if (!judge(&trial, &step))
                return false;
        if (is_inactive(&trial) && (step.effect == ACTS || step.effect == EXPLAIN_MAYBE))
                judge_set(&step, EXPLAIN_IDLE, "%s", why_inactive(finding));
        else if (finding->conditional && step.effect == ACTS)
                judge_set(&step, EXPLAIN_MAYBE, "a script decides when it runs whether it sets it");
        *ret = step;
        return true;
}

/* Where a step of the first kind acts, those of the second one stand back. */
static const struct precedence {
        enum step_kind over;
        enum step_kind under;
        const char *reason;
} precedences[] = {
        /* nm_device_get_configured_mtu_from_connection() in NetworkManager's src/core/devices/nm-device.c:
         * a default is looked for where the profile has none, and both rank as
         * NM_DEVICE_MTU_SOURCE_CONNECTION, which goes before NM_DEVICE_MTU_SOURCE_IP_CONFIG. */
        { KIND_PROFILE, KIND_PROFILE_ELSE, "looked at only where the profile has no MTU, and it has one" },
        { KIND_PROFILE, KIND_PROFILE_LEASE, "option 26 of DHCP: the profile's MTU goes before it" },
        { KIND_PROFILE_ELSE, KIND_PROFILE_LEASE, "option 26 of DHCP: the MTU of conf.d goes before it" },
        /* systemd.network(5), UseMTU=. */
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_USE, "switched off by MTUBytes=" },
        { KIND_NETWORKD_BYTES, KIND_NETWORKD_LEASE, "option 26 of DHCP: MTUBytes= goes before it" },
        /* process_mtu() in ifupdown2's addons/address.py. */
        { KIND_INTERFACES, KIND_POLICY, "looked at only where interfaces(5) has no mtu, and it has one" },
        /* dhclient.conf(5), supersede. */
        { KIND_DHCLIENT, KIND_DHCLIENT_LEASE, "option 26 of DHCP: dhclient.conf goes before it" },
};

static const struct explain_step *acting(const struct explain_step *steps, size_t n_steps,
                                         enum step_kind kind) {
        for (size_t i = 0; i < n_steps; i++)
                if (steps[i].kind == kind && steps[i].effect == ACTS)
                        return &steps[i];
        return NULL;
}

static struct explain_step *first_of(struct explain_step *steps, size_t n_steps, enum step_kind kind) {
        for (size_t i = 0; i < n_steps; i++)
                if (steps[i].kind == kind)
                        return &steps[i];
        return NULL;
}

/* Option 26 in a lease that networkd holds counts where UseMTU= says so, which it does not by itself. */
static void settle_networkd(struct explain_step *steps, size_t n_steps) {
        struct explain_step *use = first_of(steps, n_steps, KIND_NETWORKD_USE);

        for (size_t i = 0; i < n_steps; i++) {
                if (steps[i].kind != KIND_NETWORKD_LEASE || steps[i].effect != ACTS)
                        continue;
                if (!use)
                        judge_set(&steps[i], EXPLAIN_IDLE,
                                  "option 26 of DHCP: not taken, because UseMTU= is off unless it is "
                                  "written");
                else
                        judge_set(use, EXPLAIN_IDLE, "has the MTU of DHCP taken");
        }
}

/* dhclient runs where it holds a lease. */
static void settle_dhclient(struct explain_step *steps, size_t n_steps) {
        const struct explain_step *lease = first_of(steps, n_steps, KIND_DHCLIENT_LEASE);

        for (size_t i = 0; lease && i < n_steps; i++)
                if (steps[i].kind == KIND_DHCLIENT && steps[i].effect == EXPLAIN_MAYBE && steps[i].value)
                        judge_set(&steps[i], ACTS, "dhclient sets it on each new lease");
                else if (steps[i].kind == KIND_DHCLIENT && !steps[i].value)
                        judge_set(&steps[i], EXPLAIN_IDLE, "has dhclient ask for the MTU of DHCP");
}

/* setmtu's own line is somebody's args, and it is to be told where it has no effect. It stands before what
 * goes over it, and so does not win. */
static bool is_wish(const struct explain_step *step) {
        return strcmp(step->source, "setmtu") == 0;
}

void judge_precedence(struct explain_step *steps, size_t n_steps) {
        settle_networkd(steps, n_steps);
        settle_dhclient(steps, n_steps);
        for (size_t i = 0; i < sizeof(precedences) / sizeof(precedences[0]); i++) {
                const struct precedence *precedence = &precedences[i];

                if (!acting(steps, n_steps, precedence->over))
                        continue;
                for (size_t j = 0; j < n_steps; j++)
                        if (steps[j].kind == precedence->under &&
                            (steps[j].effect == ACTS || steps[j].effect == EXPLAIN_IDLE))
                                judge_set(&steps[j], is_wish(&steps[j]) ? ACTS : EXPLAIN_IDLE, "%s",
                                          precedence->reason);
        }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/diagnosis.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/facts_output.h"
#include "explain/note.h"
#include "kernel/route.h"
#include "plan/overlay.h"
#include "plan/stack.h"
#include "system/unit_state.h"

#define ORDINARY 1500
#define REASON_SIZE 2400
/* IP and TCP without options: RFC 9293, section 3.7.1. */
#define TCP_HEADERS_V4 40
#define TCP_HEADERS_V6 60

const char *const diagnosis_words[] = {
        [DIAGNOSIS_FINE] = "fine",
        [DIAGNOSIS_NOT_KNOWN] = "not known",
        [DIAGNOSIS_NOT_LASTING] = "will not last",
        [DIAGNOSIS_NOT_CARRIED] = "path does not carry it",
        [DIAGNOSIS_NOT_IN_EFFECT] = "not in effect",
};

/* Networks of containers and virtual machines, by the bridge names that their programs choose. */
static const struct container_network {
        const char *begin;           /* prefix of the name */
        const char *who;             /* begins a sentence */
        const char *before, *behind; /* how to set an MTU: the text before and after the number */
        const char *command;         /* that leads to the setting */
        bool takes_rest;             /* `command` ends in the rest of the name */
} container_networks[] = {
        { "docker0", "Docker", "Set \"mtu\": ", " in /etc/docker/daemon.json",
          "${EDITOR:-vi} /etc/docker/daemon.json", false },
        { "br-", "Docker", "Recreate the network with -o com.docker.network.driver.mtu=", "",
          "docker network inspect ", true },
        { "podman", "Podman", "Recreate the network with --opt mtu=", "", "podman network ls", false },
        { "cni-podman", "Podman", "Recreate the network with --opt mtu=", "", "podman network ls", false },
        { "cni", "CNI", "Set \"mtu\": ", " in the network's file in /etc/cni/net.d",
          "${EDITOR:-vi} /etc/cni/net.d", false },
        { "virbr", "libvirt", "Write <mtu size='", "'/> with virsh net-edit", "virsh net-list --all",
          false },
        { "lxdbr", "LXD", "Set bridge.mtu to ", "", "lxc network edit lxdbr", true },
        { "incusbr", "Incus", "Set bridge.mtu to ", "", "incus network edit incusbr", true },
};

static bool is_bridge(const struct link *link) {
        return strcmp(link->kind, "bridge") == 0;
}

static const struct container_network *container_network_of(const struct link *link) {
        for (size_t i = 0; i < sizeof(container_networks) / sizeof(container_networks[0]); i++) {
                const struct container_network *network = &container_networks[i];
                const char *rest = text_after(link->name, network->begin);

                /* Docker's bridges have 12 digits of the network's ID; br-lan is not Docker's. */
                if (rest && is_bridge(link) &&
                    (strcmp(network->begin, "br-") != 0 ||
                     (strlen(rest) == 12 && rest[strspn(rest, "0123456789abcdef")] == '\0')))
                        return network;
        }
        return NULL;
}

/* A command that can be pasted, or null. */
static json_t *command_json(const char *command) {
        return json_text(command && *command && text_is_plain(command) ? command : NULL);
}

__attribute__((format(printf, 5, 6))) static void find(struct patient *patient, enum diagnosis diagnosis,
                                                       int exit_code, const char *command,
                                                       const char *format, ...) {
        struct doctor *doctor = patient->doctor;
        char text[REASON_SIZE];
        json_t *finding;
        size_t at = 0;

        TEXT_FORMAT(text, sizeof(text), format);
        finding = json_pack("{ss so so}", "verdict", diagnosis_words[diagnosis], "reason", json_text(text),
                            "command", command_json(command));
        /* The worst finding comes first. */
        if (diagnosis <= patient->worst)
                at = json_array_size(patient->findings);
        else
                patient->worst = diagnosis;
        doctor->is_broken |= json_array_insert_new(patient->findings, at, finding) < 0;
        if (diagnosis > doctor->worst || (diagnosis == doctor->worst && exit_code < doctor->exit_code)) {
                doctor->worst = diagnosis;
                doctor->exit_code = exit_code;
        }
}

__attribute__((format(printf, 4, 5))) static void note(struct patient *patient, const char *name,
                                                       const char *command, const char *format, ...) {
        char text[REASON_SIZE];

        TEXT_FORMAT(text, sizeof(text), format);
        patient->notes = json_append(patient->notes,
                                     json_pack("{ss so so}", "name", name, "text", json_text(text),
                                               "command", command_json(command)));
}

/* Commands ---------------------------------------------------------------------------------------------- */

/* The smallest port of a device that must not be larger than its ports; NULL: no port is below `mtu`. */
static const struct link *smaller_port(const struct link_table *links, const struct link *link,
                                       uint32_t mtu) {
        const struct link *port =
                        is_bridge(link) || stack_is_setter(link) ? stack_smallest_port(links, link) : NULL;

        return port && port->mtu < mtu ? port : NULL;
}

/* The command that gives the device `mtu`, or the nearest possible MTU: another device may come first. */
static const char *command_for(struct patient *patient, uint32_t mtu) {
        struct pool *pool = &patient->pool;
        const struct link_table *links = &patient->doctor->snapshot.links;
        const struct link *link = patient->link, *other = link, *limit = stack_limit(links, link);
        const struct link *below = limit ? limit : stack_leader(links, link);
        const struct link *setter = stack_setter(links, link);
        uint32_t need = mtu, above = limit ? limit->mtu - stack_capacity(link, limit, limit->mtu) : 0;

        if (below && below->mtu < mtu + above) {
                other = below;
                need = mtu + above;
        } else if (setter && setter->mtu != mtu)
                other = setter;
        else if (!setter && is_bridge(link) && smaller_port(links, link, mtu))
                other = smaller_port(links, link, mtu);
        if (other->mtu_max > 0 && need > other->mtu_max) {
                need = other->mtu_max > above ? other->mtu_max - above : 0;
                other = link;
        } else if (need < other->mtu_min)
                need = other->mtu_min;
        /* The first statuses are in the order of the devices. */
        if (other != link && patient->doctor->snapshot.statuses.items[other - links->links].wanted >= need)
                return pool_print(pool, "setmtu apply %s %s", TEXT_SHELL_WORD(other->name), patient->name);
        if (other != link)
                return pool_print(pool, "setmtu set %s %u%s%s", TEXT_SHELL_WORD(other->name), need,
                                  patient->status->line ? " && setmtu apply " : "",
                                  patient->status->line ? patient->name : "");
        if (patient->status->line && need == patient->status->wanted)
                return pool_print(pool, "setmtu apply %s", patient->name);
        return pool_print(pool, "setmtu set %s %u", patient->name, need);
}

/* The line ---------------------------------------------------------------------------------------------- */

static bool is_about(const struct patient *patient, const char *name) {
        const struct device_status *status = patient->status;

        return name && ((patient->link && strcmp(name, patient->link->name) == 0) ||
                        (status->line && strcmp(name, status->line->name) == 0));
}

static void tell_mistake(struct patient *patient, json_t *mistake, size_t index) {
        bool is_contradiction = index >= patient->doctor->n_until_boot;
        const char *file = json_string_value(json_object_get(mistake, "file"));
        const char *text = json_string_value(json_object_get(mistake, "text"));
        int line = (int)json_integer_value(json_object_get(mistake, "line"));
        bool is_error = strcmp(json_string_value(json_object_get(mistake, "severity")), "error") == 0;
        const char *place = TEXT_PLACE(file, (unsigned)line), *command;

        if (is_contradiction && patient->link && patient->status && patient->status->wanted > 0)
                command = command_for(patient, patient->status->wanted);
        else
                command = pool_print(&patient->pool, "${EDITOR:-vi} %s%s",
                                     line > 0 ? pool_print(&patient->pool, "+%d ", line) : "",
                                     TEXT_SHELL_WORD(file));
        if (is_error)
                find(patient, DIAGNOSIS_NOT_IN_EFFECT, EXIT_CODE_CONFIGURATION, command, "%s: %s", place,
                     text);
        else if (is_contradiction)
                find(patient, DIAGNOSIS_NOT_CARRIED, EXIT_CODE_LOCAL_LIMIT, command, "%s: %s", place, text);
        else if (index >= patient->doctor->n_read)
                find(patient, DIAGNOSIS_NOT_LASTING, EXIT_CODE_NOT_LASTING, command, "%s: %s", place, text);
        else
                note(patient, "configuration", command, "%s: %s", place, text);
        patient->has_contradictions |= is_contradiction;
}

/* Reports the device's mistakes; without a device, the mistakes not reported for any device. */
static void judge_mistakes(struct patient *patient) {
        json_t *mistake;
        size_t i;

        json_array_foreach(patient->doctor->mistakes, i, mistake) {
                if (json_object_get(mistake, "told") ||
                    (patient->status &&
                     !is_about(patient, json_string_value(json_object_get(mistake, "name")))))
                        continue;
                tell_mistake(patient, mistake, i);
                patient->doctor->is_broken |= json_object_set_new(mistake, "told", json_true()) < 0;
        }
}

/* Who changed the MTU ----------------------------------------------------------------------------------- */

/* Whether the process, or one that started it, is setmtu's: it has another MTU on trial, for example. */
static bool is_own(const struct history_event *actor) {
        bool is_own = text_after(actor->unit, "setmtu");

        for (size_t i = 0; i < HISTORY_PROCESSES && actor->processes[i].pid > 0; i++)
                is_own |= text_after(actor->processes[i].name, "setmtu") != NULL;
        return is_own;
}

/* Whether a person's session made the change, which no program repeats. */
static bool is_by_hand(const struct history_event *actor) {
        return text_after(actor->unit, "session-") || text_after(actor->unit, "user@");
}

/* The last change of the device by another program to an MTU that its line does not want, since it first had
 * the wanted one; NULL: none. */
static const struct history_event *find_intruder(const struct patient *patient) {
        const struct history *history = &patient->doctor->history;
        const struct history_event *found = NULL;
        bool had_wanted = false;

        for (size_t i = 0; i < history->n_events; i++) {
                const struct history_event *event = &history->events[i];
                const struct history_event *actor = history_find_origin(history, event).actor;

                if (event->ifindex != patient->link->ifindex || event->error < 0)
                        continue;
                if (event->after == patient->status->wanted)
                        had_wanted = true;
                else if (had_wanted && event->kind == HISTORY_CHANGE && actor && !is_own(actor))
                        found = event;
        }
        return found;
}

static void note_unrecorded(struct patient *patient) {
        int exit_code = EXIT_CODE_DONE;
        const char *fault = patient->doctor->history_error < 0
                                            ? history_fault(patient->doctor->history_error, &exit_code)
                                            : "";

        /* Where nothing can be recorded, nobody can do anything about it. */
        if (exit_code == EXIT_CODE_NOT_RECORDED || exit_code == EXIT_CODE_FAILURE)
                note(patient, "history", NULL, "who set this MTU is not known: %s.", fault);
}

/* Reports that another program has changed the MTU although the line has it now. */
static void judge_intruder(struct patient *patient, bool is_kept) {
        const struct history_event *event = find_intruder(patient);
        const struct history *history = &patient->doctor->history;
        char who[HISTORY_WHO_SIZE], time[32];

        if (!event || is_by_hand(history_find_origin(history, event).actor))
                return;
        history_who_text(who, history, event);
        history_local_time(time, event->begin_ns);
        if (is_kept)
                note(patient, "history", NULL, "%s: set to %u by %s; " KEEP_UNIT " puts it back.", time,
                     event->after, who);
        else
                find(patient, DIAGNOSIS_NOT_LASTING, EXIT_CODE_NOT_LASTING,
                     pool_print(&patient->pool, "setmtu set %s %u keep", patient->name,
                                patient->status->wanted),
                     "%s: it was set to %u by %s", time, event->after, who);
}

/* `settle`: the command that is needed first, or empty. */
static void judge_state(struct patient *patient, const char *settle, bool is_kept) {
        const struct device_status *status = patient->status;
        const struct history *history = &patient->doctor->history;
        const struct link *link = patient->link;
        const struct history_event *event = link ? history_find_last(history, link->ifindex) : NULL;
        struct pool *pool = &patient->pool;
        char who[HISTORY_WHO_SIZE];

        if (link && link->is_on_trial)
                find(patient, DIAGNOSIS_NOT_LASTING, EXIT_CODE_NOT_LASTING,
                     pool_print(pool, "setmtu confirm %s", patient->name),
                     "%u is on trial, and is undone unless it is confirmed", link->mtu);
        else if (link && status->state == DEVICE_STATE_DRIFT) {
                bool is_told = event && event->kind == HISTORY_CHANGE && event->after == link->mtu;

                find(patient, DIAGNOSIS_NOT_IN_EFFECT, EXIT_CODE_DRIFT,
                     pool_print(pool, "%s%s%s", settle, *settle ? " && " : "",
                                command_for(patient, status->wanted)),
                     "the MTU is %u, and %s wants %u%s%s", link->mtu, CONFIG_LINE_PLACE(status->line),
                     status->wanted, is_told ? "; it was set by " : "",
                     is_told ? history_who_text(who, history, event) : "");
                note_unrecorded(patient);
        } else if (link && status->wanted > 0)
                judge_intruder(patient, is_kept);
}

static bool is_mentioned(struct patient *patient, uint32_t mtu) {
        const struct mentions *mentions = rivals_mentions(&patient->doctor->rivals);

        for (size_t i = 0; i < mentions->n_items; i++)
                if (mentions->items[i].mtu == mtu && mentions->items[i].is_active &&
                    mention_is_of(&mentions->items[i], patient->link->name))
                        return true;
        return patient->facts.has_networkmanager && patient->facts.networkmanager.mtu == mtu;
}

/* Without a line: whether the MTU was set by hand. Of a device that programs make, they say so. */
static void judge_without_line(struct patient *patient) {
        const struct history *history = &patient->doctor->history;
        const struct link *link = patient->link;
        const struct history_event *event = link ? history_find_last(history, link->ifindex) : NULL;
        const struct history_event *actor = event ? history_find_origin(history, event).actor : NULL;
        char who[HISTORY_WHO_SIZE];

        if (!link || strcmp(link->name, "lo") == 0)
                return;
        if (event && event->kind == HISTORY_CHANGE && event->after == link->mtu && actor &&
            is_by_hand(actor) && !is_mentioned(patient, link->mtu))
                find(patient, DIAGNOSIS_NOT_LASTING, EXIT_CODE_NOT_LASTING,
                     pool_print(&patient->pool, "setmtu set %s %u", patient->name, link->mtu),
                     "the MTU is %u, set by %s, and has no line", link->mtu,
                     history_who_text(who, history, event));
        else if (!event && link->mtu != ORDINARY && !link->kind[0] && !is_mentioned(patient, link->mtu))
                note_unrecorded(patient);
}

/* Competing settings ------------------------------------------------------------------------------------ */

/* Reports settings of other programs with another MTU than the line. Returns the command that settles the
 * first one, or "". */
static const char *judge_rivals(struct patient *patient, bool is_kept) {
        const char *settle = "";
        struct rival rival;
        size_t index = 0;

        while (rivals_next(&patient->doctor->rivals, patient->status, patient->link ? &patient->facts : NULL,
                           &index, &rival)) {
                const char *place = rival.file ? TEXT_PLACE(rival.file, rival.line) : "";
                const char *colon = rival.file ? ": " : "";

                if (is_kept) {
                        note(patient, "competing", rival.command, "%s%s%s; " KEEP_UNIT " puts it back.",
                             place, colon, rival.text);
                        continue;
                }
                find(patient, DIAGNOSIS_NOT_LASTING, EXIT_CODE_NOT_LASTING, rival.command, "%s%s%s", place,
                     colon, rival.text);
                if (!*settle)
                        settle = pool_copy(&patient->pool, rival.command);
        }
        return settle;
}

static void judge_line(struct patient *patient) {
        const struct device_plan *planned =
                        plan_find(&patient->doctor->snapshot.plan, patient->status->line->name);
        bool is_kept = planned && planned->is_kept && unit_is_active(KEEP_UNIT) > 0;

        judge_state(patient, judge_rivals(patient, is_kept), is_kept);
}

/* The notes of setmtu explain; `is_about_probing`: only tcp-mtu-probing, for paths that lose packets. */
static void add_notes(struct patient *patient, bool is_about_probing) {
        const struct doctor *doctor = patient->doctor;
        struct note notes[NOTES_MAX];
        size_t n = patient->status ? note_make(patient->status, &doctor->snapshot.statuses, doctor->ethtool,
                                               notes)
                                   : 0;

        for (size_t i = 0; i < n; i++)
                if (is_about_probing ? strcmp(notes[i].name, "tcp-mtu-probing") == 0
                                     : !text_after(notes[i].name, "tcp-"))
                        note(patient, notes[i].name,
                             is_about_probing ? "sysctl -w net.ipv4.tcp_mtu_probing=1" : NULL, "%s",
                             notes[i].text);
}

/* The MTU in a router advertisement applies to IPv6 only (RFC 4861, section 6.3.4;
 * ndisc_router_discovery()). A change of the device's MTU resets it: addrconf_notify(). */
static void judge_ipv6(struct patient *patient) {
        const struct link *link = patient->link;
        const char *command;
        char key[64];
        long long mtu;

        snprintf(key, sizeof(key), "net/ipv6/conf/%s/mtu", link->name);
        mtu = network_sysctl_read(key, 0);
        /* Without IPv6 on the device there is no such file. */
        if (mtu < 0 && mtu != -ENOENT) {
                log_error("/proc/sys/%s cannot be read: %s", key, strerror((int)-mtu));
                find(patient, DIAGNOSIS_NOT_KNOWN, EXIT_CODE_FAILURE, NULL,
                     "the MTU of IPv6 could not be read");
        }
        if (mtu <= 0 || mtu >= link->mtu)
                return;
        command = pool_print(&patient->pool,
                             "sysctl -w net/ipv6/conf/%s/accept_ra_mtu=0 net/ipv6/conf/%s/mtu=%u",
                             patient->name, patient->name, link->mtu);
        if (patient->status->line && patient->status->wanted > mtu)
                find(patient, DIAGNOSIS_NOT_IN_EFFECT, EXIT_CODE_DRIFT, command,
                     "IPv6 sends %lld bytes at most, not %u: a router's advertisement carries that MTU "
                     "(AdvLinkMTU of radvd), or a program has set it",
                     mtu, link->mtu);
        else
                note(patient, "ipv6-mtu", command,
                     "IPv6 sends %lld bytes at most, not %u: a router's advertisement carries that MTU, or "
                     "a program has set it.",
                     mtu, link->mtu);
}

/* Devices above and below ------------------------------------------------------------------------------- */

static void judge_stack(struct patient *patient) {
        const struct link_table *links = &patient->doctor->snapshot.links;
        const struct link *link = patient->link, *limit = stack_limit(links, link);
        const struct link *port = smaller_port(links, link, link->mtu), *leader = stack_leader(links, link);
        uint32_t room = limit ? stack_capacity(link, limit, limit->mtu) : leader ? leader->mtu : link->mtu;
        const char *command;

        /* judge_overlay() reports overlays. */
        if (patient->has_contradictions || overlay_find(link->kind))
                return;
        command = command_for(patient, link->mtu);
        if (link->mtu > room)
                find(patient, DIAGNOSIS_NOT_CARRIED, EXIT_CODE_LOCAL_LIMIT, command,
                     "the MTU is %u, and %s below carries %u", link->mtu, (limit ? limit : leader)->name,
                     room);
        if (port)
                find(patient, DIAGNOSIS_NOT_CARRIED, EXIT_CODE_LOCAL_LIMIT, command,
                     "the MTU is %u, and its port %s has %u, which drops larger frames", link->mtu,
                     port->name, port->mtu);
}

/* The device by which the packets of an overlay leave; NULL: not known. `ret_is_guess`: it is the device of
 * the default route. */
static const struct link *find_below(struct patient *patient, bool *ret_is_guess) {
        const struct doctor *doctor = patient->doctor;
        const struct link *link = patient->link;
        struct sockaddr_in v4 = { .sin_family = AF_INET };
        struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
        bool is_v6 = link->remote_size == sizeof(v6.sin6_addr);
        unsigned ifindex = link->lower_ifindex;
        int r = 0;

        *ret_is_guess = false;
        memcpy(&v6.sin6_addr, link->remote, sizeof(v6.sin6_addr));
        memcpy(&v4.sin_addr, link->remote, sizeof(v4.sin_addr));
        if (ifindex == 0 && link->remote_size > 0)
                r = route_get_interface(doctor->snapshot.socket,
                                        is_v6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4, 0,
                                        &ifindex);
        if (r < 0 && !route_is_none(r)) {
                log_error("%s: the route to its other end cannot be read: %s", patient->name, strerror(-r));
                find(patient, DIAGNOSIS_NOT_KNOWN, EXIT_CODE_FAILURE, NULL,
                     "the route to its other end could not be read");
        }
        if (r < 0)
                return NULL;
        if (ifindex == 0 && strcmp(link->kind, "wireguard") == 0) {
                *ret_is_guess = true;
                ifindex = doctor->away;
        }
        return ifindex == link->ifindex ? NULL : link_table_by_ifindex(&doctor->snapshot.links, ifindex);
}

static uint32_t what_is_left(uint32_t mtu, uint32_t overhead) {
        return mtu > overhead ? mtu - overhead : 0;
}

static void judge_overlay(struct patient *patient) {
        const struct link *link = patient->link, *below;
        const struct overlay *overlay = overlay_find(link->kind);
        uint32_t overhead = overlay_overhead(link), left;
        const char *command, *also = "";
        bool is_guess;

        if (!overlay || !link->up)
                return;
        below = find_below(patient, &is_guess);
        if (!below) {
                note(patient, "overlay", NULL,
                     "%s adds %u bytes at least: what carries it needs an MTU of %u.", overlay->title,
                     overhead, link->mtu + overhead);
                return;
        }
        left = what_is_left(below->mtu, overhead);
        if (overlay->over_ipv4 != overlay->over_ipv6 && link->remote_size == 0 && !link->is_over_ipv6)
                also = pool_print(&patient->pool, " over IPv4 and %u over IPv6",
                                  what_is_left(below->mtu, overlay->over_ipv6));
        command = pool_print(&patient->pool, "setmtu set %s %u", patient->name, left);
        if (link->mtu > left && !is_guess)
                find(patient, DIAGNOSIS_NOT_CARRIED, EXIT_CODE_LOCAL_LIMIT, command,
                     "the MTU is %u, and of the %u bytes of %s below, %s leaves %u at most%s", link->mtu,
                     below->mtu, below->name, overlay->title, left, also);
        else
                note(patient, "overlay", link->mtu > left ? command : NULL,
                     "of the %u bytes of %s%s, %s leaves %u at most%s; the MTU is %u.", below->mtu,
                     below->name, is_guess ? ", where the default route leads" : "", overlay->title, left,
                     also, link->mtu);
}

static void judge_containers(struct patient *patient) {
        const struct container_network *network = container_network_of(patient->link);
        const struct link *link = patient->link;
        const struct link *away =
                        link_table_by_ifindex(&patient->doctor->snapshot.links, patient->doctor->away);
        const char *command, *text;

        if (!network || !away || away == link)
                return;
        command = pool_print(&patient->pool, "%s%s", network->command,
                             network->takes_rest ? link->name + strlen(network->begin) : "");
        text = pool_print(&patient->pool,
                          "%s sends packets of %u bytes%s, and %s, by which they leave, carries %u. %s%u%s",
                          network->who, link->mtu, link->mtu > away->mtu ? "" : " at most", away->name,
                          away->mtu, network->before, away->mtu, network->behind);
        if (link->mtu > away->mtu)
                find(patient, DIAGNOSIS_NOT_CARRIED, EXIT_CODE_LOCAL_LIMIT, command, "%s", text);
        else if (link->mtu < away->mtu && away->mtu > ORDINARY)
                note(patient, "containers", command, "%s.", text);
}

/* The path ---------------------------------------------------------------------------------------------- */

/* Forwarded TCP is as stuck as this machine's own. `rt mtu` uses the MTUs of the routes in both directions:
 * get_tcpmss() in net/netfilter/nft_rt.c. */
static void advise_clamping(struct patient *patient, const struct probed *host) {
        bool is_v6 = host->path.target.ss_family == AF_INET6;
        const char *key = is_v6 ? "net/ipv6/conf/all/forwarding" : "net/ipv4/ip_forward";
        uint32_t mss = host->result.verdict.size - (is_v6 ? TCP_HEADERS_V6 : TCP_HEADERS_V4);

        add_notes(patient, true);
        if (network_sysctl_read(key, 0) > 0)
                note(patient, "mss",
                     "nft 'add table inet mss; add chain inet mss forward { type filter hook forward "
                     "priority -150; }; add rule inet mss forward tcp flags syn tcp option maxseg size set "
                     "rt mtu'",
                     "this machine forwards packets. Once the route has its MTU, limit the TCP segments of "
                     "other hosts on it to %u bytes.",
                     mss);
        else
                note(patient, "mss", NULL,
                     "for other hosts behind the same router, have that router clamp TCP's MSS to %u.", mss);
}

/* The command that adapts to what the path carries. */
static const char *command_for_path(struct pool *pool, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        const char *address = TEXT_SHELL_WORD(host->path.address);
        const char *name = TEXT_SHELL_WORD(host->path.link.name);
        uint32_t mtu = verdict_common_mtu(verdict->size);

        if (verdict->kind == VERDICT_UNREACHABLE)
                return pool_print(pool, "ip route get %s", address);
        if (verdict->kind == VERDICT_INCONCLUSIVE)
                return pool_print(pool, "setmtu probe %s --timeout 30s", address);
        if (verdict->kind == VERDICT_RETURN_PATH ||
            (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop == 0))
                return pool_print(pool, "setmtu try %s %u --probe %s", name, mtu, address);
        return pool_print(
                        pool,
                        "ip route replace $(ip route get %s | sed 's/ from :://; s/ src .*//; q') mtu %s%u",
                        address, verdict->kind == VERDICT_FALSE_TOO_BIG ? "lock " : "", mtu);
}

static void judge_host(struct patient *patient, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        CLEANUP(cleanup_free) char *text = path_text(&host->path, &host->result);
        const char *command = command_for_path(&patient->pool, host);
        uint32_t limit = 0;

        if (!text) {
                patient->doctor->is_broken = true;
                return;
        }
        if (patient->link && route_get_mtu(patient->doctor->snapshot.socket,
                                           (const struct sockaddr *)&host->path.target, &limit) < 0)
                limit = 0;
        if (verdict_carries(verdict, verdict->tried))
                note(patient, "path", NULL, "%s: %s", host->path.host, text);
        else if (verdict->kind == VERDICT_UNREACHABLE || verdict->kind == VERDICT_INCONCLUSIVE)
                find(patient, DIAGNOSIS_NOT_KNOWN, verdict_exit_code(verdict->kind), command, "%s: %s",
                     host->path.host, text);
        else if (limit > 0 && limit <= verdict->size)
                note(patient, "path", NULL,
                     "%s: %u bytes pass, and the route to it has an MTU of %u: nothing larger is sent.",
                     host->path.host, verdict->size, limit);
        else {
                find(patient, DIAGNOSIS_NOT_CARRIED, verdict_exit_code(verdict->kind), command, "%s: %s",
                     host->path.host, text);
                if (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop != 0)
                        advise_clamping(patient, host);
        }
}

/* Judges the hosts reached by the device; without a device, the hosts that no device leads to. */
static void judge_hosts(struct patient *patient) {
        for (size_t i = 0; i < patient->doctor->n_hosts; i++) {
                const struct probed *host = &patient->doctor->hosts[i];

                if (patient->link ? host->path.link.ifindex != patient->link->ifindex
                                  : patient->status || host->path.link.ifindex > 0)
                        continue;
                if (host->exit_code == EXIT_CODE_DONE)
                        judge_host(patient, host);
                else
                        find(patient, DIAGNOSIS_NOT_KNOWN, host->exit_code, NULL,
                             "%s: it could not be probed", host->path.host);
        }
}

void diagnosis_make(struct patient *patient) {
        judge_mistakes(patient);
        if (patient->status && patient->status->line)
                judge_line(patient);
        else if (patient->status)
                judge_without_line(patient);
        if (patient->link) {
                judge_ipv6(patient);
                judge_stack(patient);
                judge_overlay(patient);
                judge_containers(patient);
                add_notes(patient, false);
        }
        judge_hosts(patient);
        patient->doctor->is_broken |= !patient->findings || !patient->notes || patient->pool.failed;
}

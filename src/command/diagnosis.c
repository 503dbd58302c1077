/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/diagnosis.h"

#include <fnmatch.h>
#include <string.h>

#include "backends/unit_links.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/text.h"
#include "bus/systemd_manager.h"
#include "change/trial.h"
#include "command/change_log.h"
#include "plan/advice.h"
#include "state/unit_state.h"
#include "store/device_record.h"

#define REASON_SIZE 2400

const char *const diagnosis_words[] = {
        [DIAGNOSIS_FINE] = "fine",
        [DIAGNOSIS_NOT_KNOWN] = "not known",
        [DIAGNOSIS_NOT_LASTING] = "will not last",
        [DIAGNOSIS_NOT_CARRIED] = "path does not carry it",
        [DIAGNOSIS_NOT_IN_EFFECT] = "not in effect",
};

static enum diagnosis diagnosis_of(int exit_code) {
        if (exit_code == EXIT_CODE_DONE)
                return DIAGNOSIS_FINE;
        if (exit_code == EXIT_CODE_CONFIGURATION || exit_code == EXIT_CODE_DRIFT)
                return DIAGNOSIS_NOT_IN_EFFECT;
        if (exit_code == EXIT_CODE_NOT_LASTING)
                return DIAGNOSIS_NOT_LASTING;
        return exit_code >= EXIT_CODE_TOO_BIG && exit_code <= EXIT_CODE_LOCAL_LIMIT ? DIAGNOSIS_NOT_CARRIED
                                                                                    : DIAGNOSIS_NOT_KNOWN;
}

json_t *diagnosis_add(struct checkup *checkup, int exit_code, const char *command, const char *format, ...) {
        struct doctor *doctor = checkup->doctor;
        enum diagnosis diagnosis = diagnosis_of(exit_code);
        const char *first =
                        json_string_value(json_object_get(json_array_get(checkup->findings, 0), "command"));
        char text[REASON_SIZE];
        json_t *finding;
        size_t at = 0;

        TEXT_FORMAT(text, sizeof(text), format);
        /* The worst finding comes first, and what it says to type is not said again. */
        if (diagnosis > checkup->worst)
                checkup->worst = diagnosis;
        else {
                at = json_array_size(checkup->findings);
                if (command && first && strcmp(command, first) == 0)
                        command = NULL;
        }
        finding = JSON_OBJECT({
                        { "verdict", json_text(diagnosis_words[diagnosis]) },
                        { "reason", json_text(text) },
                        { "command", json_text(command && text_is_plain(command) ? command : NULL) },
                        { "switch", json_null() },
        });
        checkup->pool->failed |= json_array_insert_new(checkup->findings, at, finding) < 0;
        if (diagnosis > doctor->worst || (diagnosis == doctor->worst && exit_code < doctor->exit_code)) {
                doctor->worst = diagnosis;
                doctor->exit_code = exit_code;
        }
        return json_array_get(checkup->findings, at);
}

/* Commands ---------------------------------------------------------------------------------------------- */

const char *diagnosis_command(struct checkup *checkup, uint32_t mtu) {
        const struct snapshot *snapshot = &checkup->doctor->facts.snapshot;
        const char *command = change_openvswitch(checkup->pool, checkup->link, mtu);

        return command ? command
                       : advice_make(checkup->pool, &snapshot->statuses, &snapshot->links, checkup->link,
                                     mtu);
}

/* The line ---------------------------------------------------------------------------------------------- */

static bool is_about(const struct checkup *checkup, const char *name) {
        const struct device_status *status = checkup->status;

        return name && ((checkup->link && (strcmp(name, checkup->link->name) == 0 ||
                                           (interface_name_is_pattern(name) &&
                                            fnmatch(name, checkup->link->name, 0) == 0))) ||
                        (status->line && strcmp(name, status->line->name) == 0));
}

/* Reports the device's mistakes; without a device, the mistakes not reported for any device. */
static void judge_mistakes(struct checkup *checkup) {
        uint32_t wanted = checkup->link ? checkup->status->wanted : 0;

        for (size_t i = 0; i < checkup->doctor->n_mistakes; i++) {
                struct mistake *mistake = &checkup->doctor->mistakes[i];

                if (mistake->is_reported || (checkup->status && !is_about(checkup, mistake->name)))
                        continue;
                diagnosis_add(checkup, mistake->exit_code,
                              mistake->is_contradiction && wanted > 0 ? diagnosis_command(checkup, wanted)
                                                                      : mistake->command,
                              "%s", mistake->reason);
                checkup->has_contradictions |= mistake->is_contradiction;
                mistake->is_reported = true;
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

/* The last change by another program since the device first had the MTU of its line; NULL: none, or a person
 * made it. For this and the next two, the device is there and has a line. */
static const struct history_event *find_intruder(const struct checkup *checkup) {
        const struct history *history = &checkup->doctor->facts.history;
        const struct device_status *status = checkup->status;
        const struct history_event *found = NULL, *actor;
        bool had_wanted = false;

        for (size_t i = 0; i < history->n_events; i++) {
                const struct history_event *event = &history->events[i];

                actor = history_find_origin(history, event).actor;
                if (event->ifindex != status->link->ifindex || event->error < 0)
                        continue;
                if (event->after == status->wanted)
                        had_wanted = true;
                else if (had_wanted && event->kind == HISTORY_CHANGE && actor && !is_own(actor))
                        found = event;
        }
        return found && !is_by_hand(history_find_origin(history, found).actor) ? found : NULL;
}

/* Whether setmtu had set the wanted MTU, and what has changed it is not the device below. */
static bool is_set_back(const struct device_status *status) {
        struct device_record record;
        bool has_record = device_record_read(status->link, &record) == 0;
        uint32_t original, set;

        if (status->state != DEVICE_STATE_DRIFT ||
            (has_record && lowered_mtu_counts(&record.lowered, status->link->mtu)))
                return false;
        return (has_record && (record.original.set == status->wanted || record.tally.count > 0)) ||
               (original_mtu_from_udev(status->link, &original, &set) == 0 && set == status->wanted);
}

/* The command that adds `keep` to the line, if another program has changed the MTU; where changes are not
 * recorded, by what setmtu has set. NULL: none has, or the device cannot be kept, or is. */
static const char *keep_command(struct checkup *checkup) {
        const struct device_status *status = checkup->status;
        const struct config_line *line = status->line;

        if (!checkup->planned || !backend_has_unit(checkup->planned->backend) || line->spec.is_auto ||
            checkup->is_kept ||
            (checkup->doctor->facts.unrecorded ? !is_set_back(status) : !find_intruder(checkup)))
                return NULL;
        return pool_print(checkup->pool, "setmtu set %s %s keep", checkup->name,
                          line->spec.mtu == MTU_MAX ? "max"
                                                    : pool_print(checkup->pool, "%u", status->wanted));
}

/* Reports that another program has changed the MTU although the line has it now. */
static void judge_intruder(struct checkup *checkup) {
        const struct history *history = &checkup->doctor->facts.history;
        const struct history_event *event = find_intruder(checkup);
        char who[HISTORY_WHO_SIZE], time[32];

        if (!event)
                return;
        history_who_text(who, history, event);
        history_local_time(time, event->begin_ns);
        diagnosis_add(checkup, checkup->is_kept ? EXIT_CODE_DONE : EXIT_CODE_NOT_LASTING,
                      keep_command(checkup), "%s: it was set to %u by %s%s", time, event->after, who,
                      checkup->is_kept ? "; " KEEP_UNIT " puts it back" : "");
}

/* The recorded change that the MTU comes from; NULL: there is none. */
static const struct history_event *find_change(const struct checkup *checkup) {
        const struct link *link = checkup->link;
        const struct history_event *event =
                        history_find_last(&checkup->doctor->facts.history, link->ifindex);

        return event && event->kind == HISTORY_CHANGE && event->after == link->mtu ? event : NULL;
}

/* `settle`: the command that is needed first, or empty. */
static void judge_drift(struct checkup *checkup, const char *settle) {
        const struct device_status *status = checkup->status;
        const struct facts *facts = &checkup->doctor->facts;
        const struct history_event *change = find_change(checkup);
        const char *command = diagnosis_command(checkup, status->wanted);
        const char *keep = *settle ? NULL : keep_command(checkup);
        char who[HISTORY_WHO_SIZE];

        /* Not where another device comes first. */
        if (keep && strcmp(command, pool_print(checkup->pool, "setmtu apply %s", checkup->name)) == 0)
                command = keep;
        diagnosis_add(checkup, EXIT_CODE_DRIFT,
                      pool_print(checkup->pool, "%s%s%s", settle, *settle ? " && " : "", command),
                      "the MTU is %u, and %s wants %u%s%s", checkup->link->mtu,
                      CONFIG_LINE_PLACE(status->line), status->wanted,
                      change ? "; it was set by "
                      : keep ? "; another program has changed it"
                             : "",
                      change ? history_who_text(who, &facts->history, change) : "");
        /* Where nothing can be recorded, nobody can do anything about it. */
        if (facts->unrecorded_exit_code == EXIT_CODE_NOT_RECORDED ||
            facts->unrecorded_exit_code == EXIT_CODE_FAILURE)
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL, "who set this MTU is not known: %s",
                              facts->unrecorded);
}

/* Without a line: whether the MTU was set by hand. */
static void judge_without_line(struct checkup *checkup) {
        const struct facts *facts = &checkup->doctor->facts;
        const struct link *link = checkup->link;
        const struct history_event *change = find_change(checkup);
        const struct history_event *actor =
                        change ? history_find_origin(&facts->history, change).actor : NULL;
        char who[HISTORY_WHO_SIZE];

        if (actor && is_by_hand(actor) && checkup->facts.networkmanager.mtu != link->mtu &&
            !mentions_find(rivals_mentions(&checkup->doctor->facts.rivals), link->name, link->mtu, true))
                diagnosis_add(checkup, EXIT_CODE_NOT_LASTING,
                              pool_print(checkup->pool, "setmtu set %s %u", checkup->name, link->mtu),
                              "the MTU is %u, set by %s, and has no line", link->mtu,
                              history_who_text(who, &facts->history, change));
}

/* Competing settings ------------------------------------------------------------------------------------ */

/* Reports settings of other programs with another MTU than the line. Returns the command that settles the
 * manager's, or "". */
static const char *judge_rivals(struct checkup *checkup) {
        struct rivals *rivals = &checkup->doctor->facts.rivals;
        size_t first = rivals->n_items;
        const char *settle = "";

        /* judge_containers() looks at what they have. */
        rivals_find(rivals, checkup->status, &checkup->facts, false);
        for (size_t i = first; i < rivals->n_items; i++) {
                const struct rival *rival = &rivals->items[i];
                /* Whether a mention takes effect is not known. */
                bool is_note = checkup->is_kept || rival->file;
                char place[TEXT_PLACE_SIZE];

                diagnosis_add(checkup, is_note ? EXIT_CODE_DONE : EXIT_CODE_NOT_LASTING, rival->command,
                              "%s%s%s%s", rival->file ? text_place(place, rival->file, rival->line) : "",
                              rival->file ? ": " : "", rival->text,
                              checkup->is_kept ? "; " KEEP_UNIT " puts it back" : "");
                if (!is_note && rival->command)
                        settle = rival->command;
        }
        return settle;
}

/* Has the program that listens to routers ignore their MTUs from now on: NetworkManager, networkd, or the
 * kernel. */
const char *diagnosis_ipv6_command(struct checkup *checkup) {
        const struct manager_facts *facts = &checkup->facts;
        struct pool *pool = checkup->pool;
        uint32_t mtu = checkup->link->mtu;
        const char *name = checkup->name;
        char word[TEXT_SHELL_WORD_SIZE];

        if (facts->networkmanager.profile[0])
                return pool_print(pool, "nmcli connection modify %s ipv6.mtu %u && nmcli device reapply %s",
                                  text_shell_word(word, facts->networkmanager.profile), mtu, name);
        if (facts->network_file[0])
                return pool_print(pool,
                                  "printf '[IPv6AcceptRA]\\nUseMTU=no\\n' | install -Dm644 /dev/stdin "
                                  "/etc/systemd/network/%s.d/ipv6-mtu.conf && networkctl reload && "
                                  "echo %u >/proc/sys/net/ipv6/conf/%s/mtu",
                                  text_shell_word(word, text_base_name(facts->network_file)), mtu, name);
        /* sysctl(8) is not everywhere, nor is its directory. */
        return pool_print(pool,
                          "mkdir -p /etc/sysctl.d && echo net/ipv6/conf/%s/accept_ra_mtu=0 "
                          ">>/etc/sysctl.d/ipv6-mtu.conf && "
                          "echo 0 >/proc/sys/net/ipv6/conf/%s/accept_ra_mtu && "
                          "echo %u >/proc/sys/net/ipv6/conf/%s/mtu",
                          name, name, mtu, name);
}

/* The MTU in a router advertisement applies to IPv6 only (RFC 4861, section 6.3.4;
 * ndisc_router_discovery()). A change of the device's MTU resets it: addrconf_notify(). */
static void judge_ipv6(struct checkup *checkup) {
        const struct link *link = checkup->link;
        uint32_t mtu = link->ipv6_mtu;

        if (mtu == 0 || mtu >= link->mtu)
                return;
        checkup->is_ipv6_less = checkup->status->line && checkup->status->wanted > mtu;
        diagnosis_add(checkup, checkup->is_ipv6_less ? EXIT_CODE_DRIFT : EXIT_CODE_DONE,
                      diagnosis_ipv6_command(checkup),
                      "IPv6 sends %u bytes at most, not %u: a router's advertisement carries that MTU "
                      "(AdvLinkMTU of radvd), or a program has set it",
                      mtu, link->mtu);
}

/* Units of setmtu that have failed: what they are for may not have been done. */
static void judge_units(struct checkup *checkup) {
        CLEANUP(bus_cleanup) struct bus *manager = NULL;
        CLEANUP(unit_states_cleanup) struct unit_states units = { 0 };
        int r = manager_is_here() ? manager_open(&manager) : 0;

        if (manager)
                r = manager_list_units(manager, "setmtu*", &units);
        if (r < 0)
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "whether units of setmtu have failed is not known: systemd does not answer: "
                              "%s",
                              manager ? bus_error_text(manager) : strerror(-r));
        for (size_t i = 0; i < units.n_items; i++)
                if (strcmp(units.items[i].active, "failed") == 0)
                        diagnosis_add(checkup, EXIT_CODE_NOT_LASTING,
                                      pool_print(checkup->pool, "journalctl -b -u '%s'",
                                                 units.items[i].unit),
                                      "%s has failed", units.items[i].unit);
}

void diagnosis_judge_device(struct checkup *checkup) {
        const struct device_status *status = checkup->status;
        const char *settle = "";
        char trial[TRIAL_TEXT_SIZE];

        judge_mistakes(checkup);
        if (!status) {
                judge_units(checkup);
                return;
        }
        if (status->line) {
                checkup->planned = plan_find(&checkup->doctor->facts.snapshot.plan, status->line->name);
                checkup->is_kept = checkup->planned && checkup->planned->is_kept &&
                                   unit_is_active(KEEP_UNIT) > 0;
                settle = judge_rivals(checkup);
        }
        if (!checkup->link)
                return;
        if (trial_text(trial, checkup->link))
                diagnosis_add(checkup, EXIT_CODE_NOT_LASTING,
                              pool_print(checkup->pool, "setmtu confirm %s", checkup->name), "%s", trial);
        else if (!status->line)
                judge_without_line(checkup);
        else if (status->state == DEVICE_STATE_DRIFT)
                judge_drift(checkup, settle);
        else if (status->wanted > 0)
                judge_intruder(checkup);
        judge_ipv6(checkup);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "explain/conflict.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "explain/explanation.h"

/* A setmtu line against the other steps of its device. */
struct contest {
        const struct explained *explained;
        size_t first;       /* the first step after all of setmtu's */
        uint32_t wanted;    /* 0: unknown, or the line sets nothing that could be overridden */
        unsigned own_kinds; /* of setmtu's steps that act: a bit for each enum step_kind */
        bool is_on;         /* the line has, or would have, an effect */
};

static bool may_act(const struct explain_step *step) {
        return step->effect != EXPLAIN_IDLE && step->effect != EXPLAIN_REFUSED;
}

static struct contest contest_open(const struct explained *explained) {
        const struct explanation *explanation = &explained->explanation;
        struct contest contest = { .explained = explained };

        /* A masked unit and an MTU that the device refuses are reported elsewhere. */
        if (!explained->device.planned || explained->device.is_masked)
                return contest;
        contest.is_on = true;
        for (size_t i = 0; i < explanation->n_steps; i++) {
                const struct explain_step *step = &explanation->steps[i];

                if (!explain_step_is_own(step))
                        continue;
                contest.wanted = step->mtu;
                contest.is_on &= step->effect != EXPLAIN_REFUSED;
                if (!may_act(step))
                        continue;
                contest.first = i + 1;
                contest.own_kinds |= 1u << step->kind;
        }
        return contest;
}

/* Whether a setting that setmtu wrote for the manager overrides the step. */
static bool is_settled(const struct contest *contest, const struct explain_step *step) {
        return (step->kind == KIND_PROFILE_LEASE && contest->own_kinds & 1u << KIND_PROFILE_ELSE) ||
               (step->kind == KIND_NETWORKD_LEASE && contest->own_kinds & 1u << KIND_NETWORKD_BYTES);
}

/* Whether a later command of the same file sets the wanted value. */
static bool is_made_good(const struct contest *contest, const struct explain_step *step) {
        const struct explanation *explanation = &contest->explained->explanation;

        for (const struct explain_step *later = step + 1;
             contest->wanted > 0 && later < explanation->steps + explanation->n_steps; later++)
                if (may_act(later) && later->effect != EXPLAIN_MAYBE && later->mtu == contest->wanted &&
                    later->file && step->file && strcmp(later->file, step->file) == 0)
                        return true;
        return false;
}

static bool competes(const struct contest *contest, size_t index) {
        const struct explain_step *step = &contest->explained->explanation.steps[index];

        return step->who && may_act(step) && (step->mtu == 0 || step->mtu != contest->wanted) &&
               (index >= contest->first || step->repeats || step->kind == KIND_NETPLAN) &&
               !is_settled(contest, step) && !is_made_good(contest, step);
}

/* The step to edit: for a file of netplan, the YAML, unless that has changed and netplan must be run. */
static const struct explain_step *origin_of(const struct contest *contest, const struct explain_step *step) {
        const struct explain_step *origin = explanation_origin(&contest->explained->explanation, step);

        return origin->mtu == step->mtu ? origin : step;
}

static bool is_listed(const struct contest *contest, size_t index) {
        const struct explain_step *origin =
                        origin_of(contest, &contest->explained->explanation.steps[index]);

        for (size_t i = 0; i < index; i++) {
                const struct explain_step *other =
                                origin_of(contest, &contest->explained->explanation.steps[i]);

                if (origin->file && other->file && other->line == origin->line &&
                    strcmp(other->file, origin->file) == 0 && competes(contest, i))
                        return true;
        }
        return false;
}

/* What the conflicting step sets ------------------------------------------------------------------------ */

static void describe(const struct contest *contest, struct conflict *conflict) {
        const struct explain_step *step = conflict->step;
        const char *sets = step->effect == EXPLAIN_MAYBE ? "may set" : "sets";
        const char *name = TEXT_SHOW(contest->explained->device.name);
        bool is_lease = step->kind == KIND_PROFILE_LEASE || step->kind == KIND_NETWORKD_LEASE ||
                        step->kind == KIND_DHCLIENT_LEASE;
        char instead[32] = "";

        if (contest->wanted > 0)
                snprintf(instead, sizeof(instead), ", not %u,", contest->wanted);
        if (step->mtu == 0)
                snprintf(conflict->text, sizeof(conflict->text),
                         "%s: %s %s an MTU that is not known here, %s", name, step->who, sets, step->when);
        else
                snprintf(conflict->text, sizeof(conflict->text), "%s: %s %s %u%s%s %s", name, step->who,
                         sets, step->mtu, is_lease ? " from DHCP" : "", instead, step->when);
}

/* What settles the conflict ----------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void set_command(struct conflict *conflict, const char *format,
                                                              ...) {
        va_list arguments;
        int n;

        va_start(arguments, format);
        n = vsnprintf(conflict->command, sizeof(conflict->command), format, arguments);
        va_end(arguments);
        /* A truncated command is useless, as is one that a terminal cannot show unchanged. */
        if (n >= (int)sizeof(conflict->command) || !text_is_plain(conflict->command))
                conflict->command[0] = '\0';
}

static bool is_word_byte(char c) {
        return isalnum((unsigned char)c) || c == '_';
}

/* The place of the value in the text, if it occurs once as a whole word. NULL: it does not. */
static const char *find_word(const char *text, size_t size, const char *value) {
        size_t length = strlen(value);
        const char *found = NULL;

        for (size_t i = 0; length > 0 && i + length <= size; i++) {
                if (memcmp(text + i, value, length) != 0 || (i > 0 && is_word_byte(text[i - 1])) ||
                    (i + length < size && is_word_byte(text[i + length])))
                        continue;
                if (found)
                        return NULL;
                found = text + i;
        }
        return found;
}

/* Whether the value is the default of a variable, as in ${MTU:-1400}: another place may give it another. */
static bool is_default(const char *text, const char *at) {
        if (at == text || !strchr("-=", at[-1]))
                return false;
        at -= at - 1 > text && at[-2] == ':' ? 2 : 1;
        while (at > text && is_word_byte(at[-1]))
                at--;
        return at > text && at[-1] == '{';
}

/* Whether sed can replace the value: it occurs once in the line, or in the file if no line is known. */
static bool is_replaceable(const char *file, unsigned line, const char *value) {
        CLEANUP(cleanup_free) char *text = NULL;
        const char *begin, *end, *found;
        size_t size;

        if (!value || !*value || value[strspn(value, "0123456789abcdefxABCDEFKMG")] ||
            whole_file_read(file, WHOLE_FILE_NAMED_MAX, &text, &size) < 0)
                return false;
        begin = text;
        end = text + size;
        for (unsigned i = 1; i <= line; i++) {
                const char *newline = memchr(begin, '\n', (size_t)(end - begin));

                if (i < line)
                        begin = newline ? newline + 1 : end;
                else
                        end = newline ? newline : end;
        }
        found = find_word(begin, (size_t)(end - begin), value);
        return found && !is_default(begin, found);
}

/* Whether the place gives other devices their MTU as well. */
static bool is_shared(const struct mtu_sources *sources, const struct mtu_source *written) {
        for (size_t i = 0; i < sources->n_items; i++) {
                const struct mtu_source *other = &sources->items[i];

                if (other->line == written->line && strcmp(other->file, written->file) == 0 &&
                    (other->match != written->match ||
                     (other->match != MATCH_NAME && other->match != MATCH_MAC) ||
                     strcmp(other->device, written->device) != 0))
                        return true;
        }
        return false;
}

/* Puts the wanted value in the other place with sed, or opens an editor there. */
static void settle_in_place(const struct contest *contest, const struct explain_step *origin,
                            struct conflict *conflict) {
        /* These make a program reload its file; others read it each time. */
        static const char *const commands[SOURCE_COUNT] = {
                [SOURCE_LINK] = "udevadm control --reload", [SOURCE_UDEV_RULE] = "udevadm control --reload",
                [SOURCE_UNIT] = "systemctl daemon-reload",  [SOURCE_NETWORK] = "networkctl reload",
                [SOURCE_NETPLAN] = "netplan apply",         [SOURCE_NETWORKMANAGER] = "nmcli general reload",
                [SOURCE_IFCFG] = "nmcli connection reload",
        };
        const struct mtu_source *written = origin->written;
        const char *take_up = written ? commands[written->kind] : NULL;
        char line[16] = "";
        const char *file;

        if (!origin->file)
                return;
        file = TEXT_SHELL_WORD(origin->file);
        if (origin->line > 0)
                snprintf(line, sizeof(line), "%u", origin->line);
        if (contest->wanted > 0 && !(written && is_shared(contest->explained->machine.sources, written)) &&
            is_replaceable(origin->file, origin->line, origin->value))
                set_command(conflict, "sed -i '%ss/\\b%s\\b/%u/' %s%s%s", line, origin->value,
                            contest->wanted, file, take_up ? " && " : "", take_up ? take_up : "");
        else
                set_command(conflict, "${EDITOR:-vi} %s%s%s%s", *line ? "+" : "", line, *line ? " " : "",
                            file);
}

/* Whether the name needs no quoting in a .network file, in sed and in a shell. */
static bool is_plain_name(const char *name) {
        return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] ==
               '\0';
}

/* Other devices share the file: copies it for this device alone, for backend auto to add to. False if the
 * copy would not sort before it. */
static bool settle_shared_network(const struct contest *contest, const char *file,
                                  struct conflict *conflict) {
        const char *name = contest->explained->device.name;
        bool is_auto = contest->explained->device.planned->backend == BACKEND_AUTO;
        char copy[64], append[64] = "";

        snprintf(copy, sizeof(copy), "05-%s.network", name);
        if (!is_plain_name(name) || strcmp(copy, text_base_name(file)) >= 0 || contest->wanted == 0)
                return false;
        if (!is_auto)
                snprintf(append, sizeof(append), "; $a [Link]\\nMTUBytes=%u", contest->wanted);
        set_command(conflict,
                    "sed '/^Name=/d; s/^\\[Match\\]/&\\nName=%s/%s' %s >/etc/systemd/network/%s && %s", name,
                    append, TEXT_SHELL_WORD(file), copy, is_auto ? "setmtu reload" : "networkctl reload");
        return true;
}

static void settle_network(const struct contest *contest, const struct explain_step *origin,
                           struct conflict *conflict) {
        const struct explain_device *device = &contest->explained->device;
        const char *in_effect = device->owners.profile[OWNER_NETWORKD];
        const char *file = in_effect ? in_effect : origin->file;
        const struct network_file *own =
                        network_files_find_own(contest->explained->machine.network_files, device->name);
        const char *word = file ? TEXT_SHELL_WORD(text_base_name(file)) : NULL;

        if (!file)
                return;
        if (!own || strcmp(own->path, file) != 0) {
                if (!settle_shared_network(contest, file, conflict))
                        settle_in_place(contest, origin, conflict);
        } else if (origin->kind == KIND_NETWORKD_LEASE && contest->wanted > 0)
                set_command(conflict,
                            "mkdir -p /etc/systemd/network/%s.d && printf '[Link]\\nMTUBytes=%u\\n' "
                            ">/etc/systemd/network/%s.d/mtu.conf && networkctl reload",
                            word, contest->wanted, word);
        else
                settle_in_place(contest, origin, conflict);
}

static void settle(const struct contest *contest, const struct explain_step *origin,
                   struct conflict *conflict) {
        const char *name = contest->explained->device.name;
        const struct mtu_source *written = origin->written;
        bool has_words = is_plain_name(name) && contest->wanted > 0;
        enum step_kind kind = origin->kind;

        if (written && source_is_generated(written))
                /* The YAML has changed since. */
                set_command(conflict, "netplan apply");
        else if (kind == KIND_NETWORKD_BYTES || kind == KIND_NETWORKD_LEASE)
                settle_network(contest, origin, conflict);
        else if (kind == KIND_PROFILE && written && written->owner && written->kind == SOURCE_NETWORKMANAGER)
                /* If the profile has no MTU, the line applies; with backend auto, also over DHCP. */
                set_command(conflict, "nmcli connection modify %s %s 0 && nmcli device reapply %s",
                            TEXT_SHELL_WORD(written->owner),
                            written->key ? written->key : "802-3-ethernet.mtu", TEXT_SHELL_WORD(name));
        else if (kind == KIND_PROFILE_ELSE && written && written->match != MATCH_NAME && has_words)
                set_command(conflict,
                            "printf "
                            "'[connection-%s]\\nmatch-device=interface-name:=%s\\nethernet.mtu=%u\\n' "
                            ">/etc/NetworkManager/conf.d/zz-%s.conf && nmcli general reload",
                            name, name, contest->wanted, name);
        else if (kind != KIND_PROFILE_LEASE && kind != KIND_DHCLIENT_LEASE && kind != KIND_POLICY_ELSE)
                settle_in_place(contest, origin, conflict);
        else if (!has_words)
                return;
        else if (kind == KIND_PROFILE_LEASE)
                set_command(conflict,
                            "nmcli connection modify \"$(nmcli -g GENERAL.CONNECTION device show %s)\" "
                            "802-3-ethernet.mtu %u && nmcli device reapply %s",
                            name, contest->wanted, name);
        else if (kind == KIND_DHCLIENT_LEASE)
                set_command(conflict,
                            "echo 'interface \"%s\" { supersede interface-mtu %u; }' "
                            ">>/etc/dhcp/dhclient.conf",
                            name, contest->wanted);
        else
                set_command(conflict, "sed -i '/^iface %s\\( \\|$\\)/a mtu %u' /etc/network/interfaces",
                            name, contest->wanted);
}

bool conflict_next(const struct explained *explained, size_t *index, struct conflict *ret) {
        const struct contest contest = contest_open(explained);
        const struct explanation *explanation = &explained->explanation;
        const struct config_line *line = explained->device.line;

        while (contest.is_on && *index < explanation->n_steps) {
                size_t i = (*index)++;
                const struct explain_step *origin;

                if (!competes(&contest, i) || is_listed(&contest, i))
                        continue;
                *ret = (struct conflict){ .step = &explanation->steps[i] };
                origin = origin_of(&contest, ret->step);
                /* A step without a file is reported at the line. */
                ret->file = origin->file ? origin->file : line->file;
                ret->line = origin->file ? origin->line : line->line;
                ret->is_certain = ret->step->effect != EXPLAIN_MAYBE && ret->step->mtu > 0;
                describe(&contest, ret);
                settle(&contest, origin, ret);
                return true;
        }
        return false;
}

bool conflict_may_be_in(const struct explain_device *device, const char *file) {
        static const struct {
                const char *part; /* of the path */
                enum owner owner;
        } managers[] = {
                { "/NetworkManager/system-connections", OWNER_NETWORKMANAGER },
                { "/sysconfig/network", OWNER_NETWORKMANAGER },
                { "/systemd/netif/leases", OWNER_NETWORKD },
                { "/etc/netctl", OWNER_NETCTL },
        };
        bool has_owner = false;

        if (!device->planned || device->is_masked)
                return false;
        for (unsigned i = 0; i < OWNER_COUNT; i++)
                has_owner |= device->owners.has[i];
        for (size_t i = 0; i < sizeof(managers) / sizeof(managers[0]); i++)
                if (strstr(file, managers[i].part))
                        return !has_owner || device->owners.has[managers[i].owner];
        return true;
}

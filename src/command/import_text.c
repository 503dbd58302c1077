/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/import_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "store/config_files.h"

/* Prints outside text so that it stays in its comment: control characters, and what is not UTF-8, as \xNN.
 */
static void print_text(FILE *stream, const char *text) {
        size_t size = strlen(text);

        for (size_t i = 0, step; i < size; i += step) {
                unsigned char byte = (unsigned char)text[i];
                size_t length = text_utf8_length(text + i, size - i);
                bool is_control = byte < 0x20 || byte == 0x7f ||
                                  (byte == 0xc2 && (unsigned char)text[i + 1] < 0xa0);

                step = length > 0 && !is_control ? length : 1;
                if (length > 0 && !is_control)
                        fwrite(text + i, 1, length, stream);
                else
                        fprintf(stream, "\\x%02x", byte);
        }
}

/* As a word of a shell. */
static void print_word(FILE *stream, const char *word) {
        putc('\'', stream);
        for (; *word; word++)
                if (*word == '\'')
                        fputs("'\\''", stream);
                else
                        print_text(stream, (char[]){ *word, '\0' });
        putc('\'', stream);
}

static void print_place(FILE *stream, const char *file, unsigned line) {
        print_text(stream, file);
        if (line > 0)
                fprintf(stream, ":%u", line);
}

/* Where it stands, and whose it is. */
static void print_origin(FILE *stream, const struct finding *finding) {
        print_place(stream, finding->file, finding->line);
        fprintf(stream, " (%s", source_name(finding->source));
        if (finding->owner) {
                putc(' ', stream);
                print_text(stream, finding->owner);
        }
        putc(')', stream);
        if (finding->through) {
                fputs(", by ", stream);
                print_place(stream, finding->through, finding->through_line);
        }
}

static bool is_number(const char *value) {
        return *value && value[strspn(value, "0123456789")] == '\0';
}

/* What there is to know of the one that was taken. */
static void print_notes(FILE *stream, const struct finding *finding) {
        if (finding->parent) {
                fputs("#   it takes its MTU from ", stream);
                print_text(stream, finding->parent);
                fputs(", when it is made\n", stream);
        } else if (finding->value && !is_number(finding->value)) {
                fputs("#   written there as ", stream);
                print_text(stream, finding->value);
                putc('\n', stream);
        }
        if (finding->match == FINDING_MAC || finding->match == FINDING_GLOB) {
                fputs(finding->match == FINDING_MAC ? "#   there for the address "
                                                    : "#   there for all like ",
                      stream);
                print_text(stream, finding->device);
                putc('\n', stream);
        }
        if (finding->conditional)
                fputs("#   there it depends on a condition\n", stream);
        if (finding->up)
                fputs("#   there the link is brought up as well: \"MTU up\" does that\n", stream);
        if (finding->source == SOURCE_FREEBSD || finding->source == SOURCE_IRIX)
                fprintf(stream, "#   the name is %s's; write that of the device here\n",
                        finding->source == SOURCE_IRIX ? "IRIX" : "FreeBSD");
}

static void print_line(FILE *stream, const char *mark, const char *device, uint32_t mtu) {
        fputs(mark, stream);
        print_text(stream, device);
        fprintf(stream, "=%" PRIu32 "\n", mtu);
}

static void print_beside(FILE *stream, const struct choice *choice, const struct choice_finding *item) {
        const struct finding *finding = item->finding;

        if (item->fate == CHOICE_TAKEN)
                return;
        fputs("# ", stream);
        print_origin(stream, finding);
        switch (item->fate) {
        case CHOICE_SAME:
                fputs(" says the same\n", stream);
                break;
        case CHOICE_OVERRIDDEN:
                fputs(" says otherwise and is overridden:\n", stream);
                print_line(stream, "#", choice->device, finding->mtu);
                break;
        case CHOICE_UNDECIDED:
                fputs(" may say so, or not:\n", stream);
                print_line(stream, "#", choice->device, finding->mtu);
                break;
        case CHOICE_INACTIVE:
                /* A hand-written unit takes its values from our own file, and only those of its instances.
                 */
                if (strcmp(finding->file, CONFIG_FILE) == 0) {
                        fputs(" is not in effect, and is with setmtu\n", stream);
                        break;
                }
                fputs(" is not in effect:\n", stream);
                print_line(stream, "#", choice->device, finding->mtu);
                break;
        case CHOICE_FOREIGN:
                fprintf(stream, " gives %" PRIu32 ", which is left to it\n", finding->mtu);
                break;
        case CHOICE_TAKEN:
                break;
        }
}

bool import_text_is_new(const struct choice *choice, const struct config *config) {
        return choice->taken && !config_find(config, choice->device);
}

/* A line that is there already stays. */
static void print_standing(FILE *stream, const struct choice *choice, const struct config_line *line) {
        bool is_same = line->spec.mtu == choice->taken->mtu;

        fputs("# ", stream);
        print_place(stream, line->file, line->line);
        fputs(is_same ? " has this line already\n" : " has another line for it, which stays: ", stream);
        if (!is_same) {
                char text[MTU_SPEC_TEXT_SIZE];

                print_text(stream, choice->device);
                fprintf(stream, "=%s\n", mtu_spec_format(text, &line->spec));
        }
        print_line(stream, is_same ? "" : "#", choice->device, choice->taken->mtu);
}

static void print_choice(FILE *stream, const struct choice *choice, const struct config *config) {
        const struct config_line *line = config_find(config, choice->device);

        putc('\n', stream);
        for (size_t i = 0; i < choice->n_findings; i++)
                if (choice->findings[i].fate == CHOICE_TAKEN) {
                        fputs("# ", stream);
                        print_origin(stream, choice->findings[i].finding);
                        putc('\n', stream);
                        print_notes(stream, choice->findings[i].finding);
                }
        if (choice->taken && line)
                print_standing(stream, choice, line);
        else if (choice->taken)
                print_line(stream, "", choice->device, choice->taken->mtu);
        for (size_t i = choice->n_findings; i > 0; i--)
                print_beside(stream, choice, &choice->findings[i - 1]);
}

/* How each manager is told to let go. "%" stands for the place. NULL: there is nothing to do. */
static const char *removal_text(const struct finding *finding) {
        switch (finding->source) {
        case SOURCE_LINK:
        case SOURCE_NETWORK:
                /* netplan's own output goes with its YAML. */
                return finding->owner ? NULL
                                      : "take MTUBytes= out of %; udevadm control --reload; networkctl "
                                        "reload";
        case SOURCE_UDEV_RULE:
                return "take the MTU out of %; udevadm control --reload";
        case SOURCE_UNIT:
                return "take the command out of %, or disable and remove the unit where it does nothing "
                       "else";
        case SOURCE_NETPLAN:
                return "take mtu: out of %; netplan generate";
        case SOURCE_NETWORKMANAGER:
                return finding->owner ? "take mtu= out of %; nmcli connection reload"
                                      : "take the mtu out of %; nmcli general reload conf";
        case SOURCE_IFUPDOWN:
        case SOURCE_OPENRC:
        case SOURCE_SCRIPT:
                return "take it out of %";
        case SOURCE_IFUPDOWN2:
                return "take its mtu out of %";
        case SOURCE_IFCFG:
                return "take MTU= out of %";
        case SOURCE_NETCTL:
        case SOURCE_NETCFG:
                return "take the command out of %";
        case SOURCE_DHCPCD:
        case SOURCE_DHCLIENT:
                return "take interface-mtu out of %";
        case SOURCE_TUNED:
                return "take mtu= out of %; tuned-adm profile again";
        case SOURCE_LEASE:
        case SOURCE_DOCKER:
        case SOURCE_FREEBSD:
        case SOURCE_IRIX:
        case SOURCE_COUNT:
                break;
        }
        return NULL;
}

#define HANDWRITTEN "/etc/systemd/system/setmtu@.service"

/* The unit that everybody has written by hand, in the place where it goes before ours. */
static bool is_handwritten(const struct finding *finding) {
        const char *file = finding->through ? finding->through : finding->file;

        return finding->source == SOURCE_UNIT && strcmp(file, HANDWRITTEN) == 0;
}

static void print_removal(FILE *stream, const struct finding *finding) {
        const char *text = removal_text(finding);
        const char *file = finding->through ? finding->through : finding->file;
        unsigned line = finding->through ? finding->through_line : finding->line;

        fputs("# ", stream);
        if (is_handwritten(finding)) {
                fputs("systemctl disable ", stream);
                print_word(stream, finding->owner);
                putc('\n', stream);
                return;
        }
        for (; *text; text++)
                if (*text == '%')
                        print_place(stream, file, line);
                else
                        putc(*text, stream);
        putc('\n', stream);
}

/* Whether the same thing to do was printed for a finding before. */
static bool is_repeated(const struct choices *choices, size_t choice, size_t index) {
        const struct finding *finding = choices->items[choice].findings[index].finding;

        for (size_t i = 0; i <= choice; i++)
                for (size_t j = 0; j < (i == choice ? index : choices->items[i].n_findings); j++) {
                        const struct finding *before = choices->items[i].findings[j].finding;

                        if (before->source == finding->source && before->line == finding->line &&
                            before->through_line == finding->through_line &&
                            strcmp(before->file, finding->file) == 0 &&
                            (!finding->owner ||
                             (before->owner && strcmp(before->owner, finding->owner) == 0)))
                                return true;
                }
        return false;
}

#define REMOVAL_TITLE "\n# To remove in the old places, by hand; then: setmtu reload\n"

static void print_removals(FILE *stream, const struct choices *choices) {
        bool is_first = true, has_handwritten = false;

        for (size_t i = 0; i < choices->n_items; i++)
                for (size_t j = 0; j < choices->items[i].n_findings; j++) {
                        const struct finding *finding = choices->items[i].findings[j].finding;

                        has_handwritten |= is_handwritten(finding);
                        /* What a VLAN takes from the device below is not written down anywhere. */
                        if (finding->parent || finding->inactive || !removal_text(finding) ||
                            is_repeated(choices, i, j))
                                continue;
                        if (is_first)
                                fputs(REMOVAL_TITLE, stream);
                        is_first = false;
                        print_removal(stream, finding);
                }
        if (has_handwritten)
                fprintf(stream, "%s# rm " HANDWRITTEN "; systemctl daemon-reload\n",
                        is_first ? REMOVAL_TITLE : "");
}

/* What asks a DHCP server for one: that comes later, and may be another. */
static void print_dhcp(FILE *stream, const struct findings *findings) {
        bool is_first = true;

        for (size_t i = 0; i < findings->n_items; i++) {
                const struct finding *finding = &findings->items[i];

                if (finding->value || finding->mtu > 0 || finding->inactive)
                        continue;
                if (is_first)
                        fputs("\n# A DHCP server may give an MTU later, because of\n", stream);
                is_first = false;
                fputs("# ", stream);
                print_origin(stream, finding);
                putc('\n', stream);
        }
}

void import_text_print(FILE *stream, const struct findings *findings, const struct choices *choices,
                       const struct config *config) {
        if (choices->n_items == 0)
                return;
        fputs("# For " CONFIG_FILE ", from what is there today.\n", stream);
        for (size_t i = 0; i < choices->n_items; i++)
                print_choice(stream, &choices->items[i], config);
        print_dhcp(stream, findings);
        print_removals(stream, choices);
}

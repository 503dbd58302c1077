/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/choice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/config_edit.h"
#include "config/interface_name.h"
#include "config/mtu_spec.h"

void choices_free(struct choices *choices) {
        for (size_t i = 0; i < choices->n_items; i++) {
                free(choices->items[i].device);
                free(choices->items[i].findings);
        }
        for (size_t i = 0; i < choices->n_refusals; i++)
                free(choices->refusals[i].why);
        free(choices->items);
        free(choices->refusals);
        *choices = (struct choices){ 0 };
}

__attribute__((format(printf, 3, 4))) static int refuse(struct choices *choices,
                                                        const struct finding *finding, const char *format,
                                                        ...) {
        struct choice_refusal *refusals =
                        reallocarray(choices->refusals, choices->n_refusals + 1, sizeof(*refusals));
        va_list arguments;
        int r;

        if (!refusals)
                return -ENOMEM;
        choices->refusals = refusals;
        va_start(arguments, format);
        r = vasprintf(&refusals[choices->n_refusals].why, format, arguments);
        va_end(arguments);
        if (r < 0)
                return -ENOMEM;
        refusals[choices->n_refusals++].finding = finding;
        return 0;
}

static struct choice *find_choice(struct choices *choices, const char *device) {
        struct choice *items;

        for (size_t i = 0; i < choices->n_items; i++)
                if (strcmp(choices->items[i].device, device) == 0)
                        return &choices->items[i];
        items = reallocarray(choices->items, choices->n_items + 1, sizeof(*items));
        if (!items)
                return NULL;
        choices->items = items;
        items[choices->n_items] = (struct choice){ .device = strdup(device) };
        return items[choices->n_items].device ? &items[choices->n_items++] : NULL;
}

/* Whether `a` acts before `b`, which was read behind it. */
static bool acts_before(const struct finding *a, const struct finding *b) {
        if (a->source != b->source)
                return a->source < b->source;
        /* The first one is in effect as if it came last. */
        return !source_is_first_match(a->source);
}

static bool is_foreign(enum source source) {
        return source == SOURCE_LEASE || source == SOURCE_DOCKER;
}

static int add_finding(struct choices *choices, const struct finding *finding, const char *device) {
        struct choice *choice = find_choice(choices, device);
        struct choice_finding *findings;
        size_t at;

        if (!choice)
                return -ENOMEM;
        findings = reallocarray(choice->findings, choice->n_findings + 1, sizeof(*findings));
        if (!findings)
                return -ENOMEM;
        choice->findings = findings;
        at = choice->n_findings++;
        for (; at > 0 && !acts_before(findings[at - 1].finding, finding); at--)
                findings[at] = findings[at - 1];
        findings[at] = (struct choice_finding){ .finding = finding };
        return 0;
}

/* 1 where a line can be written for it; 0 where that was refused. */
static int check(struct choices *choices, const struct finding *finding, const char *device) {
        char value[16], quoted[TEXT_QUOTE_SIZE], fault[MTU_SPEC_FAULT_SIZE];
        const char *name_fault = interface_name_fault(device, strlen(device));
        struct mtu_spec spec;
        char *line;
        size_t size;
        int r;

        if (name_fault)
                return refuse(choices, finding, "%s %s", text_quote(quoted, device, strlen(device)),
                              name_fault);
        snprintf(value, sizeof(value), "%" PRIu32, finding->mtu);
        if (!mtu_spec_parse(value, strlen(value), &spec, fault))
                return refuse(choices, finding, "%s: %s", text_show(quoted, device), fault);
        r = config_edit_set("", 0, device, &spec, &line, &size);
        if (r == -ENOMEM)
                return r;
        if (r < 0)
                return refuse(choices, finding, "%s: a line cannot begin with this name; see setmtu(5)",
                              text_quote(quoted, device, strlen(device)));
        free(line);
        return 1;
}

static int add_checked(struct choices *choices, const struct finding *finding, const char *device) {
        int r = check(choices, finding, device);

        return r > 0 ? add_finding(choices, finding, device) : r;
}

static int add_meant(struct choices *choices, const struct finding *finding, const struct devices *devices) {
        char quoted[TEXT_QUOTE_SIZE];
        const struct device *device;
        size_t position = 0, n = 0;
        int r = 0;

        text_show(quoted, finding->device);
        while (r == 0 && (device = devices_meant(devices, finding, &position))) {
                r = add_checked(choices, finding, device->name);
                n++;
        }
        if (r < 0 || n > 0)
                return r;
        return refuse(choices, finding,
                      finding->match == FINDING_MAC ? "no device here has the address %s; write a line with "
                                                      "its name and %" PRIu32
                                                    : "no device here has a name like %s; write lines with "
                                                      "their names and "
                                                      "%" PRIu32,
                      quoted, finding->mtu);
}

static int add(struct choices *choices, const struct finding *finding, const struct devices *devices) {
        char device[TEXT_QUOTE_SIZE], value[TEXT_QUOTE_SIZE];

        if (!finding->value && finding->mtu == 0)
                return 0; /* DHCP may give one, or not */
        text_show(device, finding->device ? finding->device : "every device");
        if (finding->mtu == 0) {
                if (finding->inactive)
                        return 0;
                return refuse(choices, finding, "%s: its MTU %s is not taken over: %s", device,
                              text_show(value, finding->value ? finding->value : ""),
                              finding->unclear ? finding->unclear : "nobody knows it");
        }
        if (finding->inactive && finding->match != FINDING_NAME)
                return 0;
        switch (finding->match) {
        case FINDING_NAME:
                return add_checked(choices, finding, finding->device);
        case FINDING_GLOB:
        case FINDING_MAC:
                return add_meant(choices, finding, devices);
        case FINDING_ANY:
                return refuse(choices, finding,
                              "is for every device; write a line with %" PRIu32
                              " for each that is to have it",
                              finding->mtu);
        case FINDING_OTHER:
                break;
        }
        return refuse(choices, finding,
                      "%s: which device that is cannot be told here; write a line with its "
                      "name and %" PRIu32,
                      device, finding->mtu);
}

static bool acts(const struct choice_finding *item) {
        return !item->finding->inactive && !is_foreign(item->finding->source);
}

/* A condition decides between the one that would be taken and another value. */
static const struct finding *find_rival(const struct choice *choice) {
        for (size_t i = choice->n_findings; choice->taken->conditional && i > 0; i--)
                if (acts(&choice->findings[i - 1]) &&
                    choice->findings[i - 1].finding->mtu != choice->taken->mtu)
                        return choice->findings[i - 1].finding;
        return NULL;
}

/* Takes the last one that acts, where it is known that it does. */
static int decide(struct choices *choices, struct choice *choice) {
        const struct finding *last, *rival;
        char device[TEXT_QUOTE_SIZE];

        for (size_t i = 0; i < choice->n_findings; i++)
                if (acts(&choice->findings[i]))
                        choice->taken = choice->findings[i].finding;
        last = choice->taken;
        rival = last ? find_rival(choice) : NULL;
        if (rival)
                choice->taken = NULL;
        for (size_t i = 0; i < choice->n_findings; i++) {
                struct choice_finding *item = &choice->findings[i];

                if (item->finding->inactive)
                        item->fate = CHOICE_INACTIVE;
                else if (is_foreign(item->finding->source))
                        item->fate = CHOICE_FOREIGN;
                else if (rival)
                        item->fate = CHOICE_UNDECIDED;
                else if (item->finding == choice->taken)
                        item->fate = CHOICE_TAKEN;
                else
                        item->fate = item->finding->mtu == last->mtu ? CHOICE_SAME : CHOICE_OVERRIDDEN;
        }
        if (!rival)
                return 0;
        return refuse(choices, last,
                      "%s: %" PRIu32 " here or %" PRIu32
                      " elsewhere, by a condition; write the line that is "
                      "meant",
                      text_show(device, choice->device), last->mtu, rival->mtu);
}

int choices_make(const struct findings *findings, const struct devices *devices, struct choices *ret) {
        struct choices choices = { 0 };

        int r = 0;

        for (size_t i = 0; i < findings->n_items && r == 0; i++)
                r = add(&choices, &findings->items[i], devices);
        for (size_t i = 0; i < choices.n_items && r == 0; i++)
                r = decide(&choices, &choices.items[i]);
        if (r < 0) {
                choices_free(&choices);
                return r;
        }
        *ret = choices;
        return 0;
}

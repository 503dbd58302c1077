/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/step.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/stack.h"

const char *mtu_request_action_name(enum mtu_request_action action) {
        switch (action) {
        case MTU_REQUEST_SET:
                return "set";
        case MTU_REQUEST_KEEP:
                return "keep";
        case MTU_REQUEST_REFUSE:
                return "refuse";
        case MTU_REQUEST_ABSENT:
                break;
        }
        return "absent";
}

/* Where a device comes in the order. */
struct position {
        const struct device_status *status;
        unsigned group; /* lowered, the rest, absent */
        unsigned rank;  /* within the group */
};

static int by_position(const void *a, const void *b) {
        const struct position *x = a, *y = b;

        if (x->group != y->group)
                return x->group < y->group ? -1 : 1;
        if (x->rank != y->rank)
                return x->rank < y->rank ? -1 : 1;
        /* As they were: items of one array. */
        return (x->status > y->status) - (x->status < y->status);
}

static struct position position_of(const struct device_status *status, const struct stack *stack) {
        struct position position = { .status = status, .group = 2 };

        if (!status->link)
                return position;
        /* What takes over the MTU of the device below comes after that one in any case. */
        if (status->state == DEVICE_STATE_DRIFT && status->wanted < status->link->mtu &&
            !stack_is_follower(status->link)) {
                position.group = 0;
                position.rank = stack_lowering_rank(stack, status->link);
        } else {
                position.group = 1;
                position.rank = stack_raising_rank(stack, status->link);
        }
        return position;
}

/* What has been decided by now. */
struct decided {
        const struct link_table *table;
        uint32_t *mtu; /* of each link of the table, once the requests so far are carried out */
        bool *is_set;  /* by one of these requests */
};

__attribute__((format(printf, 3, 4))) static void decide(struct mtu_request *request,
                                                         enum mtu_request_action action, const char *format,
                                                         ...) {
        va_list arguments;

        request->action = action;
        va_start(arguments, format);
        vsnprintf(request->reason, sizeof(request->reason), format, arguments);
        va_end(arguments);
}

static void decide_change(struct mtu_request *request, struct decided *decided) {
        const struct device_status *status = request->status;
        const struct link *link = status->link;
        const struct link *limit = stack_limit(decided->table, link);
        const struct link *setter = stack_setter(decided->table, link);
        size_t own = (size_t)(link - decided->table->links);
        char name[TEXT_QUOTE_SIZE];
        uint32_t limit_mtu = limit ? decided->mtu[limit - decided->table->links] : 0;
        uint32_t capacity = limit ? stack_capacity(link, limit, limit_mtu) : 0;

        if (setter && decided->is_set[setter - decided->table->links] &&
            decided->mtu[setter - decided->table->links] == status->wanted) {
                decide(request, MTU_REQUEST_KEEP, "%s sets it, as one of its ports",
                       text_show(name, setter->name));
                return;
        }
        if (limit && status->wanted > capacity) {
                if (capacity == limit_mtu)
                        decide(request, MTU_REQUEST_REFUSE, "%s below it has %u by then",
                               text_show(name, limit->name), limit_mtu);
                else
                        decide(request, MTU_REQUEST_REFUSE, "%s below it has %u by then, room for %u",
                               text_show(name, limit->name), limit_mtu, capacity);
                return;
        }
        if (status->wanted < link->mtu && limit)
                decide(request, MTU_REQUEST_SET, "lowered before %s, which it stands on",
                       text_show(name, limit->name));
        else if (limit && decided->is_set[limit - decided->table->links])
                decide(request, MTU_REQUEST_SET, "raised after %s, which it stands on",
                       text_show(name, limit->name));
        else if (strcmp(link->kind, "bridge") == 0)
                decide(request, MTU_REQUEST_SET, "a bridge comes %s its ports",
                       status->wanted < link->mtu ? "before" : "after");
        else
                decide(request, MTU_REQUEST_SET, "it has %s than is wanted",
                       status->wanted < link->mtu ? "more" : "less");
        decided->mtu[own] = status->wanted;
        decided->is_set[own] = true;
}

/* Whether a device that has what is wanted loses it, because one below it is lowered. */
static bool falls(const struct device_status *status, const struct decided *decided,
                  struct mtu_request *request) {
        const struct link *limit = stack_limit(decided->table, status->link);
        uint32_t mtu = limit ? decided->mtu[limit - decided->table->links] : 0;
        char name[TEXT_QUOTE_SIZE];

        if (!limit || !stack_falls(status->link, limit) ||
            stack_capacity(status->link, limit, mtu) >= status->wanted)
                return false;
        decide(request, MTU_REQUEST_REFUSE, "%s below it has %u by then, and takes it along",
               text_show(name, limit->name), mtu);
        return true;
}

/* Whether the device below is changed, and this one with it. */
static bool follows(const struct device_status *status, struct decided *decided,
                    struct mtu_request *request) {
        const struct link *leader = stack_leader(decided->table, status->link);
        size_t own = (size_t)(status->link - decided->table->links);
        char name[TEXT_QUOTE_SIZE];

        if (!leader || !decided->is_set[leader - decided->table->links])
                return false;
        if (decided->mtu[leader - decided->table->links] == status->wanted)
                decide(request, MTU_REQUEST_KEEP, "%s takes it along", text_show(name, leader->name));
        else
                decide(request, MTU_REQUEST_SET, "set after %s, which takes it along",
                       text_show(name, leader->name));
        decided->mtu[own] = status->wanted;
        decided->is_set[own] = true;
        return true;
}

static void decide_request(struct mtu_request *request, struct decided *decided) {
        const struct device_status *status = request->status;
        const struct link *link = status->link;

        switch (status->state) {
        case DEVICE_STATE_ABSENT:
        case DEVICE_STATE_UNSET:
                decide(request, MTU_REQUEST_ABSENT, "there is no such device now");
                break;
        case DEVICE_STATE_OK:
                if (falls(status, decided, request) || follows(status, decided, request))
                        break;
                decide(request, MTU_REQUEST_KEEP, "it has that already");
                break;
        case DEVICE_STATE_IMPOSSIBLE:
                if (status->wanted == 0)
                        decide(request, MTU_REQUEST_REFUSE, "the device states no largest MTU");
                else if (link->mtu_max > 0)
                        decide(request, MTU_REQUEST_REFUSE, "the device takes %u to %u", link->mtu_min,
                               link->mtu_max);
                else
                        decide(request, MTU_REQUEST_REFUSE, "the device takes %u at least", link->mtu_min);
                break;
        case DEVICE_STATE_DRIFT:
                if (!follows(status, decided, request))
                        decide_change(request, decided);
                break;
        }
        request->set_up = status->line->spec.up && link && !link->up &&
                          (request->action == MTU_REQUEST_SET || request->action == MTU_REQUEST_KEEP);
}

static int make(const struct device_statuses *statuses, const struct stack *stack,
                struct position *positions, struct decided *decided, struct mtu_requests *ret) {
        size_t n = 0;

        for (size_t i = 0; i < statuses->n_items; i++)
                if (statuses->items[i].line)
                        positions[n++] = position_of(&statuses->items[i], stack);
        qsort(positions, n, sizeof(*positions), by_position);

        ret->items = calloc(n + 1, sizeof(*ret->items));
        if (!ret->items)
                return -ENOMEM;
        for (size_t i = 0; i < decided->table->n_links; i++)
                decided->mtu[i] = decided->table->links[i].mtu;
        for (ret->n_items = 0; ret->n_items < n; ret->n_items++) {
                const struct position *position = &positions[ret->n_items];
                struct mtu_request *request = &ret->items[ret->n_items];

                if (ret->n_items > 0)
                        request->stage = request[-1].stage + (position->group != position[-1].group ||
                                                              position->rank != position[-1].rank);
                request->status = position->status;
                decide_request(request, decided);
        }
        return 0;
}

int mtu_requests_make(const struct device_statuses *statuses, const struct link_table *table,
                      struct mtu_requests *ret) {
        struct position *positions = calloc(statuses->n_items + 1, sizeof(*positions));
        struct decided decided = {
                .table = table,
                .mtu = calloc(table->n_links + 1, sizeof(*decided.mtu)),
                .is_set = calloc(table->n_links + 1, sizeof(*decided.is_set)),
        };
        struct stack stack = { 0 };
        int r = positions && decided.mtu && decided.is_set ? stack_make(table, &stack) : -ENOMEM;

        if (r == 0)
                r = make(statuses, &stack, positions, &decided, ret);
        stack_free(&stack);
        free(decided.is_set);
        free(decided.mtu);
        free(positions);
        return r;
}

void mtu_requests_free(struct mtu_requests *requests) {
        free(requests->items);
        *requests = (struct mtu_requests){ 0 };
}

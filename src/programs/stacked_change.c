/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "programs/stacked_change.h"

#include "base/text.h"
#include "plan/stack.h"
#include "programs/device_change.h"
#include "programs/log.h"

struct changes {
        struct link_socket *socket;
        const struct config *config;
        const struct plan *plan;
};

static const struct config_line *line_of(const struct changes *changes, const struct link *link) {
        const struct plan_device *device = plan_find(changes->plan, changes->config, link->name);

        return device ? device->line : NULL;
}

/* Which of the two lines is to change is for somebody to decide who knows both. */
static void log_too_small(const struct config_line *line, uint32_t wanted, const struct link *lower,
                          const struct config_line *lower_line) {
        char place[DEVICE_CHANGE_PLACE_SIZE], lower_place[DEVICE_CHANGE_PLACE_SIZE], name[TEXT_QUOTE_SIZE];

        text_show(name, lower->name);
        device_change_place(place, line);
        if (lower_line)
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %u is more than %s below it is to have, %u; raise %s, or lower %s",
                            line->name, wanted, name, comparison_of(lower, lower_line).wanted,
                            device_change_place(lower_place, lower_line), place);
        else
                log_message(LOG_PRIORITY_ERROR,
                            "%s: %u is more than %s below it has, %u, and that has no line; give it one, or "
                            "lower %s",
                            line->name, wanted, name, lower->mtu, place);
}

static void log_not_of_setter(const struct config_line *line, uint32_t wanted, const struct link *setter,
                              const struct config_line *setter_line) {
        char place[DEVICE_CHANGE_PLACE_SIZE], setter_place[DEVICE_CHANGE_PLACE_SIZE], name[TEXT_QUOTE_SIZE];

        log_message(LOG_PRIORITY_ERROR,
                    "%s: %u is not what %s gives to its ports, %u; change %s, or %s, which a port does not "
                    "need",
                    line->name, wanted, text_show(name, setter->name),
                    comparison_of(setter, setter_line).wanted,
                    device_change_place(setter_place, setter_line), device_change_place(place, line));
}

static bool apply_down(const struct changes *changes, const struct config_line *line,
                       const struct link *link, unsigned depth, struct mtu_change *ret_change);

/* Sees to it that the device below carries as much. */
static bool raise_lower(const struct changes *changes, const struct config_line *line,
                        const struct link *link, unsigned depth) {
        uint32_t wanted = comparison_of(link, line).wanted;
        const struct config_line *lower_line;
        struct link lower;

        if (!stack_is_limited(link) || link->lower_ifindex == 0 || wanted <= link->mtu ||
            link_get_by_ifindex(changes->socket, link->lower_ifindex, &lower) < 0 || lower.mtu >= wanted)
                return true;
        lower_line = line_of(changes, &lower);
        if (lower_line && comparison_of(&lower, lower_line).wanted >= wanted)
                return apply_down(changes, lower_line, &lower, depth + 1, NULL);
        log_too_small(line, wanted, &lower, lower_line);
        return false;
}

/* A port of a bond or team with a line gets its MTU through that one. 1 where it is done so, 0 where there
 * is none, -1 where it failed. */
static int apply_setter(const struct changes *changes, const struct config_line *line,
                        const struct link *link, unsigned depth) {
        uint32_t wanted = comparison_of(link, line).wanted;
        const struct config_line *setter_line;
        struct link setter;

        if (link->controller_ifindex == 0 ||
            link_get_by_ifindex(changes->socket, link->controller_ifindex, &setter) < 0 ||
            !stack_is_setter(&setter))
                return 0;
        setter_line = line_of(changes, &setter);
        if (!setter_line)
                return 0;
        if (comparison_of(&setter, setter_line).wanted != wanted) {
                log_not_of_setter(line, wanted, &setter, setter_line);
                return -1;
        }
        /* A bond that has it already asks nothing of its ports. */
        return setter.mtu == wanted                                         ? 0
               : apply_down(changes, setter_line, &setter, depth + 1, NULL) ? 1
                                                                            : -1;
}

/* The device, after what it depends on. */
static bool apply_down(const struct changes *changes, const struct config_line *line,
                       const struct link *link, unsigned depth, struct mtu_change *ret_change) {
        struct link now = *link;
        int r;

        if (depth > STACK_DEPTH_MAX || !raise_lower(changes, line, link, depth))
                return false;
        r = apply_setter(changes, line, link, depth);
        if (r < 0)
                return false;
        if (r > 0 && link_get_by_ifindex(changes->socket, link->ifindex, &now) < 0)
                return false;
        return device_change_apply(changes->socket, line, &now, ret_change);
}

/* What stands on the device and has not what its line wants, now that the device carries it. A failure is
 * that one's own: its unit will tell of it, too. */
static void raise_uppers(const struct changes *changes, const struct link_table *links, unsigned ifindex,
                         unsigned depth) {
        struct link lower;

        if (depth > STACK_DEPTH_MAX || link_get_by_ifindex(changes->socket, ifindex, &lower) < 0)
                return;
        for (size_t i = 0; i < links->n_links; i++) {
                const struct config_line *line;
                struct link upper;
                uint32_t wanted;

                if (links->links[i].lower_ifindex != ifindex || !stack_is_limited(&links->links[i]))
                        continue;
                line = line_of(changes, &links->links[i]);
                if (line && link_get_by_ifindex(changes->socket, links->links[i].ifindex, &upper) == 0) {
                        wanted = comparison_of(&upper, line).wanted;
                        if (upper.mtu < wanted && wanted <= lower.mtu)
                                (void)device_change_apply(changes->socket, line, &upper, NULL);
                }
                raise_uppers(changes, links, links->links[i].ifindex, depth + 1);
        }
}

void stacked_change_raise_uppers(struct link_socket *socket, const struct config *config,
                                 const struct plan *plan, unsigned ifindex) {
        const struct changes changes = { .socket = socket, .config = config, .plan = plan };
        struct link_table links;

        /* A list of all devices takes its time where there are thousands. */
        if (plan->n_devices == 0 || link_get_all(socket, &links) < 0)
                return;
        raise_uppers(&changes, &links, ifindex, 0);
        link_table_free(&links);
}

bool stacked_change_apply(struct link_socket *socket, const struct config *config, const struct plan *plan,
                          const struct config_line *line, const struct link *link,
                          struct mtu_change *ret_change) {
        const struct changes changes = { .socket = socket, .config = config, .plan = plan };
        bool is_done;

        if (ret_change)
                *ret_change = (struct mtu_change){ .result = MTU_CHANGE_EQUAL, .link = *link };
        is_done = apply_down(&changes, line, link, 0, ret_change);
        /* Mostly there is no other line. */
        if (plan->n_devices > (plan_find(plan, config, line->name) ? 1 : 0))
                stacked_change_raise_uppers(socket, config, plan, link->ifindex);
        return is_done;
}

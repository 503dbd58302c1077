/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "change/stacked_change.h"

#include <stdio.h>

#include "base/log.h"
#include "base/text.h"
#include "change/device_change.h"
#include "change/uppers.h"
#include "plan/stack.h"

struct changes {
        struct link_socket *socket;
        const struct config *config;
        const struct plan *plan;
        struct link_table links; /* for alternative names, once they are asked for */
        bool has_links;
        unsigned touched[STACK_DEPTH_MAX * 2 + 2]; /* each device that came to its turn */
        size_t n_touched;
};

static const struct config_line *line_of(struct changes *changes, const struct link *link) {
        const struct config_line *line = uppers_line_of(changes->plan, NULL, link);

        if (line || changes->plan->n_devices < 2)
                return line;
        if (!changes->has_links)
                changes->has_links = link_get_all(changes->socket, &changes->links) == 0;
        return changes->has_links ? uppers_line_of(changes->plan, &changes->links, link) : NULL;
}

/* `1500`, or `1500, room for 1450` where the device itself takes something of each frame. */
static const char *room_text(char buffer[static 48], const struct link *link, const struct link *lower,
                             uint32_t lower_mtu) {
        uint32_t capacity = stack_capacity(link, lower, lower_mtu);

        if (capacity == lower_mtu)
                snprintf(buffer, 48, "%u", lower_mtu);
        else
                snprintf(buffer, 48, "%u, room for %u", lower_mtu, capacity);
        return buffer;
}

/* Which of the two lines is to change is for somebody to decide who knows both. */
static void log_too_small(const struct config_line *line, const struct link *link, const struct link *lower,
                          const struct config_line *lower_line) {
        uint32_t wanted = device_status_of(link, line).wanted;
        char room[48];
        char place[CONFIG_LINE_PLACE_SIZE], lower_place[CONFIG_LINE_PLACE_SIZE], name[TEXT_QUOTE_SIZE];

        text_show(name, lower->name);
        config_line_place(place, line);
        if (lower_line)
                log_error("%s: %u is more than %s below it is to have, %s; raise %s, or lower %s",
                          line->name, wanted, name,
                          room_text(room, link, lower, device_status_of(lower, lower_line).wanted),
                          config_line_place(lower_place, lower_line), place);
        else
                log_error("%s: %u is more than %s below it has, %s, and that has no line; give it one, or "
                          "lower %s",
                          line->name, wanted, name, room_text(room, link, lower, lower->mtu), place);
}

static void log_not_of_setter(const struct config_line *line, uint32_t wanted, const struct link *setter,
                              const struct config_line *setter_line) {
        char place[CONFIG_LINE_PLACE_SIZE], setter_place[CONFIG_LINE_PLACE_SIZE], name[TEXT_QUOTE_SIZE];

        log_error("%s: %u is not what %s gives to its ports, %u; change %s, or %s, which a port does not "
                  "need",
                  line->name, wanted, text_show(name, setter->name),
                  device_status_of(setter, setter_line).wanted, config_line_place(setter_place, setter_line),
                  config_line_place(place, line));
}

static bool apply_down(struct changes *changes, const struct config_line *line, const struct link *link,
                       unsigned depth, struct mtu_change *ret_change);

/* Sees to it that the device below carries as much. */
static bool raise_lower(struct changes *changes, const struct config_line *line, const struct link *link,
                        unsigned depth) {
        uint32_t wanted = device_status_of(link, line).wanted;
        const struct config_line *lower_line;
        struct link lower;

        if (!stack_is_limited(link) || link->lower_ifindex == 0 || wanted <= link->mtu ||
            link_get_by_ifindex(changes->socket, link->lower_ifindex, &lower) < 0 ||
            stack_capacity(link, &lower, lower.mtu) >= wanted)
                return true;
        lower_line = line_of(changes, &lower);
        if (lower_line &&
            stack_capacity(link, &lower, device_status_of(&lower, lower_line).wanted) >= wanted)
                return apply_down(changes, lower_line, &lower, depth + 1, NULL);
        log_too_small(line, link, &lower, lower_line);
        return false;
}

/* A port of a bond or team with a line gets its MTU through that one. 1 where it is done so, 0 where there
 * is none, -1 where it failed. */
static int apply_setter(struct changes *changes, const struct config_line *line, const struct link *link,
                        unsigned depth) {
        uint32_t wanted = device_status_of(link, line).wanted;
        const struct config_line *setter_line;
        struct link setter;

        if (link->controller_ifindex == 0 ||
            link_get_by_ifindex(changes->socket, link->controller_ifindex, &setter) < 0 ||
            !stack_is_setter(&setter))
                return 0;
        setter_line = line_of(changes, &setter);
        if (!setter_line)
                return 0;
        if (device_status_of(&setter, setter_line).wanted != wanted) {
                log_not_of_setter(line, wanted, &setter, setter_line);
                return -1;
        }
        /* A bond that has it already asks nothing of its ports. */
        return setter.mtu == wanted                                         ? 0
               : apply_down(changes, setter_line, &setter, depth + 1, NULL) ? 1
                                                                            : -1;
}

/* The device, after what it depends on. */
static bool apply_down(struct changes *changes, const struct config_line *line, const struct link *link,
                       unsigned depth, struct mtu_change *ret_change) {
        struct link now = *link;
        int r;

        if (depth > STACK_DEPTH_MAX || !raise_lower(changes, line, link, depth))
                return false;
        r = apply_setter(changes, line, link, depth);
        if (r < 0)
                return false;
        if (r > 0 && link_get_by_ifindex(changes->socket, link->ifindex, &now) < 0)
                return false;
        if (changes->n_touched < sizeof(changes->touched) / sizeof(changes->touched[0]))
                changes->touched[changes->n_touched++] = link->ifindex;
        return device_change_apply(changes->socket, line, &now, ret_change);
}

bool stacked_change_apply(struct link_socket *socket, const struct plan *plan,
                          const struct config_line *line, const struct link *link,
                          struct mtu_change *ret_change) {
        struct changes changes = { .socket = socket, .plan = plan };
        struct mtu_change change = { .result = MTU_CHANGE_EQUAL, .link = *link };
        struct uppers uppers;
        bool is_done;

        uppers_watch(socket, plan, link, device_status_of(link, line).wanted, &uppers);
        is_done = apply_down(&changes, line, link, 0, &change);
        if (ret_change)
                *ret_change = change;
        if (changes.n_touched == 1 && change.link.mtu == link->mtu && !uppers_may_wait(plan, line->name))
                changes.n_touched = 0;
        uppers_settle(&uppers, changes.touched, changes.n_touched);
        if (changes.has_links)
                link_table_free(&changes.links);
        return is_done;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/advice.h"

#include "base/text.h"
#include "plan/overlay.h"
#include "plan/stack.h"

struct advising {
        const struct device_statuses *statuses;
        const struct link_table *links;
};

static const struct device_status *status_of(const struct advising *advising, const struct link *link) {
        return &advising->statuses->items[link - advising->links->links];
}

/* Whether the line overrides CONFIG_FILE, so that setmtu set cannot change it. A device's own line there
 * overrides a pattern anywhere. */
static bool is_elsewhere(const struct config_line *line) {
        return line && line->file && !line->is_pattern &&
               (line->line == 0 || text_after(line->file, CONFIG_FILE ".d/"));
}

/* The MTU that the line of a device gives it; 0: it has none, or cannot have that. */
static uint32_t line_mtu(const struct device_status *status) {
        return device_status_has_good_line(status) ? status->wanted : 0;
}

/* The next port of `link` after `port`; NULL: the first, or none. */
static const struct link *next_port(const struct link_table *links, const struct link *link,
                                    const struct link *port) {
        for (port = port ? port + 1 : links->links; port < links->links + links->n_links; port++)
                if (port->controller_ifindex == link->ifindex)
                        return port;
        return NULL;
}

/* Whether the bridge must not be larger than this port: a line of the port says that it is meant. */
static bool is_narrow(const struct advising *advising, const struct link *bridge, const struct link *port) {
        return stack_is_bridge(bridge) && line_mtu(status_of(advising, port)) == 0;
}

/* Whether the device has less than `mtu`, or will have once its line, or the lack of one, is in effect. */
static bool is_short(const struct advising *advising, const struct link *link, uint32_t mtu) {
        const struct device_status *status = status_of(advising, link);
        uint32_t own = line_mtu(status);

        return link->mtu < mtu || (own > 0 && own < mtu) || (status->restored > 0 && status->restored < mtu);
}

/* The device that has to change before `link` can have `mtu`, and the MTU that it needs for that. NULL:
 * none. */
static const struct link *find_blocking(const struct advising *advising, const struct link *link,
                                        uint32_t mtu, uint32_t *ret_mtu) {
        const struct link_table *links = advising->links;
        const struct link *limit = stack_limit(links, link), *leader = stack_leader(links, link);
        const struct link *setter = stack_setter(links, link);

        *ret_mtu = mtu;
        if (setter && (setter->mtu != mtu || link->mtu != mtu))
                return setter;
        if (leader && is_short(advising, leader, mtu))
                return leader;
        for (const struct link *port = NULL; (port = next_port(links, link, port));) {
                const struct link *below = stack_is_setter(link) ? stack_limit(links, port) : NULL;

                if (is_narrow(advising, link, port) && is_short(advising, port, mtu))
                        return port;
                *ret_mtu = mtu + (below ? stack_overhead(port, below) : 0);
                if (below && is_short(advising, below, *ret_mtu))
                        return below;
        }
        *ret_mtu = mtu + (limit ? stack_overhead(link, limit) : 0);
        return limit && is_short(advising, limit, *ret_mtu) ? limit : NULL;
}

/* The MTU that the device can have instead of `mtu`: less, or more where its bond has that. */
static uint32_t possible_mtu(const struct advising *advising, const struct link *link, uint32_t mtu) {
        const struct link *setter = stack_setter(advising->links, link);
        uint32_t setters = setter ? line_mtu(status_of(advising, setter)) : 0;
        uint32_t own = line_mtu(status_of(advising, link)), before = own > link->mtu ? own : link->mtu;

        if (setters > 0)
                mtu = setters;
        if (link->mtu_max > 0 && mtu > link->mtu_max)
                mtu = link->mtu_max;
        if (own > 0 && mtu > own && is_elsewhere(status_of(advising, link)->line))
                mtu = own;
        /* What carries it is not known here: its line alone can say that it may be larger. */
        if (!stack_limit(advising->links, link) && overlay_find(link->kind) && mtu > before)
                mtu = before;
        for (const struct link *port = NULL; (port = next_port(advising->links, link, port));)
                if (stack_is_setter(link) && port->mtu_max > 0 && mtu > port->mtu_max)
                        mtu = port->mtu_max;
        return mtu;
}

/* Finds the device to change first so that `link` can have `mtu`, and its MTU. Returns by how much that
 * device falls short of it; 0: it does not. */
static uint32_t find_first(const struct advising *advising, const struct link **link, uint32_t *mtu) {
        for (unsigned depth = 0; depth <= STACK_DEPTH_MAX; depth++) {
                uint32_t possible = possible_mtu(advising, *link, *mtu), own;
                const struct link *blocking;

                if (possible < *mtu)
                        return *mtu - possible;
                *mtu = possible;
                blocking = find_blocking(advising, *link, possible, &possible);
                if (!blocking)
                        return 0;
                own = line_mtu(status_of(advising, blocking));
                *link = blocking;
                *mtu = own > possible ? own : possible;
        }
        return 0;
}

const char *advice_set(struct pool *pool, const struct config_line *line, const char *name, uint32_t mtu) {
        char word[TEXT_SHELL_WORD_SIZE];

        if (!is_elsewhere(line))
                return pool_print(pool, "setmtu set %s %u", text_shell_word(word, name), mtu);
        text_shell_word(word, line->file);
        return line->line > 0 ? pool_print(pool, "${EDITOR:-vi} +%u %s", line->line, word)
                              : pool_print(pool, "cat %s", word);
}

const char *advice_make(struct pool *pool, const struct device_statuses *statuses,
                        const struct link_table *links, const struct link *link, uint32_t mtu) {
        const struct advising advising = { .statuses = statuses, .links = links };
        const struct link *first = link;
        uint32_t needed = mtu, less;
        char word[TEXT_SHELL_WORD_SIZE];

        while ((less = find_first(&advising, &first, &needed)) > 0 && mtu >= less + link->mtu_min) {
                mtu -= less;
                first = link;
                needed = mtu;
        }
        if (less > 0)
                return advice_set(pool, NULL, link->name, mtu);
        if (line_mtu(status_of(&advising, first)) == needed)
                return pool_print(pool, "setmtu apply %s", text_shell_word(word, first->name));
        return advice_set(pool, status_of(&advising, first)->line, first->name, needed);
}

const struct link *advice_smaller_port(const struct device_statuses *statuses,
                                       const struct link_table *links, const struct link *link,
                                       uint32_t mtu) {
        const struct advising advising = { .statuses = statuses, .links = links };
        const struct link *found = NULL;

        for (const struct link *port = NULL; (port = next_port(links, link, port));)
                if ((stack_is_setter(link) || is_narrow(&advising, link, port)) && port->mtu < mtu) {
                        mtu = port->mtu;
                        found = port;
                }
        return found;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/advice.h"

#include <string.h>

#include "base/text.h"
#include "plan/overlay.h"
#include "plan/stack.h"

struct advising {
        struct pool *pool;
        const struct device_statuses *statuses;
        const struct link_table *links;
        uint32_t *needs; /* of the devices of the table; 0: it stays as it is */
        const char *commands;
        bool is_after_apply; /* the last command is setmtu apply */
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

static void lower_to(uint32_t *mtu, uint32_t most) {
        if (*mtu > most)
                *mtu = most;
}

static uint32_t note_need(const struct advising *advising, const struct link *link, uint32_t mtu,
                          unsigned depth);

/* The same for a device that has to have `mtu` at least: it gets what its line says if that is enough. */
static uint32_t note_need_at_least(const struct advising *advising, const struct link *link, uint32_t mtu,
                                   unsigned depth) {
        const struct device_status *status = status_of(advising, link);
        uint32_t own = line_mtu(status), most;

        if (link->mtu >= mtu && (own == 0 || own >= mtu) && status->restored == 0)
                return mtu;
        most = note_need(advising, link, own > mtu ? own : mtu, depth + 1);
        return most < mtu ? most : mtu;
}

/* The same for `below`, which has to carry `mtu` bytes of `link`; returns what `link` can have then. */
static uint32_t note_need_below(const struct advising *advising, const struct link *below,
                                const struct link *link, uint32_t mtu, unsigned depth) {
        return stack_capacity(link, below,
                              note_need_at_least(advising, below, mtu + stack_overhead(link, below), depth));
}

/* Notes that the device needs `mtu`, and what others need for that. Returns the largest MTU up to that which
 * all of them allow; what a smaller one needs is to be noted anew. */
static uint32_t note_need(const struct advising *advising, const struct link *link, uint32_t mtu,
                          unsigned depth) {
        const struct link *limit = stack_limit(advising->links, link);
        const struct link *leader = stack_leader(advising->links, link);
        const struct link *setter = stack_setter(advising->links, link);
        const struct device_status *status = status_of(advising, link);
        uint32_t own = line_mtu(status), setters = setter ? line_mtu(status_of(advising, setter)) : 0;
        uint32_t *need = &advising->needs[link - advising->links->links], before = *need;

        if (setters > 0)
                mtu = setters;
        if (own > 0 && is_elsewhere(status->line))
                lower_to(&mtu, own);
        if (link->mtu_max > 0)
                lower_to(&mtu, link->mtu_max);
        /* What carries it is not known here: its line alone can say that it may be larger. */
        if (!limit && overlay_find(link->kind))
                lower_to(&mtu, own > link->mtu ? own : link->mtu);
        /* A VLAN on a bond's port may be another port of that bond: a circle. */
        if (*need >= mtu || depth > STACK_DEPTH_MAX)
                return mtu;
        *need = mtu;
        if (limit)
                mtu = note_need_below(advising, limit, link, mtu, depth);
        if (leader)
                mtu = note_need_at_least(advising, leader, mtu, depth);
        if (setter && (setter->mtu != mtu || link->mtu != mtu || (setters > 0 && setters != mtu)))
                mtu = note_need(advising, setter, mtu, depth + 1);
        for (const struct link *port = NULL; (port = next_port(advising->links, link, port));) {
                const struct link *below = stack_limit(advising->links, port);

                if (is_narrow(advising, link, port))
                        mtu = note_need_at_least(advising, port, mtu, depth);
                if (stack_is_setter(link) && port->mtu_max > 0)
                        lower_to(&mtu, port->mtu_max);
                if (stack_is_setter(link) && below)
                        mtu = note_need_below(advising, below, port, mtu, depth);
        }
        *need = mtu > before ? mtu : before;
        return mtu;
}

const char *advice_set(struct pool *pool, const struct config_line *line, const char *name, uint32_t mtu) {
        char word[TEXT_SHELL_WORD_SIZE];

        if (!is_elsewhere(line))
                return pool_print(pool, "setmtu set %s %u", text_shell_word(word, name), mtu);
        text_shell_word(word, line->file);
        return line->line > 0 ? pool_print(pool, "${EDITOR:-vi} +%u %s", line->line, word)
                              : pool_print(pool, "cat %s", word);
}

/* Adds the command that gives the device `mtu`, unless other commands do. */
static void add_command(struct advising *advising, const struct link *link, uint32_t mtu) {
        const struct config_line *line = status_of(advising, link)->line;
        bool is_apply = line_mtu(status_of(advising, link)) == mtu;
        char word[TEXT_SHELL_WORD_SIZE];

        if (!line && status_of(advising, link)->restored == 0 &&
            (stack_setter(advising->links, link) || (link->mtu == mtu && !stack_is_setter(link))))
                return;
        text_shell_word(word, link->name);
        if (is_apply && advising->is_after_apply) /* which orders several devices itself */
                advising->commands = pool_print(advising->pool, "%s %s", advising->commands, word);
        else
                advising->commands =
                                pool_print(advising->pool, "%s%s%s", advising->commands,
                                           *advising->commands ? " && " : "",
                                           is_apply ? pool_print(advising->pool, "setmtu apply %s", word)
                                                    : advice_set(advising->pool, line, link->name, mtu));
        advising->is_after_apply = is_apply;
}

const char *advice_make(struct pool *pool, const struct device_statuses *statuses,
                        const struct link_table *links, const struct link *link, uint32_t mtu) {
        struct stack_rank *ranks = pool_take(pool, links->n_links * sizeof(*ranks));
        struct advising advising = {
                .pool = pool,
                .statuses = statuses,
                .links = links,
                .needs = pool_take(pool, links->n_links * sizeof(*advising.needs)),
                .commands = "",
        };
        uint32_t asked;

        if (pool->failed)
                return "";
        do {
                asked = mtu < link->mtu_min ? link->mtu_min : mtu;
                memset(advising.needs, 0, links->n_links * sizeof(*advising.needs));
                mtu = note_need(&advising, link, asked, 0);
        } while (mtu < asked && mtu >= link->mtu_min);
        stack_rank(links, ranks);
        for (unsigned rank = 0; rank <= STACK_RANK_MAX; rank++)
                for (size_t i = 0; i < links->n_links; i++)
                        if (advising.needs[i] > 0 && ranks[i].raising == rank)
                                add_command(&advising, &links->links[i], advising.needs[i]);
        return *advising.commands ? advising.commands : advice_set(pool, NULL, link->name, mtu);
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/egress_text.h"

#include "base/text.h"

static int family_of(const struct path *path) {
        return path->target.ss_family == AF_INET6 ? 6 : 4;
}

const char *route_command(struct pool *pool, const struct path *path, const char *lock, uint32_t mtu) {
        int family = family_of(path);
        char address[TEXT_SHELL_WORD_SIZE];
        const char *change = mtu > 0 ? pool_print(pool, " mtu %s%u", lock, mtu) : "";

        text_shell_word(address, path->address);
        return pool_print(pool,
                          "ip -%d route replace $(ip -%d route get fibmatch %s | sed 's/ mtu [a-z]* "
                          "*[0-9]*//')%s",
                          family, family, address, change);
}

const char *egress_text(struct pool *pool, const struct path *path, const struct path_result *result) {
        static const char *const limits[] = {
                [EGRESS_IPV6] = "IPv6 has that MTU, set by a router's advertisement or a program",
                [EGRESS_ROUTE] = "the route to it has that MTU",
                [EGRESS_LEARNED] = "a router reported that limit, which the kernel keeps for ten minutes",
        };
        const struct egress *egress = &result->egress;
        const char *what, *left = "";

        if (!egress_is_narrow(egress, result->verdict.tried))
                return egress_is_cut(egress, result->verdict.tried)
                                       ? pool_print(pool, "this machine sends it no packets above %u: %s",
                                                    egress->sent, limits[egress->limit])
                                       : NULL;
        if (egress->to.size > 0)
                what = pool_print(pool, "the route to %s, the other end of %s,",
                                  NET_ADDRESS_TEXT(&egress->to), egress->above);
        else if (!egress->is_port)
                what = pool_print(pool, "%s, below %s,", egress->name, egress->above);
        else if (egress->is_guess || egress->is_set)
                what = pool_print(pool, "%s, a port of %s,", egress->name, egress->above);
        else
                what = pool_print(pool, "%s, the port of %s that leads to %s,", egress->name, egress->above,
                                  path->host);
        if (egress->room < egress->mtu)
                left = pool_print(pool, ", of which %s leaves %u",
                                  egress->overlay ? egress->overlay : egress->above, egress->room);
        return pool_print(pool, "%s has an MTU of %u%s", what, egress->mtu, left);
}

const char *egress_command(struct pool *pool, const struct path *path, const struct path_result *result) {
        const struct egress *egress = &result->egress;
        uint32_t tried = result->verdict.tried;
        char name[TEXT_SHELL_WORD_SIZE], below[TEXT_SHELL_WORD_SIZE];

        text_shell_word(name, path->link.name);
        text_shell_word(below, egress->is_set ? egress->above : egress->name);
        if (egress_is_narrow(egress, tried) && egress->overlay)
                return pool_print(pool, "setmtu set %s %u", name, egress->room);
        if (egress_is_narrow(egress, tried))
                return pool_print(pool, "setmtu set %s %u", below, tried + egress->mtu - egress->room);
        if (!egress_is_cut(egress, tried))
                return NULL;
        switch (egress->limit) {
        case EGRESS_IPV6:
                return "setmtu doctor";
        case EGRESS_ROUTE:
                return route_command(pool, path, "", 0);
        case EGRESS_LEARNED:
                break;
        }
        return pool_print(pool, "ip -%d route flush cache", family_of(path));
}

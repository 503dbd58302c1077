/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/path_check.h"

#include <signal.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "command/path_find.h"
#include "command/path_text.h"
#include "kernel/netlink.h"
#include "plan/stack.h"

/* Enough for a NIC that resets itself, and for the switch port. */
#define CARRIER_PATIENCE_S 15
#define ANSWER_PATIENCE_S 10

/* SIGHUP does not interrupt: the verdict is needed without a terminal, too. */
static bool is_interrupted(void *userdata) {
        const double *deadline = userdata;

        return (interrupt_seen() != 0 && interrupt_seen() != SIGHUP) || clock_boottime_s() >= *deadline;
}

/* `size`: 0 for the MTU. */
static int probe_path(struct netlink_socket *socket, const struct path *path, uint32_t size,
                      double *deadline, struct path_result *ret) {
        const struct path_settings settings = {
                .socket = socket,
                .size = size,
                .is_interrupted = is_interrupted,
                .userdata = deadline,
        };

        return path_probe_one(path, &settings, ret);
}

static int complain_of_egress(const struct path *path, const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *text = egress_text(&pool, path, result);

        return pool.failed ? log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY)
                           : log_fail(EXIT_CODE_LOCAL_LIMIT, "%s: nothing changed: %s. First: %s",
                                      path->link.name, text, egress_command(&pool, path, result));
}

int path_check_prepare(struct netlink_socket *socket, const char *host, const struct link *link,
                       bool is_to_be_up, uint32_t mtu, struct path *ret) {
        double deadline = clock_boottime_s() + 2 * ANSWER_PATIENCE_S;
        struct path_result result;
        uint32_t least;
        int exit_code;

        /* A link that is down can be probed only if the change brings it up. */
        if (link && !link->up && !is_to_be_up)
                return log_fail(EXIT_CODE_UNREACHABLE,
                                "%s: nothing changed: the link is down, so no host can be probed through it",
                                link->name);
        exit_code = path_find(socket, host, AF_UNSPEC, link ? link->name : NULL, ret);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (ret->link.ifindex == 0)
                return log_fail(EXIT_CODE_UNREACHABLE, "nothing changed: there is no route to %s%s%s", host,
                                link ? " by " : "", link ? link->name : "");
        /* The route may lead elsewhere while the change takes the carrier away. */
        ret->is_bound = true;
        if (!link)
                mtu = ret->link.mtu;
        least = path_size_least(ret);
        if (mtu < least)
                return log_fail(EXIT_CODE_USAGE,
                                "%s: nothing changed: %u cannot be probed over IPv6, where the smallest MTU "
                                "is %u",
                                ret->link.name, mtu, least);
        if (!ret->link.up)
                return EXIT_CODE_DONE;
        exit_code = probe_path(socket, ret, least, &deadline, &result);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        result.verdict.tried = mtu < PROBE_SIZE_LARGEST ? mtu : PROBE_SIZE_LARGEST;
        /* The ports of a bond follow it. */
        if (!stack_is_setter(&ret->link) && egress_is_narrow(&result.egress, result.verdict.tried))
                return complain_of_egress(ret, &result);
        if (result.verdict.kind != VERDICT_UNREACHABLE && result.verdict.kind != VERDICT_INCONCLUSIVE)
                return EXIT_CODE_DONE;
        path_log(LOG_PRIORITY_ERROR, ret, &result);
        log_error("%s: nothing changed: the host did not answer, so the change could not be tested",
                  ret->link.name);
        return verdict_exit_code(result.verdict.kind);
}

int path_check_run(struct netlink_socket *socket, const struct path *path, double deadline) {
        double end = clock_boottime_s() + CARRIER_PATIENCE_S;
        struct path_result result;
        struct path now = *path;
        int r;

        while ((r = link_get_by_ifindex(socket, path->link.ifindex, &now.link)) == 0 &&
               path->link.has_carrier && !now.link.has_carrier && !is_interrupted(&deadline) &&
               clock_boottime_s() < end)
                (void)clock_sleep_ms(100);
        if (r < 0)
                return log_fail(EXIT_CODE_FAILURE, "%s: it cannot be read from the kernel: %s",
                                path->link.name, netlink_socket_error_text(socket, r));
        end = clock_boottime_s() + ANSWER_PATIENCE_S;
        do {
                int exit_code = probe_path(socket, &now, 0, &deadline, &result);

                if (exit_code != EXIT_CODE_DONE)
                        return exit_code;
        } while (result.verdict.kind == VERDICT_UNREACHABLE && clock_boottime_s() < end &&
                 !is_interrupted(&deadline));
        /* The MTU from before may be back since, and be what was probed. */
        if (clock_boottime_s() >= deadline)
                result.verdict = (struct verdict){
                        .kind = VERDICT_INCONCLUSIVE,
                        .doubt = VERDICT_DOUBT_TIME,
                        .tried = result.verdict.tried,
                        .after_hop = -1,
                };
        if (verdict_carries(&result.verdict, result.verdict.tried)) {
                path_log(result.verdict.kind == VERDICT_OK ? LOG_PRIORITY_INFO : LOG_PRIORITY_WARNING, path,
                         &result);
                return EXIT_CODE_DONE;
        }
        path_log(LOG_PRIORITY_ERROR, path, &result);
        return verdict_exit_code(result.verdict.kind);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/path_check.h"

#include <signal.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit_code.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "command/egress_text.h"
#include "command/path_find.h"
#include "command/path_text.h"
#include "plan/device_status.h"
#include "plan/stack.h"

/* Enough for a NIC that resets itself, and for the switch port. */
#define CARRIER_PATIENCE_S 15
#define ANSWER_PATIENCE_S 10

/* SIGHUP does not interrupt: the verdict is needed without a terminal, too. */
static bool is_interrupted(void *userdata) {
        const double *deadline = userdata;

        return (interrupt_seen() != 0 && interrupt_seen() != SIGHUP) || clock_boottime_s() >= *deadline;
}

static int probe_path(struct netlink_socket *socket, const struct path_check *check, uint32_t size,
                      uint32_t mtu, double *deadline, struct path_result *ret) {
        const struct path_settings settings = {
                .socket = socket,
                .size = size,
                .local_mtu = mtu,
                .is_interrupted = is_interrupted,
                .userdata = deadline,
        };

        return path_probe_one(&check->path, &settings, ret);
}

static int complain_of_egress(const struct path *path, const struct path_result *result) {
        CLEANUP(pool_free) struct pool pool = { 0 };
        const char *text = egress_text(&pool, path, result);

        return pool.failed ? log_fail(EXIT_CODE_FAILURE, LOG_OUT_OF_MEMORY)
                           : log_fail(EXIT_CODE_LOCAL_LIMIT, "%s: nothing changed: %s. First: %s",
                                      path->link.name, text, egress_command(&pool, path, result));
}

int path_check_prepare(struct netlink_socket *socket, const struct set_args *args, struct path_check *ret) {
        uint32_t least;
        double deadline = clock_boottime_s() + 2 * ANSWER_PATIENCE_S;
        struct path_result result;
        int exit_code;

        /* A link that is down can be probed only if the change brings it up. */
        if (!args->link->up && !args->line.spec.up)
                return log_fail(EXIT_CODE_UNREACHABLE,
                                "%s: nothing changed: the link is down, so no host can be probed through it",
                                args->line.name);
        exit_code = path_find(socket, args->host, AF_UNSPEC, args->link->name, &ret->path);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        if (ret->path.link.ifindex == 0)
                return log_fail(EXIT_CODE_UNREACHABLE,
                                "%s: nothing changed: there is no route to %s by this device",
                                args->line.name, ret->path.host);
        least = path_size_least(&ret->path);
        if (args->wanted < least)
                return log_fail(EXIT_CODE_USAGE,
                                "%s: nothing changed: %u cannot be probed over IPv6, where the smallest MTU "
                                "is %u",
                                args->line.name, args->wanted, least);
        ret->size = args->wanted < PROBE_SIZE_LARGEST ? args->wanted : PROBE_SIZE_LARGEST;
        if (!args->link->up)
                return EXIT_CODE_DONE;
        exit_code = probe_path(socket, ret, least, args->link->mtu, &deadline, &result);
        if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        result.verdict.tried = ret->size;
        /* The ports of a bond follow it. */
        if (!stack_is_setter(args->link) && egress_is_narrow(&result.egress, ret->size))
                return complain_of_egress(&ret->path, &result);
        if (result.verdict.kind != VERDICT_UNREACHABLE && result.verdict.kind != VERDICT_INCONCLUSIVE)
                return EXIT_CODE_DONE;
        path_log(LOG_PRIORITY_ERROR, &ret->path, &result);
        log_error("%s: nothing changed: the host did not answer, so the change could not be tested",
                  args->line.name);
        return verdict_exit_code(result.verdict.kind);
}

static void wait_for_carrier(struct netlink_socket *socket, unsigned ifindex, double *deadline) {
        double end = clock_boottime_s() + CARRIER_PATIENCE_S;
        struct link link;

        while (!is_interrupted(deadline) && clock_boottime_s() < end &&
               link_get_by_ifindex(socket, ifindex, &link) == 0 && !link.has_carrier)
                (void)clock_sleep_ms(100);
}

int path_check_run(struct netlink_socket *socket, const struct path_check *check, bool had_carrier,
                   double deadline) {
        struct path_result result;
        double end;

        if (had_carrier)
                wait_for_carrier(socket, check->path.link.ifindex, &deadline);
        end = clock_boottime_s() + ANSWER_PATIENCE_S;
        do {
                int exit_code = probe_path(socket, check, check->size, check->size, &deadline, &result);

                if (exit_code != EXIT_CODE_DONE)
                        return exit_code;
        } while (result.verdict.kind == VERDICT_UNREACHABLE && clock_boottime_s() < end &&
                 !is_interrupted(&deadline));
        /* The MTU from before may be back since, and be what was probed. */
        if (clock_boottime_s() >= deadline)
                result.verdict = (struct verdict){
                        .kind = VERDICT_INCONCLUSIVE,
                        .doubt = VERDICT_DOUBT_TIME,
                        .tried = check->size,
                        .after_hop = -1,
                };
        if (verdict_carries(&result.verdict, check->size)) {
                path_log(result.verdict.kind == VERDICT_OK ? LOG_PRIORITY_INFO : LOG_PRIORITY_WARNING,
                         &check->path, &result);
                return EXIT_CODE_DONE;
        }
        path_log(LOG_PRIORITY_ERROR, &check->path, &result);
        return verdict_exit_code(result.verdict.kind);
}

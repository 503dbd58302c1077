/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "command/traffic_look.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/whole_file.h"

int traffic_look(struct netlink_socket **diag, struct traffic *traffic) {
        bool has_changed = false, is_known;
        int r = *diag ? 0 : netlink_socket_open_diag(diag);

        if (r < 0)
                return r;
        traffic->has_mtu_probing = whole_file_read_number("/proc/sys/net/ipv4/tcp_mtu_probing") != 0;
        traffic_begin(traffic, clock_monotonic_s());
        r = connection_each(*diag, false, traffic_take, traffic, &has_changed);
        if (r == 0 && traffic->n_waiting > 0)
                r = connection_each(*diag, true, traffic_take, traffic, &has_changed);
        is_known = traffic_end(traffic, r == 0 && !has_changed);
        return r == 0 && !is_known ? -ENOMEM : r;
}

int traffic_look_exit_code(int r) {
        return r == 0 ? EXIT_CODE_DONE
                      : log_fail(EXIT_CODE_FAILURE, "the TCP connections cannot be read from the kernel: %s",
                                 strerror(-r));
}

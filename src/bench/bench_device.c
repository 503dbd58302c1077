/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/bench_device.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "change/revert_timer.h"
#include "change/trial_begin.h"
#include "change/trial_end.h"

/* Some NICs take seconds for a link after their reset, and switches with spanning tree half a minute. */
#define CARRIER_S 45

/* What the keeper is told. */
struct word {
        uint32_t tried; /* what a trial has set; 0: none is waiting */
        uint32_t id;    /* which one; 0: it is about to begin */
};

static bool is_meant(const struct trial_record *record, const struct word *word) {
        return word->tried != 0 && record->tried == word->tried && (word->id == 0 || record->id == word->id);
}

/* What the keeper does: it hears which trial is waiting, and once it hears nothing any more, ends that one.
 */
_Noreturn static void keep(unsigned ifindex, int pipe) {
        CLEANUP(link_socket_cleanup) struct link_socket *socket = NULL;
        struct trial_record record;
        struct word word = { 0 }, heard;
        ssize_t n;

        for (;;) {
                n = read(pipe, &heard, sizeof(heard));
                if (n == (ssize_t)sizeof(heard))
                        word = heard;
                else if (n >= 0 || errno != EINTR)
                        break;
        }
        if (trial_record_read(ifindex, &record) == 0 && is_meant(&record, &word)) {
                while (link_socket_open(&socket) < 0)
                        sleep(1);
                (void)trial_end_revert(socket, ifindex);
        }
        _exit(EXIT_SUCCESS);
}

/* The first child goes, and leaves one of its own behind, whom no terminal reaches. */
_Noreturn static void leave_keeper(unsigned ifindex, int pipe) {
        static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP };
        int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
        pid_t child;

        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
                signal(numbers[i], SIG_IGN);
        if (nowhere < 0 || dup2(nowhere, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0 ||
            dup2(pipe, 3) < 0 || chdir("/") < 0)
                _exit(EXIT_FAILURE);
        close_range(4, UINT_MAX, 0);
        setsid();
        child = fork();
        if (child == 0)
                keep(ifindex, 3);
        _exit(child < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

bool bench_device_open(struct link_socket *socket, const struct link *link, struct bench_device *ret) {
        struct bench_device device = { .socket = socket, .link = *link, .keeper = -1 };
        int ends[2], status = 0;
        pid_t child;

        if (pipe2(ends, O_CLOEXEC) < 0) {
                log_error("pipe: %s", strerror(errno));
                return false;
        }
        child = fork();
        if (child == 0) {
                close(ends[1]);
                leave_keeper(link->ifindex, ends[0]);
        }
        close(ends[0]);
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
                ;
        if (child < 0 || status != 0) {
                log_error("the process that would put the MTU back cannot be started");
                close(ends[1]);
                return false;
        }
        device.keeper = ends[1];
        *ret = device;
        return true;
}

static void tell_keeper(const struct bench_device *device, uint32_t tried, uint32_t id) {
        const struct word word = { .tried = tried, .id = id };
        ssize_t n = write(device->keeper, &word, sizeof(word));

        (void)n; /* the guard is there as well */
}

static bool wait_for_carrier(const struct bench_device *device, const volatile sig_atomic_t *stop) {
        double begin = clock_boottime_s();
        struct link now;

        if (!device->link.has_carrier)
                return true;
        while (link_get_by_ifindex(device->socket, device->link.ifindex, &now) == 0 && !now.has_carrier) {
                if (*stop)
                        return false;
                if (clock_boottime_s() - begin > CARRIER_S) {
                        log_error("%s: no carrier for %u s after the change of its MTU", device->link.name,
                                  CARRIER_S);
                        return false;
                }
                (void)clock_sleep_ms(100);
        }
        return true;
}

bool bench_device_set(struct bench_device *device, uint32_t mtu, unsigned timeout_s,
                      const volatile sig_atomic_t *stop) {
        struct config_line line = { .spec = { .mtu = mtu } };
        struct link before;
        bool is_done;

        if (!bench_device_put_back(device))
                return false;
        if (mtu == device->link.mtu)
                return wait_for_carrier(device, stop);
        strcpy(line.name, device->link.name);
        device->record = (struct trial_record){ .spec = line.spec, .tried = mtu };
        /* Before it begins: this process may be killed in the middle of that. */
        tell_keeper(device, mtu, 0);
        log_hold_info(true);
        is_done = trial_begin(device->socket, device->link.ifindex, &line, timeout_s + CARRIER_S,
                              &device->record, &before);
        log_hold_info(false);
        tell_keeper(device, is_done ? mtu : 0, device->record.id);
        if (!is_done)
                return false;
        device->is_on_trial = true;
        return wait_for_carrier(device, stop);
}

bool bench_device_has(struct bench_device *device, uint32_t mtu) {
        struct link now;

        return link_get_by_ifindex(device->socket, device->link.ifindex, &now) == 0 && now.mtu == mtu;
}

bool bench_device_put_back(struct bench_device *device) {
        char name[TEXT_QUOTE_SIZE];

        if (device->is_on_trial) {
                log_hold_info(true);
                (void)trial_end_revert(device->socket, device->link.ifindex);
                log_hold_info(false);
                tell_keeper(device, 0, 0);
                device->is_on_trial = false;
        }
        if (bench_device_has(device, device->link.mtu))
                return true;
        log_error("%s: its MTU is not %u any more, as it was at the beginning",
                  text_show(name, device->link.name), device->link.mtu);
        return false;
}

void bench_device_close(struct bench_device *device) {
        if (device->keeper < 0)
                return;
        if (device->is_on_trial)
                (void)bench_device_put_back(device);
        close(device->keeper);
        device->keeper = -1;
}

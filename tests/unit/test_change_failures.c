/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Changes of real devices, in a network namespace of the test's own, when memory is out, or a file or the
 * kernel cannot be had. As root, or it is skipped. */

#include "failing_calls.h"

#include <fnmatch.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <libmnl/libmnl.h>

#include "backends/backend_unit.h"
#include "backends/backends.h"
#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "bus/systemd_manager.h"
#include "change/revert_timer.h"
#include "command/change_log.h"
#include "command/trial_log.h"
#include "programs/keeper.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/load_plan.h"

/* The kernel, and who is not there -----------------------------------------------------------------------
 */

WRAP(struct mnl_socket *, mnl_socket_open2, (int bus, int flags), (bus, flags), SOCKETS, NULL)
WRAP(int, mnl_socket_bind, (struct mnl_socket * socket, unsigned groups, pid_t pid), (socket, groups, pid),
     SOCKETS, -1)
WRAP(ssize_t, mnl_socket_sendto, (const struct mnl_socket *socket, const void *request, size_t size),
     (socket, request, size), SOCKETS, -1)

WRAP(ssize_t, mnl_socket_recvfrom, (const struct mnl_socket *socket, void *buffer, size_t size),
     (socket, buffer, size), SOCKETS, -1)
WRAP(ssize_t, recv, (int fd, void *buffer, size_t size, int flags), (fd, buffer, size, flags), SOCKETS, -1)

bool __wrap_manager_is_here(void);
int __real_revert_timer_start(const struct trial_records *records, unsigned timeout_s);
int __wrap_revert_timer_start(const struct trial_records *records, unsigned timeout_s);
/* It is, but nobody answers: there is no socket below SETMTU_ROOT. */
static bool has_manager;

bool __wrap_manager_is_here(void) {
        return has_manager;
}

int __wrap_revert_timer_start(const struct trial_records *records, unsigned timeout_s) {
        return has_manager ? __real_revert_timer_start(records, timeout_s) : fails(FILES) ? -EIO : 0;
}

/* Devices --------------------------------------------------------------------------------------------------
 */

static int device_socket;
/* Whether the MTU of a device that setmtu has just changed cannot be read: the next time. */
static bool refuses_reading;

int __real_ioctl(int fd, unsigned long request, struct ifreq *device);
int __wrap_ioctl(int fd, unsigned long request, struct ifreq *device);
int __wrap_ioctl(int fd, unsigned long request, struct ifreq *device) {
        bool is_ours = fd == device_socket;

        if (!is_ours && refuses_reading && request == SIOCGIFMTU) {
                refuses_reading = false;
                errno = ENOBUFS;
                return -1;
        }
        return !is_ours && fails(SOCKETS) ? -1 : __real_ioctl(fd, request, device);
}

static uint32_t mtu(const char *name) {
        struct ifreq request = { 0 };

        strcpy(request.ifr_name, name);
        assert_int_equal(ioctl(device_socket, SIOCGIFMTU, &request), 0);
        return (uint32_t)request.ifr_mtu;
}

static void set_mtu(const char *name, int value) {
        struct ifreq request = { .ifr_mtu = value };

        strcpy(request.ifr_name, name);
        assert_int_equal(ioctl(device_socket, SIOCSIFMTU, &request), 0);
}

static bool make_devices(void) {
        device_socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        return device_socket >= 0 &&
               system("ip link add v0 type veth peer name p0 && ip link add link v0 name m0 type macvlan") ==
                               0;
}

static unsigned index_of(const char *name) {
        unsigned ifindex = if_nametoindex(name);

        assert_int_not_equal(ifindex, 0);
        return ifindex;
}

/* What is said from now on, */
static FILE *said;
static int own_stderr;

static void listen_to_messages(void) {
        said = tmpfile();
        own_stderr = dup(STDERR_FILENO);
        assert_true(said && own_stderr >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0);
}

/* and until now. Valid until the next call. */
static const char *messages(void) {
        static char text[65536];

        dup2(own_stderr, STDERR_FILENO);
        close(own_stderr);
        rewind(said);
        text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
        fclose(said);
        return text;
}

static void ignore(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
}

static const struct diagnostic_sink silent = { .report = ignore };

/* v0 as it was, with nothing known of it, and a line. */
static void prepare(void) {
        (void)nftw(in_root("/run"), scratch_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        set_mtu("v0", 1500);
        set_mtu("m0", 1500);
        assert_true(whole_file_replace(CONFIG_FILE, "v0=\"9000 up\"\n", 13) >= 0);
}

static bool open_snapshot(struct snapshot *snapshot, struct link *ret) {
        return snapshot_open(&silent, snapshot) == 0 && link_get_by_name(snapshot->socket, "v0", ret) == 0;
}

/* As programs do it. */
static bool apply_line(struct snapshot *snapshot, const struct config_line *line, const struct link *link,
                       struct mtu_change *ret) {
        CLEANUP(change_free) struct change change = { 0 };
        int r = change_set_line(snapshot, line, link, &change);

        for (size_t i = 0; i < change.steps.n_items; i++)
                if (change.steps.items[i].is_given)
                        *ret = change.results[i];
        return change_log(snapshot->socket, line->name, r, &change);
}

static bool begin_trial(struct snapshot *snapshot, const struct trial *trial) {
        CLEANUP(trial_begin_free) struct trial_begin begin;

        return trial_begin_and_log(snapshot, trial, false, &begin);
}

/* Whether one was waiting and is over. */
static bool revert_trial(struct snapshot *snapshot, unsigned ifindex) {
        enum failing_kind kind = failing_pause();
        struct trial_record record;
        enum trial_revert_result result;
        int r = trial_record_read(ifindex, &record);

        failing_resume(kind);
        if (r < 0)
                return false;
        result = trial_revert_and_log(snapshot->socket, record.id, false);
        return result != TRIAL_REVERT_FAILED && result != TRIAL_REVERT_NOT_WAITING;
}

static bool apply(struct mtu_change *change) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct link link;

        return open_snapshot(&snapshot, &link) && config_find(&snapshot.plan.config, "v0") &&
               apply_line(&snapshot, config_find(&snapshot.plan.config, "v0"), &link, change);
}

static struct link read_link(const char *name) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        struct link link;

        assert_errno(netlink_socket_open(NETLINK_ROUTE, &socket), 0);
        assert_errno(link_get_by_name(socket, name, &link), 0);
        return link;
}

/* The original MTU is never lost. */
static void check_original(void) {
        const struct link *link;
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct original_mtu record;

        assert_int_equal(snapshot_take(&silent, &snapshot), 0);
        link = link_table_by_name(&snapshot.links, "v0");
        if (link->mtu != 1500) {
                assert_errno(original_mtu_read(link, &record), 0);
                assert_int_equal(record.original, 1500);
        }
}

static int run_apply(void) {
        struct mtu_change change;
        bool is_done = apply(&change);
        enum failing_kind kind = failing_pause();

        if (is_done)
                assert_int_equal(mtu("v0"), 9000);
        check_original();
        failing_resume(kind);
        return is_done ? 0 : failure();
}

/* The change is not taken for one that was refused. */
static int run_unread_change(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct link link, now = { 0 };
        bool is_lost = true;

        assert_true(open_snapshot(&snapshot, &link));
        refuses_reading = true;
        assert_errno(link_set_mtu(snapshot.socket, &link, 9000, &now, &is_lost), 0);
        assert_true(!refuses_reading && !is_lost);
        assert_int_equal(now.mtu, 9000);
        /* Nor is an answer that nobody has read taken for the next one. */
        assert_errno(link_set_mtu(snapshot.socket, &link, 67, &now, &is_lost), -EINVAL);
        assert_errno(link_set_mtu(snapshot.socket, &link, 1500, &now, &is_lost), 0);
        assert_int_equal(now.mtu, 1500);
        return 0;
}

/* With what stands on it. */
static void prepare_lower(void) {
        struct mtu_change change;

        prepare();
        set_mtu("v0", 9000);
        set_mtu("m0", 8000);
        assert_true(whole_file_replace(CONFIG_FILE, "v0=4000\n", 8) >= 0);
        assert_true(apply(&change));
        assert_int_equal(mtu("m0"), 4000);
}

static int run_restore(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct link link;
        bool is_done = open_snapshot(&snapshot, &link) && change_restore_and_log(&snapshot, "v0", &link);

        if (is_done)
                assert_int_equal(mtu("v0"), 9000);
        return is_done ? 0 : failure();
}

/* All lines in one go. */
static int run_steps(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(change_free) struct change change = { 0 };
        bool is_done = snapshot_take(&silent, &snapshot) == 0 &&
                       change_set_targets(&snapshot, NULL, 0, &change) == 0 &&
                       change_log(snapshot.socket, "", 0, &change);
        enum failing_kind kind = failing_pause();

        if (is_done && !snapshot.plan.config.is_partial)
                assert_int_equal(mtu("v0"), 9000);
        check_original();
        failing_resume(kind);
        return is_done && !snapshot.plan.config.is_partial ? 0 : failure();
}

static void put_trial(bool is_confirming) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct trial_record record = { .name = "v0",
                                       .ifindex = index_of("v0"),
                                       .id = 7,
                                       .spec = { .mtu = 9000, .up = true },
                                       .before = 1500,
                                       .tried = 9000,
                                       .deadline_s = UINT32_MAX,
                                       .is_confirming = is_confirming };
        struct link link;

        prepare();
        set_mtu("v0", 9000);
        assert_true(open_snapshot(&snapshot, &link));
        device_identity_of(&link, &record.device);
        assert_errno(trial_record_write(&record), 0);
}

static void prepare_trial(void) {
        put_trial(false);
}

static void prepare_confirmed(void) {
        put_trial(true);
}

/* Its line is not written yet. */
static void prepare_unconfirmed(void) {
        put_trial(true);
        assert_true(whole_file_replace(CONFIG_FILE, "v0=9000\n", 8) >= 0);
}

static void prepare_lost(void) {
        const struct trial_record record = { .name = "v0",
                                             .ifindex = 4711,
                                             .id = 7,
                                             .spec.mtu = 9000,
                                             .before = 1500,
                                             .tried = 9000,
                                             .deadline_s = UINT32_MAX,
                                             .device = { .kind = "macvlan", .name = "c9" } };

        prepare();
        assert_errno(trial_record_write(&record), 0);
}

static int run_revert_gone(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };

        return snapshot_open(&silent, &snapshot) == 0 && revert_trial(&snapshot, 4711) ? 0 : failure();
}

/* The MTU is back, or somebody can still put it back. */
static void check_trial(bool is_done) {
        struct trial_record record;
        enum failing_kind kind = failing_pause();
        int r = trial_record_read(index_of("v0"), &record);

        if (is_done)
                assert_errno(r, -ENOENT);
        assert_true(mtu("v0") == 1500 || r == 0);
        failing_resume(kind);
}

static int run_revert(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct link link;
        bool is_done = open_snapshot(&snapshot, &link) && revert_trial(&snapshot, link.ifindex);

        check_trial(is_done);
        return is_done ? 0 : failure();
}

static int run_trial(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct config_line line = { .name = "v0", .spec.mtu = 9000 };
        struct trial_target target = { .line = &line };
        struct trial trial = { .targets = &target, .n_targets = 1, .timeout_s = 60 };
        struct trial_record now;
        struct link link;
        bool is_done;
        enum failing_kind kind;

        is_done = open_snapshot(&snapshot, &link);
        if (is_done) {
                target.ifindex = link.ifindex;
                is_done = begin_trial(&snapshot, &trial);
        }
        kind = failing_pause();
        assert_true(mtu("v0") == 1500 || trial_record_read(index_of("v0"), &now) == 0);
        if (is_done)
                assert_int_equal(mtu("v0"), 9000);
        failing_resume(kind);
        return is_done ? 0 : failure();
}

static int run_end(void) {
        unsigned ifindex = index_of("v0");
        int r = trial_end(ifindex);
        enum failing_kind kind = failing_pause();
        struct trial_record record;

        if (r == 0)
                assert_errno(trial_record_read(ifindex, &record), -ENOENT);
        assert_int_equal(mtu("v0"), 9000);
        failing_resume(kind);
        return r;
}

static int run_confirmed(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };

        assert_errno(snapshot_open(&silent, &snapshot), 0);
        return trial_revert_and_log(snapshot.socket, 7, false) == TRIAL_REVERT_CONFIRMED ? 0 : -1;
}

/* What is on top of it is lowered with it, and rises again or is reported. */
static void prepare_lowering(void) {
        prepare();
        set_mtu("v0", 9000);
}

static int run_lowering(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct config_line line = { .name = "v0", .spec.mtu = 1270 };
        struct trial_target target = { .line = &line };
        struct trial trial = { .targets = &target, .n_targets = 1, .timeout_s = 60 };
        struct link link;
        const char *text;
        bool is_done;
        enum failing_kind kind;

        listen_to_messages();
        target.ifindex = index_of("v0");
        is_done = open_snapshot(&snapshot, &link) && begin_trial(&snapshot, &trial) &&
                  revert_trial(&snapshot, target.ifindex);
        kind = failing_pause();
        if (is_done)
                assert_int_equal(mtu("v0"), 9000);
        text = messages();
        if (is_done && mtu("m0") != 1500) {
                if (!strstr(text, "m0: ") && !strstr(text, "v0: devices that stand on it could not be"))
                        fail_msg("failure %u: m0 is left at %u without a word", fault.at, mtu("m0"));
                is_done = false;
        }
        failing_resume(kind);
        return is_done ? 0 : failure();
}

/* Of a device that is gone. */
static void prepare_gone(void) {
        const struct link gone = { .ifindex = 4711, .name = "gone", .mtu = 9000 };
        const struct device_record record = { .original = { .original = 1500, .set = 9000 },
                                              .lowered = { .before = 9000, .lowered = 1500 },
                                              .kept.mtu = 9000,
                                              .tally.count = 1 };

        prepare();
        assert_errno(device_record_write(&gone, DEVICE_RECORD_ALL, &record), 0);
}

static int run_gone(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct link gone = { .ifindex = 4711, .name = "gone", .mtu = 9000 };
        struct original_mtu record;
        bool is_done = snapshot_open(&silent, &snapshot) == 0 &&
                       mtu_change_forget_gone(snapshot.socket) == 0;
        enum failing_kind kind = failing_pause();

        if (is_done)
                assert_errno(original_mtu_read(&gone, &record), -ENOENT);
        failing_resume(kind);
        return is_done ? 0 : failure();
}

/* setmtu-keep ----------------------------------------------------------------------------------------------
 */

/* What others do at the time of a poll, by the number of the poll; false: no more. */
static bool (*others)(unsigned n);
static unsigned n_polls;
static double now, clock_step;

double __wrap_clock_monotonic_s(void);
int __real_poll(struct pollfd *events, nfds_t n, int timeout_ms);
int __wrap_poll(struct pollfd *events, nfds_t n, int timeout_ms);

double __wrap_clock_monotonic_s(void) {
        return now += clock_step;
}

/* Time goes by where there is nothing to read; where nothing is waited for, that is the end. */
int __wrap_poll(struct pollfd *events, nfds_t n, int timeout_ms) {
        enum failing_kind kind = failing_pause();
        int r;
        bool goes_on = others && others(n_polls);

        failing_resume(kind);
        r = __real_poll(events, n, 0);
        if (n_polls++ > 200 || (r == 0 && timeout_ms < 0 && !goes_on)) {
                errno = EBADF;
                return -1;
        }
        if (r == 0 && timeout_ms > 0)
                now += timeout_ms / 1000.0;
        return r;
}

/* What was to be kept last. */
static struct {
        const char *name;
        uint32_t mtu;
} kept;

static void keep(const char *name, uint32_t wanted) {
        const struct device_record record = { .kept.mtu = wanted };
        const struct link link = read_link(name);

        kept.name = name;
        kept.mtu = wanted;
        assert_errno(device_record_write(&link, DEVICE_RECORD_KEPT, &record), 0);
}

/* Somebody has changed it. */
static void prepare_kept(void) {
        struct mtu_change change;

        prepare();
        assert_true(apply(&change));
        keep("v0", 9000);
        set_mtu("v0", 1400);
        others = NULL;
        clock_step = 0;
}

/* To look at all devices takes a while here. */
static void prepare_slow(void) {
        prepare_kept();
        clock_step = 0.005;
}

/* A failure costs time and nothing else, unless nothing can be listened to. */
static int run_keeper(void) {
        int r;

        n_polls = 0;
        now = 1;
        r = keeper_run();
        assert_true(r < 0);
        if (n_polls == 0)
                return failure();
        if (mtu("v0") != 9000 || mtu(kept.name) != kept.mtu)
                fail_msg("after failure %u: left at %u, and %s at %u", fault.at, mtu("v0"), kept.name,
                         mtu(kept.name));
        return 0;
}

static bool fight(unsigned n) {
        if (n < 20 && mtu("v0") == 9000)
                set_mtu("v0", 1400);
        return n < 20;
}

static void prepare_fight(void) {
        prepare_kept();
        others = fight;
}

static int run_fight(void) {
        struct device_record record;
        struct link v0;
        int r = run_keeper();

        v0 = read_link("v0");
        assert_errno(device_record_read(&v0, &record), 0);
        assert_true(record.tally.count > 3 && record.tally.refused == 0);
        /* There are pauses. */
        assert_true(now > 5);
        return r;
}

static void prepare_refusal(void) {
        prepare_kept();
        keep("v0", 65536);
}

static int run_refusal(void) {
        const struct link v0 = read_link("v0");
        struct device_record record;

        n_polls = 0;
        now = 1;
        assert_true(keeper_run() < 0);
        assert_int_equal(mtu("v0"), 1400);
        assert_errno(device_record_read(&v0, &record), 0);
        assert_int_equal(record.tally.refused, 65536);
        return 0;
}

/* m0 has no room until somebody raises v0. */
static bool raise_lower(unsigned n) {
        if (n == 5)
                set_mtu("v0", 9000);
        return n < 5;
}

static void prepare_blocked(void) {
        prepare();
        keep("m0", 8000);
        others = raise_lower;
        clock_step = 0;
}

/* Somebody changes m0 each time, but for a while in which v0 has no room for it. */
static bool fight_above_sinking(unsigned n) {
        if (n == 20 || n == 30)
                set_mtu("v0", n == 20 ? 1400 : 9000);
        if ((n < 20 || n > 30) && n < 80 && mtu("m0") == 8000)
                set_mtu("m0", 1400);
        /* There are pauses, also where it is looked at again after a second. */
        assert_true(n < 79 || now > 3600);
        return n < 80;
}

static void prepare_fight_above_sinking(void) {
        prepare_blocked();
        set_mtu("v0", 9000);
        others = fight_above_sinking;
}

/* m0 has to wait for its next turn when v0, below it, has not. */
static bool fight_above(unsigned n) {
        if (n < 20 && mtu("m0") == 8000)
                set_mtu("m0", 1400);
        if (n == 20)
                set_mtu("v0", 1300);
        if (n == 22)
                assert_true(mtu("v0") == 9000 && mtu("m0") == 1300);
        return n <= 22;
}

static void prepare_fight_above(void) {
        prepare_kept();
        keep("m0", 8000);
        others = fight_above;
}

/* A command of setmtu is at work. */
static int held_lock = -1;

static bool release(unsigned n) {
        if (n == 4) {
                assert_int_equal(mtu("v0"), 1400);
                close(held_lock);
        }
        return n < 4;
}

static void prepare_locked(void) {
        prepare_kept();
        held_lock = change_lock_take(0);
        assert_true(held_lock >= 0);
        others = release;
}

/* It goes, and another one comes, with a unit of its own. */
static bool replace_device(unsigned n) {
        if (n == 2)
                set_mtu("d0", 1400);
        if (n == 3) {
                assert_int_equal(system("ip link del d0 && ip link add d0 mtu 1300 type veth peer name d1"),
                                 0);
                keep("d0", 1500);
        }
        return n < 5;
}

static void prepare_gone_kept(void) {
        prepare_kept();
        assert_int_equal(system("ip link del d0 2>/dev/null; ip link add d0 type veth peer name d1 && ip "
                                "link add link d0 name d2 type macvlan"),
                         0);
        keep("d0", 1500);
        others = replace_device;
}

/* Drivers --------------------------------------------------------------------------------------------------
 */

/* What no device here does. */
static const struct driver_row {
        const char *name;
        void (*prepare)(void);
        int (*run)(void);
        int error;        /* of each request */
        bool rounds;      /* to multiples of 1000, without an error */
        bool is_lost;     /* carried out, and not to be read back */
        const char *kind; /* of the device from then on */
        int up_error;
        const char *only; /* another device than v0 */
        bool has_manager;
        uint32_t upper;          /* the MTU of m0 in the end, for those who look */
        void (*meanwhile)(void); /* what another command does at that moment */
        uint32_t left;           /* the device's MTU in the end */
        const char *messages;    /* a pattern */
} * driver;

int __real_link_set_up(struct netlink_socket *socket, unsigned ifindex);
int __wrap_link_set_up(struct netlink_socket *socket, unsigned ifindex);

int __wrap_link_set_up(struct netlink_socket *socket, unsigned ifindex) {
        return driver && driver->up_error < 0 ? driver->up_error : __real_link_set_up(socket, ifindex);
}

int __real_link_set_mtu(struct netlink_socket *socket, const struct link *link, uint32_t mtu,
                        struct link *ret, bool *ret_is_lost);
int __wrap_link_set_mtu(struct netlink_socket *socket, const struct link *link, uint32_t mtu,
                        struct link *ret, bool *ret_is_lost);

int __wrap_link_set_mtu(struct netlink_socket *socket, const struct link *link, uint32_t mtu,
                        struct link *ret, bool *ret_is_lost) {
        int r;

        if (driver && driver->error < 0 && !driver->is_lost &&
            strcmp(link->name, driver->only ? driver->only : "v0") == 0) {
                *ret_is_lost = false;
                return driver->error;
        }
        if (driver && driver->meanwhile)
                driver->meanwhile();
        r = __real_link_set_mtu(socket, link, driver && driver->rounds ? mtu / 1000 * 1000 : mtu, ret,
                                ret_is_lost);
        if (driver && driver->kind)
                strcpy(ret->kind, driver->kind);
        if (!driver || !driver->is_lost)
                return r;
        *ret_is_lost = true;
        return driver->error;
}

static int run_restore_original(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        struct link link;

        assert_true(open_snapshot(&snapshot, &link));
        return change_restore_and_log(&snapshot, "v0", &link) ? 0 : failure();
}

static void prepare_applied(void) {
        struct mtu_change change;

        prepare();
        assert_true(apply(&change));
}

static void prepare_down(void) {
        struct ifreq request = { .ifr_name = "v0" };

        prepare();
        assert_int_equal(ioctl(device_socket, SIOCSIFFLAGS, &request), 0);
}

/* Of the device's record. */
static const char *path_of(const char *name) {
        static char path[64];
        char netns[DEVICE_IDENTITY_NETNS_SIZE];

        assert_errno(device_identity_netns(netns), 0);
        snprintf(path, sizeof(path), DEVICE_RECORD_DIRECTORY "/%s.%u", *netns ? netns : "0", index_of(name));
        return path;
}

/* Where the original MTU of v0 is kept. */
static const char *record_path(void) {
        return path_of("v0");
}

/* What stands on v0 cannot be looked at. */
static void prepare_trial_alone(void) {
        prepare_trial();
        assert_errno(whole_file_write_link(path_of("m0"), "NAME=m0\n"), 0);
        unreadable_link = path_of("m0");
}

static void prepare_damaged(void) {
        prepare();
        set_mtu("v0", 9000);
        assert_int_equal(whole_file_write_link(record_path(), "damaged\n"), 0);
}

/* No file can have its name. */
static void block_record(void) {
        (void)unlink(in_root(record_path()));
        assert_int_equal(mkdir(in_root(record_path()), 0755), 0);
}

static void configure(const char *text) {
        assert_true(whole_file_replace(CONFIG_FILE, text, strlen(text)) >= 0);
}

static void prepare_uneven(void) {
        prepare();
        configure("v0=9500\n");
}

static void prepare_blocked_lock(void) {
        prepare();
        assert_errno(whole_file_make_directories(CHANGE_LOCK_PATH "/x"), 0);
}

/* A line for what stands on it, too. */
static void prepare_both(void) {
        prepare();
        configure("v0=9000\nm0=8000\n");
}

/* The same, and m0 has fallen with v0, which is kept. */
static void prepare_kept_lower(const char *text) {
        prepare();
        configure(text);
        assert_int_equal(run_steps(), 0);
        assert_int_equal(mtu("m0"), 8000);
        keep("v0", 9000);
        set_mtu("v0", 1400);
        assert_int_equal(mtu("m0"), 1400);
        others = NULL;
}

static void prepare_kept_below_line(void) {
        prepare_kept_lower("v0=\"9000 keep\"\nm0=8000\n");
}

static void prepare_kept_below_masked(void) {
        prepare_kept_below_line();
        assert_errno(whole_file_make_directories("/etc/systemd/system/x"), 0);
        assert_true(symlink("/dev/null", in_root("/etc/systemd/system/setmtu@m0.service")) == 0 ||
                    errno == EEXIST);
}

/* Another MTU than that of its line, which somebody has given it on purpose. */
static void prepare_kept_below_other(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct device_record record = { .original = { .original = 1500, .set = 7000 } };

        prepare_kept_below_line();
        assert_int_equal(snapshot_take(&silent, &snapshot), 0);
        assert_errno(device_record_write(link_table_by_name(&snapshot.links, "m0"), DEVICE_RECORD_ORIGINAL,
                                         &record),
                     0);
}

static int run_keep(void) {
        n_polls = 0;
        now = 1;
        return keeper_run();
}

static int run_keep_lower(void) {
        int r = run_keep();

        (void)unlink(in_root("/etc/systemd/system/setmtu@m0.service"));
        assert_int_equal(mtu("m0"), driver->upper);
        return r;
}

/* m0, which is kept, on v0, which has room for it. */
static void prepare_kept_upper(void) {
        prepare();
        set_mtu("v0", 9000);
        keep("m0", 8000);
        others = NULL;
}

static void prepare_kept_uneven(void) {
        prepare_kept();
        keep("v0", 9500);
}

/* The trial has begun at 9500, and the driver makes 9000 of that. */
static void put_uneven_trial(const char *text, uint32_t upper) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct device_record fallen = { .lowered = { .before = upper, .lowered = 1400 } };
        struct trial_record record;
        struct link link;

        put_trial(false);
        configure(text);
        assert_true(open_snapshot(&snapshot, &link));
        assert_errno(trial_record_read(link.ifindex, &record), 0);
        record.before = 9500;
        record.tried = 1400;
        assert_errno(trial_record_write(&record), 0);
        set_mtu("v0", 1400);
        assert_errno(link_get_by_name(snapshot.socket, "m0", &link), 0);
        assert_errno(device_record_write(&link, DEVICE_RECORD_LOWERED, &fallen), 0);
}

static void prepare_uneven_trial(void) {
        put_uneven_trial("# nothing\n", 9300);
}

static void prepare_uneven_trial_below_line(void) {
        put_uneven_trial("m0=9300\n", 9300);
}

static int run_revert_lower(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };

        assert_int_equal(snapshot_open(&silent, &snapshot), 0);
        assert_false(revert_trial(&snapshot, index_of("v0")));
        assert_int_equal(mtu("m0"), driver->upper);
        return failure();
}

static void prepare_uneven_upper(void) {
        struct mtu_change change;

        prepare();
        set_mtu("v0", 9000);
        set_mtu("m0", 8500);
        configure("v0=4000\n");
        assert_true(apply(&change));
}

/* What the device had before the second change is not setmtu's any more. */
static int run_settle(void) {
        struct mtu_change change;

        configure("v0=8000\n");
        assert_true(apply(&change));
        return 0;
}

/* Less than a line can say. */
static int run_apply_tiny(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct config_line line = { .name = "v0", .spec.mtu = 67, .file = CONFIG_FILE, .line = 1 };
        struct mtu_change change;
        struct link link;

        assert_true(open_snapshot(&snapshot, &link));
        assert_false(apply_line(&snapshot, &line, &link, &change));
        return failure();
}

static int run_apply_plain(void) {
        struct mtu_change change;

        return apply(&change) ? 0 : failure();
}

/* As plan/step.h makes it for a port of a bond, which not every kernel here has. */
static int run_port(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct config_line port_line = { .name = "v0", .spec.mtu = 9000, .file = "f", .line = 1 };
        const struct config_line bond_line = { .name = "bond0", .spec.mtu = 4000, .file = "f", .line = 2 };
        const struct link bond = { .ifindex = 99, .name = "bond0", .kind = "bond", .mtu = 1500 };
        struct link port;
        struct step step = { .link = &port,
                             .line = &port_line,
                             .action = STEP_REFUSE,
                             .to = 9000,
                             .after = STEP_NONE,
                             .reason = STEP_SETTER_DISAGREES,
                             .other = &bond,
                             .other_line = &bond_line,
                             .other_mtu = 4000 };

        struct mtu_change result = { .result = MTU_CHANGE_NONE };
        struct change change = { .steps = { &step, 1 }, .results = &result };

        assert_true(open_snapshot(&snapshot, &port));
        change_carry_out(&snapshot, &change);
        assert_false(change_log(snapshot.socket, "", 0, &change));
        return failure();
}

static void prepare_other_kept(void) {
        prepare();
        keep("v0", 8000);
}

/* What was kept before is kept again. */
static int run_apply_kept(void) {
        const struct link link = read_link("v0");
        struct device_record record;
        int r = run_apply_plain();

        assert_errno(device_record_read(&link, &record), 0);
        assert_int_equal(record.kept.mtu, 8000);
        return r;
}

/* The port of a bridge. */
static void prepare_bridged(void) {
        prepare();
        assert_int_equal(system("ip link add b0 type bridge && ip link add b1 master b0 type veth peer name "
                                "b2"),
                         0);
}

static int run_apply_bridged(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        const struct config_line line = { .name = "b1", .spec.mtu = 9000 };
        struct mtu_change change;
        struct link link;

        assert_true(open_snapshot(&snapshot, &link));
        assert_errno(link_get_by_name(snapshot.socket, "b1", &link), 0);
        assert_false(apply_line(&snapshot, &line, &link, &change));
        assert_int_equal(system("ip link del b0; ip link del b1"), 0);
        return failure();
}

static void lower_device(void) {
        set_mtu("v0", 1400);
}

/* Somebody else has put m0 back before its turn comes. */
static void prepare_kept_both(void) {
        prepare_kept();
        set_mtu("m0", 1200);
        keep("m0", 1300);
}

static void raise_upper(void) {
        set_mtu("m0", 1300);
}

/* The device comes back with too little for what fell with it. */
static void prepare_sinking_trial(void) {
        struct trial_record record;

        put_uneven_trial("# nothing\n", 9300);
        assert_errno(trial_record_read(index_of("v0"), &record), 0);
        record.before = 1900;
        assert_errno(trial_record_write(&record), 0);
}

static const struct driver_row driver_rows[] = {
        { "does not come up", prepare_down, run_apply, .up_error = -EIO, .left = 9000,
          .messages = "*: v0: the MTU is set, but the link does not come up: Input/output error; *" },
        { "what stands on it does not rise", prepare_lower, run_restore, -EBUSY, .only = "m0", .left = 9000,
          .messages = "*: m0: MTU is still 4000: it could not be restored to 8000: *" },
        { "a trial that nothing would end", prepare, run_trial, .has_manager = true, .left = 1500,
          .messages = "*: v0: left as it is: the timer that would revert the MTU cannot be started: *" },
        { "a trial's end that systemd is not told", prepare_trial, run_revert, .has_manager = true,
          .left = 1500, .messages = "*: v0: MTU reverted to 1500, was 9000\n" },
        { "a trial that was being confirmed", prepare_confirmed, run_confirmed, .left = 9000,
          .messages = "*: v0: MTU 9000 was confirmed, and its line written*" },
        { "a trial that was about to be confirmed", prepare_unconfirmed, run_revert, .left = 1500,
          .messages = "*: v0: MTU reverted to 1500, was 9000\n" },
        { "a trial of a device that is gone", prepare_lost, run_revert_gone, .left = 1500,
          .messages = "*: v0: the device is gone from this network namespace, *" },
        { "refused, of a kept one", prepare_other_kept, run_apply_kept, -EINVAL, .left = 1500,
          .messages = "*: v0: 9000 was refused: Invalid argument; *" },
        { "of a damaged record", prepare_damaged, run_apply_plain, .left = 9000,
          .messages = "*: v0: the MTU from before could not be read from /run/setmtu or */n*: *" },
        { "of a port", prepare, run_port, .left = 1500,
          .messages = "*: v0: 9000 is not what bond0 gives to its ports, 4000; change f:2, or f:1, *" },
        { "tried, and neither read back nor put back", prepare, run_trial, -EBUSY, .is_lost = true,
          .left = 1500, .messages = "*: v0: MTU may be 9000 for now: *" },
        { "refused", prepare, run_apply, -EINVAL, .left = 1500,
          .messages = "*: v0: 9000 was refused: Invalid argument; /etc/conf.d/setmtu:1\n" },
        { "refused, and up", prepare, run_apply, -EBUSY, .left = 1500,
          .messages = "*: v0: 9000 was refused: Device or resource busy; this driver may want the link "
                      "down*" },
        { "not allowed", prepare, run_apply, -EPERM, .left = 1500, .messages = "*: v0: *CAP_NET_ADMIN*" },
        { "not allowed, in a bridge", prepare_bridged, run_apply_bridged, -EPERM, .only = "b1", .left = 1500,
          .messages = "*: b1: *CAP_NET_ADMIN*" },
        { "the device below has too little meanwhile", prepare_both, run_steps, .meanwhile = lower_device,
          .left = 1400,
          .messages = "*: m0: 8000 is more than the device below it carries: v0 has 1400; raise that one "
                      "first, or lower this value; /etc/conf.d/setmtu:2\n" },
        { "kept, and put back by somebody else meanwhile", prepare_kept_both, run_keep,
          .meanwhile = raise_upper, .left = 9000,
          .messages = "*: v0: MTU set to 9000, was 1400\n*: m0: MTU is 1300 already\n*" },
        { "a trial's end that is rounded too far", prepare_sinking_trial, run_revert_lower, .rounds = true,
          .left = 1000, .upper = 1000,
          .messages = "*: v0: the device set 1000 instead of 1900 without an error\n" },
        { "not read back", prepare, run_apply, -ENOBUFS, .is_lost = true, .left = 9000,
          .messages = "*: v0: it was to be set to 9000 and cannot be read back*still 1500*" },
        { "restore refused", prepare_applied, run_restore_original, -EBUSY, .left = 9000,
          .messages = "*: v0: MTU is still 9000: it could not be restored to 1500: Device or resource "
                      "busy\n" },
        { "restore not allowed", prepare_applied, run_restore_original, -EPERM, .left = 9000,
          .messages = "*: v0: *CAP_NET_ADMIN*" },
        { "restore not read back", prepare_applied, run_restore_original, -ENOBUFS, .is_lost = true,
          .left = 1500,
          .messages = "*: v0: it was to be restored to 1500 and cannot be read back*still 9000*" },
        { "restore rounded", prepare_applied, run_restore_original, .rounds = true, .left = 1000,
          .messages = "*: v0: the device set 1000 instead of 1500*" },
        { "kept, and refused", prepare_kept, run_keep, -EINVAL, .left = 1400,
          .messages = "*: v0: not set again any more; *setmtu@v0*" },
        { "kept, and memory is out", prepare_kept, run_keep, -ENOBUFS, .left = 1400,
          .messages = "*: v0: its MTU could not be set again; next*" },
        { "a trial's end, and what stands on it is not known", prepare_trial_alone, run_revert, .left = 1500,
          .messages = "*: v0: MTU reverted to 1500, was 9000\n*: v0: devices that stand on it could not be "
                      "looked at; they are not raised with it, and may have been lowered with it: "
                      "Input/output error\n" },
        { "too small", prepare, run_apply_tiny, .left = 1500,
          .messages = "*: v0: 67 is outside the range of this device (68 to 65535)*" },
        { "the lock cannot be had", prepare_blocked_lock, run_trial, .left = 1500,
          .messages = "*: /run/setmtu/lock: Is a directory\n" },
        { "rounded, and not recorded", prepare_uneven, run_apply_plain, .rounds = true,
          .meanwhile = block_record, .left = 9000,
          .messages = "*: v0: its MTU from before could not be kept in /run/setmtu: Bad message; *\n*: v0: "
                      "the device set 9000 instead of 9500*" },
        { "settled, and not recorded", prepare_applied, run_settle, .meanwhile = block_record, .left = 8000,
          .messages = "*: v0: its MTU from before could not be kept in /run/setmtu: *" },
        { "what comes first is refused", prepare_both, run_steps, -EINVAL, .left = 1500,
          .messages = "*: v0: 9000 was refused: *: m0: left at 1500: v0, which comes first, could not be "
                      "changed\n" },
        { "what stands on it is rounded", prepare_uneven_upper, run_restore, .rounds = true, .left = 9000,
          .messages = "*: m0: the device set 8000 instead of 8500*" },
        { "a trial's end that is rounded", prepare_uneven_trial, run_revert_lower, .rounds = true,
          .left = 9000, .upper = 9000,
          .messages = "*: v0: the device set 9000 instead of 9500 without an error\n*" },
        { "a trial's end that is rounded, below a line", prepare_uneven_trial_below_line, run_revert_lower,
          .rounds = true, .left = 9000, .upper = 1400,
          .messages = "*: v0: the device set 9000 instead of 9500 without an error\n" },
        { "kept, and rounded", prepare_kept_uneven, run_keep, .rounds = true, .left = 9000,
          .messages = "*: v0: the device set 9000 instead of 9500*: v0: its MTU could not be set again; *" },
        { "rounded by Open vSwitch", prepare_uneven, run_apply_plain, .rounds = true, .kind = "openvswitch",
          .left = 9000,
          .messages = "*: v0: the device set 9000 instead of 9500 without an error; to have Open vSwitch "
                      "hold it: ovs-vsctl set Interface v0 mtu_request=9500*" },
        { "set, until Open vSwitch sets it back", prepare, run_apply_plain, .kind = "openvswitch",
          .left = 9000,
          .messages = "*: v0: MTU set to 9000, was 1500; to have Open vSwitch hold it: ovs-vsctl set "
                      "Interface v0 mtu_request=9000*" },
        { "kept, and set back by Open vSwitch for the first time", prepare_kept_uneven, run_keep,
          .rounds = true, .kind = "openvswitch", .left = 9000,
          .messages = "*: v0: the device set 9000 instead of 9500*mtu_request=9500*" },
        { "kept, and nobody records who it was", prepare_kept, run_keep, .left = 9000,
          .messages = "*: who changes an MTU is not known: MTU changes *" },
        { "kept, above another one, and refused", prepare_kept_upper, run_keep, -EINVAL, .only = "m0",
          .left = 9000, .messages = "*: m0: not set again any more; *setmtu@m0*" },
        { "kept, below a line", prepare_kept_below_line, run_keep_lower, .left = 9000, .upper = 8000,
          .messages = "*: m0: MTU set to 8000, was 1400; *" },
        { "kept, below a masked unit", prepare_kept_below_masked, run_keep_lower, .left = 9000,
          .upper = 1400, .messages = "*: v0: MTU set to 9000, was 1400\n*" },
        { "kept, below another MTU on purpose", prepare_kept_below_other, run_keep_lower, .left = 9000,
          .upper = 1400, .messages = "*: v0: MTU set to 9000, was 1400\n*" },
        { "kept, and memory is out meanwhile", prepare_kept, run_keep, -ENOMEM, .left = 1400,
          .messages = "*: v0: its MTU could not be set again; *" },
        { "refused, above another one with room", prepare_both, run_steps, -ERANGE, .only = "m0",
          .left = 9000, .messages = "*: m0: 8000 was refused: Numerical result out of range; *" },
        { "busy, and down", prepare_down, run_apply, -EBUSY, .left = 1500,
          .messages = "*: v0: 9000 was refused: Device or resource busy; /etc/conf.d/setmtu:1\n" },
        { "kept, and busy", prepare_kept, run_keep, -EBUSY, .left = 1400,
          .messages = "*: v0: its MTU could not be set again; next attempt in 1 s\n*" },
};

static void test_driver(void **state) {
        const struct driver_row *row = *state;
        const char *text;

        row->prepare();
        listen_to_messages();
        driver = row;
        has_manager = row->has_manager;
        (void)row->run();
        has_manager = false;
        unreadable_link = NULL;
        driver = NULL;
        text = messages();
        if (fnmatch(row->messages, text, 0) != 0)
                fail_msg("%s", text);
        assert_int_equal(mtu("v0"), row->left);
}

#define OF_EACH_KIND(name, run, prepare)                                                      \
        { name ", memory", MEMORY, run, prepare }, { name ", files", FILES, run, prepare }, { \
                name ", sockets", SOCKETS, run, prepare                                       \
        }

/* Writes the rules instead of setmtu-configure. Either they are whole or that service does it. */
static int run_rules(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        CLEANUP(cleanup_free) char *text = NULL;
        int r = snapshot_take(&silent, &snapshot);

        if (r < 0 || snapshot.plan.config.is_partial ||
            !backends_write_rules(&snapshot.plan, &snapshot.links))
                return failure();
        r = whole_file_read(UDEV_RULES_PATH, 65536, &text, &(size_t){ 0 });
        if (r == 0)
                assert_non_null(strstr(text, "}=\"9000\""));
        return r;
}

/* There is another file to be written, which is that service's work. */
static int run_rules_and_others(void) {
        CLEANUP(snapshot_cleanup) struct snapshot snapshot = { 0 };
        static const char lines[] = "v0=9000 backend=link\nv1=9000\n";

        assert_true(whole_file_replace(CONFIG_FILE, lines, strlen(lines)) >= 0);
        assert_int_equal(snapshot_take(&silent, &snapshot), 0);
        assert_false(backends_write_rules(&snapshot.plan, &snapshot.links));
        assert_int_equal(whole_file_exists(UDEV_RULES_PATH), 0);
        return 0;
}

static const struct failing_row rows[] = {
        { "write the rules, memory", MEMORY, run_rules, prepare },
        { "write the rules, files", FILES, run_rules, prepare },
        { "write the rules, and others", NONE, run_rules_and_others, prepare },
        OF_EACH_KIND("a line", run_apply, prepare),
        { "a change that is not read back at first", NONE, run_unread_change, prepare },
        OF_EACH_KIND("restore", run_restore, prepare_lower),
        OF_EACH_KIND("all lines", run_steps, prepare),
        OF_EACH_KIND("begin a trial", run_trial, prepare),
        OF_EACH_KIND("revert a trial", run_revert, prepare_trial),
        { "end a trial, files", FILES, run_end, prepare_trial },
        OF_EACH_KIND("revert a trial of a device that is gone", run_revert_gone, prepare_lost),
        OF_EACH_KIND("lower for a trial", run_lowering, prepare_lowering),
        OF_EACH_KIND("forget gone devices", run_gone, prepare_gone),
        OF_EACH_KIND("keep", run_keeper, prepare_kept),
        { "keep, and somebody else keeps another one", NONE, run_fight, prepare_fight },
        { "keep what is refused", NONE, run_refusal, prepare_refusal },
        { "keep above a device that is too small", NONE, run_keeper, prepare_blocked },
        { "keep while a command is at work", NONE, run_keeper, prepare_locked },
        { "keep a device that goes", NONE, run_keeper, prepare_gone_kept },
        { "keep on a slow machine", SOCKETS, run_keeper, prepare_slow },
        { "keep against somebody else, above a device that is too small for a while", NONE, run_keeper,
          prepare_fight_above_sinking },
        { "keep two, and the upper one has to wait", NONE, run_keeper, prepare_fight_above },
};

int main(void) {
        int n;

        if (unshare(CLONE_NEWNET) < 0 || !make_devices()) {
                puts("skipped: no network namespace, or no devices in it");
                return 77;
        }
        n = make_root(NULL) == 0 ? RUN_ROWS("change_failures", test_failing_row, rows) +
                                                   RUN_ROWS("drivers", test_driver, driver_rows)
                                 : 1;
        return remove_root(NULL) == 0 ? n : 1;
}

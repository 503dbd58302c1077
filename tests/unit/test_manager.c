/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* src/systemd against a systemd that is none: a process of this test at the socket behind SETMTU_ROOT. A
 * unit's name says what becomes of its job. What the real one does is for tests/boot. */

#include "rows.h"
#include "scratch_root.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "bus/systemd_manager.h"

#define NAME "org.freedesktop.systemd1"
#define PATH "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"
#define JOBS_MAX 5000

/* The other side. Where something fails there, it ends, and the test loses its connection. */
struct fake {
        sd_bus *bus;
        const char *results[JOBS_MAX]; /* of the jobs, by number; NULL: it has ended */
        uint32_t n_jobs;
        bool has_subscribed;
        bool is_over;
};

static void must(int r) {
        if (r < 0)
                _exit(EXIT_FAILURE);
}

static int refuse(sd_bus_message *message, const char *error, const char *words) {
        return sd_bus_reply_method_errorf(message, error, "%s", words);
}

static void end_job(struct fake *fake, uint32_t number) {
        char path[64];

        snprintf(path, sizeof(path), PATH "/job/%u", number);
        must(sd_bus_emit_signal(fake->bus, PATH, INTERFACE, "JobRemoved", "uoss", number, path, "its.unit",
                                number < fake->n_jobs ? fake->results[number] : "failed"));
}

/* RESULT@….service, where the job is to end so, or another word. */
static int take_job(struct fake *fake, sd_bus_message *message) {
        static const char *const results[] = { "done", "skipped", "failed", "timeout", "dependency" };
        const char *unit, *mode;
        char path[64];
        uint32_t number = fake->n_jobs;

        must(sd_bus_message_read(message, "ss", &unit, &mode));
        if (strcmp(mode, "replace") != 0 || number == JOBS_MAX)
                _exit(EXIT_FAILURE);
        if (strncmp(unit, "unloaded@", 9) == 0)
                return refuse(message, NAME ".NoSuchUnit", "Unit unloaded@.service not loaded.");
        if (strncmp(unit, "masked@", 7) == 0)
                return refuse(message, NAME ".UnitMasked", "Unit masked@.service is masked.");
        if (strncmp(unit, "forbidden@", 10) == 0)
                return refuse(message, SD_BUS_ERROR_ACCESS_DENIED, "Interactive authentication required.");
        if (strncmp(unit, "crash@", 6) == 0)
                _exit(EXIT_SUCCESS);
        if (strncmp(unit, "after@", 6) == 0)
                end_job(fake, 0);
        if (strncmp(unit, "same@", 5) == 0)
                number--; /* it becomes one with the job before */
        else
                fake->n_jobs++;
        for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++)
                if (strncmp(unit, results[i], strlen(results[i])) == 0)
                        fake->results[number] = results[i];
        snprintf(path, sizeof(path), PATH "/job/%u", number);
        return sd_bus_reply_method_return(message, "o", path);
}

/* Writes down what StartTransientUnit was to make: the timer, the mode, the service, its command. */
static int take_timer(sd_bus_message *message) {
        const char *unit, *mode, *property;
        FILE *file = fopen(in_root("/timer"), "w");

        if (!file)
                _exit(EXIT_FAILURE);
        must(sd_bus_message_read(message, "ss", &unit, &mode));
        fprintf(file, "%s %s", unit, mode);
        must(sd_bus_message_skip(message, "a(sv)"));
        must(sd_bus_message_enter_container(message, 'a', "(sa(sv))"));
        must(sd_bus_message_enter_container(message, 'r', "sa(sv)"));
        must(sd_bus_message_read(message, "s", &unit));
        fprintf(file, " %s", unit);
        must(sd_bus_message_enter_container(message, 'a', "(sv)"));
        while (sd_bus_message_enter_container(message, 'r', "sv") > 0) {
                must(sd_bus_message_read(message, "s", &property));
                if (strcmp(property, "ExecStart") == 0) {
                        const char *argument;

                        must(sd_bus_message_enter_container(message, 'v', "a(sasb)"));
                        must(sd_bus_message_enter_container(message, 'a', "(sasb)"));
                        must(sd_bus_message_enter_container(message, 'r', "sasb"));
                        must(sd_bus_message_read(message, "s", &argument));
                        fprintf(file, " %s:", argument);
                        must(sd_bus_message_enter_container(message, 'a', "s"));
                        while (sd_bus_message_read(message, "s", &argument) > 0)
                                fprintf(file, " [%s]", argument);
                        break;
                }
                must(sd_bus_message_skip(message, "v"));
                must(sd_bus_message_exit_container(message));
        }
        fclose(file);
        if (strncmp(unit, "there.", 6) == 0)
                return refuse(message, NAME ".UnitExists", "Unit there.timer was already loaded.");
        return 0;
}

static int answer(sd_bus_message *message, void *userdata, sd_bus_error *error) {
        struct fake *fake = userdata;
        const char *member = sd_bus_message_get_member(message);

        (void)error;
        if (strcmp(member, "Subscribe") == 0) {
                if (fake->has_subscribed)
                        return refuse(message, NAME ".AlreadySubscribed", "Client is already subscribed.");
                fake->has_subscribed = true;
                return sd_bus_reply_method_return(message, NULL);
        }
        if (strcmp(member, "ResetFailedUnit") == 0)
                return refuse(message, NAME ".NoSuchUnit", "Unit is not loaded.");
        if (strcmp(member, "Reload") == 0)
                return refuse(message, SD_BUS_ERROR_LIMITS_EXCEEDED, "Reloads are coming too fast.");
        if (strcmp(member, "ListUnitsByPatterns") == 0)
                return sd_bus_reply_method_return(message, "a(ssssssouso)", 2, "a@1.service", "A", "loaded",
                                                  "active", "exited", "", "/a", 0, "", "/", "a@2.service",
                                                  "B", "loaded", "failed", "failed", "", "/b", 0, "", "/");
        if (strcmp(member, "Get") == 0)
                return sd_bus_reply_method_return(message, "v", "t", UINT64_C(1));
        if (strcmp(member, "StartTransientUnit") == 0) {
                int r = take_timer(message);

                if (r != 0)
                        return r;
                fake->results[fake->n_jobs++] = "done";
                return sd_bus_reply_method_return(message, "o", PATH "/job/0");
        }
        if (strcmp(member, "Disconnected") == 0) {
                fake->is_over = true;
                return 1;
        }
        return take_job(fake, message);
}

/* One connection. Once the other side is quiet, it waits for its jobs: they end, the last one first, between
 * those of others. */
static void serve(int connection) {
        struct fake fake = { .bus = NULL };
        sd_id128_t id = { .qwords = { 1, 2 } };

        must(sd_bus_new(&fake.bus));
        must(sd_bus_set_fd(fake.bus, connection, connection));
        must(sd_bus_set_server(fake.bus, 1, id));
        must(sd_bus_set_sender(fake.bus, NAME));
        must(sd_bus_add_filter(fake.bus, NULL, answer, &fake));
        must(sd_bus_start(fake.bus));
        while (!fake.is_over) {
                int r = sd_bus_process(fake.bus, NULL);

                must(r);
                if (r > 0)
                        continue;
                r = sd_bus_wait(fake.bus, 100000);
                must(r);
                if (r > 0)
                        continue;
                for (uint32_t i = fake.n_jobs; i-- > 0;)
                        if (fake.results[i]) {
                                end_job(&fake, JOBS_MAX + i);
                                end_job(&fake, i);
                                end_job(&fake, i); /* once more does not count */
                                fake.results[i] = NULL;
                        }
        }
}

static pid_t fake_pid;

static int begin(void **state) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

        if (listening < 0 || make_root(state) < 0 || whole_file_replace("/run/systemd/system/x", "", 0) < 0)
                return -1;
        snprintf(address.sun_path, sizeof(address.sun_path), "%s/run/systemd/private", scratch_root);
        if (bind(listening, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
            listen(listening, 1) < 0)
                return -1;
        fake_pid = fork();
        if (fake_pid == 0) {
                int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

                if (connection >= 0)
                        serve(connection);
                _exit(EXIT_SUCCESS);
        }
        close(listening);
        return fake_pid < 0 ? -1 : 0;
}

static int end(void **state) {
        kill(fake_pid, SIGKILL);
        waitpid(fake_pid, NULL, 0);
        return remove_root(state);
}

static struct bus *open_manager(void) {
        struct bus *manager = NULL;

        assert_errno(manager_open(&manager), 0);
        return manager;
}

static void test_is_here(void **state) {
        (void)state;
        assert_true(manager_is_here());
        assert_int_equal(unlink(in_root("/run/systemd/system/x")), 0);
        assert_int_equal(rmdir(in_root("/run/systemd/system")), 0);
        assert_false(manager_is_here());
        assert_int_equal(symlink("system", in_root("/run/systemd/system")), 0);
        assert_true(manager_is_here());
}

/* Not even where the machine's own systemd would. */
static void test_nobody_answers(void **state) {
        struct bus *manager;

        (void)state;
        kill(fake_pid, SIGKILL);
        waitpid(fake_pid, NULL, 0);
        assert_errno(manager_open(&manager), -ECONNREFUSED);
        assert_int_equal(unlink(in_root("/run/systemd/private")), 0);
        assert_errno(manager_open(&manager), -ENOENT);
}

static void test_jobs(void **state) {
        static const struct {
                const char *unit, *error_text;
                enum manager_verb verb;
                int error;
        } rows[] = {
                { "done@.service", "", MANAGER_RELOAD_OR_START, 0 },
                { "failed@.service", "its job ended with \"failed\"; see systemctl status 'failed@.service'",
                  MANAGER_RELOAD_OR_START, -ECANCELED },
                { "skipped@.service", "", MANAGER_RELOAD_OR_START, 0 },
                { "timeout@.service",
                  "its job ended with \"timeout\"; see systemctl status 'timeout@.service'", MANAGER_STOP,
                  -ECANCELED },
                { "same@.service", "its job ended with \"timeout\"; see systemctl status 'same@.service'",
                  MANAGER_STOP, -ECANCELED },
                { "same@.service", "its job ended with \"timeout\"; see systemctl status 'same@.service'",
                  MANAGER_STOP, -ECANCELED },
                { "unloaded@.service", "Unit unloaded@.service not loaded.", MANAGER_RELOAD_OR_START,
                  -ENOENT },
                { "unloaded@.service", "", MANAGER_STOP, 0 },
                { "masked@.service", "Unit masked@.service is masked.", MANAGER_RELOAD_OR_START, -ERFKILL },
                { "forbidden@.service", "Interactive authentication required.", MANAGER_STOP, -EACCES },
                { "done@2.service", "", MANAGER_RELOAD_OR_START, 0 },
        };
        enum { N = sizeof(rows) / sizeof(rows[0]) };
        struct manager_job jobs[N];
        struct bus *manager = open_manager();

        (void)state;
        /* The second time it is subscribed already. */
        for (int time = 0; time < 2; time++) {
                for (size_t i = 0; i < N; i++)
                        jobs[i] = (struct manager_job){ .unit = rows[i].unit, .verb = rows[i].verb };
                manager_run_jobs(manager, jobs, N);
                for (size_t i = 0; i < N; i++) {
                        assert_string_equal(jobs[i].error_text, rows[i].error_text);
                        assert_errno(jobs[i].error, rows[i].error);
                }
        }
        manager_run_jobs(manager, NULL, 0);
        bus_cleanup(&manager);
}

static void test_many_jobs(void **state) {
        struct manager_job *jobs = calloc(JOBS_MAX, sizeof(*jobs));
        struct bus *manager = open_manager();

        (void)state;
        assert_non_null(jobs);
        for (size_t i = 0; i < JOBS_MAX; i++)
                jobs[i] = (struct manager_job){ .unit = i == 7 ? "failed@.service" : "done@.service" };
        manager_run_jobs(manager, jobs, JOBS_MAX);
        for (size_t i = 0; i < JOBS_MAX; i++)
                assert_errno(jobs[i].error, i == 7 ? -ECANCELED : 0);
        free(jobs);
        bus_cleanup(&manager);
}

/* The first one ends, then systemd does. */
static void test_lost_connection(void **state) {
        struct manager_job jobs[] = { { .unit = "done@.service" },
                                      { .unit = "after@.service" },
                                      { .unit = "crash@.service" },
                                      { .unit = "done@3.service" } };
        struct bus *manager = open_manager();

        (void)state;
        manager_run_jobs(manager, jobs, 4);
        assert_errno(jobs[0].error, 0);
        for (size_t i = 1; i < 4; i++) {
                assert_errno(jobs[i].error, -ECONNRESET);
                assert_string_equal(jobs[i].error_text, strerror(ECONNRESET));
        }
        bus_cleanup(&manager);
}

static void test_reload(void **state) {
        struct bus *manager = open_manager();

        (void)state;
        assert_true(manager_reload(manager) < 0);
        assert_string_equal(bus_error_text(manager), "Reloads are coming too fast.");
        bus_cleanup(&manager);
}

static void test_list(void **state) {
        struct bus *manager = open_manager();
        struct unit_states states;

        (void)state;
        assert_errno(manager_list_units(manager, "a@*", &states), 0);
        assert_int_equal(states.n_items, 2);
        assert_string_equal(states.items[0].unit, "a@1.service");
        assert_string_equal(unit_states_find(&states, "a@1.service"), "active");
        assert_string_equal(unit_states_find(&states, "a@2.service"), "failed");
        assert_null(unit_states_find(&states, "a@3.service"));
        unit_states_cleanup(&states);
        bus_cleanup(&manager);
}

static void test_timer(void **state) {
        const char *const command[] = { "/bin/x", "", "a b\\x2d" };
        const char *const bytes[] = { "/bin/x", "\xff", "" };
        struct bus *manager = open_manager();
        char *text;
        size_t size;

        (void)state;
        assert_errno(manager_start_timer(manager, "x", "X", 1, bytes), -EINVAL);
        assert_true(manager_start_timer(manager, "there", "X", 1, command) < 0);
        assert_string_equal(bus_error_text(manager), "Unit there.timer was already loaded.");
        assert_errno(manager_start_timer(manager, "x", "X", 1, command), 0);
        assert_errno(whole_file_read("/timer", 1000, &text, &size), 0);
        assert_string_equal(text, "x.timer fail x.service /bin/x: [/bin/x] [] [a b\\x2d]");
        free(text);
        bus_cleanup(&manager);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_is_here, begin, end),
                cmocka_unit_test_setup_teardown(test_nobody_answers, begin, end),
                cmocka_unit_test_setup_teardown(test_jobs, begin, end),
                cmocka_unit_test_setup_teardown(test_many_jobs, begin, end),
                cmocka_unit_test_setup_teardown(test_lost_connection, begin, end),
                cmocka_unit_test_setup_teardown(test_reload, begin, end),
                cmocka_unit_test_setup_teardown(test_list, begin, end),
                cmocka_unit_test_setup_teardown(test_timer, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What parses, plans and keeps files, when memory is out or a file cannot be had. */

#include "failing_calls.h"

#include "base/cleanup.h"
#include "base/whole_file.h"
#include "config/config_edit.h"
#include "plan/contradictions.h"
#include "plan/step.h"
#include "store/change_lock.h"
#include "store/config_files.h"
#include "store/config_write.h"
#include "store/device_record.h"
#include "store/generated_files.h"
#include "store/load_plan.h"

static const char config_text[] =
                "# a mistake of each kind, and more lines than the first table takes\n"
                "a=9k\nb\nc=\"1500\n=1500\nSETMTU_X=1\nSETMTU_KEEP=perhaps\nd d=1500\n"
                "e0=9000\ne1=9000\ne2=9000\ne3=9000\ne4=9000\ne5=9000\ne6=9000\ne7=9000\n"
                "e8=9000\ne9=9000\ne0.5=4000\ne1.5=4000\nm0=8000\nx=\"1500 backend=link\"\n"
                "y=\"max backend=link\"\nusb0=1500\nz=max\nSETMTU_BACKEND=unit\n";
#define CONFIG_LINES 18 /* with this one */
static const char argument[] = "quiet setmtu=k0:9000,k1";

static unsigned n_mistakes;

static void count_mistake(void *userdata, const struct diagnostic *diagnostic) {
        (void)userdata;
        (void)diagnostic;
        n_mistakes++;
}

static const struct diagnostic_sink sink = { .report = count_mistake };

static void put(const char *path, const char *text) {
        assert_true(whole_file_replace(path, text, strlen(text)) >= 0);
}

static int parse(struct config *ret) {
        int r;

        *ret = (struct config){ 0 };
        r = config_parse_command_line(ret, "c", argument, strlen(argument), &sink);
        if (r == 0)
                r = config_parse_file(ret, "f", config_text, strlen(config_text), &sink);
        return r;
}

static int run_parse(void) {
        CLEANUP(config_free) struct config config, again;
        int r = parse(&config);

        again = (struct config){ 0 };
        if (r == 0)
                r = parse(&again);
        if (r < 0)
                return r;
        assert_int_equal(config.n_lines, CONFIG_LINES);
        assert_true(config_equals(&config, &again));
        again.lines[3].spec.mtu++;
        assert_false(config_equals(&config, &again));
        again.lines[3].spec.mtu--;
        again.lines[3].name[0]++;
        assert_false(config_equals(&config, &again));
        again.lines[3].name[0]--;
        again.keep = !again.keep;
        assert_false(config_equals(&config, &again));
        again.keep = config.keep;
        again.backend = BACKEND_LINK;
        assert_false(config_equals(&config, &again));
        again.backend = config.backend;
        again.n_lines--;
        assert_false(config_equals(&config, &again));
        assert_non_null(config_find(&config, "k0"));
        return 0;
}

static int run_edit(void) {
        CLEANUP(cleanup_free) char *set = NULL, *unset = NULL;
        const struct mtu_spec spec = { .mtu = 4000 };
        size_t size;
        int r = config_edit_set(config_text, strlen(config_text), "n0", &spec, &set, &size);

        if (r == 1)
                r = config_edit_unset(set, size, "n0", &unset, &size);
        if (r < 0)
                return r;
        assert_int_equal(r, 1);
        assert_string_equal(unset, config_text);
        return 0;
}

static const struct link links[] = {
        { .ifindex = 2, .name = "e0", .mtu = 1500, .mtu_min = 68, .mtu_max = 9000 },
        { .ifindex = 3, .name = "e1", .mtu = 9216, .mtu_min = 68, .mtu_max = 9216 },
        { .ifindex = 4, .name = "e1.5", .kind = "vlan", .mtu = 9216, .mtu_max = 65535, .lower_ifindex = 3 },
        { .ifindex = 5, .name = "m0", .kind = "macvlan", .mtu = 1500, .mtu_max = 65535, .lower_ifindex = 2 },
        { .ifindex = 6, .name = "m1", .kind = "macvlan", .mtu = 9216, .mtu_max = 65535, .lower_ifindex = 3 },
        { .ifindex = 7, .name = "z", .kind = "dummy", .mtu = 1500 },
        { .ifindex = 8, .name = "b", .kind = "bond", .mtu = 1500 },
        { .ifindex = 9, .name = "p0", .mtu = 1500, .controller_ifindex = 8 },
};

static int make_steps(const struct config *config, struct link_table *table,
                      struct device_statuses *statuses, struct steps *steps) {
        int r = 0;

        for (size_t i = 0; r == 0 && i < sizeof(links) / sizeof(links[0]); i++)
                r = link_table_add(table, &links[i]);
        for (unsigned i = 0; r == 0 && i < 3; i++)
                r = link_table_add_altname(table, 7 - i, (const char *[]){ "usb0", "lan0", "lan1" }[i]);
        if (r < 0)
                return r;
        link_table_sort(table);
        r = device_statuses_make(config, table, statuses);
        return r < 0 ? r : steps_make(statuses, table, NULL, 0, steps);
}

static int run_steps(void) {
        CLEANUP(config_free) struct config config;
        CLEANUP(link_table_free) struct link_table table = { 0 };
        CLEANUP(device_statuses_free) struct device_statuses statuses = { 0 };
        CLEANUP(steps_free) struct steps steps = { 0 };
        int r = parse(&config);

        if (r == 0)
                r = make_steps(&config, &table, &statuses, &steps);
        if (r < 0) {
                assert_null(steps.items);
                return r;
        }
        assert_int_equal(steps.n_items, CONFIG_LINES); /* usb0 is z, and m1 falls */
        return 0;
}

static void prepare_plan(void) {
        put(CONFIG_FILE, "e0=9000\n");
        put(CONFIG_DIRECTORY "/10-a.conf", "e1=9000\n");
        put("/proc/cmdline", "setmtu=e2:9000\n");
        put(CONFIG_DIRECTORY_VENDOR "/20-b.conf", "e3=9000\n");
        put(CONFIG_DIRECTORY_RUN "/20-c.conf", "e4=9000\n");
}

/* Not all that is there, and not a word, is what must not be. */
static int run_plan(void) {
        struct plan plan;
        int r;

        n_mistakes = 0;
        r = load_plan(&sink, &plan);
        if (r < 0)
                return r;
        assert_true(plan.config.is_partial ? n_mistakes > 0 : plan.n_devices == 5);
        r = plan.config.is_partial ? -EIO : 0;
        plan_free(&plan);
        return r;
}

static const struct link device = { .ifindex = 7, .name = "e0", .mtu = 4000 };

static int count_record(void *userdata, unsigned ifindex) {
        assert_int_equal(ifindex, device.ifindex);
        ++*(unsigned *)userdata;
        return 0;
}

/* What has nearly the name of a record is none. */
static void prepare_records(void) {
        static const char *const names[][2] = {
                { "", ".07" }, { "", ".7x" }, { "", "." }, { "x", ".7" }, { "", ".9999999999999" },
                { "", "7" },
        };
        char netns[DEVICE_IDENTITY_NETNS_SIZE];

        assert_errno(device_identity_netns(netns), 0);
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
                char path[96];

                snprintf(path, sizeof(path), DEVICE_RECORD_DIRECTORY "/%s%s%s", names[i][0],
                         *netns ? netns : "0", names[i][1]);
                put(path, "NAME=a\n");
        }
}

static int run_records(void) {
        const struct device_record record = {
                .original = { .original = 1500, .set = 9000 },
                .lowered = { .before = 9000, .lowered = 4000 },
                .kept.mtu = 9000,
                .tally.count = 3,
        };
        struct trial_record trial = { .ifindex = device.ifindex,
                                      .name = "e0",
                                      .id = 5,
                                      .spec.mtu = 9000,
                                      .former = { .original = 1500, .set = 4000 } };
        struct lowered_mtu lowered;
        struct device_record now;
        unsigned n = 0;
        int r = device_record_write(&device, DEVICE_RECORD_ALL, &record);

        device_identity_of(&device, &trial.device);
        if (r == 0)
                r = trial_record_write(&trial);
        if (r == 0)
                r = device_record_read(&device, &now);
        if (r == 0)
                r = lowered_mtu_read(&device, &lowered);
        if (r == 0)
                r = trial_record_read(device.ifindex, &trial);
        if (r == 0)
                r = device_record_each(count_record, &n);
        if (r < 0)
                return r;
        assert_int_equal(n, 1);
        assert_int_equal(now.original.original, 1500);
        assert_int_equal(now.lowered.before, 9000);
        assert_int_equal(lowered.before, 9000);
        assert_int_equal(now.kept.mtu, 9000);
        assert_int_equal(now.tally.count, 3);
        assert_true(trial.former.original == 1500 && trial.former.set == 4000);
        return device_record_remove(device.ifindex, DEVICE_RECORD_KEPT);
}

static int run_removal(void) {
        return device_record_remove(device.ifindex, DEVICE_RECORD_ALL);
}

static void prepare_udev(void) {
        char netns[DEVICE_IDENTITY_NETNS_SIZE], text[128];

        device_identity_netns(netns);
        snprintf(text, sizeof(text), "E:SETMTU_MTU=9000\nE:SETMTU_ORIGINAL_MTU=1500\nE:SETMTU_NETNS=%s\n",
                 netns);
        put("/run/udev/data/n7", text);
}

static int run_udev(void) {
        uint32_t original, set;
        int r = original_mtu_from_udev(&device, &original, &set);

        if (r == 0)
                assert_true(original == 1500 && set == 9000);
        return r;
}

/* Where the file system has such attributes. */
static void prepare_write(void) {
        put(CONFIG_FILE, "old");
        (void)setxattr(in_root(CONFIG_FILE), "user.setmtu", "a", 1, 0);
        (void)setxattr(in_root(CONFIG_FILE), "security.ima", "a", 1, 0);
}

static int run_write(void) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        CLEANUP(cleanup_free) char *now = NULL;
        const char *text;
        size_t size, now_size;
        enum failing_kind kind;
        int r = config_write_open(CONFIG_FILE, &write, &text, &size);

        if (r == 0)
                r = config_write_replace(write, "new", 3);
        kind = failing_pause();
        assert_errno(whole_file_read(CONFIG_FILE, 100, &now, &now_size), 0);
        assert_string_equal(now, r < 0 ? "old" : "new");
        assert_int_not_equal(access(in_root("/etc/conf.d/.setmtu.new"), F_OK), 0);
        failing_resume(kind);
        return r == 1 ? -EIO : r; /* it could not be made sure of */
}

static void prepare_first_write(void) {
        (void)nftw(in_root("/etc/new"), scratch_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int run_first_write(void) {
        CLEANUP(config_write_cleanup) struct config_write *write = NULL;
        const char *text;
        size_t size;
        int r = config_write_open("/etc/new/directory/setmtu", &write, &text, &size);

        if (r == 0)
                r = config_write_replace(write, "new", 3);
        return r == 1 ? -EIO : r;
}

static const struct generated_kind kind = {
        .directory = "/run/x",
        .places = { { .directory = "/run/x", .suffix = ".link" },
                    { .directory = "/run/y", .suffix = ".d", .below = "setmtu.conf" } }
};

static void prepare_generated(void) {
        put("/run/x/a.link", "# Written by setmtu-configure for a from f:1\nMTU=1\n");
        put("/run/x/c.link", "# Written by setmtu-configure for a/b from f:1\nMTU=1\n");
        put("/run/x/other.link", "MTU=1\n");
        /* A directory that goes with its file, and one where others have something. */
        put("/run/y/a.d/setmtu.conf", "# Written by setmtu-configure for a from f:1\nMTU=1\nMTU=3\n");
        put("/run/y/b.d/setmtu.conf", "# Written by setmtu-configure from f\n");
        put("/run/y/b.d/other.conf", "MTU=1\n");
        (void)unlink(in_root("/run/x/linked.link"));
        assert_int_equal(symlink("a.link", in_root("/run/x/linked.link")), 0);
        (void)whole_file_remove("/run/x/b.link");
}

static int generate(struct generated_files *wanted, struct generated_files *before) {
        const struct config_line line = { .name = "b", .file = "f", .line = 2 };
        FILE *stream;
        int r;

        n_mistakes = 0;
        r = generated_files_read(before, &kind, &sink);
        if (r < 0)
                return r;
        assert_true(before->n_items == 4 || n_mistakes > 0);
        stream = generated_files_begin(wanted, &kind, "/run/x/b.link", &line);
        if (!stream)
                return -ENOMEM;
        fputs("\nMTU=2\n", stream);
        r = generated_files_end(wanted, stream);
        if (r < 0)
                return r;
        return generated_files_save(wanted, before, n_mistakes == 0) && n_mistakes == 0 ? 0 : -EIO;
}

static int run_patterns(void) {
        static const char text[] = "e*=9000\n?1=1500\ne*=4000\nm*=8000\n*5=1400\np*=1400\n";
        CLEANUP(config_free) struct config config = { 0 };
        CLEANUP(link_table_free) struct link_table table = { 0 };
        CLEANUP(device_statuses_free) struct device_statuses statuses = { 0 };
        CLEANUP(steps_free) struct steps steps = { 0 };
        int r = config_parse_file(&config, "f", text, strlen(text), &sink);

        if (r == 0)
                r = make_steps(&config, &table, &statuses, &steps);
        if (r < 0)
                return r;
        assert_int_equal(statuses.n_items, table.n_links);
        assert_int_equal(statuses.items[1].wanted, 4000);
        assert_string_equal(statuses.items[1].line->name, "e1");
        assert_int_equal(statuses.items[1].line->line, 3);
        assert_null(statuses.items[5].line);
        assert_null(statuses.items[7].line); /* a port */
        return 0;
}

static int run_generated(void) {
        char text[16];
        CLEANUP(generated_files_free) struct generated_files wanted = { 0 }, before = { 0 };
        int r = generate(&wanted, &before);
        enum failing_kind faulty = failing_pause();

        assert_int_equal(access(in_root("/run/x/other.link"), F_OK), 0);
        assert_int_equal(access(in_root("/run/y/b.d/other.conf"), F_OK), 0);
        assert_true(readlink(in_root("/run/x/linked.link"), text, sizeof(text)) > 0);
        if (r == 0) {
                assert_int_equal(access(in_root("/run/x/b.link"), F_OK), 0);
                assert_int_not_equal(access(in_root("/run/x/a.link"), F_OK), 0);
                assert_int_not_equal(access(in_root("/run/y/a.d"), F_OK), 0);
                assert_int_not_equal(access(in_root("/run/y/b.d/setmtu.conf"), F_OK), 0);
        }
        failing_resume(faulty);
        return r;
}

static int run_lock(void) {
        CLEANUP(cleanup_close) int fd = change_lock_take(0);

        return fd < 0 ? fd : 0;
}

static const struct failing_row rows[] = {
        { "parse, memory", MEMORY, run_parse, NULL },
        { "edit, memory", MEMORY, run_edit, NULL },
        { "steps, memory", MEMORY, run_steps, NULL },
        { "patterns, memory", MEMORY, run_patterns, NULL },
        { "plan, memory", MEMORY, run_plan, prepare_plan },
        { "plan, files", FILES, run_plan, prepare_plan },
        { "records, memory", MEMORY, run_records, prepare_records },
        { "records, files", FILES, run_records, prepare_records },
        { "removal, files", FILES, run_removal, NULL },
        { "udev, memory", MEMORY, run_udev, prepare_udev },
        { "udev, files", FILES, run_udev, prepare_udev },
        { "write, memory", MEMORY, run_write, prepare_write },
        { "write, files", FILES, run_write, prepare_write },
        { "first write, memory", MEMORY, run_first_write, prepare_first_write },
        { "first write, files", FILES, run_first_write, prepare_first_write },
        { "generated files, memory", MEMORY, run_generated, prepare_generated },
        { "generated files, files", FILES, run_generated, prepare_generated },
        { "lock, files", FILES, run_lock, NULL },
};

int main(void) {
        int n = make_root(NULL) == 0 ? RUN_ROWS("failures", test_failing_row, rows) : 1;

        return remove_root(NULL) == 0 ? n : 1;
}

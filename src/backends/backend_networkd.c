/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Backends link, network and networkd (link or network, whichever fits): files in /run/systemd/network. */

#include "backends/backend_networkd.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backends/backend.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/process.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "system/network_files.h"
#include "system/unit_state.h"

/* Prefix of the .link files' names; the MTU follows. */
#define LINK_PREFIX "05-setmtu-"
#define DROP_IN "50-setmtu.conf"
#define NAMES_KEY "\nOriginalName="
#define MTU_KEY "\nMTUBytes="
#define COMMAND_LINE "/proc/cmdline"

/* Which files: no I/O --------------------------------------------------------------------------------- */

void network_choice_free(struct network_choice *choice) {
        free(choice->copies);
        *choice = (struct network_choice){ 0 };
}

/* The udev property with the name for the next policy of NamePolicy=; NULL: no more policies. `*rest` starts
 * as the value (link_generate_new_name() in systemd's src/udev/net/link-config.c). */
static const char *next_policy(const char **rest) {
        static const struct {
                const char *name;
                const char *property;
        } policies[] = {
                { "database", "ID_NET_NAME_FROM_DATABASE" },
                { "onboard", "ID_NET_NAME_ONBOARD" },
                { "slot", "ID_NET_NAME_SLOT" },
                { "path", "ID_NET_NAME_PATH" },
                { "mac", "ID_NET_NAME_MAC" },
        };

        while (**rest) {
                const char *word = *rest + strspn(*rest, " \t");
                size_t size = strcspn(word, " \t");

                *rest = word + size;
                for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
                        if (strlen(policies[i].name) == size && memcmp(policies[i].name, word, size) == 0)
                                return policies[i].property;
        }
        return NULL;
}

/* Whether the kernel numbers devices with such names, so that a device may have the name only until udev
 * renames it. Virtual devices keep their names. */
static bool is_counted_name(const char *name) {
        static const char *const prefixes[] = { "eth", "wlan", "wwan", "usb", "ib", "can", "rmnet", "wpan" };

        for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
                size_t length = strlen(prefixes[i]);

                if (strncmp(name, prefixes[i], length) == 0 && name[length] &&
                    strspn(name + length, "0123456789") == strlen(name + length))
                        return true;
        }
        return false;
}

static bool has_naming_policy(const struct network_file *file) {
        const char *policies = network_file_get(file, "Link", "NamePolicy");

        return policies && next_policy(&policies);
}

/* Adds the copies of one file. Together they match each device of this name that the file would match. */
static void add_copies(struct network_choice *choice, const struct network_file *file,
                       const struct device_plan *device, bool has_name_policies) {
        const char *fixed = network_file_get(file, "Link", "Name"), *name = device->line->name;
        bool is_counted = is_counted_name(name), gets_other = fixed && *fixed && strcmp(fixed, name) != 0;
        bool may_get_other = has_name_policies && has_naming_policy(file);

        if (!is_counted || (!gets_other && !may_get_other)) {
                choice->copies[choice->n_copies++] = (struct link_copy){ device, file, LINK_COPY_ALWAYS };
                return;
        }
        choice->copies[choice->n_copies++] = (struct link_copy){ device, file, LINK_COPY_MOVED };
        if (!gets_other)
                choice->copies[choice->n_copies++] = (struct link_copy){ device, file, LINK_COPY_UNNAMED };
        choice->copies[choice->n_copies++] = (struct link_copy){ device, file, LINK_COPY_PASSING };
}

/* Why a list of names in a .link file cannot contain the name (see is_interface_name() in
 * system/systemd_ini.c), or would read it as a pattern; NULL: it can. */
static const char *link_name_fault(const char *name) {
        if (strpbrk(name, "*?[]\\\"'!%"))
                return "a character that is special there";
        for (const char *c = name; *c; c++)
                if ((unsigned char)*c >= 0x7f)
                        return "a character outside ASCII";
        if (strspn(name, "0123456789") == strlen(name))
                return "nothing but digits";
        if (text_is_among(name, "all default"))
                return "a word that is special there";
        return NULL;
}

static int choose_link(const struct device_plan *device, const struct network_surroundings *surroundings,
                       const struct diagnostic_sink *sink, struct network_choice *ret) {
        const struct config_line *line = device->line;
        const char *fault = link_name_fault(line->name);
        char first[sizeof(LINK_PREFIX "4294967295:")];
        struct network_choice choice = { 0 };
        bool is_caught = false;

        if (fault) {
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "a .link file cannot name this device: its name has %s; use backend=unit",
                            fault);
                *ret = choice;
                return 0;
        }
        snprintf(first, sizeof(first), LINK_PREFIX "%u:", line->spec.mtu);
        choice.copies = calloc(3 * surroundings->links.n_items + 1, sizeof(*choice.copies));
        if (!choice.copies)
                return -ENOMEM;
        for (size_t i = 0; i < surroundings->links.n_items && !is_caught; i++) {
                const struct network_file *file = &surroundings->links.items[i];
                bool has_list;

                if (!network_file_has_match(file) ||
                    !network_file_match_name(file, "OriginalName", line->name, &has_list))
                        continue;
                if (strcmp(file->name, first) < 0) {
                        if (has_list)
                                plan_report(sink, DIAGNOSTIC_WARNING, line,
                                            "%s sorts before setmtu's .link files and wins where it "
                                            "matches; rename it to 10-NAME.link, or set its MTUBytes=",
                                            file->path);
                        continue;
                }
                add_copies(&choice, file, device, surroundings->has_name_policies);
                is_caught = !network_file_has_match_besides(file, "OriginalName");
        }
        if (!is_caught)
                choice.copies[choice.n_copies++] = (struct link_copy){ device, NULL, LINK_COPY_ALWAYS };
        else if (choice.copies[choice.n_copies - 1].when == LINK_COPY_PASSING)
                choice.n_copies--; /* the file itself matches next */
        *ret = choice;
        return 0;
}

/* The .network file that applies to the device, judged by the name alone; NULL: none. */
static const struct network_file *network_in_effect(const struct network_files *networks, const char *name) {
        bool has_list;

        for (size_t i = 0; i < networks->n_items; i++)
                if (network_file_has_match(&networks->items[i]) &&
                    network_file_match_name(&networks->items[i], "Name", name, &has_list))
                        return &networks->items[i];
        return NULL;
}

int network_choice_make(const struct device_plan *device, const struct network_surroundings *surroundings,
                        const struct diagnostic_sink *sink, struct network_choice *ret) {
        const struct config_line *line = device->line;
        const struct network_file *file = NULL;
        struct network_choice choice = { 0 };
        bool is_own;

        if (device->backend == BACKEND_LINK)
                return choose_link(device, surroundings, sink, ret);
        if (device->backend == BACKEND_AUTO) {
                /* The unit sets the MTU. If the file does not apply after all, for example because netplan
                 * also matches the MAC address, the drop-in does not either. */
                choice.network = network_files_find_own(&surroundings->networks, line->name);
                *ret = choice;
                return 0;
        }

        file = network_in_effect(&surroundings->networks, line->name);
        is_own = file && network_file_names_only(file, "Name", line->name) &&
                 !network_file_is_true(file, "Link", "Unmanaged");
        if (device->backend == BACKEND_NETWORKD && (!is_own || network_file_has_match_besides(file, "Name")))
                return choose_link(device, surroundings, sink, ret);

        if (is_own)
                choice.network = file;
        else if (!file)
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "no .network file applies to it; use backend=link");
        else if (network_file_is_true(file, "Link", "Unmanaged"))
                plan_report(sink, DIAGNOSTIC_ERROR, line, "%s leaves it unmanaged; use backend=link",
                            file->path);
        else
                plan_report(sink, DIAGNOSTIC_ERROR, line,
                            "%s is not for this device alone, and would set the MTU of others too; use "
                            "backend=link",
                            file->path);
        *ret = choice;
        return 0;
}

/* Writes all settings of the file and its drop-ins but OriginalName=, in systemd's reading order. */
static void write_settings(const struct network_file *file, FILE *stream) {
        unsigned section = 0;

        for (size_t i = 0; i < file->n_settings; i++) {
                const struct network_setting *setting = &file->settings[i];

                /* In other sections it has no meaning. */
                if (strcmp(setting->key, "OriginalName") == 0)
                        continue;
                if (setting->section != section)
                        fprintf(stream, "\n[%s]\n", setting->header);
                section = setting->section;
                /* A backslash at the end of a line would join the next line; before a space it does not. */
                fprintf(stream, "%s=%s%s\n", setting->key, setting->value,
                        text_ends_in(setting->value, "\\") ? " " : "");
        }
}

/* Matches only devices for which none of the file's policies has a name. */
static void write_unnamed(const struct network_file *file, FILE *stream) {
        const char *policies = network_file_get(file, "Link", "NamePolicy"), *property;

        while (policies && (property = next_policy(&policies)))
                fprintf(stream, "Property=!%s=?*\n", property);
}

/* Several assignments make one list; systemd takes no line of more than 1 MiB. */
static void write_names(const struct link_copy *copies, size_t n, FILE *stream) {
        const size_t width = 100;
        size_t used = 0;

        for (size_t i = 0; i < n; i++) {
                const char *name = copies[i].device->line->name;
                bool is_first = used == 0 || used + strlen(" ") + strlen(name) > width;
                int size = fprintf(stream, "%s%s", is_first ? NAMES_KEY : " ", name);

                used = (is_first ? 0 : used) + (size_t)(size > 0 ? size : 0);
        }
        fputc('\n', stream);
}

void link_copies_write(const struct link_copy *copies, size_t n, FILE *stream) {
        const struct network_file *file = copies->file;
        enum link_copy_when when = copies->when;

        if (!file)
                fputs("# No other .link file applies.\n", stream);
        else if (when == LINK_COPY_PASSING)
                fprintf(stream, "# As %s, for others that have these names until they are renamed.\n",
                        file->path);
        else
                fprintf(stream, "# As %s with an MTU.\n", file->path);
        if (file)
                write_settings(file, stream);

        fputs("\n[Match]", stream);
        write_names(copies, n, stream);
        if (when == LINK_COPY_MOVED)
                fputs("Property=ACTION=move\n", stream);
        if (when == LINK_COPY_UNNAMED)
                write_unnamed(file, stream);
        if (when != LINK_COPY_PASSING)
                fprintf(stream, "\n[Link]" MTU_KEY "%u\n", copies->device->line->spec.mtu);
}

/* The files on this machine -------------------------------------------------------------------------- */

/* Whether udev names devices by policy: not with net.ifnames=0 on the kernel command line
 * (enable_name_policy() in systemd's src/udev/net/link-config.c). 1, 0, or a negative errno. */
static int has_name_policies(void) {
        static const char *const no[] = { "0", "no", "n", "false", "f", "off" };
        CLEANUP(cleanup_free) char *text = NULL;
        bool is_enabled = true;
        char *rest, *word;
        size_t size;
        int r = whole_file_read(COMMAND_LINE, 64 * 1024, &text, &size);

        if (r < 0)
                return r == -ENOENT ? 1 : r;
        rest = text;
        while ((word = strsep(&rest, " \t\n"))) {
                const char *value = text_after(word, "net.ifnames=");

                is_enabled |= value != NULL;
                for (size_t i = 0; value && i < sizeof(no) / sizeof(no[0]); i++)
                        is_enabled = is_enabled && strcasecmp(value, no[i]) != 0;
        }
        return is_enabled;
}

static bool has_backend(const struct plan *plan, enum backend backend) {
        for (size_t i = 0; i < plan->n_devices; i++)
                if (plan->devices[i].backend == backend)
                        return true;
        return false;
}

static int read_links(const struct rendering *rendering, struct network_surroundings *ret) {
        int r = network_files_read(NETWORK_FILE_LINK, rendering->sink, &ret->links);

        if (r < 0)
                return r;
        r = has_name_policies();
        if (r < 0 && r != -ENOMEM)
                (void)backend_report_unread(rendering, COMMAND_LINE, r);
        ret->has_name_policies = r > 0;
        return r < 0 ? r : 0;
}

/* Reads only what the plan's devices need: the boot waits. Errors other than -ENOMEM are reported. */
static int look_around(const struct rendering *rendering, struct network_surroundings *ret) {
        const struct plan *plan = rendering->plan;
        bool is_either = has_backend(plan, BACKEND_NETWORKD);
        int r = 0;

        if (is_either || has_backend(plan, BACKEND_LINK))
                r = read_links(rendering, ret);
        if (r < 0)
                return r;
        if (!is_either && !has_backend(plan, BACKEND_NETWORK)) {
                r = has_backend(plan, BACKEND_AUTO) ? unit_is_installed("systemd-networkd.service") : 0;
                if (r < 0)
                        (void)backend_report_unread(rendering, "systemd-networkd.service", r);
                if (r <= 0)
                        return r;
        }
        return network_files_read(NETWORK_FILE_NETWORK, rendering->sink, &ret->networks);
}

/* Whether the path in NETWORK_FILE_FOLDER may be written and no file hides it; reports it if not. */
static bool is_free_and_seen(const struct rendering *rendering, const struct device_plan *device,
                             const char *path) {
        const char *below = path + strlen(NETWORK_FILE_FOLDER "/"), *folder;
        int r = network_files_hiding(below, &folder);
        char hiding[PATH_MAX];

        snprintf(hiding, sizeof(hiding), "%s/%s", r != 0 ? folder : "", below);
        if (r < 0)
                return backend_report_unread(rendering, hiding, r);
        return !backend_is_hidden(rendering, device, r > 0 ? hiding : NULL, path) &&
               backend_is_free(rendering, device, path);
}

static int render_drop_in(const struct rendering *rendering, const struct device_plan *device,
                          const struct network_file *network) {
        char path[PATH_MAX];
        FILE *stream;

        snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s.d/" DROP_IN, network->name);
        if (!is_free_and_seen(rendering, device, path))
                return 0;
        stream = generated_files_begin(rendering->files, &backend_networkd.files, path, device->line);
        if (!stream)
                return -ENOMEM;
        fprintf(stream, "\n\n[Link]" MTU_KEY "%u\n", device->line->spec.mtu);
        return generated_files_end(rendering->files, stream);
}

#define LINK_PATH_SIZE sizeof(NETWORK_FILE_FOLDER "/" LINK_PREFIX "4294967295:4294967295.link")

/* The path of the copy with this index of n. The numbers have one width: files sort by name. */
static void link_path(char path[static LINK_PATH_SIZE], uint32_t mtu, size_t index, size_t n) {
        int width = 2;

        for (size_t limit = 100; limit <= n; limit *= 10)
                width++;
        if (n == 1)
                snprintf(path, LINK_PATH_SIZE, NETWORK_FILE_FOLDER "/" LINK_PREFIX "%u" NETWORK_FILE_LINK,
                         mtu);
        else
                snprintf(path, LINK_PATH_SIZE,
                         NETWORK_FILE_FOLDER "/" LINK_PREFIX "%u:%0*u" NETWORK_FILE_LINK, mtu, width,
                         (unsigned)index + 1);
}

static uint32_t mtu_of(const struct link_copy *copy) {
        return copy->device->line->spec.mtu;
}

/* Orders copies by MTU, and those of one MTU as systemd has to try them. What they are copies of is in one
 * array. 0 if they belong in one file. */
static int compare_files(const struct link_copy *a, const struct link_copy *b) {
        if (mtu_of(a) != mtu_of(b))
                return mtu_of(a) < mtu_of(b) ? -1 : 1;
        if (a->file != b->file)
                return !b->file || (a->file && a->file < b->file) ? -1 : 1;
        return (int)a->when - (int)b->when;
}

static int in_order(const void *a, const void *b) {
        const struct link_copy *x = a, *y = b;
        int order = compare_files(x, y);

        return order != 0 ? order : x->device < y->device ? -1 : x->device > y->device;
}

/* A .link file of setmtu: copies that differ in the device only. */
struct link_file {
        char path[LINK_PATH_SIZE];
        struct link_copy *copies;
        size_t n_copies;
};

struct link_files {
        struct link_file *items;
        size_t n_items;
};

static void link_files_cleanup(struct link_files *files) {
        free(files->items);
}

/* Sorts the copies into files. -ENOMEM. */
static int find_files(struct link_copy *copies, size_t n_copies, struct link_files *ret) {
        if (n_copies > 0)
                qsort(copies, n_copies, sizeof(*copies), in_order);
        for (size_t i = 0; i < n_copies; i++) {
                if (i == 0 || compare_files(&copies[i - 1], &copies[i]) != 0) {
                        struct link_file *file = array_add(&ret->items, &ret->n_items, sizeof(*file));

                        if (!file)
                                return -ENOMEM;
                        *file = (struct link_file){ .copies = &copies[i] };
                }
                ret->items[ret->n_items - 1].n_copies++;
        }
        for (size_t i = 0, n; i < ret->n_items; i += n) {
                uint32_t mtu = mtu_of(ret->items[i].copies);

                for (n = 1; i + n < ret->n_items && mtu_of(ret->items[i + n].copies) == mtu;)
                        n++;
                for (size_t j = 0; j < n; j++)
                        link_path(ret->items[i + j].path, mtu, j, n);
        }
        return 0;
}

static int render_link(const struct rendering *rendering, const struct link_file *link) {
        FILE *stream = generated_files_begin(rendering->files, &backend_networkd.files, link->path, NULL);
        int r = 0;

        if (!stream)
                return -ENOMEM;
        for (size_t i = 0; i < link->n_copies && r == 0; i++)
                r = generated_files_add_line(rendering->files, link->copies[i].device->line);
        link_copies_write(link->copies, link->n_copies, stream);
        return generated_files_end(rendering->files, stream) < 0 ? -ENOMEM : r;
}

/* A device gets all of its copies or none: with one missing, it could get another file's settings. */
static int render_links(const struct rendering *rendering, struct link_copy *copies, size_t n_copies) {
        const struct device_plan *devices = rendering->plan->devices;
        CLEANUP(cleanup_free) bool *is_left_out = calloc(rendering->plan->n_devices + 1, sizeof(bool));
        CLEANUP(link_files_cleanup) struct link_files links = { 0 };
        int r = is_left_out ? find_files(copies, n_copies, &links) : -ENOMEM;

        /* What is in the way of one device is in the way of all, and reported for each. */
        for (size_t i = 0; i < links.n_items && r == 0; i++)
                for (size_t j = 0; j < links.items[i].n_copies; j++) {
                        const struct device_plan *device = links.items[i].copies[j].device;

                        if (is_free_and_seen(rendering, device, links.items[i].path))
                                break;
                        is_left_out[device - devices] = true;
                }
        for (size_t i = 0; i < links.n_items && r == 0; i++) {
                struct link_file *link = &links.items[i];
                size_t n = 0;

                for (size_t j = 0; j < link->n_copies; j++)
                        if (!is_left_out[link->copies[j].device - devices])
                                link->copies[n++] = link->copies[j];
                link->n_copies = n;
                r = n > 0 ? render_link(rendering, link) : 0;
        }
        return r;
}

static bool is_for(const struct device_plan *device) {
        return device->backend == BACKEND_LINK || device->backend == BACKEND_NETWORK ||
               device->backend == BACKEND_NETWORKD || device->backend == BACKEND_AUTO;
}

static int render(const struct rendering *rendering) {
        struct network_surroundings surroundings = { 0 };
        CLEANUP(cleanup_free) struct link_copy *copies = NULL;
        size_t n_copies = 0;
        int r = look_around(rendering, &surroundings);

        /* Writes nothing if a file cannot be read: a device could get another file's settings, or none. */
        for (size_t i = 0; i < rendering->plan->n_devices && r == 0; i++) {
                const struct device_plan *device = &rendering->plan->devices[i];
                CLEANUP(network_choice_free) struct network_choice choice = { 0 };

                /* If the device refuses the MTU, udev drops the file's other settings too. */
                if (!is_for(device) || !backend_can_write(rendering, device))
                        continue;
                r = network_choice_make(device, &surroundings, rendering->sink, &choice);
                if (r == 0 && choice.network)
                        r = render_drop_in(rendering, device, choice.network);
                for (size_t j = 0; j < choice.n_copies && r == 0; j++) {
                        struct link_copy *copy = array_add(&copies, &n_copies, sizeof(*copy));

                        if (copy)
                                *copy = choice.copies[j];
                        else
                                r = -ENOMEM;
                }
        }
        if (r == 0)
                r = render_links(rendering, copies, n_copies);
        network_files_free(&surroundings.links);
        network_files_free(&surroundings.networks);
        return r == -ENOMEM ? r : 0;
}

/* Running services ----------------------------------------------------------------------------------- */

/* Whether .link files have changed, or drop-ins if not `links`. */
static bool have_changed(const struct generated_files *files, bool links) {
        for (size_t i = 0; i < files->n_items; i++)
                if (files->items[i].kind == &backend_networkd.files && files->items[i].is_changed &&
                    text_ends_in(files->items[i].path, NETWORK_FILE_LINK) == links)
                        return true;
        return false;
}

static bool reload(const char *what, const char *const *words) {
        int r = process_run(words);

        if (r != 0)
                log_warning("%s could not be made to read its files again: %s", what,
                            r < 0 ? strerror(-r) : "it refused");
        return r == 0;
}

/* Whether the unit runs; `is_active` is what unit_is_active() returned. A negative errno is logged. */
static bool runs(const char *what, int is_active, bool *ret_is_done) {
        if (is_active < 0)
                log_error("cannot find out whether %s runs and has to read its files again: %s", what,
                          strerror(-is_active));
        *ret_is_done = is_active == 0;
        return is_active > 0;
}

static bool live_before(const struct generated_files *before, const struct generated_files *wanted) {
        bool is_done = true;

        if ((!have_changed(before, true) && !have_changed(wanted, true)) ||
            !runs("udevd", unit_is_udevd_active(), &is_done))
                return is_done;
        return reload("udevd",
                      (const char *const[]){ "udevadm", "control", "--reload", "--timeout=10", NULL });
}

/* networkd now finds each device with its configured MTU. */
static bool live_after(const struct generated_files *before, const struct generated_files *wanted) {
        bool is_done = true;

        if ((!have_changed(before, false) && !have_changed(wanted, false)) ||
            !runs("networkd", unit_is_active("systemd-networkd.service"), &is_done))
                return is_done;
        return reload("networkd", (const char *const[]){ "networkctl", "reload", NULL });
}

static void view(const struct backend_viewer *viewer, const struct device_plan *planned,
                 const struct link *link, const char *profile, struct backend_view *ret) {
        char path[2 * PATH_MAX], shown[TEXT_QUOTE_SIZE];
        const char *name;
        int r;

        (void)viewer;
        (void)link;
        if (planned->backend != BACKEND_AUTO)
                return;
        name = strrchr(profile, '/');
        snprintf(path, sizeof(path), NETWORK_FILE_FOLDER "/%s.d/" DROP_IN, name ? name + 1 : profile);
        text_show(shown, profile);
        r = generated_file_is_ours(path);
        if (r < 0)
                backend_view_take(ret, BACKEND_UNIT,
                                  "systemd-networkd manages the device, by %s, and its drop-in cannot be "
                                  "read: %s",
                                  shown, strerror(-r));
        else if (r > 0)
                backend_view_take(ret, BACKEND_NETWORK, "systemd-networkd manages the device, by %s", shown);
        else
                backend_view_take(ret, BACKEND_UNIT,
                                  "systemd-networkd manages the device, and %s is not for it alone, or not "
                                  "told of it yet",
                                  shown);
}

const struct backend_type backend_networkd = {
        .files = { .folder = NETWORK_FILE_FOLDER,
                   .names_key = NAMES_KEY,
                   .mtu_key = MTU_KEY,
                   .places = { { .folder = NETWORK_FILE_FOLDER, .suffix = NETWORK_FILE_LINK },
                               { .folder = NETWORK_FILE_FOLDER,
                                 .suffix = NETWORK_FILE_NETWORK ".d",
                                 .below = DROP_IN,
                                 .has_own_folder = true } } },
        .owner = OWNER_NETWORKD,
        .render = render,
        .live_before = live_before,
        .live_after = live_after,
        .view = view,
};

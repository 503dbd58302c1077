/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a backend is: a file of its own here, which defines one `struct backend_type`, and a row in the table
 * of backends/backends.c. Its name is in config/backend_name.h. A backend whose name has a unit there needs
 * neither: the generator and backends/backend_unit.h see to it. */

#include "plan/device_plan.h"
#include "plan/link_table.h"
#include "store/generated_files.h"
#include "system/owner_state.h"

struct networkmanager_device;

/* What files are rendered from, and to. */
struct rendering {
        const struct plan *plan;
        const struct link_table *links; /* the devices that are there; NULL: whichever they are */
        const struct diagnostic_sink *sink;
        struct generated_files *files;
};

/* Who sees to a device's MTU at this moment, and why that one. */
struct backend_view {
        const char *taken;   /* a backend's name; static. NULL: nobody, there is no good line */
        char reason[512];    /* in UTF-8 and harmless on a terminal; empty where the line is the reason */
        uint32_t overridden; /* what the manager's own configuration gives the device instead; 0: nothing */
};

/* Whom a view asks. */
struct backend_viewer {
        int is_here; /* manager_is_here(): whether the managers' state is about these devices */
        /* What NetworkManager says of a device; false: nothing, or it does not run. A pointer, because
         * setmtu-configure does without D-Bus. */
        bool (*ask_networkmanager)(void *userdata, const char *interface, struct networkmanager_device *ret);
        void *userdata;
};

/* Function pointers may be NULL, but for `render`. */
struct backend_type {
        struct generated_kind files;
        enum owner owner; /* the manager whose devices of backend auto it may serve; OWNER_COUNT: none */

        /* Adds the files of the devices in the plan that are its own, by their backend, and of those of
         * backend auto that its manager may take. A device that can have none goes to the sink, and only
         * that is what `setmtu check` wants of it. Where something could not be read, that is reported as a
         * whole file, and `files` may lack some: none that was written before may be removed then. -ENOMEM
         * is the only error. */
        int (*render)(const struct rendering *rendering);

        /* Has a manager that runs take up what has changed in the files, before and after setmtu has set the
         * MTU of the devices concerned. Not called at boot. False where something failed: that is logged. */
        bool (*live_before)(const struct generated_files *before, const struct generated_files *wanted);
        bool (*live_after)(const struct generated_files *before, const struct generated_files *wanted);

        /* Says in `ret` what its manager makes of a device. Called for each device of backend auto that the
         * manager has, with the file by which it does, or NULL where that is not known; and for the present
         * devices of all other backends, where `ret` stays as it is unless the backend is this one. */
        void (*view)(const struct backend_viewer *viewer, const struct device_plan *planned,
                     const struct link *link, const char *profile, struct backend_view *ret);
};

extern const struct backend_type backend_networkd, backend_networkmanager, backend_netctl;

/* Whether a file can say the device's MTU: it is a number, and one that the device takes. Reported where
 * not, unless the device has a unit, which reports it. */
bool backend_can_write(const struct rendering *rendering, const struct device_plan *device);

/* Reports a file or folder whose state decides over what is to be written, and cannot be told. */
void backend_report_unread(const struct rendering *rendering, const char *path, int error);

/* Whether setmtu may write the path, for the device. Reported where not; a device with a unit is served all
 * the same, and has a warning only. */
bool backend_is_free(const struct rendering *rendering, const struct device_plan *device, const char *path);
/* The same, where another file may hide that one: reported for `hiding`, unless it is NULL. */
bool backend_is_hidden(const struct rendering *rendering, const struct device_plan *device,
                       const char *hiding, const char *path);

/* Says that `backend` sees to the device, and why. */
__attribute__((format(printf, 3, 4))) void backend_view_take(struct backend_view *view, enum backend backend,
                                                             const char *format, ...);

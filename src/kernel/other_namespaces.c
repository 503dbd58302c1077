/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernel/other_namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <limits.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "kernel/nlattr.h"

struct tour {
        void (*visit)(void *userdata, const struct other_namespace *there);
        void *userdata;
        int own;       /* this process's namespace */
        dev_t device;  /* of all namespace files */
        ino_t *inodes; /* of namespaces to skip: its own, then visited ones */
        size_t n_inodes;
        int error; /* the first error */
};

static void note_error(struct tour *tour, int error) {
        if (tour->error == 0)
                tour->error = error;
}

static bool is_known(const struct tour *tour, ino_t inode) {
        for (size_t i = 0; i < tour->n_inodes; i++)
                if (tour->inodes[i] == inode)
                        return true;
        return false;
}

static bool add(struct tour *tour, ino_t inode) {
        ino_t *item = array_add(&tour->inodes, &tour->n_inodes, sizeof(*item));

        if (item)
                *item = inode;
        else
                note_error(tour, -ENOMEM);
        return item;
}

static int take_answer(void *userdata, const struct nlmsghdr *message) {
        const struct nlattr *id = nlattr_find(message, sizeof(struct rtgenmsg), NETNSA_NSID);

        if (id && mnl_attr_validate(id, MNL_TYPE_U32) >= 0)
                *(int32_t *)userdata = (int32_t)mnl_attr_get_u32(id);
        return 0;
}

/* Gets the ID that the socket's namespace has for the namespace `fd`. */
static int get_id(struct netlink_socket *socket, int fd, int32_t *ret) {
        struct nlmsghdr *request = netlink_begin(socket, RTM_GETNSID, 0, sizeof(struct rtgenmsg));

        mnl_attr_put_u32(request, NETNSA_FD, (uint32_t)fd);
        return netlink_exchange(socket, request, take_answer, ret, NULL);
}

/* Runs in the other namespace. */
static void visit_here(struct tour *tour, struct other_namespace *there) {
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *socket = NULL;
        int r = netlink_socket_open(&socket);

        if (r == 0)
                r = get_id(socket, tour->own, &there->own_id);
        if (r < 0) {
                note_error(tour, r);
                return;
        }
        there->socket = socket;
        tour->visit(tour->userdata, there);
}

/* Visits the namespace of this file once. An exited process or another kind of file is no error. */
static void visit_file(struct tour *tour, const char *path, struct other_namespace *there) {
        CLEANUP(cleanup_close) int fd = -1;
        struct stat status;

        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0 || fstat(fd, &status) < 0) {
                if (errno != ENOENT && errno != ESRCH)
                        note_error(tour, -errno);
                return;
        }
        if (status.st_dev != tour->device || is_known(tour, status.st_ino) || !add(tour, status.st_ino))
                return;
        if (setns(fd, CLONE_NEWNET) < 0) {
                note_error(tour, -errno);
                return;
        }
        visit_here(tour, there);
        /* Anything that follows is meant for the devices of its own namespace. */
        if (setns(tour->own, CLONE_NEWNET) < 0)
                abort();
}

/* Visits the namespaces of the folder's files, or of its processes. */
static void visit_folder(struct tour *tour, const char *folder, bool are_processes) {
        DIR *directory = opendir(folder);
        struct dirent *entry;

        if (!directory) {
                if (errno != ENOENT)
                        note_error(tour, -errno);
                return;
        }
        /* Only errno tells an error from the end. */
        while (errno = 0, (entry = readdir(directory))) {
                struct other_namespace there = { .own_id = -1 };
                char path[PATH_MAX];

                if (entry->d_name[0] == '.' ||
                    (are_processes && (entry->d_name[0] < '1' || entry->d_name[0] > '9')))
                        continue;
                snprintf(path, sizeof(path), "%s/%s%s", folder, entry->d_name,
                         are_processes ? "/ns/net" : "");
                snprintf(there.label, sizeof(there.label), "network namespace %s%.48s",
                         are_processes ? "of process " : "", TEXT_SHOW(entry->d_name));
                visit_file(tour, path, &there);
        }
        if (errno)
                note_error(tour, -errno);
        closedir(directory);
}

int other_namespaces_visit(void (*visit)(void *userdata, const struct other_namespace *there),
                           void *userdata) {
        CLEANUP(cleanup_close) int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
        struct tour tour = { .visit = visit, .userdata = userdata, .own = own };
        struct stat status;

        if (own < 0 || fstat(own, &status) < 0)
                return -errno;
        tour.device = status.st_dev;
        if (add(&tour, status.st_ino)) {
                /* Named ones first: a name says more than a process ID. */
                visit_folder(&tour, "/run/netns", false);
                visit_folder(&tour, "/run/docker/netns", false);
                visit_folder(&tour, "/proc", true);
        }
        free(tour.inodes);
        return tour.error;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The recorder: programs in the kernel that note each change of an MTU in the host's network namespace, in
 * the process that makes it. Compiled once for each name that the kernel's function had: SET_MTU. All of
 * them run under the kernel's RTNL lock, one at a time. */

typedef unsigned char __u8;
typedef signed short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

enum { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2 };
enum { BPF_ANY = 0 };

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/event.h"

/* The parts of the kernel's structs that are read; where they are is found out when the programs are loaded.
 */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct ns_common {
        unsigned inum;
};
struct net {
        struct ns_common ns;
};
typedef struct {
        struct net *net;
} possible_net_t;
struct net_device {
        char name[16];
        int ifindex;
        unsigned mtu;
        possible_net_t nd_net;
};
struct netdev_notifier_info {
        struct net_device *dev;
};
struct netlink_ext_ack {
        const char *_msg;
};
struct mm_struct {
        unsigned long arg_start, arg_end;
};
struct kernfs_node {
        const char *name;
};
struct kernfs_node___since_6_15 {
        struct kernfs_node *__parent;
};
struct kernfs_node___before_6_15 {
        struct kernfs_node *parent;
};
struct cgroup {
        struct kernfs_node *kn;
};
struct css_set {
        struct cgroup *dfl_cgrp;
};
struct task_struct {
        int pid, tgid;
        struct task_struct *real_parent;
        char comm[16];
        struct mm_struct *mm;
        struct css_set *cgroups;
        unsigned flags;
};
#pragma clang attribute pop

#define PF_KTHREAD 0x00200000

/* include/linux/netdevice.h */
#define NETDEV_REGISTER 5
#define NETDEV_UNREGISTER 6

#define CGROUP_DEPTH 10
#define FRAMES 8 /* of the stack: the recorder and wrappers take five on x86, and more on arm64 */
#define WRAPPERS 2048

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, HISTORY_EVENTS);
        __type(key, uint32_t);
        __type(value, struct history_event);
} events SEC(".maps");

struct {
        __uint(type, BPF_MAP_TYPE_ARRAY);
        __uint(max_entries, 1);
        __type(key, uint32_t);
        __type(value, struct history_state);
} state SEC(".maps");

/* Changes that have begun, by the address of the device. One of a device above it may begin and end within
 * one. */
struct change {
        uint64_t begin_ns;
        uint32_t before, padding;
};
struct {
        __uint(type, BPF_MAP_TYPE_HASH);
        __uint(max_entries, 64);
        __type(key, uint64_t);
        __type(value, struct change);
} changes SEC(".maps");

/* Of the host. */
const volatile uint32_t netns = 0;

static __always_inline struct history_state *get_state(void) {
        uint32_t zero = 0;

        return bpf_map_lookup_elem(&state, &zero);
}

static __always_inline void choose(volatile struct history_choice *choice, uint64_t slot, uint32_t index) {
        if (slot >= choice->slot)
                return;
        choice->slot = slot;
        choice->index = index;
}

/* The slot for an event of the device: its oldest one if it has its share, otherwise the oldest of all;
 * those of devices that are gone come first. What is found is kept in memory: in registers, the verifier
 * would follow each combination. */
static __always_inline uint32_t choose_slot(struct history_state *all, uint32_t ifindex) {
        volatile struct history_choice *own = &all->own, *any = &all->any;

        own->slot = any->slot = ~0ull;
        own->count = 0;
#pragma unroll 8
        for (uint32_t i = 0; i < HISTORY_EVENTS; i++) {
                uint64_t slot = all->slots[i];

                choose(any, slot, i);
                if ((uint32_t)slot != ifindex)
                        continue;
                own->count++;
                choose(own, slot, i);
        }
        return own->count >= HISTORY_EVENTS_OF_DEVICE ? own->index : any->index;
}

static __always_inline void note_processes(struct history_event *event, struct task_struct *task) {
#pragma unroll
        for (int i = 0; i < HISTORY_PROCESSES; i++) {
                struct history_process *process = &event->processes[i];

                process->pid = 0;
                if (!task)
                        continue;
                process->pid = task->tgid;
                bpf_probe_read_kernel(process->name, HISTORY_NAME_SIZE, task->comm);
                task = process->pid > 1 ? task->real_parent : 0;
        }
}

static __always_inline struct kernfs_node *parent_of(struct kernfs_node *node) {
        struct kernfs_node___since_6_15 *since = (void *)node;
        struct kernfs_node___before_6_15 *before = (void *)node;

        return bpf_core_field_exists(since->__parent) ? since->__parent : before->parent;
}

static __always_inline bool is_slice(const char *name, long size) {
        if (size < 7 || size > HISTORY_UNIT_SIZE)
                return false;
        name += size - 7;
        return name[0] == '.' && name[1] == 's' && name[2] == 'l' && name[3] == 'i' && name[4] == 'c' &&
               name[5] == 'e';
}

/* The unit is the outermost cgroup that is no slice: cg_path_get_unit() in systemd's
 * src/basic/cgroup-util.c. */
static __always_inline void note_unit(struct history_event *event, struct task_struct *task) {
        struct kernfs_node *node = task->cgroups->dfl_cgrp->kn;

        event->unit[0] = 0;
        for (int i = 0; i < CGROUP_DEPTH; i++) {
                const char *name;
                long size;

                if (!node)
                        break;
                name = node->name;
                size = bpf_probe_read_kernel_str(event->arguments, HISTORY_UNIT_SIZE, name);
                if (size > 1 && !is_slice(event->arguments, size))
                        bpf_probe_read_kernel_str(event->unit, HISTORY_UNIT_SIZE, name);
                node = parent_of(node);
        }
}

static __always_inline void note_arguments(struct history_event *event, struct task_struct *task) {
        struct mm_struct *mm = task->mm;
        unsigned long begin, size;

        event->arguments_size = 0;
        if (!mm || task->flags & PF_KTHREAD)
                return;
        begin = mm->arg_start;
        size = mm->arg_end - begin;
        if (size > HISTORY_ARGUMENTS_SIZE)
                size = HISTORY_ARGUMENTS_SIZE;
        if (size > 0 && bpf_probe_read_user(event->arguments, size, (void *)begin) == 0)
                event->arguments_size = size;
}

static __always_inline struct history_event *begin_event(struct history_state *all, uint32_t kind,
                                                         uint32_t ifindex, const char *name, uint32_t mtu) {
        uint32_t index = choose_slot(all, ifindex), key = index;
        struct task_struct *task = bpf_get_current_task_btf();
        struct history_event *event;

        if (index >= HISTORY_EVENTS)
                return 0;
        all->slots[index] = HISTORY_SLOT(++all->sequence, ifindex);
        event = bpf_map_lookup_elem(&events, &key);
        if (!event)
                return 0;
        event->sequence = all->sequence;
        event->kind = kind;
        event->ifindex = ifindex;
        event->before = event->asked = event->after = mtu;
        event->error = 0;
        event->reason[0] = event->function[0] = 0;
        bpf_probe_read_kernel(event->device, HISTORY_NAME_SIZE, name);
        note_processes(event, task);
        note_unit(event, task);
        note_arguments(event, task);
        return event;
}

/* Whether the function only passes the change on. */
static __always_inline bool is_passing(const char *name) {
        return (name[0] == 'b' && name[1] == 'p' && name[2] == 'f' && name[3] == '_') ||
               (name[0] == 'd' && name[1] == 'e' && name[2] == 'v' && name[3] == '_' && name[4] == 's' &&
                name[5] == 'e' && name[6] == 't') ||
               (name[0] == 'n' && name[1] == 'e' && name[2] == 't' && name[3] == 'i' && name[4] == 'f' &&
                name[5] == '_' && name[6] == 's');
}

/* At the innermost frames is the recorder itself, and then the function that sets the MTU with its wrappers,
 * which stand next to it. */
static __always_inline void note_function(struct history_event *event, void *context) {
        uint64_t stack[FRAMES] = { 0 }, set_mtu = bpf_get_func_ip(context);

        if (bpf_get_stack(context, stack, sizeof(stack), 0) < 0)
                return;
        for (int i = 2; i < FRAMES; i++) {
                if (stack[i] - set_mtu < WRAPPERS)
                        continue;
                BPF_SNPRINTF(event->function, HISTORY_FUNCTION_SIZE, "%ps", stack[i]);
                if (!is_passing(event->function))
                        return;
        }
        event->function[0] = 0;
}

SEC("fentry/" SET_MTU)
int BPF_PROG(change_begins, struct net_device *device, int mtu) {
        struct change change = { .before = device->mtu };
        uint64_t key = (uint64_t)device;

        /* The kernel does nothing then. */
        if (change.before == (uint32_t)mtu || device->nd_net.net->ns.inum != netns)
                return 0;
        change.begin_ns = bpf_ktime_get_boot_ns();
        bpf_map_update_elem(&changes, &key, &change, BPF_ANY);
        return 0;
}

SEC("fexit/" SET_MTU)
int BPF_PROG(change_ends, struct net_device *device, int mtu, struct netlink_ext_ack *extack, int error) {
        uint64_t key = (uint64_t)device;
        struct change *change = bpf_map_lookup_elem(&changes, &key);
        struct history_state *all = get_state();
        struct history_event *event;

        if (!change || !all)
                return 0;
        event = begin_event(all, HISTORY_CHANGE, device->ifindex, device->name, device->mtu);
        if (event) {
                event->begin_ns = change->begin_ns;
                event->before = change->before;
                event->asked = mtu;
                event->error = error;
                if (error < 0 && extack)
                        bpf_probe_read_kernel_str(event->reason, HISTORY_REASON_SIZE, extack->_msg);
                note_function(event, ctx);
        }
        bpf_map_delete_elem(&changes, &key);
        return 0;
}

/* Events of devices that are gone are the first to be overwritten. */
static __always_inline void forget(struct history_state *all, uint32_t ifindex) {
        for (uint32_t i = 0; i < HISTORY_EVENTS; i++)
                if ((uint32_t)all->slots[i] == ifindex)
                        all->slots[i] &= ~HISTORY_SLOT_PRESENT;
}

SEC("fentry/rtnetlink_event")
int BPF_PROG(device_event, void *block, unsigned long what, struct netdev_notifier_info *info) {
        struct history_state *all = get_state();
        struct net_device *device;
        struct history_event *event;
        uint32_t ifindex;

        if (!all || (what != NETDEV_REGISTER && what != NETDEV_UNREGISTER))
                return 0;
        /* The verifier does not know the type. */
        device = BPF_CORE_READ(info, dev);
        ifindex = BPF_CORE_READ(device, ifindex);
        if (BPF_CORE_READ(device, nd_net.net, ns.inum) != netns)
                return 0;
        if (what == NETDEV_UNREGISTER) {
                forget(all, ifindex);
                return 0;
        }
        event = begin_event(all, HISTORY_NEW, ifindex, device->name, BPF_CORE_READ(device, mtu));
        if (event)
                event->begin_ns = bpf_ktime_get_boot_ns();
        return 0;
}

/* Helpers of the kernel that this uses are for GPL programs; the LGPL allows to take it under the GPL. */
char LICENSE[] SEC("license") = "GPL";

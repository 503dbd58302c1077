/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The records that the kernel keeps of MTU changes, as recorder.bpf.c writes them and mtu_history.c reads
 * them: the values of two pinned BPF maps. Plain data; compiled for BPF as well, so that no header of libc
 * is needed. */

#include <stdint.h>

/* Changes with the layout below, so that a reader never misreads the records of another version. */
#define HISTORY_VERSION 1

/* The directory of the pins; root's alone. */
#define HISTORY_DIRECTORY "/sys/fs/bpf/setmtu"
#define HISTORY_EVENTS_PIN HISTORY_DIRECTORY "/events"
#define HISTORY_STATE_PIN HISTORY_DIRECTORY "/state"

/* Both maps together take at most 256 KiB. */
#define HISTORY_EVENTS 256
/* A device's own events push out the device's oldest one from here on. */
#define HISTORY_EVENTS_OF_DEVICE 24

#define HISTORY_NAME_SIZE 16 /* IFNAMSIZ and TASK_COMM_LEN */
#define HISTORY_PROCESSES 6
#define HISTORY_FUNCTION_SIZE 32
#define HISTORY_UNIT_SIZE 80 /* docker-, 64 digits, .scope */
#define HISTORY_REASON_SIZE 64
#define HISTORY_ARGUMENTS_SIZE 256

enum history_kind {
        HISTORY_CHANGE = 1,
        HISTORY_NEW, /* the device appeared, with the MTU `after` */
};

/* Text is cut to its size and ends in a NUL. It comes from processes, and may hold any bytes. */
struct history_event {
        uint64_t sequence; /* counted from 1, in the order in which changes ended; 0: not used */
        uint64_t begin_ns; /* CLOCK_BOOTTIME */
        uint32_t kind;
        uint32_t ifindex;
        uint32_t before;
        uint32_t asked;
        uint32_t after; /* what the driver made of it */
        int32_t error;  /* a negative errno: the change was refused */
        char device[HISTORY_NAME_SIZE];
        /* The process and its ancestors, the process first; a pid of 0 ends the list. */
        struct history_process {
                uint32_t pid;
                char name[HISTORY_NAME_SIZE];
        } processes[HISTORY_PROCESSES];
        char unit[HISTORY_UNIT_SIZE];         /* the unit or scope of systemd; or empty */
        char function[HISTORY_FUNCTION_SIZE]; /* of the kernel, that called for the change; or empty */
        char reason[HISTORY_REASON_SIZE];     /* the kernel's words for the error; or empty */
        uint32_t arguments_size; /* 0 for a thread of the kernel, or if they could not be read */
        char arguments[HISTORY_ARGUMENTS_SIZE]; /* the command line, a NUL after each word; perhaps cut */
        uint32_t padding;
};

/* A slot of the events in one number, by which the one to overwrite is found: whether the device is still
 * there, the event's place in the order of all, and the device. 0: free. */
#define HISTORY_SLOT_PRESENT (UINT64_C(1) << 63)
#define HISTORY_SLOT(sequence, ifindex) (((sequence) << 32 | (ifindex)) | HISTORY_SLOT_PRESENT)

struct history_state {
        uint32_t version;
        uint32_t padding;
        uint64_t netns;                 /* the inode of the recorded network namespace */
        uint64_t since_ns;              /* when recording began, CLOCK_BOOTTIME */
        uint64_t sequence;              /* of the last event */
        uint64_t slots[HISTORY_EVENTS]; /* as by HISTORY_SLOT() */
        /* Work space of the recorder. */
        struct history_choice {
                uint64_t slot;
                uint32_t index;
                uint32_t count;
        } own, any;
};

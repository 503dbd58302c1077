/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* bad_link LEFT RIGHT DELAY JITTER DUPLICATE LOSS: carries frames between two interfaces, each after DELAY
 * and up to JITTER milliseconds more, so that they overtake each other; DUPLICATE percent of them twice, and
 * LOSS percent not at all. For kernels without netem; prints a line once it listens. */

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define FRAMES_MAX 4096

static struct {
        double due;
        int to;
        size_t size;
        uint8_t *data; /* NULL: free */
} frames[FRAMES_MAX];

static double now_ms(void) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double chance(void) {
        return (double)random() / 2147483648.0;
}

static void keep(const uint8_t *data, size_t size, int to, double due) {
        for (size_t i = 0; i < FRAMES_MAX; i++)
                if (!frames[i].data) {
                        frames[i].data = malloc(size);
                        if (!frames[i].data)
                                return;
                        memcpy(frames[i].data, data, size);
                        frames[i].size = size;
                        frames[i].to = to;
                        frames[i].due = due;
                        return;
                }
}

/* Sends what is due; returns how long until the next one, in milliseconds. */
static int send_due(void) {
        double now = now_ms(), next = now + 1000;

        for (size_t i = 0; i < FRAMES_MAX; i++) {
                if (!frames[i].data)
                        continue;
                if (frames[i].due <= now) {
                        (void)!write(frames[i].to, frames[i].data, frames[i].size);
                        free(frames[i].data);
                        frames[i].data = NULL;
                } else if (frames[i].due < next)
                        next = frames[i].due;
        }
        return (int)(next - now + 0.999);
}

static int listen_at(const char *interface) {
        struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
        struct packet_mreq all = { .mr_type = PACKET_MR_PROMISC };
        int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0), on = 1;

        at.sll_ifindex = all.mr_ifindex = (int)if_nametoindex(interface);
        if (fd < 0 || at.sll_ifindex == 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
            setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all)) < 0 ||
            /* Frames come and go with the word that their checksum is still to be made. */
            setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof(on)) < 0) {
                perror(interface);
                exit(1);
        }
        return fd;
}

int main(int argc, char *argv[]) {
        double delay, jitter, duplicate, loss;
        struct pollfd ends[2];

        if (argc != 7) {
                fputs("Usage: bad_link LEFT RIGHT DELAY JITTER DUPLICATE LOSS, as root\n", stderr);
                return 2;
        }
        delay = atof(argv[3]);
        jitter = atof(argv[4]);
        duplicate = atof(argv[5]) / 100;
        loss = atof(argv[6]) / 100;
        for (int i = 0; i < 2; i++)
                ends[i] = (struct pollfd){ .fd = listen_at(argv[1 + i]), .events = POLLIN };
        srandom((unsigned)getpid());
        puts("listening");
        fflush(stdout);
        for (;;) {
                (void)poll(ends, 2, send_due());
                for (int i = 0; i < 2; i++)
                        for (;;) {
                                static uint8_t frame[65600];
                                struct sockaddr_ll from;
                                socklen_t from_size = sizeof(from);
                                ssize_t size = recvfrom(ends[i].fd, frame, sizeof(frame), 0,
                                                        (struct sockaddr *)&from, &from_size);

                                if (size <= 0)
                                        break;
                                if (from.sll_pkttype == PACKET_OUTGOING)
                                        continue;
                                for (int n = chance() < loss ? 0 : chance() < duplicate ? 2 : 1; n > 0; n--)
                                        keep(frame, (size_t)size, ends[1 - i].fd,
                                             now_ms() + delay + jitter * chance());
                        }
        }
}

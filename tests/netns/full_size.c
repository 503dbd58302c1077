/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* full_size UPPER LOWER FAR-LOWER NETNS ADDRESS CHANGES SEED: sends packets to ADDRESS by UPPER, each as
 * large as its MTU then, while the MTU of LOWER, by which their outer packets leave, changes at random
 * times. In the other network namespace, what comes in by FAR-LOWER is captured. Prints one line of
 * KEY=VALUE:
 *
 *     sent, lost        inner packets
 *     cut, oversized    outer packets that are fragments, or larger than LOWER allows
 *     longest_ms        from a change to the last packet, until the next change, that was lost, cut or
 * oversized outer, below      the size of the last outer packet, and the MTU of LOWER */

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 4000
#define CHANGES_MAX 64
#define PACKETS_MAX 65536
#define SIZE_MIN 1000 /* smaller ones are of others */
/* The last change is waited for: a device that keeps changing is raised after a pause. */
#define SETTLED_S 20

/* Between the sender and the one who captures. */
struct shared {
        volatile bool is_ready;
        struct {
                double at;
                unsigned mtu;
        } changes[CHANGES_MAX + 1];
        volatile unsigned n_changes; /* the first is what was there */
        volatile bool is_there[PACKETS_MAX];
        volatile unsigned n_cut, n_oversized, outer;
        volatile double longest_s;
};

static struct shared *shared;

static double now_s(void) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME, &now);
        return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check(bool is_right, const char *what) {
        if (is_right)
                return;
        perror(what);
        exit(1);
}

/* The change before that time. */
static unsigned change_before(double at) {
        unsigned i = shared->n_changes - 1;

        while (i > 0 && shared->changes[i].at > at)
                i--;
        return i;
}

static void note_bad(double at) {
        double since = at - shared->changes[change_before(at)].at;

        if (since > shared->longest_s)
                shared->longest_s = since;
}

static bool is_fragment(const uint8_t *frame, size_t size) {
        const uint8_t *packet = frame + ETH_HLEN;
        const unsigned type = (unsigned)(frame[12] << 8 | frame[13]);

        if (type == ETHERTYPE_IP && size >= ETH_HLEN + sizeof(struct iphdr))
                return (packet[6] & 0x3f) || packet[7];
        if (type != ETHERTYPE_IPV6 || size < ETH_HLEN + sizeof(struct ip6_hdr) + 8)
                return false;
        /* The limit of encapsulations may come before. */
        return packet[6] == IPPROTO_FRAGMENT ||
               (packet[6] == IPPROTO_DSTOPTS && packet[40] == IPPROTO_FRAGMENT);
}

static void take_frame(int fd) {
        uint8_t frame[128], control[256];
        struct sockaddr_ll from;
        struct iovec part = { frame, sizeof(frame) };
        struct msghdr message = { .msg_name = &from,
                                  .msg_namelen = sizeof(from),
                                  .msg_iov = &part,
                                  .msg_iovlen = 1,
                                  .msg_control = control,
                                  .msg_controllen = sizeof(control) };
        ssize_t size = recvmsg(fd, &message, MSG_TRUNC);
        double at = now_s();
        unsigned outer;
        bool is_cut;

        if (size < ETH_HLEN || from.sll_pkttype == PACKET_OUTGOING)
                return;
        for (struct cmsghdr *entry = CMSG_FIRSTHDR(&message); entry; entry = CMSG_NXTHDR(&message, entry))
                if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SCM_TIMESTAMPNS) {
                        struct timespec stamp;

                        memcpy(&stamp, CMSG_DATA(entry), sizeof(stamp));
                        at = (double)stamp.tv_sec + (double)stamp.tv_nsec / 1e9;
                }
        is_cut = is_fragment(frame, (size_t)size);
        outer = (unsigned)size - ETH_HLEN;
        if (is_cut)
                shared->n_cut++;
        if (is_cut || outer >= SIZE_MIN)
                shared->outer = outer;
        if (outer > shared->changes[change_before(at)].mtu)
                shared->n_oversized++;
        else if (!is_cut)
                return;
        note_bad(at);
}

static void capture(const char *name, const char *netns, int family) {
        const int on = 1, size = 64 * 1024 * 1024;
        struct pollfd events[2] = { { .events = POLLIN }, { .events = POLLIN } };
        struct sockaddr_ll link = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
        struct sockaddr_in6 any = { .sin6_family = (sa_family_t)family, .sin6_port = htons(PORT) };
        int fd = open(netns, O_RDONLY | O_CLOEXEC);

        check(fd >= 0 && setns(fd, CLONE_NEWNET) == 0, netns);
        link.sll_ifindex = (int)if_nametoindex(name);
        events[0].fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
        events[1].fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        for (int i = 0; i < 2; i++)
                check(setsockopt(events[i].fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) == 0,
                      "SO_RCVBUFFORCE");
        check(setsockopt(events[0].fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) == 0, "SO_TIMESTAMPNS");
        check(bind(events[0].fd, (struct sockaddr *)&link, sizeof(link)) == 0, name);
        check(bind(events[1].fd, (struct sockaddr *)&any,
                   family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(any)) == 0,
              "bind");
        shared->is_ready = true;
        for (;;) {
                uint32_t number;

                check(poll(events, 2, -1) > 0, "poll");
                if (events[0].revents & POLLIN)
                        take_frame(events[0].fd);
                if ((events[1].revents & POLLIN) &&
                    recv(events[1].fd, &number, sizeof(number), 0) == sizeof(number) && number < PACKETS_MAX)
                        shared->is_there[number] = true;
        }
}

static unsigned mtu_of(int fd, const char *name) {
        struct ifreq request = { .ifr_mtu = 0 };

        strncpy(request.ifr_name, name, IF_NAMESIZE - 1);
        check(ioctl(fd, SIOCGIFMTU, &request) == 0, name);
        return (unsigned)request.ifr_mtu;
}

static void change(int fd, const char *name, unsigned mtu) {
        struct ifreq request = { .ifr_mtu = (int)mtu };

        strncpy(request.ifr_name, name, IF_NAMESIZE - 1);
        shared->changes[shared->n_changes].at = now_s();
        shared->changes[shared->n_changes].mtu = mtu;
        shared->n_changes++;
        check(ioctl(fd, SIOCSIFMTU, &request) == 0, name);
}

int main(int argc, char *argv[]) {
        static uint8_t packet[65536];
        static double sent[PACKETS_MAX]; /* when */
        const int probe = IP_PMTUDISC_PROBE;
        struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(PORT) };
        struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(PORT) };
        unsigned n_changes, n_lost = 0;
        bool is_v4;
        double next, settled;
        uint32_t n = 0;
        pid_t child;
        int fd;

        if (argc != 8) {
                fprintf(stderr, "Usage: full_size UPPER LOWER FAR-LOWER NETNS ADDRESS CHANGES SEED\n");
                return 2;
        }
        is_v4 = inet_pton(AF_INET, argv[5], &v4.sin_addr) == 1;
        check(is_v4 || inet_pton(AF_INET6, argv[5], &v6.sin6_addr) == 1, argv[5]);
        n_changes = (unsigned)atoi(argv[6]) < CHANGES_MAX ? (unsigned)atoi(argv[6]) : CHANGES_MAX;
        srandom((unsigned)atoi(argv[7]));
        fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        check(is_v4 ? setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &probe, sizeof(probe)) == 0
                    : setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &probe, sizeof(probe)) == 0,
              "MTU_DISCOVER");
        check(connect(fd, is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6,
                      is_v4 ? sizeof(v4) : sizeof(v6)) == 0,
              argv[5]);

        shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        check(shared != MAP_FAILED, "mmap");
        shared->changes[0].at = now_s();
        shared->changes[0].mtu = mtu_of(fd, argv[2]);
        shared->n_changes = 1;
        child = fork();
        check(child >= 0, "fork");
        if (child == 0)
                capture(argv[3], argv[4], is_v4 ? AF_INET : AF_INET6);
        while (!shared->is_ready)
                check(kill(child, 0) == 0 && usleep(1000) == 0, "capture");

        next = now_s() + 0.1;
        settled = next + SETTLED_S;
        while (n < PACKETS_MAX) {
                double now = now_s();
                unsigned mtu = mtu_of(fd, argv[1]), header = is_v4 ? 28 : 48;

                if (now >= next && shared->n_changes <= n_changes) {
                        change(fd, argv[2], 1400 + (unsigned)random() % 7000);
                        next = now + 0.02 + (double)(random() % 300) / 1000;
                        settled = now + SETTLED_S;
                        continue;
                }
                if (now >= next + 0.2 &&
                    (shared->outer == shared->changes[shared->n_changes - 1].mtu || now >= settled))
                        break;
                memcpy(packet, &n, sizeof(n));
                sent[n] = now;
                /* EMSGSIZE: lowered meanwhile. */
                if (send(fd, packet, mtu - header, 0) > 0)
                        n++;
                usleep(1000);
        }
        usleep(200 * 1000);
        for (uint32_t i = 0; i < n; i++)
                if (!shared->is_there[i]) {
                        n_lost++;
                        note_bad(sent[i]);
                }
        kill(child, SIGKILL);
        printf("sent=%u lost=%u cut=%u oversized=%u longest_ms=%.0f outer=%u below=%u\n", n, n_lost,
               shared->n_cut, shared->n_oversized, shared->longest_s * 1000, shared->outer,
               shared->changes[shared->n_changes - 1].mtu);
        return 0;
}

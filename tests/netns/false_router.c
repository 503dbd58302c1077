/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* false_router INTERFACE ABOVE SAYS: tells the sender of each IP packet of more than ABOVE bytes that comes
 * in by INTERFACE that it is too big, and that SAYS bytes would pass. What becomes of the packet is the
 * kernel's business. For the topologies with a router that is wrong; prints a line once it listens. */

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* What an error quotes: enough of the packet. */
#define QUOTE_SIZE 128

static uint16_t checksum(const uint8_t *data, size_t size) {
        uint32_t sum = 0;

        for (size_t i = 0; i < size; i += 2)
                sum += (uint32_t)(data[i] << 8 | (i + 1 < size ? data[i + 1] : 0));
        while (sum > 0xffff)
                sum = (sum & 0xffff) + (sum >> 16);
        return htons((uint16_t)~sum);
}

static void tell_v4(int fd, const uint8_t *packet, size_t size, uint16_t says) {
        struct sockaddr_in to = { .sin_family = AF_INET };
        uint8_t message[8 + QUOTE_SIZE] = { ICMP_DEST_UNREACH, ICMP_FRAG_NEEDED };
        uint16_t field = htons(says);

        if (size < sizeof(struct iphdr) || packet[9] == IPPROTO_TCP)
                return;
        memcpy(&to.sin_addr, packet + 12, 4);
        size = size < QUOTE_SIZE ? size : QUOTE_SIZE;
        memcpy(message + 6, &field, 2);
        memcpy(message + 8, packet, size);
        field = checksum(message, 8 + size);
        memcpy(message + 2, &field, 2);
        (void)!sendto(fd, message, 8 + size, 0, (struct sockaddr *)&to, sizeof(to));
}

static void tell_v6(int fd, const uint8_t *packet, size_t size, uint32_t says) {
        struct sockaddr_in6 to = { .sin6_family = AF_INET6 };
        uint8_t message[8 + QUOTE_SIZE] = { ICMP6_PACKET_TOO_BIG };

        if (size < sizeof(struct ip6_hdr))
                return;
        memcpy(&to.sin6_addr, packet + 8, 16);
        size = size < QUOTE_SIZE ? size : QUOTE_SIZE;
        says = htonl(says);
        memcpy(message + 4, &says, 4);
        memcpy(message + 8, packet, size);
        (void)!sendto(fd, message, 8 + size, 0, (struct sockaddr *)&to, sizeof(to));
}

int main(int argc, char *argv[]) {
        int listener = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));
        int v4 = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), v6 = socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
        struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
        unsigned long above, says;

        if (argc != 4 || listener < 0 || v4 < 0 || v6 < 0) {
                fputs("Usage: false_router INTERFACE ABOVE SAYS, as root\n", stderr);
                return 2;
        }
        above = strtoul(argv[2], NULL, 10);
        says = strtoul(argv[3], NULL, 10);
        at.sll_ifindex = (int)if_nametoindex(argv[1]);
        if (at.sll_ifindex == 0 || bind(listener, (struct sockaddr *)&at, sizeof(at)) < 0) {
                perror(argv[1]);
                return 1;
        }
        puts("listening");
        fflush(stdout);
        for (;;) {
                uint8_t packet[65536];
                struct sockaddr_ll from;
                socklen_t from_size = sizeof(from);
                ssize_t size = recvfrom(listener, packet, sizeof(packet), 0, (struct sockaddr *)&from,
                                        &from_size);

                if (size <= (ssize_t)above || from.sll_pkttype != PACKET_HOST)
                        continue;
                if (packet[0] >> 4 == 4)
                        tell_v4(v4, packet, (size_t)size, (uint16_t)says);
                else
                        tell_v6(v6, packet, (size_t)size, (uint32_t)says);
        }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plan/overlay.h"

#include <string.h>

#include "base/text.h"

#define IPV4 20
#define IPV6 40
#define UDP 8
#define ETHERNET 14 /* the inner frame's header */

/* RFC 7348, section 5: an 8-byte header; VXLAN_HEADROOM, VXLAN6_HEADROOM. */
#define VXLAN (UDP + 8 + ETHERNET)
/* RFC 8926, section 3.1: 8 bytes without options; GENEVE_IPV4_HLEN, GENEVE_IPV6_HLEN. */
#define GENEVE (UDP + 8 + ETHERNET)
/* RFC 2784, section 2: 4 bytes. kernel/link.c adds those of options. */
#define GRE 4
/* A header of 16 bytes and a tag of 16: message_data_len() in drivers/net/wireguard/messages.h. The padding
 * to 16 bytes never exceeds the MTU: calculate_skb_padding(). */
#define WIREGUARD (UDP + 32)
/* RFC 4303, section 2, with AES-GCM of RFC 4106: SPI and sequence number 8, IV 8, tag 16, and 2 of padding
 * length and next header; xfrm_state_mtu(). NAT traversal (RFC 3948) takes 8 more, other ciphers up to 30.
 */
#define ESP (8 + 8 + 16 + 2)
/* IEEE 802.1AE: a tag with an SCI, 16 bytes, and a check value of 16: macsec_extra_len(). */
#define MACSEC 32
/* RFC 2516, section 7: 6 bytes of PPPoE and 2 of PPP; RFC 4638 allows for 1500 inside. */
#define PPPOE 8

static const struct overlay overlays[] = {
        { "vxlan", "VXLAN", IPV4 + VXLAN, IPV6 + VXLAN },
        { "geneve", "GENEVE", IPV4 + GENEVE, IPV6 + GENEVE },
        { "gre", "GRE", IPV4 + GRE, IPV4 + GRE },
        { "gretap", "GRE", IPV4 + GRE + ETHERNET, IPV4 + GRE + ETHERNET },
        { "ip6gre", "GRE", IPV6 + GRE, IPV6 + GRE },
        { "ip6gretap", "GRE", IPV6 + GRE + ETHERNET, IPV6 + GRE + ETHERNET },
        { "ipip", "IP in IP", IPV4, IPV4 },
        { "sit", "IPv6 in IPv4", IPV4, IPV4 },
        { "ip6tnl", "IP in IPv6", IPV6, IPV6 },
        { "wireguard", "WireGuard", IPV4 + WIREGUARD, IPV6 + WIREGUARD },
        { "ppp", "PPPoE", PPPOE, PPPOE },
        { "xfrm", "IPsec", IPV4 + ESP, IPV6 + ESP },
        { "vti", "IPsec", IPV4 + ESP, IPV4 + ESP },
        { "vti6", "IPsec", IPV6 + ESP, IPV6 + ESP },
        { "macsec", "MACsec", MACSEC, MACSEC },
};

const struct overlay *overlay_find(const char *kind) {
        for (size_t i = 0; i < sizeof(overlays) / sizeof(overlays[0]); i++)
                if (strcmp(overlays[i].kind, kind) == 0)
                        return &overlays[i];
        return NULL;
}

bool overlay_is_over_ip(const char *kind) {
        return overlay_find(kind) && !text_is_among(kind, "ppp macsec");
}

uint32_t overlay_bytes(const struct link *link, bool is_over_ipv6) {
        const struct overlay *overlay = overlay_find(link->kind);

        if (!overlay)
                return 0;
        return (is_over_ipv6 ? overlay->over_ipv6 : overlay->over_ipv4) + link->header_options;
}

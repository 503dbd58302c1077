/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whether the devices below and the path carry what the device sends. */

#include <stdio.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/log.h"
#include "base/text.h"
#include "command/diagnosis.h"
#include "command/path_text.h"
#include "explain/note.h"
#include "kernel/route.h"
#include "plan/advice.h"
#include "plan/overlay.h"
#include "plan/stack.h"

/* IP and TCP without options: RFC 9293, section 3.7.1. */
#define TCP_HEADERS_V4 40
#define TCP_HEADERS_V6 60

/* Networks of containers and virtual machines, by the bridge names that their programs choose. */
static const struct container_network {
        const char *begin;   /* prefix of the name */
        const char *who;     /* begins a sentence */
        const char *setting; /* that has the MTU */
        const char *command; /* that leads to it */
        bool takes_rest;     /* `command` ends in the rest of the name */
} container_networks[] = {
        { "docker0", "Docker", "\"mtu\" in /etc/docker/daemon.json",
          "${EDITOR:-vi} /etc/docker/daemon.json" },
        { "br-", "Docker", "com.docker.network.driver.mtu of a new network", "docker network inspect ",
          .takes_rest = true },
        { "podman", "Podman", "the option mtu of a new network", "podman network ls" },
        { "cni-podman", "Podman", "the option mtu of a new network", "podman network ls" },
        { "cni", "CNI", "\"mtu\" in the network's file", "${EDITOR:-vi} /etc/cni/net.d" },
        { "virbr", "libvirt", "<mtu size=.../> with virsh net-edit", "virsh net-list --all" },
        { "lxdbr", "LXD", "bridge.mtu", "lxc network edit lxdbr", .takes_rest = true },
        { "incusbr", "Incus", "bridge.mtu", "incus network edit incusbr", .takes_rest = true },
};

static const struct container_network *container_network_of(const struct link *link) {
        for (size_t i = 0; i < sizeof(container_networks) / sizeof(container_networks[0]); i++) {
                const struct container_network *network = &container_networks[i];
                const char *rest = text_after(link->name, network->begin);

                /* Docker's bridges have 12 digits of the network's ID; br-lan is not Docker's. */
                if (rest && strcmp(link->kind, "bridge") == 0 &&
                    (strcmp(network->begin, "br-") != 0 ||
                     (strlen(rest) == 12 && rest[strspn(rest, "0123456789abcdef")] == '\0')))
                        return network;
        }
        return NULL;
}

/* Devices below ------------------------------------------------------------------------------- */

static void judge_stack(struct checkup *checkup) {
        const struct link_table *links = &checkup->doctor->facts.snapshot.links;
        const struct link *link = checkup->link, *limit = stack_limit(links, link);
        const struct link *leader = stack_leader(links, link);
        const struct link *port = advice_smaller_port(&checkup->doctor->facts.snapshot.statuses, links, link,
                                                      link->mtu);
        uint32_t room = limit ? stack_capacity(link, limit, limit->mtu) : leader ? leader->mtu : link->mtu;
        const char *command;

        /* judge_overlay() reports overlays. */
        if (checkup->has_contradictions || overlay_find(link->kind))
                return;
        command = diagnosis_command(checkup, link->mtu);
        if (link->mtu > room)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, command,
                              "the MTU is %u, and %s below carries %u", link->mtu,
                              (limit ? limit : leader)->name, room);
        if (port)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, command,
                              "the MTU is %u, and its port %s has %u, which drops larger frames", link->mtu,
                              port->name, port->mtu);
}

/* The device by which the packets of an overlay leave; NULL: not known. `ret_is_guess`: it is the device of
 * the default route. */
static const struct link *find_below(struct checkup *checkup, bool *ret_is_guess) {
        const struct doctor *doctor = checkup->doctor;
        const struct link *link = checkup->link;
        struct sockaddr_in v4 = { .sin_family = AF_INET };
        struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
        bool is_v6 = link->remote_size == sizeof(v6.sin6_addr);
        unsigned ifindex = link->lower_ifindex;
        int r = 0;

        *ret_is_guess = false;
        memcpy(&v6.sin6_addr, link->remote, sizeof(v6.sin6_addr));
        memcpy(&v4.sin_addr, link->remote, sizeof(v4.sin_addr));
        if (ifindex == 0 && link->remote_size > 0)
                r = route_get_interface(doctor->facts.snapshot.socket,
                                        is_v6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4, 0,
                                        &ifindex);
        if (r < 0 && !route_is_none(r)) {
                log_error("%s: the route to its other end cannot be read: %s", checkup->name, strerror(-r));
                diagnosis_add(checkup, EXIT_CODE_FAILURE, NULL,
                              "the route to its other end could not be read");
        }
        if (r < 0)
                return NULL;
        if (ifindex == 0 && strcmp(link->kind, "wireguard") == 0) {
                *ret_is_guess = true;
                ifindex = doctor->default_ifindex;
        }
        return ifindex == link->ifindex ? NULL
                                        : link_table_by_ifindex(&doctor->facts.snapshot.links, ifindex);
}

static uint32_t what_is_left(uint32_t mtu, uint32_t overhead) {
        return mtu > overhead ? mtu - overhead : 0;
}

static void judge_overlay(struct checkup *checkup) {
        const struct link *link = checkup->link, *below;
        const struct overlay *overlay = overlay_find(link->kind);
        uint32_t overhead = overlay_overhead(link), left;
        const char *command, *also = "";
        bool is_guess;

        if (!overlay || !link->up)
                return;
        below = find_below(checkup, &is_guess);
        if (!below) {
                diagnosis_note(checkup, "overlay", NULL,
                               "%s adds %u bytes at least: what carries it needs an MTU of %u.",
                               overlay->title, overhead, link->mtu + overhead);
                return;
        }
        left = what_is_left(below->mtu, overhead);
        if (overlay->over_ipv4 != overlay->over_ipv6 && link->remote_size == 0 && !link->is_over_ipv6)
                also = pool_print(&checkup->pool, " over IPv4 and %u over IPv6",
                                  what_is_left(below->mtu, overlay->over_ipv6));
        command = diagnosis_command(checkup, left);
        if (link->mtu > left && !is_guess)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, command,
                              "the MTU is %u, and of the %u bytes of %s below, %s leaves %u at most%s",
                              link->mtu, below->mtu, below->name, overlay->title, left, also);
        else
                diagnosis_note(checkup, "overlay", link->mtu > left ? command : NULL,
                               "of the %u bytes of %s%s, %s leaves %u at most%s; the MTU is %u.", below->mtu,
                               below->name, is_guess ? ", where the default route leads" : "",
                               overlay->title, left, also, link->mtu);
}

static void judge_containers(struct checkup *checkup) {
        const struct container_network *network = container_network_of(checkup->link);
        const struct link *link = checkup->link;
        const struct link *uplink = link_table_by_ifindex(&checkup->doctor->facts.snapshot.links,
                                                          checkup->doctor->default_ifindex);
        const char *command, *text;

        if (!network || !uplink || uplink == link)
                return;
        command = pool_print(&checkup->pool, "%s%s", network->command,
                             network->takes_rest ? link->name + strlen(network->begin) : "");
        text = pool_print(&checkup->pool,
                          "%s sends packets of %u bytes%s, and %s, by which they leave, carries %u. Set %s "
                          "to %u",
                          network->who, link->mtu, link->mtu > uplink->mtu ? "" : " at most", uplink->name,
                          uplink->mtu, network->setting, uplink->mtu);
        if (link->mtu > uplink->mtu)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, command, "%s", text);
        else if (link->mtu < uplink->mtu && uplink->mtu > MTU_ETHERNET)
                diagnosis_note(checkup, "containers", command, "%s.", text);
}

void diagnosis_judge_below(struct checkup *checkup) {
        judge_stack(checkup);
        judge_overlay(checkup);
        judge_containers(checkup);
}

/* The path ---------------------------------------------------------------------------------------------- */

/* Forwarded TCP is as stuck as this machine's own. `rt mtu` uses the MTUs of the routes in both directions:
 * get_tcpmss() in net/netfilter/nft_rt.c. */
static void advise_clamping(struct checkup *checkup, const struct probed *host) {
        bool is_v6 = host->path.target.ss_family == AF_INET6;
        const char *key = is_v6 ? "net/ipv6/conf/all/forwarding" : "net/ipv4/ip_forward";
        uint32_t mss = host->result.verdict.size - (is_v6 ? TCP_HEADERS_V6 : TCP_HEADERS_V4);

        diagnosis_add_notes(checkup, true);
        if (network_sysctl_read(key) > 0)
                diagnosis_note(checkup, "mss",
                               "nft 'add table inet mss; add chain inet mss forward { type filter hook "
                               "forward priority -150; }; add rule inet mss forward tcp flags syn tcp "
                               "option maxseg size set rt mtu'",
                               "this machine forwards packets. Once the route has its MTU, limit the TCP "
                               "segments of other hosts on it to %u bytes.",
                               mss);
        else
                diagnosis_note(checkup, "mss", NULL,
                               "for other hosts behind the same router, have that router clamp TCP's MSS to "
                               "%u.",
                               mss);
}

/* The command that adapts to what the path carries. */
static const char *command_for_path(struct pool *pool, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        char address[TEXT_SHELL_WORD_SIZE], name[TEXT_SHELL_WORD_SIZE];
        uint32_t mtu = verdict_common_mtu(verdict->size);

        text_shell_word(address, host->path.address);
        text_shell_word(name, host->path.link.name);
        if (verdict->kind == VERDICT_UNREACHABLE)
                return pool_print(pool, "ip route get %s", address);
        if (verdict->kind == VERDICT_INCONCLUSIVE)
                return pool_print(pool, "setmtu probe %s --timeout 30s", address);
        if (verdict->kind == VERDICT_RETURN_PATH ||
            (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop == 0))
                return pool_print(pool, "setmtu try %s %u --probe %s", name, mtu, address);
        return pool_print(
                        pool,
                        "ip route replace $(ip route get %s | sed 's/ from :://; s/ src .*//; q') mtu %s%u",
                        address, verdict->kind == VERDICT_FALSE_TOO_BIG ? "lock " : "", mtu);
}

static void judge_host(struct checkup *checkup, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        const char *text = path_text(&checkup->pool, &host->path, &host->result);
        const char *command = command_for_path(&checkup->pool, host);
        uint32_t limit = 0;

        if (checkup->link && route_get_mtu(checkup->doctor->facts.snapshot.socket,
                                           (const struct sockaddr *)&host->path.target, &limit) < 0)
                limit = 0;
        if (verdict_carries(verdict, verdict->tried))
                diagnosis_note(checkup, "path", NULL, "%s: %s", host->path.host, text);
        else if (limit > 0 && verdict_carries(verdict, limit))
                diagnosis_note(checkup, "path", NULL,
                               "%s: %u bytes pass, and the route to it has an MTU of %u: nothing larger is "
                               "sent.",
                               host->path.host, verdict->size, limit);
        else {
                diagnosis_add(checkup, verdict_exit_code(verdict->kind), command, "%s: %s", host->path.host,
                              text);
                if (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop != 0)
                        advise_clamping(checkup, host);
        }
}

void diagnosis_judge_hosts(struct checkup *checkup) {
        for (size_t i = 0; i < checkup->doctor->n_hosts; i++) {
                const struct probed *host = &checkup->doctor->hosts[i];

                if (checkup->link ? host->path.link.ifindex != checkup->link->ifindex
                                  : checkup->status || host->path.link.ifindex > 0)
                        continue;
                if (host->exit_code == EXIT_CODE_DONE)
                        judge_host(checkup, host);
                else
                        diagnosis_add(checkup, host->exit_code, NULL, "%s: it could not be probed",
                                      host->path.host);
        }
}

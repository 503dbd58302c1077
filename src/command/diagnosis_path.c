/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Whether the devices below and the path carry what the device sends. */

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit_code.h"
#include "base/text.h"
#include "command/diagnosis.h"
#include "command/path_text.h"
#include "command/switch_port.h"
#include "command/traffic_look.h"
#include "plan/advice.h"
#include "plan/overlay.h"
#include "plan/stack.h"

/* IP and TCP without options: RFC 9293, section 3.7.1. */
#define TCP_HEADERS_V4 40
#define TCP_HEADERS_V6 60

#define PODMAN_RENEW "podman restart $(podman ps -q)"

/* Networks of containers and virtual machines, by the bridge names that their programs choose. In a command,
 * "@" stands for the rest of the name and "#" for the MTU. */
static const struct container_network {
        const char *begin;   /* prefix of the name */
        const char *who;     /* begins a sentence; the program of its places of mentions */
        const char *setting; /* that has the MTU */
        const char *command; /* that sets it, or leads to it; NULL: Docker's own */
        const char *renew;   /* that makes older containers have it; or NULL */
} container_networks[] = {
        { "docker0", "Docker", "\"mtu\" in /etc/docker/daemon.json", NULL,
          "c=$(docker ps -q); docker stop $c && systemctl restart docker && docker start $c" },
        /* What has been lost when it fails is the new network alone: the old one is connected again. */
        { "br-", "Docker",
          "com.docker.network.driver.mtu of a new network in its place, without labels, aliases and fixed "
          "addresses,",
          "n=$(docker network inspect -f '{{.Name}}' @) c=$(docker ps -aqf network=@) "
          "o=$(docker network inspect -f '{{if .Internal}}--internal {{end}}{{if .EnableIPv6}}--ipv6 {{end}}"
          "{{range .IPAM.Config}}--subnet {{.Subnet}} {{end}}' @); "
          "for i in $c; do docker network disconnect $n $i; done; "
          "docker network rm $n && docker network create $o -o com.docker.network.driver.mtu=# $n; "
          "for i in $c; do docker network connect $n $i; done" },
        { "podman0", "Podman", "the option mtu of the network podman",
          "n=$(podman network inspect podman) && mkdir -p /etc/containers/networks && echo \"$n\" | "
          "sed '1d; $d; 2s/$/ \"options\": { \"mtu\": \"#\" },/' > /etc/containers/networks/podman.json",
          PODMAN_RENEW },
        { "podman", "Podman", "the option mtu of the network",
          "sed -i '0,/{/s//{ \"options\": { \"mtu\": \"#\" },/' $(grep -l "
          "'network_interface.*\"podman@\"' /etc/containers/networks/*.json)",
          PODMAN_RENEW },
        { "cni-podman", "Podman", "the option mtu of a new network", "podman network ls" },
        { "cni", "CNI", "\"mtu\" in the network's file",
          "${EDITOR:-vi} $(grep -l '\"cni@\"' /etc/cni/net.d/* || echo /etc/cni/net.d)" },
        { "virbr", "libvirt", "<mtu size=.../> with virsh net-edit", "virsh net-list --all" },
        { "lxdbr", "LXD", "bridge.mtu", "lxc network edit lxdbr@" },
        { "incusbr", "Incus", "bridge.mtu", "incus network edit incusbr@" },
};

static const struct container_network *container_network_of(const struct link *link) {
        char word[TEXT_SHELL_WORD_SIZE];

        /* A part of the name comes into a command for a shell, within quotes. */
        if (strcmp(link->kind, "bridge") != 0 || strcmp(text_shell_word(word, link->name), link->name) != 0)
                return NULL;
        for (size_t i = 0; i < sizeof(container_networks) / sizeof(container_networks[0]); i++) {
                const struct container_network *network = &container_networks[i];
                const char *rest = text_after(link->name, network->begin);

                /* Docker's bridges have 12 digits of the network's ID; br-lan is not Docker's. */
                if (rest && (strcmp(network->begin, "br-") != 0 ||
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

        checkup->is_larger = link->mtu > room || port;
        if (checkup->has_contradictions)
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

/* What carries the packets of an overlay, or those that leave this machine from a bridge. It has no link if
 * that is not known, or cannot be read, which is a finding. */
static struct egress_step find_underlay(struct checkup *checkup) {
        const struct snapshot *snapshot = &checkup->doctor->facts.snapshot;
        struct egress_step step;
        int r = egress_find_underlay(snapshot->socket, &snapshot->links, checkup->link, &step);

        if (r < 0) {
                diagnosis_add(checkup, EXIT_CODE_FAILURE, NULL,
                              "the route by which its packets leave cannot be read: %s", strerror(-r));
                step.link = NULL;
        }
        return step;
}

static void judge_overlay(struct checkup *checkup, const struct overlay *overlay) {
        const struct link *link = checkup->link;
        uint32_t overhead = overlay_bytes(link, link->is_over_ipv6), left;
        struct egress_step below;
        const char *name;

        if (!link->up)
                return;
        below = find_underlay(checkup);
        if (!below.link) {
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "%s adds %u bytes at least: what carries it needs an MTU of %u.",
                              overlay->title, overhead, link->mtu + overhead);
                return;
        }
        name = below.to.size == 0
                               ? below.link->name
                               : pool_print(checkup->pool, "the route to %s", NET_ADDRESS_TEXT(&below.to));
        left = below.mtu > below.overhead ? below.mtu - below.overhead : 0;
        checkup->is_larger = link->mtu > left;
        if (checkup->is_larger)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, diagnosis_command(checkup, left),
                              "the MTU is %u, and of the %u bytes of %s below, %s leaves %u at most",
                              link->mtu, below.mtu, name, overlay->title, left);
        else
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "of the %u bytes of %s, %s leaves %u at most; the MTU is %u.", below.mtu, name,
                              overlay->title, left, link->mtu);
}

/* Containers -------------------------------------------------------------------------------------------- */

/* What the containers and virtual machines behind a bridge send. */
struct ends {
        uint32_t mtu;             /* the largest; 0: there are none, or none is known */
        const struct link *port;  /* that leads to it */
        const struct link *other; /* that leads to one that this user may not see; or NULL */
};

static struct ends find_ends(const struct checkup *checkup) {
        const struct snapshot *snapshot = &checkup->doctor->facts.snapshot;
        struct ends ends = { 0 };

        for (size_t i = 0; i < snapshot->links.n_links; i++) {
                const struct link *port = &snapshot->links.links[i];
                struct link end;

                if (port->controller_ifindex != checkup->link->ifindex || port->peer_ifindex == 0)
                        continue;
                if (link_get_peer(snapshot->socket, port, &end) < 0)
                        ends.other = port;
                else if (end.mtu > ends.mtu) {
                        ends.mtu = end.mtu;
                        ends.port = port;
                }
        }
        return ends;
}

/* The command that has the network's containers get that MTU. `setting`: where they have another one from.
 */
static const char *network_command(struct checkup *checkup, const struct container_network *network,
                                   const struct mention *setting, uint32_t mtu) {
        struct pool *pool = checkup->pool;
        const char *command = "", *at = network->command;
        char file[TEXT_SHELL_WORD_SIZE];

        if (!at)
                return rivals_docker_command(pool, setting, mtu);
        if (setting)
                return pool_print(pool, "${EDITOR:-vi} +%u %s", setting->line,
                                  text_shell_word(file, setting->file));
        while (*at) {
                size_t size = strcspn(at, "@#");

                command = pool_print(pool, "%s%.*s%s", command, (int)size, at,
                                     at[size] == '@'   ? checkup->link->name + strlen(network->begin)
                                     : at[size] == '#' ? pool_print(pool, "%u", mtu)
                                                       : "");
                at += size + (at[size] != '\0');
        }
        return command;
}

/* By the ends: a container sends by the MTU of its own. Without any, those to come get that of the setting;
 * of docker0 with a line, that of Docker; or else that of the bridge. */
static void judge_containers(struct checkup *checkup) {
        const struct container_network *network = container_network_of(checkup->link);
        const struct link *link = checkup->link, *narrowest = link;
        const struct link *uplink;
        const struct mention *setting;
        const char *where, *who;
        char place[TEXT_PLACE_SIZE];
        struct ends ends;
        uint32_t sent;

        if (!network)
                return;
        uplink = find_underlay(checkup).link;
        if (uplink && uplink->mtu < link->mtu)
                narrowest = uplink;
        ends = find_ends(checkup);
        setting = rivals_find_containers(&checkup->doctor->facts.rivals, link->name,
                                         network->command ? network->who : "Docker systemd");
        sent = ends.mtu > 0                                 ? ends.mtu
               : setting                                    ? setting->mtu
               : !network->command && checkup->status->line ? MTU_ETHERNET
                                                            : link->mtu;
        where = setting ? pool_print(checkup->pool, "the MTU in %s",
                                     text_place(place, setting->file, setting->line))
                        : network->setting;
        who = pool_print(checkup->pool, "%s sends packets of %u bytes%s%s", network->who, sent,
                         ends.port ? " by the other end of " : "", ends.port ? ends.port->name : "");
        if (sent > narrowest->mtu && !(setting && setting->mtu <= narrowest->mtu))
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT,
                              network_command(checkup, network, setting, narrowest->mtu),
                              "%s, and %s, by which they leave, carries %u. Set %s to %u", who,
                              narrowest->name, narrowest->mtu, where, narrowest->mtu);
        else if (setting && ends.mtu > narrowest->mtu)
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT, network->renew,
                              "%s, and %s, by which they leave, carries %u. %s has %u already: restart "
                              "the older containers",
                              who, narrowest->name, narrowest->mtu, place, setting->mtu);
        else if (uplink && link->mtu < uplink->mtu && uplink->mtu > MTU_ETHERNET)
                diagnosis_add(checkup, EXIT_CODE_DONE,
                              network_command(checkup, network, setting, uplink->mtu),
                              "%s at most, and %s, by which they leave, carries %u. Set %s to %u.", who,
                              uplink->name, uplink->mtu, where, uplink->mtu);
        if (ends.other)
                diagnosis_add(checkup, EXIT_CODE_DONE, "setmtu doctor",
                              "the other end of %s is in another namespace, where only root may read its "
                              "MTU.",
                              ends.other->name);
}

void diagnosis_judge_below(struct checkup *checkup) {
        const struct overlay *overlay = overlay_find(checkup->link->kind);

        if (overlay)
                judge_overlay(checkup, overlay);
        else
                judge_stack(checkup);
        judge_containers(checkup);
}

/* The path ---------------------------------------------------------------------------------------------- */

/* Whether the answers, or packets to hosts of the local segment, are limited. */
static bool is_near(const struct verdict *verdict) {
        return verdict->kind == VERDICT_RETURN_PATH ||
               (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop == 0);
}

/* Whether it concerns all hosts that the route leads to: the gateway, or the link behind it, carries less.
 */
static bool is_for_route(const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;

        return host->result.egress.route.gateway.size > 0 && (is_near(verdict) || verdict->after_hop == 1);
}

/* The command that adapts to what the path carries. */
static const char *command_for_path(struct pool *pool, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        char address[TEXT_SHELL_WORD_SIZE], name[TEXT_SHELL_WORD_SIZE];
        const char *lock = verdict->kind == VERDICT_FALSE_TOO_BIG ? "lock " : "";
        uint32_t mtu = verdict_common_mtu(verdict->size);

        text_shell_word(address, host->path.address);
        text_shell_word(name, host->path.link.name);
        if (verdict->kind == VERDICT_UNREACHABLE)
                return pool_print(pool, "ip route get %s", address);
        if (verdict->kind == VERDICT_INCONCLUSIVE)
                return pool_print(pool, "setmtu probe %s --timeout 30s", address);
        if (is_for_route(host))
                return route_command(pool, &host->path, lock, mtu);
        if (is_near(verdict))
                return pool_print(pool, "setmtu try %s %u --probe %s", name, mtu, address);
        return pool_print(
                        pool,
                        "ip route replace $(ip route get %s | sed 's/ from :://; s/ src .*//; q') mtu %s%u",
                        address, lock, mtu);
}

/* Once, although it may have been found of the device already. `text` is that of the path. */
static void judge_this_machine(struct checkup *checkup, const struct probed *host, const char *text) {
        const struct egress *egress = &host->result.egress;
        const struct verdict *verdict = &host->result.verdict;
        const char *reason = egress_text(checkup->pool, &host->path, &host->result);
        bool is_narrow = egress_is_narrow(egress, verdict->tried);
        bool is_ipv6 = !is_narrow && egress_is_cut(egress, verdict->tried) && egress->limit == EGRESS_IPV6;

        if (is_narrow ? checkup->is_larger : is_ipv6 && checkup->is_ipv6_less)
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL, "%s: %u bytes pass.", host->path.host,
                              verdict->size);
        else
                diagnosis_add(checkup, EXIT_CODE_LOCAL_LIMIT,
                              is_ipv6 ? diagnosis_ipv6_command(checkup)
                                      : egress_command(checkup->pool, &host->path, &host->result),
                              "%s: %s", host->path.host, reason ? reason : text);
}

static void judge_path(struct checkup *checkup, const struct probed *host, const char *text) {
        const struct verdict *verdict = &host->result.verdict;
        uint32_t headers = host->path.target.ss_family == AF_INET6 ? TCP_HEADERS_V6 : TCP_HEADERS_V4;
        const struct manager_facts *facts = &checkup->facts;
        json_t *finding = diagnosis_add(checkup, verdict_exit_code(verdict->kind),
                                        command_for_path(checkup->pool, host), "%s: %s", host->path.host,
                                        text);

        /* The text has its name already. */
        if (checkup->doctor->is_json && is_near(verdict))
                checkup->pool->failed |= json_object_set_new(finding, "switch",
                                                             switch_port_find(host->path.link.name)) < 0;
        /* The command changes the route until its manager makes it again. */
        if (is_for_route(host))
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "the route has that MTU until it is made again. For good, set it in %s.",
                              facts->network_file[0]             ? facts->network_file
                              : facts->networkmanager.profile[0] ? facts->networkmanager.profile
                                                                 : "the configuration that makes it");
        if (verdict->kind == VERDICT_BLACK_HOLE && verdict->after_hop != 0)
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "other hosts that send through this machine, or the same router, need TCP's "
                              "MSS clamped to %u there",
                              verdict->size - headers);
}

/* The cause that is nearest to this machine comes first. */
static void judge_host(struct checkup *checkup, const struct probed *host) {
        const struct verdict *verdict = &host->result.verdict;
        const struct egress *egress = &host->result.egress;
        const char *text = path_text(checkup->pool, &host->path, &host->result);

        if (verdict->kind == VERDICT_LOCAL_LIMIT)
                judge_this_machine(checkup, host, text);
        else if (egress_is_cut(egress, verdict->tried) && verdict_carries(verdict, egress->sent))
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                              "%s: %u bytes pass, and this machine sends nothing above %u.", host->path.host,
                              verdict->size, egress->sent);
        else if (verdict->kind == VERDICT_OK || verdict->kind == VERDICT_TOO_BIG)
                diagnosis_add(checkup, EXIT_CODE_DONE, NULL, "%s: %s%s", host->path.host, text,
                              verdict->kind == VERDICT_OK ? "" : " Senders adapt to it.");
        else
                judge_path(checkup, host, text);
}

/* Whatever the path carries, TCP sends no larger segments than the peer has answered that it takes. */
static void note_small_mss(struct checkup *checkup, const struct probed *host) {
        CLEANUP(traffic_free) struct traffic traffic = { 0 };
        CLEANUP(netlink_socket_cleanup) struct netlink_socket *diag = NULL;
        const struct net_address address = route_address((const struct sockaddr *)&host->path.target);

        /* It is a note alone: what cannot be read has none. */
        if (traffic_look(&diag, &traffic) < 0)
                return;
        for (const struct traffic_peer *peer = traffic.peers; peer; peer = peer->next)
                if (net_address_equals(&peer->address, &address) && peer->is_by_peer) {
                        diagnosis_add(checkup, EXIT_CODE_DONE, NULL,
                                      "%s: TCP sends nothing above %u bytes there: its answer, or a device "
                                      "on the way that changes it, limits the MSS to %u.",
                                      host->path.host, peer->packet, peer->limited);
                        /* The same host again, if its connections are bound to a device. */
                        return;
                }
}

void diagnosis_judge_hosts(struct checkup *checkup) {
        for (size_t i = 0; i < checkup->doctor->n_hosts; i++) {
                const struct probed *host = &checkup->doctor->hosts[i];

                if (checkup->link ? host->path.link.ifindex != checkup->link->ifindex
                                  : checkup->status || host->path.link.ifindex > 0)
                        continue;
                if (host->exit_code == EXIT_CODE_DONE) {
                        judge_host(checkup, host);
                        note_small_mss(checkup, host);
                } else
                        diagnosis_add(checkup, host->exit_code, NULL, "%s: it could not be probed",
                                      host->path.host);
        }
}

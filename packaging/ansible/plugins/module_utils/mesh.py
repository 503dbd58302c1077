# SPDX-License-Identifier: LGPL-2.1-or-later
"""The mesh of a network: which hosts probe which, and what is behind the probes that fail.

Pure functions of what the inventory and `setmtu probe --json` say: no I/O, no clock, no Ansible.

What a result from A to B proves:

    ok            A and B send and receive the size whole, and everything between them carries it, in both directions.
    local limit   A's own device or its route is the limit. A says so of itself.
    black hole, too big, false too big, return path
                  A has sent more than what passes. Its device and its route are not the limit.
    return path   Also, B has received more than what passes.
    cause "link"  B has answered with more than what passes. Its device and its route are not the limit.
    cause "host"  B's answers arrive in fragments. B makes them, or a Linux bridge before it does, with br_netfilter. If B
                  itself has sent more, it is the bridge.
    unreachable, inconclusive, no result
                  Nothing about a size."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import collections
import heapq
import math
import random

ALL_PAIRS_MAX = 60  # hosts; beyond, all pairs are more than a person can read or a network should carry


class MeshError(ValueError):
    """A mistake of the caller, in words for a person."""


# ---------------------------------------------------------------------------------------------------------- the input


def check_hosts(hosts):
    """The hosts by name, each with every key; MeshError where one is not as it must be."""
    if not isinstance(hosts, (list, tuple)):
        raise MeshError("hosts: expected a list of hosts, got %s" % type(hosts).__name__)
    known = {}
    for number, host in enumerate(hosts, 1):
        if not isinstance(host, dict):
            raise MeshError("hosts: item %d is no dictionary with name and address" % number)
        for key in ("name", "address"):
            if not host.get(key):
                raise MeshError("hosts: item %d (%s) has no %s" % (number, host.get("name") or "no name", key))
        groups = host.get("groups") or []
        if isinstance(groups, str) or not all(isinstance(group, str) for group in groups):
            raise MeshError("hosts: the groups of %s are no list of texts" % host["name"])
        if host["name"] in known:
            raise MeshError("hosts: %s is listed twice; make a mesh for each segment" % host["name"])
        known[host["name"]] = dict(host, groups=sorted(set(groups)), segment=str(host.get("segment") or ""))
    return known


def check_pairs(what, pairs, known):
    """The pairs by (from, to), each once; MeshError where one is not between hosts."""
    found = collections.OrderedDict()
    for pair in pairs:
        if not isinstance(pair, dict) or "from" not in pair or "to" not in pair:
            raise MeshError("%s: expected dictionaries with from and to, got %r" % (what, pair))
        for end in ("from", "to"):
            if pair[end] not in known:
                raise MeshError("%s: %s is not one of the hosts" % (what, pair[end]))
        found[(pair["from"], pair["to"])] = pair
    return found


# -------------------------------------------------------------------------------------------------- choosing the pairs


def choose_pairs(hosts, peers=4, seed=1, across=False):
    """Pairs (from, to) of names: each host probes at least `peers` others and at least as many probe it; groups are
    crossed evenly. All pairs if there are no more, or with peers=0. Hosts of different segments only if `across`."""
    if not isinstance(peers, int) or peers < 0:
        raise MeshError("peers: %r is no number of hosts" % (peers,))
    segments = collections.defaultdict(list)
    for name, host in sorted(check_hosts(hosts).items()):
        segments["" if across else host["segment"]].append((name, tuple([host["segment"]] + host["groups"])))
    chosen = []
    for _segment, members in sorted(segments.items()):
        if peers == 0 and len(members) > ALL_PAIRS_MAX:
            raise MeshError("peers: all pairs of %d hosts are %d; choose a number of peers, such as 4 (all are possible up to %d hosts)"
                            % (len(members), len(members) * (len(members) - 1), ALL_PAIRS_MAX))
        names = [name for name, _cell in members]
        if peers == 0 or len(names) - 1 <= peers:
            chosen += [(a, b) for a in names for b in names if a != b]
        else:
            chosen += choose_some(members, peers, random.Random(seed))
    return chosen


def choose_some(members, peers, rng):
    """The pairs of (name, cell) of one segment. A cell is the hosts that are in the same groups.

    The hosts are laid out so that every stretch has its share of each cell, and cut into blocks. In a block each host
    probes those some places further on, other distances in each block: the sum over the blocks crosses the cells evenly,
    and a rotation gives each host as many that probe it as it probes."""
    cells = collections.defaultdict(list)
    for name, cell in members:
        cells[cell].append(name)
    order = sorted(cells)
    rng.shuffle(order)
    laid_out = []
    for number, cell in enumerate(order):
        rng.shuffle(cells[cell])
        laid_out += [((slot + number / len(order)) / len(cells[cell]), number, name) for slot, name in enumerate(cells[cell])]
    line = [name for _place, _number, name in sorted(laid_out)]

    # Whole rounds of the cells, and room for partners that differ.
    length = len(order) * -(-(4 * peers + 1) // len(order))
    pairs = collections.OrderedDict()
    starts = list(range(0, max(len(line) - length + 1, 1), length))
    for number, start in enumerate(starts):
        block = line[start:start + length if start != starts[-1] else None]
        for step in range(peers):
            distance = 1 + (number * peers + step) % (len(block) - 1)
            for place, name in enumerate(block):
                pairs[(name, block[(place + distance) % len(block)])] = None
    # What passes within a cell tells its switch from its uplinks.
    for cell in order if len(order) > 1 else []:
        ring = cells[cell][:3]
        for name, other in zip(ring, ring[1:] + ring[:1]):
            if name != other:
                pairs[(name, other)] = None
    return list(pairs)


# ------------------------------------------------------------------------------------------------------- what was seen

GOOD, PARTLY, SMALL, LOST, UNKNOWN = "good", "partly", "small", "lost", "unknown"
NO_ANSWER = "no answer"  # no result of a prober


def judge(known, pairs, results, mtu):
    """What was seen of each pair: a list of dictionaries, the result's members and `state`. It is good if the MTU passes
    there and back, partly if it passes by some flows only, small if less does, lost if nothing does, unknown if nobody can
    tell."""
    by_pair = check_pairs("results", results, known)
    for (a, b), result in by_pair.items():
        if "verdict" not in result:
            raise MeshError("results: the one from %s to %s has no verdict" % (a, b))
    talkers = set(a for a, _b in by_pair)
    seen = []
    for pair in collections.OrderedDict.fromkeys(list(pairs) + list(by_pair)):
        result = by_pair.get(pair)
        if result:
            good, flows = flows_of(result, mtu)
            seen.append(dict(result, state=state_of(result, mtu), flows_good=good, flows_all=flows))
        else:
            # A host without any result is lost; one result that is missing among others tells nothing.
            seen.append({"from": pair[0], "to": pair[1], "verdict": NO_ANSWER, "size": None,
                         "state": UNKNOWN if pair[0] in talkers else LOST})
    return seen


def state_of(result, mtu):
    verdict, size = result["verdict"], result.get("size")
    if verdict == "inconclusive":
        return UNKNOWN
    if verdict == "unreachable":
        return LOST
    if verdict != "false too big" and size is not None and size >= mtu:
        return GOOD
    good, flows = flows_of(result, mtu)
    return PARTLY if 0 < good < flows else SMALL


def flows_of(result, mtu):
    """How many flows carry the MTU, and how many there are."""
    flows = result.get("flows") or []
    return sum(flow["count"] for flow in flows if (flow["size"] or 0) >= mtu), sum(flow["count"] for flow in flows)


# --------------------------------------------------------------------------------------------------- finding the fault

# Beliefs. A verdict that a path carries less comes from repeated probes and is hardly ever wrong; silence may be. Hardly
# anything but several uplinks makes one path fail and no other.
BOTH_SMALL, BOTH_LOST = "both small", "both lost"
NOISE = {GOOD: 1e-3, PARTLY: 1e-4, SMALL: 1e-4, BOTH_SMALL: 1e-6, LOST: 1e-2, BOTH_LOST: 1e-3}
PASSES_A_FAULT = 1e-3
PRIOR = {"host": 1e-3, "switch": 3e-4, "uplink": 3e-4, "segment": 1e-3, "core": 3e-4, "path": 1e-6, "noise": 1e-2}
PRIOR_SUSPECTED = 0.5  # a host whose answers come in fragments, unless it is known to send more
# The share of the paths across a fault that fail, of the ways of a flow where there are several, and how likely these are.
Share = collections.namedtuple("Share", "paths ways")
WHOLE = Share(1 - PASSES_A_FAULT, 1)


def one_of(number, likelihood):
    return Share(1, 1 / number), likelihood


ONE_OF_SEVERAL = [one_of(number, 0.5 / 9) for number in (2, 3, 4, 6, 8, 12, 16, 32, 64)]
SHARES = {
    "host": [(WHOLE, 0.98), one_of(2, 0.01), one_of(4, 0.01)],  # one link of a bond
    "switch": [(WHOLE, 0.9), (Share(0.95, 1), 0.05), (Share(0.85, 1), 0.05)],  # the inventory may have a host in the wrong group
    "segment": [(WHOLE, 1)],
    "uplink": [(WHOLE, 0.5)] + ONE_OF_SEVERAL,
    "core": [(WHOLE, 0.5)] + ONE_OF_SEVERAL,
    "path": [(WHOLE, 0.9), one_of(4, 0.1)],
    "noise": [(Share(share, 1), 0.2) for share in (0.01, 0.02, 0.04, 0.08, 0.15)],
}


def fails(share, state, flows):
    """How likely the fault makes a path fail as it does; one that is good: at all. The first of its flows goes there and comes
    back, the others go there."""
    if share.ways == 1:
        return 0 if state == PARTLY else share.paths
    none, every = (1 - share.ways) ** (flows + 1), share.ways ** flows if flows > 1 else 0
    return min({GOOD: 1 - none, PARTLY: 1 - none - every}.get(state, every or 1 - none), WHOLE.paths)
ROUNDS = 5
SPECIFIC = ["host", "uplink", "switch", "segment", "core", "path", "noise"]


def combine(seen):
    """One observation of two hosts, whichever probes: both see the way there and the way back. Where they contradict each
    other, a limit that was found counts, and silence does not; a limit of some flows is none of all."""
    both = collections.OrderedDict()
    for i, pair in enumerate(seen):
        both.setdefault(tuple(sorted((pair["from"], pair["to"]))), []).append(i)
    observed = []
    for (a, b), numbers in both.items():
        states = [seen[i]["state"] for i in numbers]
        state = UNKNOWN
        for candidate in (PARTLY, SMALL, GOOD, LOST):
            if candidate in states:
                state = candidate
                break
        if states in ([SMALL, SMALL], [LOST, LOST]):
            state = {SMALL: BOTH_SMALL, LOST: BOTH_LOST}[state]
        flows = sum(max(seen[i].get("flows_all", 0), 1) for i in numbers) - len(numbers) + 1  # both have the first one in common
        observed.append({"from": a, "to": b, "state": state, "flows": flows, "numbers": numbers})
    return observed


class Suspect:
    """What may be at fault, and the pairs that cross it."""

    def __init__(self, kind, name):
        self.kind, self.names, self.prior, self.pairs = kind, [name], PRIOR[kind], []
        self.kinds = {kind}  # of what cannot be told from it
        self.seen = collections.Counter()  # of the pairs, by what was seen and which faults explain it
        self.share = WHOLE  # of the pairs that fail, once it is taken for a fault


def suspects_of(known, a, b):
    """(kind, name) of all that a pair crosses."""
    groups_a, groups_b = set(known[a]["groups"]), set(known[b]["groups"])
    yield "host", a
    yield "host", b
    yield "path", tuple(sorted((a, b)))
    for group in groups_a | groups_b:
        yield "switch", group
    for group in groups_a ^ groups_b:
        yield "uplink", group
    for group in groups_a - groups_b:
        for other in groups_b - groups_a:
            yield "path", tuple(sorted((group, other)))
    if groups_a != groups_b:
        yield "core", ""
    yield "segment", tuple(sorted({known[a]["segment"], known[b]["segment"]}))


class Search:
    """The likeliest set of faults. A suspect's score is the logarithm of how much more likely what was seen becomes with
    it, its own likelihood included; faults are added while the score grows, and exchanged and dropped where others explain
    as much."""

    def __init__(self, known, seen, suspected=()):
        self.faults = []
        self.found = [(pair["state"], pair.get("flows", 1)) for pair in seen]
        self.faults_on = [()] * len(seen)
        self.states = [self.state_of(i) for i in range(len(seen))]
        self.suspects = self.gather(known, seen, suspected)
        self.at = [[] for _pair in seen]
        for suspect in self.suspects:
            for i in suspect.pairs:
                self.at[i].append(suspect)
                suspect.seen[self.states[i]] += 1

    def state_of(self, i):
        """What was seen of the pair, by how many flows, and how likely it passes by the faults on it; equal ones are exactly
        equal."""
        state, flows = self.found[i]
        passes = 1 - NOISE.get(state, 0)
        for share in sorted(fault.share for fault in self.faults_on[i]):
            passes *= 1 - fails(share, state, flows)
        return state, flows, passes

    @staticmethod
    def gather(known, seen, suspected):
        """The suspects that some failing pair crosses. What the same pairs cross cannot be told apart: it is one."""
        found = {}
        for i, pair in enumerate(seen):
            if pair["state"] not in (GOOD, UNKNOWN):
                for key in suspects_of(known, pair["from"], pair["to"]):
                    if key not in found:
                        found[key] = Suspect(*key)
                        if key[0] == "host" and key[1] in suspected:
                            found[key].prior = PRIOR_SUSPECTED
        noise = Suspect("noise", "")
        for i, pair in enumerate(seen):
            if pair["state"] == UNKNOWN:
                continue
            for key in suspects_of(known, pair["from"], pair["to"]):
                if key in found:
                    found[key].pairs.append(i)
            if pair["state"] not in (PARTLY, SMALL, BOTH_SMALL):
                noise.pairs.append(i)
        same = collections.defaultdict(list)
        for _key, suspect in sorted(found.items(), key=lambda item: (SPECIFIC.index(item[0][0]), str(item[0][1]))):
            same[tuple(suspect.pairs)].append(suspect)
        return [merge(suspects) for suspects in same.values()] + [noise]

    def weigh(self, suspect):
        """The score, and the share of the pairs that fails."""
        logs = []
        for share, weight in SHARES[suspect.kind]:
            log = math.log(weight)
            for (state, flows, passes), count in suspect.seen.items():
                chance = fails(share, state, flows)
                if state == GOOD:
                    log += count * math.log(1 - chance)
                elif chance == 0:
                    log += count * math.log(1 - share.paths)  # all flows of it should have failed
                else:
                    log += count * math.log((1 - passes * (1 - chance)) / (1 - passes))
            logs.append((log, share))
        best, share = max(logs)
        return math.log(suspect.prior) + best + math.log(sum(math.exp(log - best) for log, _share in logs)), share

    def move(self, suspect, share=None):
        """Takes it for a fault, of which that share of the pairs fails; None: no longer."""
        if share is None:
            self.faults.remove(suspect)
        else:
            suspect.share = share
            self.faults.append(suspect)
        for i in suspect.pairs:
            old = self.states[i]
            self.faults_on[i] = tuple(fault for fault in self.faults_on[i] if fault is not suspect) + ((suspect,) if share else ())
            new = self.states[i] = self.state_of(i)
            for other in self.at[i]:
                other.seen[new] += 1
                other.seen[old] -= 1
                if other.seen[old] == 0:
                    del other.seen[old]

    def add(self, suspects):
        """Adds faults, the one with the best score first. Returns the sum of the scores."""
        total = 0
        queue = [(-self.weigh(suspect)[0], number, suspect) for number, suspect in enumerate(suspects)]
        heapq.heapify(queue)
        while queue:
            _old, number, suspect = heapq.heappop(queue)
            score, share = self.weigh(suspect)
            if score <= 0 or suspect in self.faults:
                continue
            if queue and -queue[0][0] > score:
                heapq.heappush(queue, (-score, number, suspect))
                continue
            self.move(suspect, share)
            total += score
        return total

    def rivals(self, fault):
        """What else could stand in the place of what is not a fault now."""
        found = {}
        for i in fault.pairs:
            state, _flows, passes = self.states[i]
            if state != GOOD and passes > 0.5:
                found.update((id(suspect), suspect) for suspect in self.at[i])
        return [suspect for suspect in found.values() if suspect is not fault and suspect not in self.faults]

    def exchange(self):
        """Puts in the place of each fault what explains more, if anything; or nothing. Returns what the sum grows by."""
        total = 0
        for fault in list(self.faults):
            self.move(fault)
            own, share = self.weigh(fault)
            best = max([(own, share, fault), (0, None, None)] + [self.weigh(rival) + (rival,) for rival in self.rivals(fault)],
                       key=lambda item: item[0])
            total += best[0] - own
            if best[2]:
                self.move(best[2], best[1])
        return total

    def unite(self):
        """Puts a switch, uplinks or a path between groups in the place of hosts on it that are faults, if that explains more.
        Returns what the sum grows by."""
        total = 0
        for suspect in self.suspects:
            if suspect.kind not in ("switch", "uplink", "path") or suspect in self.faults:
                continue
            on_it = set(fault for i in suspect.pairs for fault in self.faults_on[i])
            parts = [(fault, fault.share) for fault in self.faults if fault.kind == "host" and fault in on_it]
            if len(parts) < 2:
                continue
            gain = 0
            for part, _share in parts:
                self.move(part)
                gain -= self.weigh(part)[0]
            before = list(self.faults)
            score, share = self.weigh(suspect)
            self.move(suspect, share)
            gain += score + self.add([part for part, _share in parts])
            if gain > 1e-9:
                total += gain
                continue
            for fault in self.faults[len(before):]:
                self.move(fault)
            for part, share in parts:
                self.move(part, share)
        return total

    def solve(self):
        """From the hosts up."""
        self.add([suspect for suspect in self.suspects if suspect.kind == "host"])
        for _round in range(ROUNDS):
            if self.exchange() + self.unite() + self.add(self.suspects) < 1e-9:
                break
        return list(self.faults)

    def confidence(self, fault):
        """The fault's weight among all that could stand in its place, hosts one by one and mere chance included."""
        share = fault.share
        self.move(fault)
        own = self.weigh(fault)[0]
        rivals = self.rivals(fault)
        scores = [own, 0.0] + [self.weigh(suspect)[0] for suspect in rivals]
        if fault.kind != "host":
            before = list(self.faults)
            scores.append(self.add([suspect for suspect in rivals if suspect.kind == "host"]))
            for suspect in self.faults[len(before):]:
                self.move(suspect)
        self.move(fault, share)
        return 1 / sum(math.exp(min(score - own, 50)) for score in scores)


def merge(suspects):
    """One suspect for those that cannot be told apart: the most specific one, or the path between several of that kind."""
    first = suspects[0]
    alike = [suspect for suspect in suspects if suspect.kind == first.kind]
    first = max(alike, key=lambda suspect: suspect.prior)
    alike = [suspect for suspect in alike if suspect.prior == first.prior]
    if len(alike) > 1:
        first.kind, first.names = "path", [tuple(sorted(str(suspect.names[0]) for suspect in alike))]
    first.kinds = set(suspect.kind for suspect in suspects)
    first.prior = min(sum(suspect.prior for suspect in suspects), PRIOR_SUSPECTED)
    return first


# --------------------------------------------------------------------------------------------------------- the culprits

CONFIDENCE_MAX = 0.99  # the model is simpler than a network
CONFIDENCE_FRAGMENTS = 0.9  # they may be those of a bridge
SENDS_MORE = ("ok", "black hole", "too big", "false too big", "return path")
RAISE = "Raise its MTU: setmtu status there shows the device, setmtu explain what sets it."


def locate(known, seen):
    """The culprits, likeliest first, and sets `culprit` of each pair that fails to the number of one, or None."""
    for pair in seen:
        pair["culprit"] = None
    culprits = told(known, seen)
    observed = combine([dict(pair, state=UNKNOWN) if pair["culprit"] is not None else pair for pair in seen])
    suspected = set(pair["to"] for pair in seen if pair.get("cause") == "host" and pair["state"] == SMALL)
    suspected -= set(pair["from"] for pair in seen if pair["verdict"] in SENDS_MORE)
    suspected -= set(pair["to"] for pair in seen if pair.get("cause") == "link")
    search = Search(known, observed, suspected)
    found = [(min(search.confidence(fault), CONFIDENCE_MAX), fault) for fault in search.solve() if fault.kind != "noise"]
    # A pair that several explain belongs to the one that lets nothing pass, and of these to the largest.
    found.sort(key=lambda item: (-round(item[0], 2), item[1].share != WHOLE, -len(item[1].pairs)))
    for confidence, fault in found:
        crossing = [seen[i] for pair in fault.pairs for i in observed[pair]["numbers"] if seen[i]["state"] != UNKNOWN]
        failing = [pair for pair in crossing if pair["state"] != GOOD]
        mine = [pair for pair in failing if pair["culprit"] is None]
        for pair in mine:
            pair["culprit"] = len(culprits)
        culprits.append(describe(known, fault, crossing, failing if fault.share == WHOLE else mine, mine, confidence,
                                 fault.names[0] in suspected))
    return culprits


def culprit(kind, name, hosts, confidence, failing, crossing, why, do):
    sizes = [pair["size"] for pair in failing if pair.get("size")]
    return {"kind": kind, "name": name, "hosts": sorted(hosts), "confidence": round(confidence, 2), "why": why, "do": do,
            "failing": len(failing), "crossing": crossing, "carries": max(sizes) if sizes else None}


def told(known, seen):
    """The culprits that say so themselves: a host with a small MTU, a prober that gave no answer, a router."""
    culprits = []
    at = collections.defaultdict(list)
    talkers, small, reachable, routers = set(), {}, set(), {}
    own_addresses = set(host["address"] for host in known.values())
    for pair in seen:
        at[pair["from"]].append(pair)
        at[pair["to"]].append(pair)
        if pair["verdict"] != NO_ANSWER:
            talkers.add(pair["from"])
        if pair["state"] == GOOD:
            reachable.add(pair["to"])
        if pair["verdict"] == "local limit" and pair["state"] == SMALL:
            small[pair["from"]] = pair.get("size")
        if pair["verdict"] == "too big" and pair["state"] in (PARTLY, SMALL) and pair.get("by") and pair["by"] not in own_addresses:
            routers.setdefault(pair["by"], []).append(pair)

    def add(kind, name, hosts, pairs, why, do):
        failing = [pair for pair in pairs if pair["state"] in (PARTLY, SMALL, LOST)]
        for pair in failing:
            pair["culprit"] = len(culprits)
        culprits.append(culprit(kind, name, hosts, CONFIDENCE_MAX, failing, len(pairs), why, do))

    for name in sorted(small):
        add("host", name, [name], at[name], "Its own device carries %s bytes." % (small[name] or "fewer"),
            RAISE)
    for name in sorted((set(pair["from"] for pair in seen) - talkers) & reachable):
        add("host", name, [name], [pair for pair in at[name] if pair["from"] == name],
            "Other hosts reach it, but setmtu probe gave no answer there.",
            "Run setmtu probe there by hand.")
    for router in sorted(routers):
        pairs = routers[router]
        add("switch", router, ends_of(pairs), pairs, "This router reports that it carries %s bytes." %
            max(pair.get("size") or 0 for pair in pairs), "Raise the MTU of its interfaces.")
    return culprits


def ends_of(pairs):
    return set(pair[end] for pair in pairs for end in ("from", "to"))


def direction(failing, inside):
    """Which way fails across the border of `inside`: "to", "from", or "" for both or if that is not known. What is not
    carried back was carried there."""
    ways = set()
    for pair in failing:
        inwards = pair["to"] in inside
        if pair["state"] not in (PARTLY, SMALL) or inwards == (pair["from"] in inside):
            return ""
        ways.add(inwards != (pair["verdict"] == "return path"))
    return {(True,): "to", (False,): "from"}.get(tuple(ways), "")


def switch_port(failing, name):
    """The switch port of that host, as the host has heard of it by LLDP."""
    for pair in failing:
        if pair["from"] == name and pair.get("switch"):
            frame = pair["switch"].get("largest_frame")
            return "%(name).80s, port %(port).80s" % pair["switch"] + (" (announces a largest frame of %d)" % frame if frame else "")
    return "the switch port"


def describe(known, fault, crossing, failing, mine, confidence, is_suspected):
    """The culprit: `failing` of the pairs that are `crossing` it fail, `mine` for no other reason."""
    kind, name = fault.kind, fault.names[0]
    is_lost = 2 * sum(pair["state"] == LOST for pair in mine or failing) > len(mine or failing)
    members = set(host for host, data in known.items() if name in data["groups"])
    way = direction(mine, members if kind in ("switch", "uplink") else {name})
    only = {"to": ": packets to it are lost, those from it pass", "from": ": packets from it are lost, those to it pass"}.get(way, "")
    what = ("All %d paths" if len(failing) == len(crossing) else "%d of %%d paths" % len(failing)) % len(crossing)
    some = " Only some of their flows fail." if any(pair["state"] == PARTLY for pair in mine) else ""
    title = name if isinstance(name, str) else " – ".join(str(part) for part in name)

    def is_at_fault(what_kind, hosts, why, do):
        return culprit(what_kind, title, hosts, confidence, failing, len(crossing), why, do)

    if kind == "host":
        why = "%s to and from it fail%s." % (what, only)
        if some:
            return is_at_fault("port", [name], why + some, "Check the MTU of each of its links, at both ends.")
        if is_lost:
            return is_at_fault("host", [name], why, "See whether it runs, and whether its address is right.")
        if is_suspected:
            confidence = min(confidence, CONFIDENCE_FRAGMENTS)
            return is_at_fault("host", [name], why + " Its answers come in fragments: its own MTU or that of its route is smaller.",
                               RAISE + " If nothing there is smaller, a Linux bridge before it is (br_netfilter).")
        return is_at_fault("port", [name], why, "Check the MTU of %s, then that of the device: setmtu status there."
                           % switch_port(failing, name))
    if kind == "switch":
        return is_at_fault("switch", members, "%s of its hosts fail, also those between them." % what, "Check the MTU of this switch, all ports.")
    if kind == "uplink" and (some or len(failing) < len(crossing)):
        return is_at_fault("uplink", members, "%s between it and the others fail%s; one of several uplinks %s at fault.%s"
                           % (what, only, "is" if some else "may be", some),
                           "Check the MTU of each of these uplinks, at both ends.")
    if kind == "uplink" and "switch" in fault.kinds:
        return is_at_fault("switch", members, "%s of its hosts fail%s; none was probed between them." % (what, only),
                           "Check the MTU of this switch, all ports, and of its uplinks at both ends.")
    if kind == "uplink":
        return is_at_fault("uplink", members, "%s between it and the others fail%s; those within it pass." % (what, only),
                           "Check the MTU of the uplinks, at both ends.")
    if kind == "segment":
        title = title or "of all hosts"
        return is_at_fault("switch", ends_of(failing), "%s fail." % what, "Check the MTU of every switch, all ports.")
    if kind == "core":
        title = "between the groups"
        return is_at_fault("switch", ends_of(failing), "%s between groups fail, whichever groups they are.%s" % (what, some),
                           "Check the MTU of each switch that connects the groups.")
    return is_at_fault("path", ends_of(failing), "%s between these fail; which end is at fault is not known.%s" % (what, some),
                       "Check the MTU of every port on the way.")


def report(hosts, results, mtu, pairs=None):
    """The report: what was seen, who is at fault. JSON can hold it."""
    known = check_hosts(hosts)
    if not isinstance(mtu, int) or mtu < 68:
        raise MeshError("mtu: %r is no MTU" % (mtu,))
    for key, value in (("results", results), ("pairs", pairs or [])):
        if not isinstance(value, (list, tuple)):
            raise MeshError("%s: expected a list, got %s" % (key, type(value).__name__))
    asked = check_pairs("pairs", pairs, known) if pairs is not None else []
    seen = judge(known, asked, results, mtu)
    culprits = locate(known, seen)
    counts = collections.Counter(pair["state"] for pair in seen)
    return {
        "good": bool(seen) and counts[GOOD] == len(seen),
        "mtu": mtu,
        "hosts": [{key: host.get(key) for key in ("name", "address", "segment", "groups", "device")} for host in known.values()],
        "pairs": seen,
        "culprits": culprits,
        "summary": {
            "hosts": len(known),
            "pairs": len(seen),
            "good": counts[GOOD], "partly": counts[PARTLY], "small": counts[SMALL], "lost": counts[LOST], "unknown": counts[UNKNOWN],
            "unexplained": sum(pair["state"] in (PARTLY, SMALL, LOST) and pair["culprit"] is None for pair in seen),
            "packets": sum(pair.get("packets") or 0 for pair in seen),
        },
    }

# SPDX-License-Identifier: LGPL-2.1-or-later
"""The mesh of a network: which hosts probe which, and what is behind the probes that fail.

Pure functions of what the inventory and `setmtu probe --json` say: no I/O, no clock, no Ansible."""

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


def check_pairs(pairs, known):
    """The pairs as (from, to), each once."""
    found = collections.OrderedDict()
    for pair in pairs:
        if not isinstance(pair, dict) or "from" not in pair or "to" not in pair:
            raise MeshError("pairs: expected dictionaries with from and to, got %r" % (pair,))
        for end in ("from", "to"):
            if pair[end] not in known:
                raise MeshError("pairs: %s is not one of the hosts" % pair[end])
        found[(pair["from"], pair["to"])] = None
    return list(found)


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

GOOD, SMALL, LOST, UNKNOWN = "good", "small", "lost", "unknown"
NO_ANSWER = "no answer"  # no result of a prober


def judge(known, pairs, results, mtu):
    """What was seen of each pair: a list of dictionaries, the result's members and `state`. It is good if the MTU passes
    there and back, small if less does, lost if nothing does, unknown if nobody can tell."""
    by_pair = {}
    for result in results:
        if not isinstance(result, dict) or "from" not in result or "to" not in result:
            raise MeshError("results: expected dictionaries with from and to, got %r" % (result,))
        for end in ("from", "to"):
            if result[end] not in known:
                raise MeshError("results: %s is not one of the hosts" % result[end])
        if "verdict" not in result:
            raise MeshError("results: the one from %s to %s has no verdict" % (result["from"], result["to"]))
        by_pair[(result["from"], result["to"])] = result
    talkers = set(a for a, _b in by_pair)
    seen = []
    for pair in collections.OrderedDict.fromkeys(list(pairs) + list(by_pair)):
        result = by_pair.get(pair)
        if result:
            seen.append(dict(result, state=state_of(result, mtu)))
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
    return GOOD if verdict != "false too big" and size is not None and size >= mtu else SMALL


# --------------------------------------------------------------------------------------------------- finding the fault

# Beliefs. A verdict that a path carries less comes from repeated probes and is hardly ever wrong; silence may be. Hardly
# anything but several uplinks makes one path fail and no other.
BOTH_SMALL, BOTH_LOST = "both small", "both lost"
NOISE = {GOOD: 1e-3, SMALL: 1e-4, BOTH_SMALL: 1e-6, LOST: 1e-2, BOTH_LOST: 1e-3}
PASSES_A_FAULT = 1e-3
PRIOR = {"host": 1e-3, "switch": 3e-4, "uplink": 3e-4, "segment": 1e-3, "core": 3e-4, "path": 1e-6, "noise": 1e-2}
# The share of the paths across a fault that fail, and how likely it is. One of S equal uplinks is on 1/S of the ways there
# and 1/S of the ways back.
WHOLE = 1 - PASSES_A_FAULT
ONE_OF_SEVERAL = [(1 - (1 - 1 / s) ** 2, 0.5 / 9) for s in (2, 3, 4, 6, 8, 12, 16, 32, 64)]
SHARES = {
    "host": [(WHOLE, 0.96), (0.75, 0.02), (0.44, 0.02)],  # one link of a bond
    "switch": [(WHOLE, 1)],
    "segment": [(WHOLE, 1)],
    "uplink": [(WHOLE, 0.5)] + ONE_OF_SEVERAL,
    "core": [(WHOLE, 0.5)] + ONE_OF_SEVERAL,
    "path": [(WHOLE, 0.9), (0.44, 0.1)],
    "noise": [(share, 0.2) for share in (0.01, 0.02, 0.04, 0.08, 0.15)],
}
SPECIFIC = ["host", "uplink", "switch", "segment", "core", "path", "noise"]


def combine(seen):
    """One observation of two hosts, whichever probes: both see the way there and the way back. Where they contradict each
    other, a limit that was found counts, and silence does not."""
    both = collections.OrderedDict()
    for i, pair in enumerate(seen):
        both.setdefault(tuple(sorted((pair["from"], pair["to"]))), []).append(i)
    observed = []
    for (a, b), numbers in both.items():
        states = [seen[i]["state"] for i in numbers]
        state = UNKNOWN
        for candidate in (SMALL, GOOD, LOST):
            if candidate in states:
                state = candidate
                break
        if states in ([SMALL, SMALL], [LOST, LOST]):
            state = {SMALL: BOTH_SMALL, LOST: BOTH_LOST}[state]
        observed.append({"from": a, "to": b, "state": state, "numbers": numbers})
    return observed


class Suspect:
    """What may be at fault, and the pairs that cross it."""

    def __init__(self, kind, name):
        self.kind, self.names, self.prior, self.pairs = kind, [name], PRIOR[kind], []
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
    it, its own likelihood included; faults are added while the score grows, and dropped when others explain as much."""

    def __init__(self, known, seen):
        self.states = [(pair["state"], frozenset()) for pair in seen]
        self.faults = []
        self.passes = {}
        self.suspects = self.gather(known, seen)
        self.at = [[] for _pair in seen]
        for suspect in self.suspects:
            for i in suspect.pairs:
                self.at[i].append(suspect)
                suspect.seen[self.states[i]] += 1

    @staticmethod
    def gather(known, seen):
        """The suspects that some failing pair crosses. What the same pairs cross cannot be told apart: it is one."""
        found = {}
        for i, pair in enumerate(seen):
            if pair["state"] not in (GOOD, UNKNOWN):
                for key in suspects_of(known, pair["from"], pair["to"]):
                    found.setdefault(key, Suspect(*key))
        noise = Suspect("noise", "")
        for i, pair in enumerate(seen):
            if pair["state"] == UNKNOWN:
                continue
            for key in suspects_of(known, pair["from"], pair["to"]):
                if key in found:
                    found[key].pairs.append(i)
            if pair["state"] not in (SMALL, BOTH_SMALL):
                noise.pairs.append(i)
        same = collections.defaultdict(list)
        for _key, suspect in sorted(found.items(), key=lambda item: (SPECIFIC.index(item[0][0]), str(item[0][1]))):
            same[tuple(suspect.pairs)].append(suspect)
        return [merge(suspects) for suspects in same.values()] + [noise]

    def pass_of(self, state):
        """How likely a pair passes, by the faults on it."""
        if state not in self.passes:
            value = 1 - NOISE[state[0]]
            for fault in state[1]:
                value *= 1 - fault.share
            self.passes[state] = value
        return self.passes[state]

    def weigh(self, suspect):
        """The score, and the share of the pairs that fails."""
        logs = []
        for share, weight in SHARES[suspect.kind]:
            log = math.log(weight)
            for state, count in suspect.seen.items():
                if count > 0 and state[0] == GOOD:
                    log += count * math.log(1 - share)
                elif count > 0:
                    passes = self.pass_of(state)
                    log += count * math.log((1 - passes * (1 - share)) / (1 - passes))
            logs.append((log, share))
        best, share = max(logs)
        return math.log(suspect.prior) + best + math.log(sum(math.exp(log - best) for log, _share in logs)), share

    def move(self, suspect, is_fault):
        """Takes it for a fault, or no longer."""
        for i in suspect.pairs:
            old = self.states[i]
            new = self.states[i] = (old[0], old[1] | {suspect} if is_fault else old[1] - {suspect})
            for other in self.at[i]:
                other.seen[old] -= 1
                other.seen[new] += 1
        if is_fault:
            self.faults.append(suspect)
        else:
            self.faults.remove(suspect)

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
            suspect.share = share
            self.move(suspect, True)
            total += score
        return total

    def drop(self):
        """Drops what is not needed beside the others. Returns what the sum grows by."""
        total = 0
        for suspect in list(self.faults):
            self.move(suspect, False)
            score, share = self.weigh(suspect)
            if score <= 0:
                total -= score
                continue
            suspect.share = share
            self.move(suspect, True)
        return total

    def solve(self):
        """From the top down and from the hosts up; the likelier of both counts."""
        hosts = [suspect for suspect in self.suspects if suspect.kind == "host"]
        best = None
        for first in (self.suspects, hosts):
            for fault in list(self.faults):
                self.move(fault, False)
            self.passes.clear()
            total = self.add(first) + self.drop()
            self.passes.clear()
            total += self.add(self.suspects) + self.drop()
            self.passes.clear()
            if best is None or total > best[0] + 1e-9:
                best = (total, [(fault, fault.share) for fault in self.faults])
        for fault in list(self.faults):
            self.move(fault, False)
        for fault, share in best[1]:
            fault.share = share
            self.move(fault, True)
        self.passes.clear()
        return list(self.faults)

    def confidence(self, fault):
        """The fault's weight among all that could stand in its place, hosts one by one and mere chance included."""
        self.move(fault, False)
        rivals = {}
        for i in fault.pairs:
            if self.states[i][0] != GOOD and self.pass_of(self.states[i]) > 0.5:
                for suspect in self.at[i]:
                    rivals[id(suspect)] = suspect
        rivals[id(fault)] = fault
        own = self.weigh(fault)[0]
        scores = [0.0] + [self.weigh(suspect)[0] for suspect in rivals.values() if suspect not in self.faults]
        if fault.kind != "host":
            before = list(self.faults)
            scores.append(self.add([suspect for suspect in rivals.values() if suspect.kind == "host"]))
            for suspect in self.faults[len(before):]:
                self.move(suspect, False)
        self.move(fault, True)
        return 1 / sum(math.exp(min(score - own, 50)) for score in scores)


def merge(suspects):
    """One suspect for those that cannot be told apart: the most specific one, or the path between several of that kind."""
    first = suspects[0]
    alike = [suspect for suspect in suspects if suspect.kind == first.kind]
    if len(alike) > 1:
        first.kind, first.names = "path", [tuple(sorted(str(suspect.names[0]) for suspect in alike))]
    first.prior = sum(suspect.prior for suspect in suspects)
    return first


# --------------------------------------------------------------------------------------------------------- the culprits

CONFIDENCE_MAX = 0.99  # the model is simpler than a network


def locate(known, seen):
    """The culprits, likeliest first, and sets `culprit` of each pair that fails to the number of one, or None."""
    for pair in seen:
        pair["culprit"] = None
    culprits = told(known, seen)
    observed = combine([dict(pair, state=UNKNOWN) if pair["culprit"] is not None else pair for pair in seen])
    search = Search(known, observed)
    suspected = set(pair["to"] for pair in seen if pair.get("cause") == "host" and pair["state"] == SMALL)
    for suspect in search.suspects:
        if suspect.kind == "host" and suspect.names[0] in suspected:
            suspect.prior = 0.5
    found = [(search.confidence(fault), fault) for fault in search.solve() if fault.kind != "noise"]
    for confidence, fault in sorted(found, key=lambda item: -item[0]):
        crossing = [seen[i] for pair in fault.pairs for i in observed[pair]["numbers"] if seen[i]["state"] != UNKNOWN]
        failing = [pair for pair in crossing if pair["state"] != GOOD and pair["culprit"] is None]
        for pair in failing:
            pair["culprit"] = len(culprits)
        culprits.append(describe(known, fault, failing, len(crossing), min(confidence, CONFIDENCE_MAX)))
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
        if pair["verdict"] == "too big" and pair["state"] == SMALL and pair.get("by") and pair["by"] not in own_addresses:
            routers.setdefault(pair["by"], []).append(pair)

    def add(kind, name, hosts, pairs, why, do):
        failing = [pair for pair in pairs if pair["state"] in (SMALL, LOST)]
        for pair in failing:
            pair["culprit"] = len(culprits)
        culprits.append(culprit(kind, name, hosts, CONFIDENCE_MAX, failing, len(pairs), why, do))

    for name in sorted(small):
        add("host", name, [name], at[name], "Its own device carries %s bytes." % (small[name] or "fewer"),
            "Raise the MTU on %s: setmtu status there shows the device, setmtu explain what sets its MTU." % name)
    for name in sorted((set(pair["from"] for pair in seen) - talkers) & reachable):
        add("host", name, [name], [pair for pair in at[name] if pair["from"] == name],
            "Other hosts reach it, but setmtu probe gave no answer there.",
            "Run setmtu probe on %s by hand." % name)
    for router in sorted(routers):
        pairs = routers[router]
        add("switch", router, ends_of(pairs), pairs, "This router reports that it carries %s bytes." %
            max(pair.get("size") or 0 for pair in pairs), "Raise the MTU of the interfaces of %s." % router)
    return culprits


def ends_of(pairs):
    return set(pair[end] for pair in pairs for end in ("from", "to"))


def direction(failing, inside):
    """Which way fails across the border of `inside`: "to", "from", or "" for both or if that is not known. What is not
    carried back was carried there."""
    ways = set()
    for pair in failing:
        inwards = pair["to"] in inside
        if pair["state"] != SMALL or inwards == (pair["from"] in inside):
            return ""
        ways.add(inwards != (pair["verdict"] == "return path"))
    return {(True,): "to", (False,): "from"}.get(tuple(ways), "")


def describe(known, fault, failing, crossing, confidence):
    kind, name = fault.kind, fault.names[0]
    is_lost = all(pair["state"] == LOST for pair in failing)
    what = "gets no answer" if is_lost else "carries too little"
    share = "all %d paths" % crossing if len(failing) == crossing else "%d of %d paths" % (len(failing), crossing)
    members = set(host for host, data in known.items() if name in data["groups"])
    way = direction(failing, members if kind in ("switch", "uplink") else {name})
    only = ", only packets %s it" % way if way else ""
    if kind == "host":
        has_cause = any(pair["to"] == name and pair.get("cause") == "host" for pair in failing)
        why = "It fails on %s to and from it%s." % (share, only)
        if is_lost:
            return culprit("host", name, [name], confidence, failing, crossing, why,
                           "See whether %s runs, and whether its address is right." % name)
        if has_cause:
            return culprit("host", name, [name], confidence, failing, crossing, why + " Its answers show a smaller MTU of its own.",
                           "Raise the MTU on %s: setmtu status there shows the device." % name)
        return culprit("port", name, [name], confidence, failing, crossing, why,
                       "Check the MTU of the switch port of %s, then the device itself: setmtu status there." % name)
    if kind == "switch":
        return culprit("switch", name, members, confidence, failing, crossing,
                       "It fails on %s of the hosts of %s, also between them." % (share, name),
                       "Check the MTU of the switch of %s, all ports." % name)
    if kind == "uplink":
        if len(failing) < crossing:
            return culprit("uplink", name, members, confidence, failing, crossing,
                           "It fails on %s between %s and the others%s: one of several uplinks." % (share, name, only),
                           "Check the MTU of each uplink of %s, at both ends." % name)
        return culprit("uplink", name, members, confidence, failing, crossing,
                       "It fails on %s between %s and the others%s, and not within it." % (share, name, only),
                       "Check the MTU of the uplinks of %s, at both ends." % name)
    if kind == "segment":
        title = " – ".join(part or "the network" for part in name)
        return culprit("switch", title, ends_of(failing), confidence, failing, crossing,
                       "It fails on %s." % share, "Check the MTU of every switch of %s." % title)
    if kind == "core":
        return culprit("switch", "between the groups", ends_of(failing), confidence, failing, crossing,
                       "It fails on %s between groups, whichever they are: one of several switches in the middle." % share,
                       "Check the MTU of the switches that connect the groups.")
    title = " – ".join(str(part) for part in name)
    return culprit("path", title, ends_of(failing), confidence, failing, crossing,
                   "It fails on %s between them; which end is at fault cannot be told." % share,
                   "Check the MTU of every port on the way between %s." % title)


def report(hosts, results, mtu, pairs=None):
    """The report: what was seen, who is at fault. JSON can hold it."""
    known = check_hosts(hosts)
    if not isinstance(mtu, int) or mtu < 68:
        raise MeshError("mtu: %r is no MTU" % (mtu,))
    asked = check_pairs(pairs if pairs is not None else results, known)
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
            "good": counts[GOOD], "small": counts[SMALL], "lost": counts[LOST], "unknown": counts[UNKNOWN],
            "unexplained": sum(pair["state"] in (SMALL, LOST) and pair["culprit"] is None for pair in seen),
            "packets": sum(pair.get("packets") or 0 for pair in seen),
        },
    }

# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a rollout decides: which hosts are on a segment, whether each can have an MTU, and what has become of them.

Pure functions of what `setmtu` and `ip` print on the hosts: no I/O, no clock, no Ansible."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import collections
import ipaddress
import json

from ansible_collections.setmtu.setmtu.plugins.module_utils import mesh_report

# It acts before setmtu.
HARMLESS_PROGRAM = "systemd-udevd"

# An answer of a host is that host's word alone: what is not as setmtu and ip print it is an error of that host.
NONSENSE = "it printed what setmtu does not print"
NO_ANSWER = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)

VERDICTS = ("ok", "too big", "black hole", "false too big", "return path", "local limit", "unreachable", "inconclusive")


def number(value, optional=True):
    """The value, which has to be a number of bytes, of packets or of seconds."""
    if (value is None and optional) or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 32):
        return value
    raise ValueError("%r is no number" % (value,))


def word(value, optional=True):
    if (value is None and optional) or isinstance(value, str):
        return value
    raise ValueError("%r is no text" % (value,))


def by_name(hosts):
    """The name and the value of each, h2 before h10."""
    return sorted(hosts.items(), key=lambda item: mesh_report.natural(item[0]))


def last_line(text):
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else ""


def why(result):
    """Why a command of Ansible's gave nothing, in half a sentence."""
    if result.get("unreachable"):
        return "unreachable: %s" % last_line(result.get("msg"))
    return last_line(result.get("stderr")) or last_line(result.get("module_stderr")) or last_line(result.get("msg")) or "exit status %s" % result.get("rc", "?")


def documents(text):
    """The JSON documents in a text, one after the other, up to what is none."""
    decoder, text = json.JSONDecoder(), (text or "").strip()
    while text:
        try:
            found, end = decoder.raw_decode(text)
        except (RecursionError, ValueError):
            return
        text = text[end:].lstrip()
        yield found


def settings_of(device):
    """The settings of other programs with an MTU for the device, from its object in `setmtu explain --json`."""
    managers = [{"what": "%s%s" % (word(manager["name"], False), ", by its profile %s," % manager["profile"] if word(manager["profile"]) else ""),
                 "mtu": manager["mtu"], "active": True} for manager in device["managers"] if number(manager["mtu"])]
    return managers + [{"what": "%s:%s (%s)" % (word(mention["path"], False), number(mention["line"], False), word(mention["program"])),
                        "mtu": mention["mtu"], "active": mention["active"]}
                       for mention in device["mentions"] if number(mention["mtu"]) and mention["program"] != HARMLESS_PROGRAM]


def device_of(found):
    """A device of `setmtu status --json`."""
    mtu, trial = number(found["mtu"]), found["trial"]
    if trial is not None:
        trial = {key: number(trial[key]) for key in ("number", "mtu", "before", "seconds_left")}
    return {"name": word(found["name"], False), "mtu": mtu, "wanted": number(found["wanted"]), "min": number(found["min"], mtu is None),
            "max": number(found["max"]), "trial": trial, "settings": [], "addresses": []}


def address_of(found):
    return str(ipaddress.ip_interface("%s/%d" % (word(found["local"], False), found["prefixlen"])))


def devices_of(statuses, links, explained):
    if not isinstance(statuses, list) or not isinstance(links, list):
        raise ValueError("no list of devices")
    devices = {device["name"]: device for device in map(device_of, statuses)}
    for link in links:
        if word(link.get("ifname")) in devices:
            devices[link["ifname"]]["addresses"] = [address_of(address) for address in link.get("addr_info", ())
                                                    if address.get("scope") == "global" and "local" in address]
    for device in explained["devices"]:
        if device["name"] in devices:
            devices[device["name"]]["settings"] = settings_of(device)
    return devices


def seen(result, segments=None, groups=None):
    """What is kept of a host, from what `setmtu status`, `ip address` and `setmtu explain` printed: its devices by name, or an
    error."""
    host = {"segments": segments or {}, "groups": groups or []}
    found = list(documents(result.get("stdout")))
    if result.get("unreachable") or result.get("rc") != 0 or len(found) != 3:
        error = why(result)
        if result.get("rc") == 127 and "setmtu" in error:
            error += ": install it with setmtu_package, which is a variable of the role setmtu.setmtu.setmtu"
        return dict(host, error=error)
    try:
        return dict(host, devices=devices_of(*found))
    except NO_ANSWER:
        return dict(host, error=NONSENSE)


# ------------------------------------------------------------------------------------------------------------ segments


def networks_of(host):
    """The networks that a host is connected to, and through what: (network, device, address), IPv4 first."""
    found = []
    for name, device in sorted(host.get("devices", {}).items()):
        for text in device["addresses"]:
            interface = ipaddress.ip_interface(text)
            if name != "lo" and interface.network.prefixlen < interface.max_prefixlen:
                found.append((interface.network, name, str(interface.ip)))
    return sorted(found, key=lambda item: (item[0].version, item[0], item[1]))


def choose_segment(hosts, segment):
    """The segment that was asked for or, without one, the only one there is."""
    if segment:
        return segment
    named = sorted({name for host in hosts.values() for name in host["segments"]})
    if len(named) == 1:
        return named[0]
    if named:
        raise ValueError("the hosts are on several segments: %s; choose one" % ", ".join(named))
    count = collections.Counter(network for host in hosts.values() for network in {item[0] for item in networks_of(host)})
    largest = max(count.values(), default=0)
    shared = sorted((network for network, n in count.items() if n == largest and n > 1), key=lambda network: (network.version, network))
    shared = [network for network in shared if network.version == shared[0].version]
    if len(shared) == 1:
        return str(shared[0])
    raise ValueError("the hosts share %s; name the segment in setmtu_segments, or choose a network"
                     % (("several networks: %s" % ", ".join(map(str, shared))) if shared else "no network"))


def find_members(hosts, segment):
    """Device and address by host, of those that are on the segment; and sentences about those that should be."""
    members, problems, is_network = {}, [], "/" in segment
    wanted = ipaddress.ip_network(segment, strict=False) if is_network else None
    for name, host in by_name(hosts):
        if "error" in host:
            if is_network or segment in host["segments"] or not host["segments"]:
                problems.append("%s: %s" % (name, host["error"]))
            continue
        found = networks_of(host)
        if is_network:
            found = [item for item in found if item[0] == wanted]
        elif segment not in host["segments"]:
            continue
        else:
            device = host["segments"][segment]
            if device not in host["devices"] or host["devices"][device]["mtu"] is None:
                problems.append("%s: %s, on segment %s, does not exist" % (name, device, segment))
                continue
            found = [item for item in found if item[1] == device]
            if not found:
                problems.append("%s: %s has no address by which others could probe it" % (name, device))
                continue
        if found:
            members[name] = {"device": found[0][1], "address": found[0][2]}
    return members, problems


# ---------------------------------------------------------------------------------------------------------------- plan


def objections(name, member, device, mtu, ignore_conflicts):
    """Why this host cannot, or must not, have the MTU."""
    label = "%s: %s" % (name, member["device"])
    if mtu < device["min"] or (device["max"] is not None and mtu > device["max"]):
        yield "%s takes %d to %s bytes, not %d" % (label, device["min"], device["max"] or "any number of", mtu)
    if device["trial"]:
        left = device["trial"]["seconds_left"]
        yield ("%s: MTU %s is on trial for another %s s. Another rollout is running, or was interrupted: wait, or put it back with "
               "rollout_take_over=true" % (label, device["trial"]["mtu"], left))
    if ignore_conflicts:
        return
    for setting in device["settings"]:
        if setting["active"] and setting["mtu"] != mtu:
            yield ("%s: %s has an MTU of %s for it; change that first, or set rollout_ignore_conflicts=true"
                   % (label, setting["what"], setting["mtu"]))


def plan(hosts, mtu, segment="", left_out=None, partial=False, ignore_conflicts=False, canary=0):
    """What a rollout of `mtu` on the segment would do. `hosts` is seen() of each; `left_out` the segments of
    each host of the inventory that is not in this run."""
    result = {"segment": segment, "mtu": mtu, "members": {}, "refusals": [], "notes": [], "stages": []}
    try:
        result["segment"] = segment = choose_segment(hosts, segment)
        members, result["refusals"] = find_members(hosts, segment)
    except ValueError as error:
        result["refusals"] = ["%s: %s" % (name, host["error"]) for name, host in by_name(hosts) if "error" in host]
        result["refusals"].append(str(error))
        return result
    for name, member in members.items():
        device = hosts[name]["devices"][member["device"]]
        member.update(before=device["mtu"], wanted=device["wanted"], changes=device["mtu"] != mtu, writes=device["wanted"] != mtu,
                      segment=segment, name=name, groups=hosts[name]["groups"])
        result["refusals"] += objections(name, member, device, mtu, ignore_conflicts)
        result["notes"] += ["%s: %s: %s, which is not enabled, has an MTU of %s" % (name, member["device"], setting["what"], setting["mtu"])
                            for setting in device["settings"] if not setting["active"] and setting["mtu"] != mtu]
    if len(members) < 2:
        result["refusals"].append("segment %s: %d of the hosts of this run are on it; a path needs two" % (segment, len(members)))
    missing = [name for name, segments in by_name(left_out or {}) if segment in segments]
    if missing:
        text = "segment %s: also on it, and not in this run: %s" % (segment, ", ".join(missing))
        result["notes" if partial else "refusals"].append(
            text if partial else text + ". They would keep their MTU; set rollout_partial=true if that is meant")
    # The switches between equal groups are crossed in any case.
    everywhere = set.intersection(*(set(member["groups"]) for member in members.values())) if members else set()
    for member in members.values():
        member["groups"] = [group for group in member["groups"] if group not in everywhere]
    result["members"] = members
    is_count = str(canary).isdigit()
    names = list(members)
    first = names[:int(canary)] if is_count else [name for name in names if name in canary]
    result["stages"] = [first, names] if 0 < len(first) < len(members) else [names]
    result["smallest"] = min([member["before"] for member in members.values()] + [mtu])
    return result


def plan_text(planned):
    """For a person: what is going to happen, or why it is not."""
    lines = ["Segment %s, MTU %d:" % (planned["segment"] or "?", planned["mtu"])]
    groups = collections.defaultdict(list)
    for name, member in by_name(planned["members"]):
        action = "from %d" % member["before"] if member["changes"] else "line to be written" if member["writes"] else "has it already"
        groups[(action, member["device"])].append(name)
    lines += ["    %s, %s: %s" % (action, device, ", ".join(names)) for (action, device), names in sorted(groups.items())]
    if len(planned["stages"]) > 1:
        lines.append("    first: %s" % ", ".join(planned["stages"][0]))
    lines += ["  Note: %s" % note for note in planned["notes"]]
    if planned["refusals"]:
        lines.append("Nothing has been changed:")
        lines += ["    %s" % refusal for refusal in planned["refusals"]]
    return "\n".join(lines)


def failures(results):
    """Which hosts did not do what they were told, as sentences. Those that had nothing to do are skipped."""
    return ["%s: %s" % (name, why(result)) for name, result in by_name(results)
            if result.get("unreachable") or (not result.get("skipped") and result.get("rc") != 0)]


# ------------------------------------------------------------------------------------------------------------- probing


def check_result(found):
    """A result of `setmtu probe --json`; ValueError or the like where it is none."""
    if found["verdict"] not in VERDICTS:
        raise ValueError("%r is no verdict" % (found["verdict"],))
    for key in ("size", "asked", "forward", "return", "packets"):
        number(found.get(key))
    for key in ("by", "cause", "address", "interface"):
        word(found.get(key))
    if found.get("switch") is not None:
        word(found["switch"]["name"], False)
        word(found["switch"]["port"], False)
        number(found["switch"]["largest_frame"])
    for flow in found.get("flows") or ():
        number(flow["size"])
        number(flow["count"], False)
    return found


def probe_results(outputs, members):
    """The results for mesh_report, from what `setmtu probe --json` printed on each host, and what went wrong there."""
    results, errors = [], []
    names = {member["address"]: name for name, member in members.items()}
    for sender, output in by_name(outputs):
        n_before = len(results)
        error = None
        for found in documents(output.get("stdout")):
            try:
                if word(found["host"], False) in names:
                    results.append(dict(check_result(found), **{"from": sender, "to": names[found["host"]]}))
            except NO_ANSWER:
                error = NONSENSE
        if error or len(results) == n_before:
            errors.append("%s: %s" % (sender, error or why(output)))
    return {"results": results, "errors": errors}


# --------------------------------------------------------------------------------------------------------------- after


def state_after(member, mtu, host, deadline):
    """What has become of one host: (word, sentence or None). The words are "kept", "back", "trial", "other" and "lost"."""
    if "error" in host:
        return "lost", "%s; if its MTU is on trial, %d comes back at %s" % (host["error"], member["before"], deadline)
    device = host["devices"].get(member["device"])
    if not device or device["mtu"] is None:
        return "other", "%s does not exist any more" % member["device"]
    if device["trial"]:
        return "trial", "MTU %s until %s, then %s again" % (device["trial"]["mtu"], deadline, device["trial"]["before"])
    if device["mtu"] == mtu and device["wanted"] == mtu:
        return "kept", None
    if device["mtu"] == member["before"] and device["wanted"] == member["wanted"]:
        return "back", None
    return "other", "MTU %s, and %s in the configuration" % (device["mtu"], device["wanted"] or "none")


def outcome(planned, hosts, reasons=(), report=None, deadline=""):
    """How a rollout has ended: {good, kept, back, open, text}. `hosts` is seen() of each afterwards; `reasons` are
    sentences that say why it was taken back."""
    by_state, lines = collections.defaultdict(list), []
    for name, member in by_name(planned["members"]):
        word, sentence = state_after(member, planned["mtu"], hosts[name], deadline)
        by_state[word].append(name)
        if sentence:
            lines.append("    %s: %s" % (name, sentence))
    is_good = not reasons and len(by_state["kept"]) == len(planned["members"])
    unsettled = by_state["trial"] + by_state["other"] + by_state["lost"]
    head = "Segment %s: MTU %d " % (planned["segment"], planned["mtu"])
    if is_good:
        head += "is set and written on %d hosts." % len(by_state["kept"])
    elif not unsettled and not [name for name in by_state["kept"] if planned["members"][name]["changes"] or planned["members"][name]["writes"]]:
        before = sorted({member["before"] for member in planned["members"].values()})
        head += "was taken back: all hosts are at %s again, with the line from before." % " or ".join(map(str, before))
    else:
        head += "is on %d of %d hosts, and %d have the one from before." % (len(by_state["kept"]), len(planned["members"]), len(by_state["back"]))
    lines = [head] + ["    %s" % reason for reason in reasons] + lines
    if unsettled:
        lines.append("  Run it again after %s: it finds out where each host is, and finishes. With the MTU from before, it goes back." % deadline)
    if report and not report["good"]:
        lines.append(mesh_report.text(report).rstrip())
    return {"good": is_good, "kept": by_state["kept"], "back": by_state["back"], "open": unsettled, "head": head, "text": "\n".join(lines)}

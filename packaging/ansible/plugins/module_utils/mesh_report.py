# SPDX-License-Identifier: LGPL-2.1-or-later
"""The report of a mesh for people: text, and one HTML file that needs nothing from outside."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import collections
import html

TEXT_PAIRS_MAX = 20
HTML_PAIRS_MAX = 200
CELLS_MAX = 60  # rows of a matrix; hosts beyond that are shown by group


def check_report(report):
    missing = [key for key in ("good", "mtu", "hosts", "pairs", "culprits", "summary") if key not in (report if isinstance(report, dict) else {})]
    if missing:
        raise ValueError("expected the report of setmtu.setmtu.mesh_report; it has no %s" % ", ".join(missing))


def plural(count, word):
    return "%d %s" % (count, word if count == 1 else word + "s")


def printable(text):
    """On one line of a terminal, whatever is in it."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(text))


def headline(report):
    summary = report["summary"]
    if not report["pairs"]:
        return "Nothing was probed."
    if report["good"]:
        return "All %s between %s carry %d bytes." % (plural(summary["pairs"], "path"), plural(summary["hosts"], "host"), report["mtu"])
    parts = ["%d carry less" % summary["small"], "%d get no answer" % summary["lost"], "%d could not be told" % summary["unknown"]]
    return "%d of %s between %s carry %d bytes; %s." % (
        summary["good"], plural(summary["pairs"], "path"), plural(summary["hosts"], "host"), report["mtu"],
        ", ".join(part for part in parts if not part.startswith("0 ")))


def failing(report):
    return [pair for pair in report["pairs"] if pair["state"] != "good"]


def size_of(pair):
    return "%s" % pair["size"] if pair.get("size") else "?"


def title_of(culprit):
    return "%s %s" % (culprit["kind"], culprit["name"])


def certainty(culprit):
    percent = culprit["confidence"] * 100
    return "certain" if percent >= 95 else "likely" if percent >= 70 else "possible" if percent >= 30 else "one of several"


def text(report):
    """What a person reads after the run."""
    check_report(report)
    lines = [headline(report)]
    for culprit in report["culprits"]:
        lines += ["", "%s (%s, %d %%)" % (printable(title_of(culprit)), certainty(culprit), round(culprit["confidence"] * 100)),
                  "    " + printable(culprit["why"]), "    " + printable(culprit["do"])]
    rest = [pair for pair in failing(report) if pair.get("culprit") is None]
    if rest:
        lines += ["", "Without a pattern:" if report["culprits"] else "These paths:"]
        lines += ["    %s -> %s: %s, carries %s" % (printable(pair["from"]), printable(pair["to"]), printable(pair["verdict"]), size_of(pair))
                  for pair in rest[:TEXT_PAIRS_MAX]]
        if len(rest) > TEXT_PAIRS_MAX:
            lines.append("    and %d more" % (len(rest) - TEXT_PAIRS_MAX))
    return "\n".join(lines) + "\n"


def axis(report):
    """What has a row of its own: (title, hosts). Each host where they are few; else those at fault, and groups."""
    names = [host["name"] for host in report["hosts"]]
    if len(names) <= CELLS_MAX:
        return [(name, [name]) for name in sorted(names, key=lambda name: place_of(report, name))]
    single = [c["hosts"][0] for c in report["culprits"] if len(c["hosts"]) == 1][:CELLS_MAX // 3]
    groups = collections.OrderedDict()
    for host in report["hosts"]:
        if host["name"] not in single:
            groups.setdefault(" ".join(host["groups"]) or host["segment"] or "hosts", []).append(host["name"])
    room = CELLS_MAX - len(single)
    rows = sorted(groups.items())
    # Too many groups: neighbours share a row.
    each = -(-len(rows) // room)
    rows = [(part[0][0] if len(part) == 1 else "%s … %s" % (part[0][0], part[-1][0]), [name for _title, hosts in part for name in hosts])
            for part in (rows[i:i + each] for i in range(0, len(rows), each))]
    return [(name, [name]) for name in single] + rows


def place_of(report, name):
    return name


def page(report):
    """One HTML file."""
    check_report(report)
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body><h1>%s</h1><pre>%s</pre></body></html>\n" % (
        html.escape(headline(report)), html.escape(headline(report)), html.escape(text(report)))

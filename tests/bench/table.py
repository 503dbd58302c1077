# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the table of tests/bench/run from the folder of its raw results."""

import json
import pathlib
import statistics
import sys

# what, case, kind of measurement, compared with, the ratio aimed at (None: for information)
ROWS = [
    ("generator, 1 line", "generator-1", "time", "empty", 1.3),
    ("generator, 1 line", "generator-1", "time", "fstab-generator", 0.3),
    ("generator, 1 line", "generator-1", "instructions", "empty", None),
    ("generator, 100 lines", "generator-100", "time", "empty", None),
    ("generator, 100 lines", "generator-100", "time", "fstab-generator", None),
    ("generator, 100 lines", "generator-100", "instructions", "empty", None),
    ("generator, 10,000 lines", "generator-10000", "time", "empty", None),
    ("generator, 10,000 lines", "generator-10000", "time", "fstab-generator", None),
    ("generator, 10,000 lines", "generator-10000", "time", "bare-links", 2.0),
    ("generator, 10,000 lines", "generator-10000", "instructions", "bare-links", None),
    ("apply, another MTU", "apply-change", "time", "ip", None),
    ("apply, another MTU", "apply-change", "instructions", "ip", 0.5),
    ("apply, another MTU", "apply-change", "memory", "ip", 1.0),
    ("apply, the same MTU", "apply-equal", "time", "ip", None),
    ("apply, the same MTU", "apply-equal", "instructions", "ip", 0.5),
    ("apply, the same MTU", "apply-equal", "memory", "ip", 1.0),
    ("status, 4,000 devices", "status-4000", "time", "bare-dump", 2.0),
    ("status, 4,000 devices", "status-4000", "time", "ip-show", None),
    ("status --json, 4,000", "status-json-4000", "time", "bare-dump", None),
]

WORDS = {
    "empty": "empty program",
    "fstab-generator": "systemd-fstab-generator",
    "bare-links": "bare loop",
    "ip": "ip link set",
    "bare-dump": "bare dump",
    "ip-show": "ip -o link show",
}


def times(results, case, name):
    """All runs of all rounds, in seconds."""
    return [
        time
        for path in results.glob(f"time.{case}.*.json")
        for command in json.loads(path.read_text())["results"]
        if command["command"] == name
        for time in command["times"]
    ]


def numbers(results, kind, case, name):
    path = results / f"{kind}.{case}.{name}"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def median(results, kind, case, name):
    """None where nothing was measured."""
    found = times(results, case, name) if kind == "time" else numbers(results, kind, case, name)
    return statistics.median(found) if found else None


def shown(kind, value):
    if kind == "time":
        return f"{value * 1000:.2f} ms"
    if kind == "memory":
        return f"{value:.0f} KiB"
    return f"{value / 1000:,.0f} k"


def main():
    results = pathlib.Path(sys.argv[1])
    complete = True
    form = "{:<24} {:<12} {:>12}   {:<23} {:>12}   {:>6}   {:<8} {}"

    print(form.format("what", "measured", "setmtu", "against", "", "ratio", "aim", "").rstrip())
    for what, case, kind, other, aim in ROWS:
        ours = median(results, kind, case, "setmtu")
        theirs = median(results, kind, case, other)
        if ours is None or theirs is None:
            complete = False
            print(form.format(what, kind, "", WORDS[other], "", "", "", "not measured"))
            continue
        ratio = ours / theirs
        verdict = "" if aim is None else "holds" if ratio <= aim else "MISSED"
        print(
            form.format(
                what,
                kind,
                shown(kind, ours),
                WORDS[other],
                shown(kind, theirs),
                f"{ratio:.2f}",
                "" if aim is None else f"<= {aim}",
                verdict,
            ).rstrip()
        )
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the benchmarks here share: a release build, namespaces to work in, and what a command costs.

A cost is processor time, the least of several rounds in which the programs take turns: other processes that compute
cost none of it. Instructions are those of the whole process, from the loader's first to the last."""

import os
import pathlib
import re
import resource
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
# What a benchmark has for its own.
WORK = pathlib.Path("/run")
GOES_ON = "--in-namespace"


def release_build(directory, targets):
    """The build in DIRECTORY, or a release build in the checkout, up to date. Another kind of build would not say how fast setmtu is."""
    build = pathlib.Path(directory or TOP / "build-release").resolve()
    if not (build / "build.ninja").exists():
        subprocess.run(["meson", "setup", "--buildtype=release", build, TOP], check=True, stdout=sys.stderr)
    subprocess.run(["ninja", "-C", build, *targets], check=True, stdout=sys.stderr)
    return build


def in_namespaces(usage, targets, main):
    """main(BUILD, ARGUMENT...) of the script that calls this, as root, with network, mounts and /run of its own."""
    arguments = sys.argv[1:]
    if arguments[:1] == [GOES_ON]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", WORK], check=True)
        subprocess.run(["mount", "-t", "sysfs", "sysfs", "/sys"], check=True)
        os.chdir(WORK)
        return main(pathlib.Path(arguments[1]), *arguments[2:])
    if "--help" in arguments:
        print(usage)
        return 0
    if os.geteuid() != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: needs root, for network namespaces: sudo {sys.argv[0]}")
    build = release_build(arguments[0] if arguments else None, targets)
    again = [os.path.abspath(sys.argv[0]), GOES_ON, build, *arguments[1:]]
    return subprocess.run(["unshare", "--mount", "--propagation", "private", "--net", *again]).returncode


def quietly(command):
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def spent(command):
    """The processor time of one run, in ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    quietly(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def least(commands, rounds, prepare):
    """The least processor time of each of COMMANDS, which take turns. PREPARE comes before each run."""
    found = [float("inf")] * len(commands)
    for _ in range(rounds):
        for i, command in enumerate(commands):
            prepare()
            found[i] = min(found[i], spent(command))
    return found


def instructions(command):
    log = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
    ).stderr
    return int(re.search(r"^==\d+== Collected : (\d+)$", log, re.M).group(1))


def peak_memory(build, command):
    """The most that it had resident, in KiB."""
    program = [build / "tests/bench/peak_memory", *command]
    return int(subprocess.run(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.split()[-1])


def make_root(root, lines):
    """What setmtu finds below SETMTU_ROOT, which this sets."""
    for directory in ("etc/conf.d", "proc", "run/udev/data"):
        (root / directory).mkdir(parents=True, exist_ok=True)
    (root / "proc/cmdline").write_text("BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet\n")
    (root / "etc/conf.d/setmtu").write_text("".join(line + "\n" for line in lines))
    os.environ["SETMTU_ROOT"] = str(root.absolute())


def ip_batch(name, lines):
    """The command that has ip(8) carry out LINES."""
    path = WORK / name
    path.write_text("".join(line + "\n" for line in lines))
    return ["ip", "-batch", path]


def make_veths(first, end):
    """Pairs near0 and far0, …, of 1500, that are down."""
    quietly(ip_batch("make", [f"link add near{i} type veth peer name far{i}" for i in range(first, end)]))

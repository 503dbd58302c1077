# SPDX-License-Identifier: LGPL-2.1-or-later
"""Filters for a mesh of probes between hosts. Their documentation is in the .yml files beside this one."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import functools

from ansible.errors import AnsibleFilterError
from ansible_collections.setmtu.setmtu.plugins.module_utils import mesh, mesh_report


def number_of(key, value):
    """Variables of the command line are texts."""
    try:
        return int(value)
    except (ValueError, TypeError):
        raise ValueError("%s: %r is no number" % (key, value))


def pairs_of(hosts, peers=4, seed=1, across=False):
    known = mesh.check_hosts(hosts)
    chosen = mesh.choose_pairs(hosts, number_of("peers", peers), number_of("seed", seed), across)
    return [{"from": a, "to": b, "address": known[b]["address"]} for a, b in chosen]


def report_of(results, hosts=None, mtu=None, pairs=None):
    if hosts is None or mtu is None:
        raise ValueError("it needs hosts= and mtu=")
    return mesh.report(hosts, results, number_of("mtu", mtu), pairs)


def with_errors_of_ansible(name, function):
    @functools.wraps(function)
    def call(*arguments, **options):
        try:
            return function(*arguments, **options)
        except (ValueError, TypeError) as error:
            raise AnsibleFilterError("setmtu.setmtu.%s: %s" % (name, error))
    return call


class FilterModule:
    def filters(self):
        functions = {"mesh_pairs": pairs_of, "mesh_report": report_of, "mesh_text": mesh_report.text, "mesh_html": mesh_report.page}
        return {name: with_errors_of_ansible(name, function) for name, function in functions.items()}

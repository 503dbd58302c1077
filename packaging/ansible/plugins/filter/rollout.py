# SPDX-License-Identifier: LGPL-2.1-or-later
"""Filters for a rollout. Their documentation is in the .yml files beside this one."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.setmtu.setmtu.plugins.filter.mesh import with_errors_of_ansible
from ansible_collections.setmtu.setmtu.plugins.module_utils import rollout


class FilterModule:
    def filters(self):
        functions = {"host_seen": rollout.seen, "rollout_plan": rollout.plan, "rollout_plan_text": rollout.plan_text, "rollout_failures": rollout.failures,
                     "probe_results": rollout.probe_results, "rollout_outcome": rollout.outcome}
        return {name: with_errors_of_ansible(name, function) for name, function in functions.items()}

# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# A device that comes while the machine runs. What becomes of it otherwise is in the boot `hotplug`.

ip link add name plug0 type dummy
check 'hot-plug: set, and its unit active' eventually set_and_active plug0 4000

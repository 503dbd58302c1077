/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Docker's daemon.json: the MTU of its own bridge and of the containers on it. */

#include "sources/reading.h"

int source_docker_read(const struct reading *reading);

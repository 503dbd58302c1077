/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "backends/network_drop_in.h"

#include "backends/network_mark.h"

void network_drop_in_write(const struct device_plan *device, FILE *stream) {
        network_mark_write(device->line, stream);
        fprintf(stream, "\n\n[Link]\nMTUBytes=%u\n", device->line->spec.mtu);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writers/network_drop_in.h"

#include "writers/network_mark.h"

void network_drop_in_write(const struct plan_device *device, FILE *stream) {
        network_mark_write(device->line, stream);
        fprintf(stream, "\n\n[Link]\nMTUBytes=%u\n", device->line->request.mtu);
}

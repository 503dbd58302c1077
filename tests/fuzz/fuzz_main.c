/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libFuzzer's way in; built once for each property, which PROPERTY names. */

#include "source_properties.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        PROPERTY(data, size);
        return 0;
}

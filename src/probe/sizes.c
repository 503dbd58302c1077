/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "probe/sizes.h"

/* RFC 1191, section 7.1, brought up to date: tunnels and PPPoE below 1500; baby giants above it; what NICs
 * and switches call jumbo; the largest of loopback and InfiniBand. */
static const uint32_t common[] = {
        296,  508,  576,  1006, 1280, 1320, 1360, 1400,  1420,  1430,  1440,  1450, 1460,
        1472, 1480, 1488, 1492, 1496, 1500, 1504, 1508,  1546,  1600,  2000,  2048, 2304,
        4000, 4074, 4082, 4096, 4352, 4470, 6122, 7000,  8000,  8166,  8192,  8500, 8900,
        8950, 8996, 9000, 9014, 9100, 9198, 9216, 10240, 16110, 17914, 32000,
};

size_t sizes_common(uint32_t low, uint32_t high, size_t n_wanted, uint32_t ret[static SIZES_MAX]) {
        size_t first = 0, n_inside = 0, n;

        while (first < sizeof(common) / sizeof(common[0]) && common[first] <= low)
                first++;
        while (first + n_inside < sizeof(common) / sizeof(common[0]) && common[first + n_inside] < high)
                n_inside++;
        n = n_inside < n_wanted ? n_inside : n_wanted;
        /* Where there are too many, each so-manieth. */
        for (size_t i = 0; i < n; i++)
                ret[i] = common[first + (n == n_inside ? i : n_inside * (i + 1) / (n + 1))];
        return n;
}

size_t sizes_between(uint32_t low, uint32_t high, size_t n_wanted, uint32_t ret[static SIZES_MAX]) {
        uint32_t inside = high > low ? high - low - 1 : 0;
        size_t n = inside <= n_wanted + n_wanted / 2 ? inside : n_wanted;

        if (n > SIZES_MAX)
                n = SIZES_MAX;
        for (size_t i = 0; i < n; i++)
                ret[i] = low + (uint32_t)((uint64_t)(high - low) * (i + 1) / (n + 1));
        return n;
}

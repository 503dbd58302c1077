/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How fast a device gets its MTU back, by a clock that is only told. */

#include "rows.h"

#include "plan/keep_pace.h"

/* The gaps between changes by others, in seconds, a digit or `h` (an hour) each; whoever changes it waits
 * until it has been put back. What is expected: after each put-back, the pause in seconds. */
static const struct row {
        const char *name;
        const char *gaps;
        const char *pauses;
} rows[] = {
        { "one", "0", "0" },
        { "four at once", "0000", "0 0 0 0" },
        { "five at once", "00000", "0 0 0 0 1" },
        { "each pause is twice as long", "000000000", "0 0 0 0 1 2 4 8 16" },
        { "up to an hour", "000000000000000000",
          "0 0 0 0 1 2 4 8 16 32 64 128 256 512 1024 2048 3600 3600" },
        { "five in less than a minute", "99999", "0 0 0 0 1" },
        { "five in an hour", "hhhhh", "0 0 0 0 0" },
        { "slowly goes on", "00000999", "0 0 0 0 1 2 4 8" },
        { "an hour later it is over", "0000000h00000", "0 0 0 0 1 2 4 0 0 0 0 1 2" },
};

static void test_row(void **state) {
        const struct row *row = *state;
        struct keep_pace pace = { .n_times = 0 };
        char seen[256] = "";
        double now = 1000;

        for (const char *gap = row->gaps; *gap; gap++) {
                size_t used = strlen(seen);
                double next = keep_pace_next(&pace);
                bool is_fight;

                now += *gap == 'h' ? 3600 : *gap - '0';
                if (now < next)
                        now = next;
                is_fight = keep_pace_note(&pace, now);
                assert_int_equal(is_fight, pace.pause_s > 0);
                snprintf(seen + used, sizeof(seen) - used, "%s%u", used > 0 ? " " : "", pace.pause_s);
                assert_true(keep_pace_next(&pace) >= now);
                assert_false(keep_pace_is_calm(&pace, now + pace.pause_s + 1));
        }
        assert_string_equal(seen, row->pauses);
        assert_true(keep_pace_is_calm(&pace, now + 3 * KEEP_PAUSE_MAX_S));
}

int main(void) {
        return RUN_ROWS("pace", test_row, rows);
}

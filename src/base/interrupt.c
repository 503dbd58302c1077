/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t signal_seen;

static void note_signal(int number) {
        signal_seen = number;
}

void interrupt_catch(void) {
        static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
        struct sigaction action = { .sa_handler = note_signal };

        sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
                struct sigaction former;

                /* By nohup(1). A shell ignores SIGINT for what it runs in the background. */
                if (numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &former) == 0 &&
                    former.sa_handler == SIG_IGN)
                        continue;
                sigaction(numbers[i], &action, NULL);
        }
}

int interrupt_seen(void) {
        return signal_seen;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libFuzzer's way in.
 *
 *     fuzz PROPERTY [LIBFUZZER-OPTION-OR-DIRECTORY...] */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property_table.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static property_function *holds;

/* Takes the name out of the arguments: what libFuzzer does not know as an option is a directory to it. It
 * executes itself again for jobs and merges, with the arguments that are left, hence the environment. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
        const char *name = getenv("SETMTU_FUZZ_PROPERTY");

        if (!name && *argc > 1) {
                name = (*argv)[1];
                setenv("SETMTU_FUZZ_PROPERTY", name, 1);
                memmove(*argv + 1, *argv + 2, (size_t)(*argc - 1) * sizeof(char *));
                (*argc)--;
        }
        for (size_t i = 0; name && i < n_properties; i++)
                if (strcmp(property_table[i].name, name) == 0)
                        holds = property_table[i].holds;
        if (!holds) {
                fprintf(stderr, "Usage: fuzz PROPERTY [LIBFUZZER-OPTION-OR-DIRECTORY...]\nProperties:");
                for (size_t i = 0; i < n_properties; i++)
                        fprintf(stderr, " %s", property_table[i].name);
                fputc('\n', stderr);
                exit(2);
        }
        return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        holds(data, size);
        return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tries each property with its corpus, then with inputs put together from pieces that matter to it. The
 * inputs are the same in every run and on every machine.
 *
 *     test-properties CORPUS-DIR [PROPERTY [CASES [SEED]]]
 *
 * SETMTU_TEST_INPUTS is the largest number of inputs for a property, for slow machines. */

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property_table.h"

#define INPUT_MAX (64 * 1024)

/* xorshift64*: small, the same everywhere, and good enough to choose pieces by. */
static uint64_t random_state;

static size_t random_below(size_t limit) {
        random_state ^= random_state >> 12;
        random_state ^= random_state << 25;
        random_state ^= random_state >> 27;
        return (size_t)((random_state * 2685821657736338717u) >> 33) % limit;
}

/* Mostly pieces, now and then a byte that nobody thought of, and once in a while something long. */
static size_t compose(uint8_t *input, const struct piece *pieces, size_t n_pieces) {
        size_t size = 0, n = random_below(random_below(100) == 0 ? 400 : 16);

        for (size_t i = 0; i < n; i++)
                if (random_below(10) == 0)
                        input[size++] = (uint8_t)random_below(256);
                else {
                        const struct piece *piece = &pieces[random_below(n_pieces)];
                        size_t times = random_below(1000) == 0 ? 100 : 1;

                        for (; times > 0 && size + piece->size < INPUT_MAX; times--) {
                                memcpy(input + size, piece->text, piece->size);
                                size += piece->size;
                        }
                }
        return size;
}

/* In a block of exactly its size, so that AddressSanitizer sees a step beyond it. */
static void try(property_function *holds, const uint8_t *input, size_t size) {
        uint8_t *exact = malloc(size > 0 ? size : 1);

        if (!exact)
                abort();
        memcpy(exact, input, size);
        holds(exact, size);
        free(exact);
}

/* Returns how many there were; none is a mistake of the caller's, not a pass. */
static unsigned long try_corpus(property_function *holds, const char *corpus, const char *name) {
        static uint8_t input[INPUT_MAX];
        char path[PATH_MAX];
        unsigned long n = 0;
        struct dirent *entry;
        DIR *directory;

        snprintf(path, sizeof(path), "%s/%s", corpus, name);
        directory = opendir(path);
        if (!directory)
                return 0;
        while ((entry = readdir(directory))) {
                FILE *stream;
                size_t size;

                if (entry->d_name[0] == '.')
                        continue;
                if (snprintf(path, sizeof(path), "%s/%s/%s", corpus, name, entry->d_name) >= PATH_MAX)
                        abort();
                stream = fopen(path, "re");
                if (!stream) {
                        perror(path);
                        exit(1);
                }
                size = fread(input, 1, sizeof(input), stream);
                fclose(stream);
                try(holds, input, size);
                n++;
        }
        closedir(directory);
        return n;
}

int main(int argc, char *argv[]) {
        static uint8_t input[INPUT_MAX + 1];
        const char *inputs_max = getenv("SETMTU_TEST_INPUTS");
        bool is_known = argc < 3;

        if (argc < 2 || argc > 5) {
                fprintf(stderr, "Usage: test-properties CORPUS-DIR [PROPERTY [CASES [SEED]]]\n");
                return 2;
        }
        for (size_t i = 0; i < n_properties; i++) {
                const struct property *property = &property_table[i];
                unsigned long seeds, cases = argc > 3 ? strtoul(argv[3], NULL, 10) : property->cases;

                if (argc > 2 && strcmp(argv[2], property->name) != 0)
                        continue;
                is_known = true;
                if (inputs_max && cases > strtoul(inputs_max, NULL, 10))
                        cases = strtoul(inputs_max, NULL, 10);
                seeds = try_corpus(property->holds, argv[1], property->name);
                if (seeds == 0) {
                        fprintf(stderr, "test-properties: no corpus in %s/%s\n", argv[1], property->name);
                        return 1;
                }
                random_state = argc > 4 ? strtoull(argv[4], NULL, 10) : 20240229 + i;
                for (unsigned long n = 0; n < cases; n++)
                        try(property->holds, input, compose(input, property->pieces, property->n_pieces));
                printf("%s: holds for %lu seeds and %lu random inputs\n", property->name, seeds, cases);
                fflush(stdout);
        }
        if (!is_known)
                fprintf(stderr, "test-properties: there is no property %s\n", argv[2]);
        return is_known ? 0 : 1;
}

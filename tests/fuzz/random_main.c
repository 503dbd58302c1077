/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tries each property with its corpus, then with inputs put together from pieces that matter to it. The
 * inputs are the same in every run and on every machine.
 *
 *     test-properties CORPUS-DIR [PROPERTY [CASES]] */

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "properties.h"

#define INPUT_MAX (64 * 1024)

/* May hold a NUL, hence the size. */
struct piece {
        const char *text;
        size_t size;
};
#define TEXT(literal) literal, sizeof(literal) - 1

static const struct piece bytes[] = {
        { TEXT("\0") },
        { TEXT("\x01") },
        { TEXT("\x1b[") },
        { TEXT("\x7f") },
        { TEXT("\xc2\x80") },
        { TEXT("\xc2\x9b") },
        { TEXT("\xc3\xa0") },
        { TEXT("\xe2\x80\xa8") },
        { TEXT("\xed\xa0") },
        { TEXT("\xf0\x9f\x98") },
        { TEXT("\xf4\x90\x80\x80") },
        { TEXT("\xff") },
        { TEXT("\\") },
        { TEXT("\"") },
        { TEXT("%s%n") },
        { TEXT("/../") },
        { TEXT("-") },
        { TEXT("\\x2d") },
        { TEXT("\\x00") },
        { TEXT("\\x5") },
        { TEXT("\xc3\xa9") },
        { TEXT("br-lan") },
        { TEXT("e0") },
        { TEXT(".") },
        { TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") },
};

static const struct piece config_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT("=") },
        { TEXT("=") },
        { TEXT("=") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("\"") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT(";") },
        { TEXT("$") },
        { TEXT("*") },
        { TEXT("%") },
        { TEXT("\0") },
        { TEXT("\x07") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xc2\x85") },
        { TEXT("\xc3\xa0") },
        { TEXT("\xff") },
        { TEXT("e0") },
        { TEXT("e1=9000\n") },
        { TEXT("\ne2=1500") },
        { TEXT("\ne3=\"4000 up\"\n") },
        { TEXT("br-lan") },
        { TEXT("a\\b") },
        { TEXT("../x") },
        { TEXT("a:1") },
        { TEXT("export ") },
        { TEXT("SETMTU_BACKEND=") },
        { TEXT("SETMTU_") },
        { TEXT("backend=") },
        { TEXT("unit") },
        { TEXT("networkd") },
        { TEXT(" up") },
        { TEXT("max") },
        { TEXT("9000") },
        { TEXT("68") },
        { TEXT("67") },
        { TEXT("1279") },
        { TEXT("2147483647") },
        { TEXT("2147483648") },
        { TEXT("99999999999999999999") },
        { TEXT("9k") },
        { TEXT("-1") },
        { TEXT("0") },
        { TEXT("interface0123456") },
        { TEXT("interface012345=1500\n") },
        { TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "a"
               "aaa") },
};

/* Mostly lines of few devices, so that the chosen one is often there, and what reaches over the end of a
 * line.
 */
static const struct piece edit_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("=") },
        { TEXT("\"") },
        { TEXT("\"") },
        { TEXT("'") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT("\0") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xef\xbb\xbfx=1500\n") },
        { TEXT("e0=9000\n") },
        { TEXT("e0 = 1500 \n") },
        { TEXT("e0=\"4000 up\"\r\n") },
        { TEXT("e0=9k") },
        { TEXT("e0='1500\n") },
        { TEXT("e0") },
        { TEXT("e1=9000\n") },
        { TEXT("e1=1500\\\n") },
        { TEXT("e1=\"1500\n") },
        { TEXT("e1=max\r") },
        { TEXT("\ne2=") },
        { TEXT("e3=68 backend=link") },
        { TEXT("br-lan=") },
        { TEXT("a\\b=1500\n") },
        { TEXT("\"=1500\n") },
        { TEXT("interface012345=1500\n") },
        { TEXT("up=1500\n") },
        { TEXT("up\"\n") },
        { TEXT("SETMTU_BACKEND=link\n") },
        { TEXT("SETMTU_BACKEND=auto\\\n") },
        { TEXT("1500") },
        { TEXT("9000") },
        { TEXT("max") },
        { TEXT(" up") },
        { TEXT(" backend=unit") },
};

static const struct piece command_line_pieces[] = {
        { TEXT(" ") },
        { TEXT(" ") },
        { TEXT("\n") },
        { TEXT("\0") },
        { TEXT("\"") },
        { TEXT("setmtu=") },
        { TEXT(" setmtu=") },
        { TEXT("\"setmtu=") },
        { TEXT(":") },
        { TEXT(":") },
        { TEXT(",") },
        { TEXT("=") },
        { TEXT("e0") },
        { TEXT("e1:9000") },
        { TEXT("zz0:1400") },
        { TEXT("br-lan") },
        { TEXT("max") },
        { TEXT("1500") },
        { TEXT("1279") },
        { TEXT("9k") },
        { TEXT("quiet") },
        { TEXT("\xc2\x85") },
        { TEXT("\xff") },
        { TEXT("\\") },
        { TEXT("up") },
        { TEXT("backend=link") },
        { TEXT("interface0123456") },
};

static const struct piece network_pieces[] = {
        { TEXT("[Match]\n") },
        { TEXT("\n[Match]\n") },
        { TEXT("[Link]\n") },
        { TEXT("\n[Link]\n") },
        { TEXT("\n[SR-IOV]\n") },
        { TEXT("[") },
        { TEXT("]") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\r\n") },
        { TEXT("\r") },
        { TEXT("\0") },
        { TEXT("=") },
        { TEXT("OriginalName=") },
        { TEXT("OriginalName=!e1 ") },
        { TEXT("Property=") },
        { TEXT("!") },
        { TEXT("*") },
        { TEXT("e0") },
        { TEXT("e1") },
        { TEXT(" ") },
        { TEXT("\t") },
        { TEXT("\\") },
        { TEXT("\\\n") },
        { TEXT("#") },
        { TEXT(";") },
        { TEXT("Name=") },
        { TEXT("NamePolicy=mac path") },
        { TEXT("MTUBytes=1500") },
        { TEXT("\"") },
        { TEXT("\xef\xbb\xbf") },
        { TEXT("\xff") },
        { TEXT("Driver=x") },
        { TEXT("\xc3\xa4") },
        { TEXT("VirtualFunction=1") },
        { TEXT("\n\n") },
};

static const struct piece record_pieces[] = {
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("\n") },
        { TEXT("=") },
        { TEXT("\0") },
        { TEXT("NAME=") },
        { TEXT("NAME=e0\nORIGINAL_MTU=1500\n") },
        { TEXT("ORIGINAL_MTU=") },
        { TEXT("ORIGINAL_MTU=1500\n") },
        { TEXT("SET_MTU=") },
        { TEXT("SET_MTU=9000\n") },
        { TEXT("E:SETMTU_ORIGINAL_MTU=") },
        { TEXT("E:SETMTU_ORIGINAL_MTU=1500\n") },
        { TEXT("E:SETMTU_MTU=") },
        { TEXT("E:SETMTU_MTU=9000\n") },
        { TEXT("E:ID_BUS=pci\n") },
        { TEXT("G:systemd\n") },
        { TEXT("1500") },
        { TEXT("4294967295\n") },
        { TEXT("4294967296") },
        { TEXT("18446744073709551616") },
        { TEXT("-1") },
        { TEXT("+1") },
        { TEXT(" 1") },
        { TEXT("0x10") },
        { TEXT("interface012345") },
        { TEXT("interface0123456") },
        { TEXT("\xff") },
};

#define PIECES(table) table, sizeof(table) / sizeof(table[0])

static const struct {
        const char *name; /* also of its folder in the corpus */
        property_function *holds;
        const struct piece *pieces;
        size_t n_pieces;
        unsigned long cases; /* together a second, or two */
} properties[] = {
        { "config_file", property_config_file, PIECES(config_pieces), 60000 },
        { "bad_line", property_bad_line, PIECES(config_pieces), 60000 },
        { "config_edit", property_config_edit, PIECES(edit_pieces), 30000 },
        { "command_line", property_command_line, PIECES(command_line_pieces), 60000 },
        { "bad_argument", property_bad_argument, PIECES(command_line_pieces), 60000 },
        { "unit_name", property_unit_name, PIECES(bytes), 60000 },
        { "text_quote", property_text_quote, PIECES(bytes), 60000 },
        { "udev_rules", property_udev_rules, PIECES(config_pieces), 40000 },
        { "network_file", property_network_file, PIECES(network_pieces), 60000 },
        { "original_mtu", property_original_mtu, PIECES(record_pieces), 4000 },
};

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
        bool is_known = argc < 3;

        if (argc < 2 || argc > 4) {
                fprintf(stderr, "Usage: test-properties CORPUS-DIR [PROPERTY [CASES]]\n");
                return 2;
        }
        for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
                unsigned long seeds, cases = argc > 3 ? strtoul(argv[3], NULL, 10) : properties[i].cases;

                if (argc > 2 && strcmp(argv[2], properties[i].name) != 0)
                        continue;
                is_known = true;
                seeds = try_corpus(properties[i].holds, argv[1], properties[i].name);
                if (seeds == 0) {
                        fprintf(stderr, "test-properties: no corpus in %s/%s\n", argv[1],
                                properties[i].name);
                        return 1;
                }
                random_state = 20240229 + i;
                for (unsigned long n = 0; n < cases; n++)
                        try(properties[i].holds, input,
                            compose(input, properties[i].pieces, properties[i].n_pieces));
                printf("%s: holds for %lu seeds and %lu random inputs\n", properties[i].name, seeds, cases);
                fflush(stdout);
        }
        if (!is_known)
                fprintf(stderr, "test-properties: there is no property %s\n", argv[2]);
        return is_known ? 0 : 1;
}

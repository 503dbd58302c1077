/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "properties.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/backend.h"
#include "backends/backend_unit.h"
#include "backends/network_choice.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "base/unit_name.h"
#include "bench/iperf3.h"
#include "config/config.h"
#include "config/config_edit.h"
#include "config/env_file.h"
#include "plan/device_plan.h"
#include "probe/method.h"
#include "probe/packet.h"
#include "state/unit_state.h"
#include "store/device_record.h"

/* A violation ------------------------------------------------------------------------------------------- */

/* A directory that stands for the machine's own, for the records of the original MTU; empty until it is
 * made.
 */
static struct {
        char directory[PATH_MAX];
        char record[PATH_MAX];
        char database[PATH_MAX];
} root;

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
        (void)status;
        (void)type;
        (void)walk;
        return remove(path);
}

static void remove_root(void) {
        if (*root.directory)
                nftw(root.directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* What is being tried, for the message of a violation. */
static struct {
        const uint8_t *data;
        size_t size;
} input;

static void remember_input(const uint8_t *data, size_t size) {
        input.data = data;
        input.size = size;
}

/* The input as printf(1) takes it: the whole case can be pasted into a shell. */
_Noreturn static void violated(const char *property, const char *file, int line, const char *expression) {
        fprintf(stderr, "%s:%d: %s: does not hold: %s\ninput of %zu bytes: printf '", file, line, property,
                expression, input.size);
        for (size_t i = 0; i < input.size; i++) {
                uint8_t byte = input.data[i];

                if (isalnum(byte) || (byte != 0 && strchr(" =.,:;#_-\"", byte)))
                        putc(byte, stderr);
                else
                        fprintf(stderr, "\\%03o", byte);
        }
        fputs("'\n", stderr);
        remove_root(); /* abort() calls nothing of what exit() does */
        abort();
}

#define REQUIRE(expression)                                                  \
        do {                                                                 \
                if (!(expression))                                           \
                        violated(__func__, __FILE__, __LINE__, #expression); \
        } while (0)

/* Text -------------------------------------------------------------------------------------------------- */

/* The table of well-formed byte sequences of the Unicode Standard (3.9, table 3-7): written after another
 * source than the product's own reader, so that both being wrong alike is unlikely. 0: none. */
static size_t table_utf8_length(const uint8_t *text, size_t size) {
        static const struct {
                uint8_t first_low, first_high, second_low, second_high;
                size_t length;
        } rows[] = {
                { 0x00, 0x7f, 0x00, 0x00, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
                { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
                { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
        };

        for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
                if (size == 0 || text[0] < rows[row].first_low || text[0] > rows[row].first_high)
                        continue;
                if (size < rows[row].length)
                        return 0;
                if (rows[row].length > 1 &&
                    (text[1] < rows[row].second_low || text[1] > rows[row].second_high))
                        return 0;
                for (size_t i = 2; i < rows[row].length; i++)
                        if (text[i] < 0x80 || text[i] > 0xbf)
                                return 0;
                return rows[row].length;
        }
        return 0;
}

/* UTF-8 that changes nothing on a terminal or in a log: neither C0 nor C1 controls, nor DEL. */
static bool is_clean(const char *text) {
        const uint8_t *rest = (const uint8_t *)text;
        size_t size = strlen(text);

        while (size > 0) {
                size_t length = table_utf8_length(rest, size);

                if (length == 0 || rest[0] < 0x20 || rest[0] == 0x7f)
                        return false;
                if (length == 2 && rest[0] == 0xc2 && rest[1] < 0xa0)
                        return false;
                rest += length;
                size -= length;
        }
        return true;
}

static int hex_value(char digit) {
        return digit >= '0' && digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

/* How many bytes of `text` the `length` bytes at `quoted` stand for; -1 where they stand for anything else.
 */
static ssize_t read_back(const char *quoted, size_t length, const char *text, size_t size) {
        static const char digits[] = "0123456789abcdef";
        size_t read = 0;

        for (size_t i = 0; i < length; read++) {
                char byte = quoted[i++];

                if (byte == '"')
                        return -1;
                if (byte == '\\') {
                        if (length - i < 3 || quoted[i] != 'x' || !strchr(digits, quoted[i + 1]) ||
                            !strchr(digits, quoted[i + 2]))
                                return -1;
                        byte = (char)(hex_value(quoted[i + 1]) << 4 | hex_value(quoted[i + 2]));
                        i += 3;
                }
                if (read == size || text[read] != byte)
                        return -1;
        }
        return (ssize_t)read;
}

void property_text_escape(const uint8_t *data, size_t size) {
        char exact[72];
        const char *text = (const char *)data;
        size_t taken = text_escape(exact, sizeof(exact), text, size, "\"\\"), length = strlen(exact);
        bool is_utf8 = true;

        remember_input(data, size);
        REQUIRE(length < sizeof(exact) && taken <= size);
        REQUIRE(is_clean(exact));
        REQUIRE(read_back(exact, length, text, size) == (ssize_t)taken);
        /* The largest piece, four bytes, did not fit. */
        REQUIRE(taken == size || length + 4 >= sizeof(exact));

        for (size_t at = 0; at < size;) {
                size_t step = table_utf8_length(data + at, size - at);

                REQUIRE(step == text_utf8_length(text + at, size - at));
                is_utf8 &= step > 0;
                at += step > 0 ? step : 1;
        }
        REQUIRE(is_utf8 == text_is_utf8(text, size));
}

/* Unit names -------------------------------------------------------------------------------------------- */

void property_unit_name(const uint8_t *data, size_t size) {
        CLEANUP(cleanup_free) char *name = NULL, *escaped = NULL, *back = NULL;
        size_t length;

        remember_input(data, size);
        length = strnlen((const char *)data, size);
        name = malloc(length + 1);
        escaped = malloc(UNIT_NAME_ESCAPED_SIZE(length));
        back = malloc(length + 1);
        REQUIRE(name && escaped && back);
        memcpy(name, data, length);
        name[length] = '\0';

        unit_name_escape(name, escaped);
        REQUIRE(strlen(escaped) < UNIT_NAME_ESCAPED_SIZE(length));
        for (const char *c = escaped; *c; c++)
                REQUIRE(isalnum((unsigned char)*c) || strchr(":_.-\\", *c));
        REQUIRE(unit_name_unescape(escaped, back, length + 1));
        REQUIRE(strcmp(name, back) == 0);
        REQUIRE(length == 0 || !unit_name_unescape(escaped, back, length));

        /* Now the input as somebody's instance. */
        if (unit_name_unescape(name, back, length + 1)) {
                CLEANUP(cleanup_free) char *again = malloc(length + 1);
                size_t unescaped = strlen(back), wanted = length;

                /* Each `\xNN` gave one byte, and none a NUL, which would end the name early. */
                for (const char *c = name; (c = strchr(c, '\\')); c++)
                        wanted -= 3;
                REQUIRE(again);
                REQUIRE(unescaped == wanted);
                unit_name_escape(back, escaped);
                REQUIRE(unit_name_unescape(escaped, again, unescaped + 1));
                REQUIRE(strcmp(back, again) == 0);
        } else
                REQUIRE(strchr(name, '\\'));
}

/* Configuration ----------------------------------------------------------------------------------------- */

/* What reading a text gave. */
struct reading {
        struct config config;
        size_t n_diagnostics;
        size_t n_errors;
        uint64_t digest;    /* over the diagnostics, their file names left out */
        unsigned last_line; /* no diagnostic may be beyond it */
        const char *file;
};

/* FNV-1a */
static uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t size) {
        const uint8_t *byte = bytes;

        for (size_t i = 0; i < size; i++)
                digest = (digest ^ byte[i]) * 1099511628211u;
        return digest;
}

static void check_diagnostic(void *userdata, const struct diagnostic *diagnostic) {
        struct reading *reading = userdata;
        const unsigned line = diagnostic->line;

        REQUIRE(diagnostic->severity == DIAGNOSTIC_ERROR || diagnostic->severity == DIAGNOSTIC_WARNING);
        REQUIRE(strcmp(diagnostic->file, reading->file) == 0);
        REQUIRE(reading->last_line == 0 ? line == 0 : line >= 1 && line <= reading->last_line);
        REQUIRE(*diagnostic->text);
        /* A sentence, whole: whatever comes from outside is cut to size before it is put in. */
        REQUIRE(strlen(diagnostic->text) < 511);
        if (diagnostic->name)
                REQUIRE(!interface_name_fault(diagnostic->name));

        reading->n_diagnostics++;
        reading->n_errors += diagnostic->severity == DIAGNOSTIC_ERROR;
        reading->digest = digest_bytes(reading->digest, &line, sizeof(line));
        reading->digest = digest_bytes(reading->digest, diagnostic->text, strlen(diagnostic->text));
}

/* LF, CR LF and a lone CR each end a line; what is after the last one is a line too. */
static unsigned count_lines(const uint8_t *data, size_t size) {
        unsigned lines = 1;

        for (size_t i = 0; i < size; i++)
                if (data[i] == '\n' || (data[i] == '\r' && (i + 1 == size || data[i + 1] != '\n')))
                        lines++;
        return lines;
}

static void check_lines(const struct reading *reading) {
        const struct config *config = &reading->config;

        REQUIRE(config->backend < BACKEND_COUNT);
        for (size_t i = 0; i < config->n_lines; i++) {
                const struct config_line *line = &config->lines[i];
                const struct mtu_spec *spec = &line->spec;

                REQUIRE(memchr(line->name, '\0', sizeof(line->name)));
                REQUIRE(!interface_name_fault(line->name));
                REQUIRE(is_clean(line->name));
                REQUIRE(line->is_pattern == interface_name_is_pattern(line->name));
                REQUIRE(!line->is_pattern || !interface_pattern_fault(line->name));
                REQUIRE(spec->mtu == MTU_MAX || (spec->mtu >= 68 && spec->mtu <= INT32_MAX));
                REQUIRE(!spec->has_backend || spec->backend < BACKEND_COUNT);
                REQUIRE(strcmp(line->file, reading->file) == 0);
                REQUIRE(reading->last_line == 0 ? line->line == 0
                                                : line->line >= 1 && line->line <= reading->last_line);
                /* Also: no device is there twice. */
                REQUIRE(config_find(config, line->name) == line);
        }
}

typedef int parse_function(struct config *config, const char *file, const char *text, size_t size,
                           const struct diagnostic_sink *sink);

static void read_text(struct reading *reading, parse_function *parse, const char *file, const uint8_t *data,
                      size_t size) {
        const struct diagnostic_sink sink = { check_diagnostic, reading };

        reading->n_diagnostics = reading->n_errors = 0;
        reading->digest = 14695981039346656037u;
        reading->file = file;
        reading->last_line = parse == config_parse_file ? count_lines(data, size) : 0;
        REQUIRE(parse(&reading->config, file, (const char *)data, size, &sink) == 0);
        check_lines(reading);
}

static bool same_request(const struct mtu_spec *a, const struct mtu_spec *b) {
        return a->mtu == b->mtu && a->is_auto == b->is_auto && a->less == b->less && a->up == b->up &&
               a->keep == b->keep && a->has_backend == b->has_backend &&
               (!a->has_backend || a->backend == b->backend);
}

/* Reading is a function of the text: again into a new configuration it gives the same, and again into the
 * same one it changes nothing. */
static void check_repeats(parse_function *parse, const uint8_t *data, size_t size) {
        struct reading first = { 0 }, second = { 0 };

        first.config = (struct config){ 0 };
        second.config = (struct config){ 0 };
        read_text(&first, parse, "first", data, size);
        for (unsigned turn = 0; turn < 2; turn++) {
                read_text(&second, parse, turn == 0 ? "second" : "third", data, size);
                REQUIRE(first.n_diagnostics == second.n_diagnostics && first.digest == second.digest);
                REQUIRE(first.config.backend == second.config.backend);
                REQUIRE(first.config.keep == second.config.keep);
                REQUIRE(first.config.n_lines == second.config.n_lines);
                for (size_t i = 0; i < first.config.n_lines; i++) {
                        const struct config_line *a = &first.config.lines[i], *b = &second.config.lines[i];

                        REQUIRE(strcmp(a->name, b->name) == 0 && a->line == b->line);
                        REQUIRE(same_request(&a->spec, &b->spec));
                }
        }
        config_free(&first.config);
        config_free(&second.config);
}

/* The reader below the configuration: goes forward, never beyond the text, one item a line at the most. */
static void check_env_file(const uint8_t *data, size_t size) {
        struct env_file reader;
        unsigned lines = count_lines(data, size), line_before = 0;
        size_t position_before = 0;

        env_file_open(&reader, (const char *)data, size);
        for (;;) {
                struct env_assignment assignment;
                enum env_file_item item = env_file_next(&reader, &assignment);

                /* After the last line comes one more, that is empty. */
                REQUIRE(reader.position <= size && reader.line <= lines + 1);
                if (item == ENV_FILE_END)
                        break;
                REQUIRE(reader.position > position_before);
                REQUIRE(assignment.line > line_before && assignment.line <= lines);
                REQUIRE(assignment.key_begin >= position_before && assignment.key_begin <= assignment.end);
                REQUIRE(assignment.end <= reader.position);
                REQUIRE(assignment.end == size || data[assignment.end] == '\n' ||
                        data[assignment.end] == '\r');
                REQUIRE(assignment.value_begin == 0 ? item != ENV_FILE_ASSIGNMENT
                                                    : data[assignment.value_begin - 1] == '=');
                REQUIRE(assignment.key_size <= ENV_FILE_LINE_MAX);
                REQUIRE(assignment.value_size <= ENV_FILE_LINE_MAX);
                if (item == ENV_FILE_ASSIGNMENT) {
                        REQUIRE(assignment.key_size > 0);
                        REQUIRE(memcmp(data + assignment.key_begin, assignment.key, assignment.key_size) ==
                                0);
                        REQUIRE(!memchr(assignment.key, '=', assignment.key_size));
                        REQUIRE(!memchr(assignment.key, '\0', assignment.key_size));
                        REQUIRE(!memchr(assignment.value, '\0', assignment.value_size));
                }
                position_before = reader.position;
                line_before = assignment.line;
        }
        REQUIRE(reader.position == size);
}

void property_config_file(const uint8_t *data, size_t size) {
        remember_input(data, size);
        check_env_file(data, size);
        check_repeats(config_parse_file, data, size);
}

void property_command_line(const uint8_t *data, size_t size) {
        static const char before[] = "quiet setmtu=zz0:1500 ";
        struct reading alone = { 0 }, after = { 0 };
        CLEANUP(cleanup_free) uint8_t *text = malloc(sizeof(before) - 1 + size);

        remember_input(data, size);
        check_repeats(config_parse_command_line, data, size);

        /* Whatever follows, a word is read as it stands. */
        REQUIRE(text);
        memcpy(text, before, sizeof(before) - 1);
        if (size > 0)
                memcpy(text + sizeof(before) - 1, data, size);
        alone.config = (struct config){ 0 };
        after.config = (struct config){ 0 };
        read_text(&alone, config_parse_command_line, "alone", data, size);
        read_text(&after, config_parse_command_line, "after", text, sizeof(before) - 1 + size);
        for (size_t i = 0; i < alone.config.n_lines; i++) {
                const struct config_line *line = config_find(&after.config, alone.config.lines[i].name);

                REQUIRE(line && same_request(&line->spec, &alone.config.lines[i].spec));
        }
        REQUIRE(config_find(&after.config, "zz0"));
        if (!config_find(&alone.config, "zz0")) {
                REQUIRE(config_find(&after.config, "zz0")->spec.mtu == 1500);
                REQUIRE(after.config.n_lines == alone.config.n_lines + 1);
        }
        config_free(&alone.config);
        config_free(&after.config);
}

/* One mistake ------------------------------------------------------------------------------------------- */

/* Lines as people write them, each complete in itself. */
static const char *const simple_lines[] = {
        "e0=9000\n",
        "# a comment, \"quoted\" and 'so'\n",
        "e1=\"4000 up\"\n",
        "\n",
        "e2.5='1500'\r\n",
        "br-lan = max\n",
        "; another\n",
        "e3=1400 backend=unit up\n",
        "SETMTU_BACKEND=unit\n",
        "e4=\"1500\" \"up\"\n",
        "\te5=\\9000\n",
        "e6=9000 # not a comment: an error of its own\n",
        "veth@x=\"max\"\n",
};

#define N_SIMPLE_LINES (sizeof(simple_lines) / sizeof(simple_lines[0]))

/* Two readings agree, but for what `own` names: those lines may have been set by the line put in. `shift`
 * is by how much the lines from `from` on have moved. */
static void check_rest_stands(const struct reading *without, const struct reading *with,
                              const struct reading *own, unsigned from, unsigned shift) {
        for (size_t i = 0; i < without->config.n_lines; i++) {
                const struct config_line *a = &without->config.lines[i];
                const struct config_line *b = config_find(&with->config, a->name);

                REQUIRE(b);
                if (config_find(&own->config, a->name))
                        continue;
                REQUIRE(same_request(&a->spec, &b->spec));
                REQUIRE(b->line == a->line + (a->line >= from ? shift : 0));
        }
        /* And nothing has come from nowhere. */
        REQUIRE(with->config.n_lines <= without->config.n_lines + 1);
}

void property_bad_line(const uint8_t *data, size_t size) {
        CLEANUP(cleanup_free) uint8_t *line = malloc(size + 1), *text = NULL;
        struct reading without = { 0 }, with = { 0 }, own = { 0 };
        size_t length = 0, used, at = size > 0 ? data[0] % (N_SIMPLE_LINES + 1) : 0;

        remember_input(data, size);
        REQUIRE(line);
        /* One line: without an end of line in it. */
        for (size_t i = 1; i < size; i++)
                if (data[i] != '\n' && data[i] != '\r')
                        line[length++] = data[i];
        line[length++] = '\n';

        without.config = (struct config){ 0 };
        with.config = (struct config){ 0 };
        own.config = (struct config){ 0 };
        text = malloc(length + N_SIMPLE_LINES * 64);
        REQUIRE(text);
        used = 0;
        for (size_t i = 0; i < N_SIMPLE_LINES; i++)
                used = (size_t)(stpcpy((char *)text + used, simple_lines[i]) - (char *)text);
        read_text(&without, config_parse_file, "without", text, used);
        used = 0;
        for (size_t i = 0; i <= N_SIMPLE_LINES; i++) {
                if (i == at) {
                        memcpy(text + used, line, length);
                        used += length;
                }
                if (i < N_SIMPLE_LINES)
                        used = (size_t)(stpcpy((char *)text + used, simple_lines[i]) - (char *)text);
        }
        read_text(&with, config_parse_file, "with", text, used);
        read_text(&own, config_parse_file, "own", line, length);

        check_rest_stands(&without, &with, &own, (unsigned)at + 1, 1);
        if (own.config.backend == BACKEND_UNIT)
                REQUIRE(with.config.backend == BACKEND_UNIT);
        /* What is good alone is good among others; except that a byte order mark is one at the very
         * beginning only, and that a backslash makes the next line part of this one. */
        for (size_t i = 0; i < own.config.n_lines && memcmp(line, "\xef\xbb\xbf", 3) != 0 &&
                           (length < 2 || line[length - 2] != '\\');
             i++)
                REQUIRE(config_find(&with.config, own.config.lines[i].name));

        config_free(&without.config);
        config_free(&with.config);
        config_free(&own.config);
}

void property_bad_argument(const uint8_t *data, size_t size) {
        static const char before[] = "root=/dev/vda setmtu=e0:9000,";
        static const char after[] = ",e1:max,e2.5:1500 quiet setmtu=\"e3:4000 up\"";
        static const char alone[] = "setmtu=";
        CLEANUP(cleanup_free) uint8_t *text = malloc(size + 1), *own_text = malloc(size + sizeof(alone));
        CLEANUP(cleanup_free) uint8_t *all = malloc(size + sizeof(before) + sizeof(after));
        struct reading without = { 0 }, with = { 0 }, own = { 0 };
        size_t length = 0;

        remember_input(data, size);
        REQUIRE(text && own_text && all);
        /* What would end the word or the pair, or begin a quote that holds both, is left out. */
        for (size_t i = 0; i < size; i++)
                if (data[i] != '\0' && data[i] != ',' && data[i] != '"' && data[i] != ' ' &&
                    !(data[i] >= '\t' && data[i] <= '\r'))
                        text[length++] = data[i];

        without.config = (struct config){ 0 };
        with.config = (struct config){ 0 };
        own.config = (struct config){ 0 };
        memcpy(all, before, sizeof(before) - 1);
        memcpy(all + sizeof(before) - 1, after, sizeof(after) - 1);
        read_text(&without, config_parse_command_line, "without", all, sizeof(before) + sizeof(after) - 2);
        memcpy(all + sizeof(before) - 1, text, length);
        memcpy(all + sizeof(before) - 1 + length, after, sizeof(after) - 1);
        read_text(&with, config_parse_command_line, "with", all,
                  sizeof(before) + sizeof(after) - 2 + length);
        memcpy(own_text, alone, sizeof(alone) - 1);
        memcpy(own_text + sizeof(alone) - 1, text, length);
        read_text(&own, config_parse_command_line, "own", own_text, sizeof(alone) - 1 + length);

        REQUIRE(without.config.n_lines == 4 && config_find(&without.config, "e3")->spec.up);
        check_rest_stands(&without, &with, &own, UINT_MAX, 0);

        config_free(&without.config);
        config_free(&with.config);
        config_free(&own.config);
}

/* Edits of a configuration ------------------------------------------------------------------------------ */

/* The first byte of an input chooses one of these, the second a request; the rest is the text. */
static const char *const edited_devices[] = {
        "e0", "e1", "e2", "e3", "br-lan", "a\\b", "\"", "interface012345", "\xef\xbb\xbfx", "up", "e*",
};
static const struct edited_request {
        struct mtu_spec spec;
        const char *value; /* as it is to be written */
} edited_requests[] = {
        { { .mtu = 9000 }, "9000" },
        { { .mtu = 1500 }, "1500" },
        { { .mtu = 4000, .up = true }, "\"4000 up\"" },
        { { .mtu = MTU_MAX }, "max" },
        { { .mtu = MTU_MAX, .is_auto = true }, "auto" },
        { { .mtu = MTU_MAX, .is_auto = true, .less = 50 }, "auto-50" },
        { { .mtu = 68, .has_backend = true, .backend = BACKEND_LINK }, "\"68 backend=link\"" },
        { { .mtu = 9000, .keep = true }, "\"9000 keep\"" },
        { { .mtu = INT32_MAX,
            .up = true,
            .keep = true,
            .has_backend = true,
            .backend = BACKEND_NETWORKMANAGER },
          "\"2147483647 up keep backend=networkmanager\"" },
};

struct edited_text {
        char *text;
        size_t size;
};

static void edited_free(struct edited_text *edited) {
        free(edited->text);
}

static bool is_end_of_line(char c) {
        return c == '\n' || c == '\r';
}

/* Where the line after the one at `at` begins. */
static size_t next_line(const char *text, size_t size, size_t at) {
        while (at < size && !is_end_of_line(text[at]))
                at++;
        if (at + 1 < size && text[at] == '\r' && text[at + 1] == '\n')
                return at + 2;
        return at < size ? at + 1 : at;
}

/* What follows the blanks, the name, blanks, "=" and blanks that a line at `at` begins with; 0 where it does
 * not. */
static size_t value_of_line(const char *text, size_t size, size_t at, const char *name) {
        while (at < size && (text[at] == ' ' || text[at] == '\t'))
                at++;
        if (size - at < strlen(name) || memcmp(text + at, name, strlen(name)) != 0)
                return 0;
        at += strlen(name);
        while (at < size && (text[at] == ' ' || text[at] == '\t'))
                at++;
        if (at == size || text[at] != '=')
                return 0;
        at++;
        while (at < size && (text[at] == ' ' || text[at] == '\t'))
                at++;
        return at;
}

/* Where a line of the device that begins at `at` ends: after its first line or, where its value is good,
 * after the last one that belongs to it. */
static size_t end_of_assignment(const char *text, size_t size, size_t at) {
        struct env_assignment assignment;
        char fault[MTU_SPEC_FAULT_SIZE];
        struct env_file reader;
        struct mtu_spec spec;

        /* Not the whole, whose byte order mark would be skipped. */
        reader = (struct env_file){ .text = text, .size = size, .position = at, .line = 1 };
        if (env_file_next(&reader, &assignment) != ENV_FILE_ASSIGNMENT ||
            !mtu_spec_parse(assignment.value, &spec, fault))
                return next_line(text, size, at);
        /* A value ends at the CR of a CR LF already. */
        if (reader.position > 0 && reader.position < size && text[reader.position - 1] == '\r' &&
            text[reader.position] == '\n')
                return reader.position + 1;
        return reader.position;
}

/* The text with the device's lines taken out, or with the value of the last of them replaced, or with a line
 * put at the end: another way to the same than the product's, over physical lines. Returns how many lines of
 * the device there were. */
static unsigned edit_lines(const char *text, size_t size, const char *name, const char *value,
                           struct edited_text *ret) {
        size_t begin = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        size_t last = 0, last_end = 0, kept = begin;
        unsigned n = 0;

        ret->text = malloc(size + 128);
        REQUIRE(ret->text);
        memcpy(ret->text, text, begin);
        for (size_t at = begin, next; at < size; at = next) {
                size_t found = value_of_line(text, size, at, name);

                next = found ? end_of_assignment(text, size, at) : next_line(text, size, at);
                if (found) {
                        last = found;
                        last_end = next;
                        n++;
                } else {
                        memcpy(ret->text + kept, text + at, next - at);
                        kept += next - at;
                }
        }
        if (value && n > 0) {
                while (last_end > last && strchr(" \t\r\n", text[last_end - 1]) && text[last_end - 1])
                        last_end--;
                memcpy(ret->text, text, last);
                kept = (size_t)(stpcpy(ret->text + last, value) - ret->text);
                memcpy(ret->text + kept, text + last_end, size - last_end);
                kept += size - last_end;
        }
        ret->size = kept;
        return n;
}

/* Whether `longer` is `text` with `name`=`value` in a new line at its end. */
static bool is_with_line(const struct edited_text *longer, const char *text, size_t size, const char *name,
                         const char *value) {
        size_t at = size, length = strlen(name) + 1 + strlen(value);
        char line[128];

        if (longer->size < size || memcmp(longer->text, text, size) != 0)
                return false;
        while (at < longer->size && is_end_of_line(longer->text[at]))
                at++;
        snprintf(line, sizeof(line), "%s=%s", name, value);
        return longer->size - at > length && memcmp(longer->text + at, line, length) == 0 &&
               next_line(longer->text, longer->size, at) == longer->size &&
               is_end_of_line(longer->text[at + length]);
}

/* Lines are not taken out of what reaches over the end of one, or where a byte order mark would come to be
 * the first; and nothing is done to what may be nearly the longest line. */
static bool may_be_kept(const char *text, size_t size) {
        for (size_t i = 0; i < size; i++)
                if (text[i] == '"' || text[i] == '\'' || text[i] == '\\' || text[i] == '\xef')
                        return true;
        return size > ENV_FILE_LINE_MAX - 64;
}

/* But for the device, the text says what it said before. */
static void check_others_stand(const struct reading *before, const struct edited_text *text,
                               const char *name, const struct mtu_spec *wanted) {
        struct reading after = { 0 };
        const struct config_line *own;
        size_t others = 0;

        after.config = (struct config){ 0 };
        read_text(&after, config_parse_file, "after", (const uint8_t *)text->text, text->size);
        REQUIRE(after.config.backend == before->config.backend);
        REQUIRE(after.config.keep == before->config.keep);
        for (size_t i = 0; i < before->config.n_lines; i++) {
                const struct config_line *line = &before->config.lines[i], *now;

                if (strcmp(line->name, name) == 0)
                        continue;
                now = config_find(&after.config, line->name);
                REQUIRE(now && same_request(&now->spec, &line->spec));
                others++;
        }
        own = config_find(&after.config, name);
        REQUIRE(wanted ? own && same_request(&own->spec, wanted) : !own);
        REQUIRE(after.config.n_lines == others + (own ? 1 : 0));
        config_free(&after.config);
}

static void check_set(const struct reading *before, const char *text, size_t size, const char *name,
                      const struct edited_request *wanted) {
        CLEANUP(edited_free) struct edited_text edited = { NULL, 4711 }, expected = { 0 }, again = { 0 };
        const struct config_line *own = config_find(&before->config, name);
        bool is_set = own && same_request(&own->spec, &wanted->spec);
        int r = config_edit_set(text, size, name, &wanted->spec, &edited.text, &edited.size);
        unsigned lines;

        if (r < 0) {
                REQUIRE(r == -EBADMSG && !is_set && size > ENV_FILE_LINE_MAX - 64);
                REQUIRE(!edited.text && edited.size == 4711);
                return;
        }
        REQUIRE(r == (is_set ? 0 : 1));
        REQUIRE(edited.text[edited.size] == '\0');
        check_others_stand(before, &edited, name, &wanted->spec);

        lines = edit_lines(text, size, name, wanted->value, &expected);
        if (is_set)
                REQUIRE(edited.size == size && memcmp(edited.text, text, size) == 0);
        else if (lines > 0)
                REQUIRE(edited.size == expected.size &&
                        memcmp(edited.text, expected.text, edited.size) == 0);
        else
                REQUIRE(is_with_line(&edited, text, size, name, wanted->value));

        REQUIRE(config_edit_set(edited.text, edited.size, name, &wanted->spec, &again.text, &again.size) ==
                0);
        REQUIRE(again.size == edited.size && memcmp(again.text, edited.text, edited.size) == 0);

        /* A line at the end leaves nothing behind when it goes, but for newlines that the end lacked. */
        if (lines == 0) {
                CLEANUP(edited_free) struct edited_text back = { 0 };

                REQUIRE(config_edit_unset(edited.text, edited.size, name, &back.text, &back.size) == 1);
                REQUIRE(back.size >= size && memcmp(back.text, text, size) == 0);
                for (size_t i = size; i < back.size; i++)
                        REQUIRE(is_end_of_line(back.text[i]));
        }
}

static void check_unset(const struct reading *before, const char *text, size_t size, const char *name) {
        CLEANUP(edited_free) struct edited_text edited = { NULL, 4711 }, expected = { 0 }, again = { 0 };
        int r = config_edit_unset(text, size, name, &edited.text, &edited.size);
        unsigned lines = edit_lines(text, size, name, NULL, &expected);

        if (r < 0) {
                REQUIRE(r == -EBADMSG && lines > 0 && may_be_kept(text, size));
                REQUIRE(!edited.text && edited.size == 4711);
                return;
        }
        REQUIRE((unsigned)r == lines);
        REQUIRE(edited.size == expected.size && memcmp(edited.text, expected.text, edited.size) == 0);
        REQUIRE(edited.text[edited.size] == '\0');
        check_others_stand(before, &edited, name, NULL);
        /* A line in error may have become the device's, where its byte order mark has come to be the first.
         */
        if (memmem(text, size, "\xef\xbb\xbf", 3))
                return;
        REQUIRE(config_edit_unset(edited.text, edited.size, name, &again.text, &again.size) == 0);
        REQUIRE(again.size == edited.size && memcmp(again.text, edited.text, edited.size) == 0);
}

void property_config_edit(const uint8_t *data, size_t size) {
        struct reading before = { 0 };
        const char *name, *text = (const char *)data + 2;
        const struct edited_request *wanted;

        remember_input(data, size);
        /* What has to do with the longest line is too much for edit_lines(). */
        if (size < 2 || size - 2 > ENV_FILE_LINE_MAX)
                return;
        name = edited_devices[data[0] % (sizeof(edited_devices) / sizeof(edited_devices[0]))];
        wanted = &edited_requests[data[1] % (sizeof(edited_requests) / sizeof(edited_requests[0]))];
        size -= 2;
        before.config = (struct config){ 0 };
        read_text(&before, config_parse_file, "before", (const uint8_t *)text, size);
        check_set(&before, text, size, name, wanted);
        check_unset(&before, text, size, name);
        config_free(&before.config);
}

/* udev rules -------------------------------------------------------------------------------------------- */

/* Takes one `KEY OPERATOR "VALUE"` off `rest` into buffers of `size` bytes. False where it is none, or has a
 * key that setmtu has no business with. */
static bool take_token(const char **rest, char *key, char *op, char *value, size_t size) {
        static const char *const keys[] = {
                "ACTION", "SUBSYSTEM", "GOTO",       "LABEL",   "TAG",       "IMPORT{db}",         "NAME",
                "KERNEL", "TEST",      "TEST{0002}", "PROGRAM", "ATTR{mtu}", "ENV{SYSTEMD_WANTS}",
        };
        size_t key_size = strcspn(*rest, "=!+-:\"");
        size_t op_size = strspn(*rest + key_size, "=!+:");
        const char *open = *rest + key_size + op_size;
        size_t value_size;
        bool is_known = false;

        if (key_size == 0 || key_size >= size || op_size == 0 || op_size > 2 || *open != '"')
                return false;
        value_size = strcspn(open + 1, "\"");
        if (open[1 + value_size] != '"' || value_size >= size)
                return false;
        memcpy(key, *rest, key_size);
        key[key_size] = '\0';
        memcpy(op, *rest + key_size, op_size);
        op[op_size] = '\0';
        memcpy(value, open + 1, value_size);
        value[value_size] = '\0';
        *rest = open + value_size + 2;

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
                is_known |= strcmp(key, keys[i]) == 0;
        return is_known || strncmp(key, "ENV{SETMTU_", 11) == 0 || strncmp(key, "ENV{.SETMTU_", 12) == 0;
}

/* Whether the unit that the rule wants is this device's; neither udev nor PID 1 takes backslashes away. */
static bool is_unit_of(const char *unit, const char *name) {
        char instance[256], unescaped[INTERFACE_NAME_SIZE];
        const char *end;

        if (strncmp(unit, "setmtu@", 7) != 0)
                return false;
        unit += 7;
        end = strstr(unit, ".service");
        for (const char *next = end; next; next = strstr(next + 1, ".service"))
                end = next;
        if (!end || strcmp(end, ".service") != 0)
                return false;
        snprintf(instance, sizeof(instance), "%.*s", (int)(end - unit), unit);
        return unit_name_unescape(instance, unescaped, sizeof(unescaped)) && strcmp(unescaped, name) == 0;
}

/* A device's line: whom it is for, what it sets, which unit it wants; nothing else. */
static void check_device_rule(const char *line, const struct plan *plan, size_t *next_device) {
        char key[256], op[4], value[256], wanted[16];
        const struct config_line *device;
        bool has_mtu = false, has_unit = false;

        while (*next_device < plan->n_devices && (!backend_unit_has_rule(&plan->devices[*next_device]) ||
                                                  plan->devices[*next_device].line->is_pattern))
                (*next_device)++;
        REQUIRE(*next_device < plan->n_devices);
        device = plan->devices[(*next_device)++].line;

        REQUIRE(take_token(&line, key, op, value, sizeof(key)));
        REQUIRE(strcmp(key, "ENV{.SETMTU_NAME}") == 0 && strcmp(op, "==") == 0);
        REQUIRE(strcmp(value, device->name) == 0);
        REQUIRE(!strpbrk(value, "*?[]|\"\\"));
        snprintf(wanted, sizeof(wanted), "%" PRIu32, device->spec.mtu);
        while (*line) {
                REQUIRE(strncmp(line, ", ", 2) == 0);
                line += 2;
                REQUIRE(take_token(&line, key, op, value, sizeof(key)));
                REQUIRE(strcmp(op, "=") == 0);
                /* udev replaces what begins with these. */
                REQUIRE(!strpbrk(value, "$%"));
                if (strcmp(key, "ENV{" UDEV_PROPERTY_MTU "}") == 0) {
                        REQUIRE(!has_mtu && strcmp(value, wanted) == 0);
                        has_mtu = true;
                } else {
                        REQUIRE(!has_unit && is_unit_of(value, device->name));
                        has_unit = true;
                }
        }
        REQUIRE(has_unit && has_mtu == (device->spec.mtu != MTU_MAX));
}

/* What udev makes of the rules for a new device, as far as these are used here: an MTU and a unit. */
struct outcome {
        char mtu[256], unit[256];
};

static void assign(char ret[static 256], const char *value, const char *name) {
        char instance[UNIT_NAME_ESCAPED_SIZE(INTERFACE_NAME_SIZE)];
        const char *variable = strstr(value, "$name");

        unit_name_escape(name, instance);
        if (strcmp(value, "$result") == 0)
                snprintf(ret, 256, "setmtu@%s.service", instance);
        else if (variable)
                snprintf(ret, 256, "%.*s%s%s", (int)(variable - value), value, name, variable + 5);
        else
                strcpy(ret, value);
}

static struct outcome run_rules(const char *text, const char *name) {
        struct outcome outcome = { .mtu = "" };
        char label[256] = "", line[1024];

        for (; *text; text += strcspn(text, "\n") + 1) {
                const char *rest = line;
                bool is_match = true;

                snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
                while (*line != '#' && *rest && is_match) {
                        char key[256], op[4], value[256];
                        const char *subject = NULL;

                        REQUIRE(take_token(&rest, key, op, value, sizeof(key)));
                        rest += strspn(rest, ", ");
                        if (*label && (strcmp(key, "LABEL") != 0 || strcmp(value, label) != 0))
                                break;
                        label[0] = '\0';
                        if (strcmp(key, "ENV{.SETMTU_NAME}") == 0)
                                subject = name;
                        else if (strcmp(key, "ENV{.SETMTU_UNIT}") == 0)
                                subject = outcome.unit;
                        else if (strcmp(key, "ENV{" UDEV_PROPERTY_MTU "}") == 0)
                                subject = outcome.mtu;
                        else if (strcmp(key, "SUBSYSTEM") == 0)
                                subject = "net";
                        else if (strcmp(key, "ACTION") == 0)
                                subject = "add";
                        if (strncmp(key, "TEST", 4) == 0)
                                is_match = false; /* it is no port, and no unit is masked */
                        else if (strcmp(key, "GOTO") == 0)
                                strcpy(label, value);
                        else if (subject && strcmp(op, "=") == 0 && subject != name)
                                assign(subject == outcome.mtu ? outcome.mtu : outcome.unit, value, name);
                        else if (subject && strcmp(op, "=") != 0)
                                is_match = (fnmatch(value, subject, 0) == 0) == (strcmp(op, "==") == 0);
                }
        }
        return outcome;
}

/* The rules and config_match() mean the same for a device. */
static void check_outcome(const char *text, const struct plan *plan, const char *name) {
        static const char usual[] =
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:+,=@~#%-";
        const struct device_plan *device = plan_find(plan, name);
        const struct outcome outcome = run_rules(text, name);
        char mtu[16] = "";

        if (!device || !backend_unit_has_rule(device) ||
            (device->line->is_pattern && name[strspn(name, usual)])) {
                REQUIRE(!*outcome.unit);
                return;
        }
        REQUIRE(is_unit_of(outcome.unit, name));
        if (device->line->spec.mtu != MTU_MAX)
                snprintf(mtu, sizeof(mtu), "%" PRIu32, device->line->spec.mtu);
        REQUIRE(strcmp(outcome.mtu, mtu) == 0);
}

/* Devices with the names of lines, and like those of patterns. */
static void check_outcomes(const char *text, const struct plan *plan) {
        static const char *const others[] = { "lo", "eth0", "a-b", "a'b", "v" };

        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
                check_outcome(text, plan, others[i]);
        for (size_t i = 0; i < plan->config.n_lines && i < 64; i++) {
                char name[INTERFACE_NAME_SIZE];

                strcpy(name, plan->config.lines[i].name);
                check_outcome(text, plan, name);
                for (char *c = name; *c; c++)
                        if (strchr("*?[]", *c))
                                *c = "-x0"[i % 3];
                check_outcome(text, plan, name);
        }
}

static void check_rules(char *text, size_t size, const struct plan *plan) {
        size_t next_device = 0, n_rules = 0, wanted = 0, n_patterns = 0;

        REQUIRE(strlen(text) == size && size > 0 && text[size - 1] == '\n');
        for (size_t i = 0; i < plan->n_devices; i++)
                if (plan->devices[i].line->is_pattern)
                        n_patterns += backend_unit_has_rule(&plan->devices[i]);
                else
                        wanted += backend_unit_has_rule(&plan->devices[i]);
        check_outcomes(text, plan);
        for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
                const char *rest = line;

                *end = '\0';
                REQUIRE(is_clean(line));
                REQUIRE(strlen(line) < 1024); /* udev reads 16 KiB */
                /* Would join the next line to it. */
                REQUIRE(end == line || end[-1] != '\\');
                if (*line == '\0' || *line == '#')
                        continue;
                if (strncmp(line, "ENV{.SETMTU_NAME}==", 19) == 0 && n_rules < wanted) {
                        check_device_rule(line, plan, &next_device);
                        n_rules++;
                        continue;
                }
                for (;;) {
                        char key[256], op[4], value[256];

                        REQUIRE(take_token(&rest, key, op, value, sizeof(key)));
                        if (!*rest)
                                break;
                        REQUIRE(strncmp(rest, ", ", 2) == 0);
                        rest += 2;
                }
        }
        REQUIRE(n_rules == wanted);
        REQUIRE(n_rules + n_patterns > 0);
}

void property_udev_rules(const uint8_t *data, size_t size) {
        struct reading reading = { 0 };
        const struct diagnostic_sink sink = { check_diagnostic, &reading };
        CLEANUP(generated_files_free) struct generated_files rules = { 0 };
        bool has_rules = false;
        struct plan plan;
        size_t before;

        remember_input(data, size);
        reading.config = (struct config){ 0 };
        read_text(&reading, config_parse_file, "/etc/conf.d/setmtu", data, size);
        before = reading.n_errors;
        plan = (struct plan){ 0 };
        plan.config = reading.config;
        REQUIRE(plan_build(&plan, &sink) == 0);
        /* A line is in the plan or somebody hears why not. */
        REQUIRE(plan.n_devices + (reading.n_errors - before) == reading.config.n_lines);
        for (size_t i = 0; i < plan.n_devices; i++) {
                const struct device_plan *device = &plan.devices[i];

                REQUIRE(device->line && config_find(&reading.config, device->line->name) == device->line);
                REQUIRE(strlen(device->instance) > 0 && !strpbrk(device->instance, "/%$\" \n"));
                REQUIRE(sizeof("sys-subsystem-net-devices-.device.wants") + strlen(device->instance) <
                        NAME_MAX);
                has_rules |= backend_unit_has_rule(device);
        }
        REQUIRE(backend_unit_render(&plan, &sink, &rules) == 0);
        REQUIRE(rules.n_items == (has_rules ? 1 : 0));
        if (has_rules)
                check_rules(rules.items[0].text, rules.items[0].size, &plan);

        plan_free(&plan);
}

/* .link and .network files ------------------------------------------------------------------------------ */

/* All that systemd would see of it. */
static char *render_settings(const struct network_file *file) {
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);

        REQUIRE(stream);
        for (size_t i = 0; i < file->n_settings; i++)
                fprintf(stream, "[%s]%s=%s\n", file->settings[i].header, file->settings[i].key,
                        file->settings[i].value);
        REQUIRE(fclose(stream) == 0);
        return text;
}

void property_network_file(const uint8_t *data, size_t size) {
        static const char name[] = "e0", tail[] = "[Match]OriginalName=e0\n[Link]MTUBytes=9000\n";
        struct network_file file = { .name = "50-a.link", .path = "/etc/systemd/network/50-a.link" };
        struct network_file copy = { .name = "05-setmtu-9000.link", .path = "" };
        CLEANUP(pool_free) struct pool pool = { 0 };
        const struct config_line line = {
                .name = "e0", .spec = { .mtu = 9000 }, .file = "/etc/conf.d/setmtu", .line = 1
        };
        const struct device_plan device = { .line = &line, .backend = BACKEND_LINK };
        CLEANUP(cleanup_free) char *seen = NULL, *copied = NULL, *text = NULL;
        size_t text_size, n_names = 0;
        FILE *stream;

        remember_input(data, size);
        if (network_file_parse(&pool, &file, (const char *)data, size) == 0) {
                /* What is written is read as it was, but for the name, which is ours. */
                stream = open_memstream(&text, &text_size);
                REQUIRE(stream);
                link_copies_write(&(const struct config){ 0 },
                                  &(const struct link_copy){ "", &device, &file }, 1, stream);
                REQUIRE(fclose(stream) == 0);
                REQUIRE(network_file_parse(&pool, &copy, text, text_size) == 0);
                REQUIRE(network_file_match_name(&copy, "OriginalName", name));
                REQUIRE(network_file_names_only(&copy, "OriginalName", name));
                REQUIRE(!network_file_match_name(&copy, "OriginalName", "e1"));
                REQUIRE(strcmp(network_file_get(&copy, "Link", "MTUBytes"), "9000") == 0);

                for (size_t i = 0; i < file.n_settings; i++) {
                        if (strcmp(file.settings[i].key, "OriginalName") == 0)
                                continue;
                        if (n_names != i) {
                                struct network_setting setting = file.settings[n_names];

                                file.settings[n_names] = file.settings[i];
                                file.settings[i] = setting;
                        }
                        n_names++;
                }
                {
                        size_t n = file.n_settings;

                        file.n_settings = n_names;
                        seen = render_settings(&file);
                        file.n_settings = n;
                }
                copied = render_settings(&copy);
                REQUIRE(strlen(copied) == strlen(seen) + strlen(tail));
                REQUIRE(strncmp(copied, seen, strlen(seen)) == 0 &&
                        strcmp(copied + strlen(seen), tail) == 0);
        }
}

/* Records of the original MTU --------------------------------------------------------------------------- */

#define IFINDEX 7
#define MAC "52:54:00:12:34:56"

/* Any device may have the record, where that says nothing against it. */
static struct link device = { .ifindex = IFINDEX, .name = "e0", .addresses.mac = MAC };

/* Makes the directory, once a process; where a record belongs there is found by
 * having one written. */
static void make_root(void) {
        const struct device_record record = { .original = { .original = 1500, .set = 9000 } };
        const char *parent = getenv("TMPDIR");
        char directory[PATH_MAX - 300];
        struct dirent *entry;
        DIR *stream;

        if (*root.directory)
                return;
        snprintf(root.directory, sizeof(root.directory), "%s/setmtu-properties.XXXXXX",
                 parent && *parent ? parent : "/tmp");
        REQUIRE(mkdtemp(root.directory));
        atexit(remove_root);
        REQUIRE(setenv("SETMTU_ROOT", root.directory, 1) == 0);

        REQUIRE(device_record_write(&device, DEVICE_RECORD_ALL, &record) == 0);
        REQUIRE(snprintf(directory, sizeof(directory), "%s/run/setmtu", root.directory) <
                (int)sizeof(directory));
        stream = opendir(directory);
        REQUIRE(stream);
        while ((entry = readdir(stream)))
                if (isdigit(entry->d_name[0]))
                        snprintf(root.record, sizeof(root.record), "%s/%s", directory, entry->d_name);
        closedir(stream);
        REQUIRE(*root.record);

        REQUIRE(snprintf(directory, sizeof(directory), "%s/run/udev", root.directory) <
                (int)sizeof(directory));
        REQUIRE(mkdir(directory, 0700) == 0);
        strcat(directory, "/data");
        REQUIRE(mkdir(directory, 0700) == 0);
        snprintf(root.database, sizeof(root.database), "%s/n%d", directory, IFINDEX);
}

static void write_file(const char *path, const uint8_t *data, size_t size) {
        FILE *stream = fopen(path, "we");

        REQUIRE(stream);
        REQUIRE(fwrite(data, 1, size, stream) == size);
        REQUIRE(fclose(stream) == 0);
}

/* False where no symbolic link can hold that. */
static bool write_link(const char *path, const uint8_t *data, size_t size) {
        char target[PATH_MAX] = "";
        size_t length = strnlen((const char *)data, size);

        if (length == 0 || length >= sizeof(target))
                return false;
        memcpy(target, data, length);
        REQUIRE((unlink(path) == 0 || errno == ENOENT) && symlink(target, path) == 0);
        return true;
}

/* The number on the first line from `*from` on that begins with `key`; -1 where there is no such line or no
 * number that an MTU can be. `*from` is then the end of that line. Reads bytes, so that it shares nothing
 * with the product's reader of strings. */
static int64_t number_after(const char *key, const uint8_t *data, size_t size, size_t *from) {
        size_t length = strlen(key), end = strnlen((const char *)data, size), i = *from;

        while (i < end) {
                uint64_t number = 0;
                size_t line = i;

                while (i < end && data[i] != '\n')
                        i++;
                if (i - line < length || memcmp(data + line, key, length) != 0) {
                        i++;
                        continue;
                }
                *from = i;
                if (i == line + length)
                        return -1;
                for (size_t digit = line + length; digit < i; digit++) {
                        if (!isdigit(data[digit]))
                                return -1;
                        if (number <= UINT32_MAX)
                                number = number * 10 + (uint64_t)(data[digit] - '0');
                }
                return number > UINT32_MAX ? -1 : (int64_t)number;
        }
        return -1;
}

static void check_database(const uint8_t *data, size_t size) {
        uint32_t original = 1, set = 2;
        int64_t wanted_original =
                        number_after("E:" UDEV_PROPERTY_ORIGINAL_MTU "=", data, size, &(size_t){ 0 });
        int64_t wanted_set = number_after("E:" UDEV_PROPERTY_MTU "=", data, size, &(size_t){ 0 });
        int r;

        write_file(root.database, data, size);
        r = original_mtu_from_udev(&device, &original, &set);
        if (wanted_original < 0 || wanted_set < 0 || r == -ENOENT) {
                REQUIRE(r < 0);
                REQUIRE(original == 1 && set == 2);
        } else {
                REQUIRE(r == 0);
                REQUIRE(original == wanted_original && set == wanted_set);
        }
}

void property_udev_mtu(const uint8_t *data, size_t size) {
        remember_input(data, size);
        make_root();
        check_database(data, size);
}

static bool is_one_line(const char *text, size_t size) {
        return memchr(text, '\0', size) && !strchr(text, '\n');
}

#define IS_ONE_LINE(text) is_one_line(text, sizeof(text))

static void check_trial(void) {
        struct trial_record trial = { .id = 1 }, again;
        int r = trial_record_read(IFINDEX, &trial);

        REQUIRE(r == 0 || r == -EBADMSG || r == -ENOENT);
        if (r < 0) {
                REQUIRE(trial.id == 1 && trial.name[0] == '\0'); /* untouched */
                return;
        }
        REQUIRE(IS_ONE_LINE(trial.device.name) && trial.device.name[0] && IS_ONE_LINE(trial.name));
        REQUIRE(trial_record_write(&trial) == 0);
        REQUIRE(trial_record_read(IFINDEX, &again) == 0);
        REQUIRE(strcmp(trial.device.name, again.device.name) == 0);
        REQUIRE(strcmp(trial.name, again.name) == 0 && trial.id == again.id);
        REQUIRE(trial.deadline_s == again.deadline_s);
        REQUIRE(mtu_spec_equals(&trial.spec, &again.spec));
        REQUIRE(trial.before == again.before && trial.tried == again.tried);
        REQUIRE(memcmp(&trial.former, &again.former, sizeof(trial.former)) == 0);
}

void property_device_record(const uint8_t *data, size_t size) {
        struct device_record record = { .original.original = 1 }, again;
        int r;

        remember_input(data, size);
        make_root();
        if (!write_link(root.record, data, size))
                return;
        check_trial();
        REQUIRE(write_link(root.record, data, size));
        r = device_record_read(&device, &record);
        REQUIRE(r == 0 || r == -EBADMSG || r == -ENOENT);
        if (r < 0) {
                REQUIRE(record.original.original == 0 && record.device.name[0] == '\0');
                return;
        }
        REQUIRE(IS_ONE_LINE(record.device.name) && record.device.name[0]);
        REQUIRE(IS_ONE_LINE(record.kept.file));
        REQUIRE(device_record_write(&device, DEVICE_RECORD_ALL, &record) == 0);
        r = device_record_read(&device, &again);
        /* Without any part there is none. */
        REQUIRE(r == 0 || r == -ENOENT);
        if (r < 0)
                return;
        REQUIRE(strcmp(again.device.name, device.name) == 0 && strcmp(again.device.mac, MAC) == 0);
        REQUIRE(memcmp(&record.original, &again.original, sizeof(again.original)) == 0);
        REQUIRE(memcmp(&record.lowered, &again.lowered, sizeof(again.lowered)) == 0);
        REQUIRE(memcmp(&record.tally, &again.tally, sizeof(again.tally)) == 0);
        REQUIRE(record.kept.mtu == again.kept.mtu && record.kept.line == again.kept.line);
        REQUIRE(strcmp(record.kept.file, again.kept.file) == 0);
}

/* Times ------------------------------------------------------------------------------------------------- */

void property_seconds(const uint8_t *data, size_t size) {
        static const unsigned largest[] = { 1, 60, 86400, UINT32_MAX };
        CLEANUP(cleanup_free) char *text = malloc(size + 1);
        bool is_taken = false;

        remember_input(data, size);
        REQUIRE(text);
        memcpy(text, data, size);
        text[size] = '\0';
        for (size_t i = 0; i < sizeof(largest) / sizeof(largest[0]); i++) {
                unsigned seconds = 0;
                bool is_it = text_parse_seconds(text, largest[i], &seconds);
                size_t n_digits = strspn(text, "0123456789");

                REQUIRE(is_it || seconds == 0);
                /* What is not too long is not too long where more is allowed. */
                REQUIRE(is_it || !is_taken);
                is_taken = is_it;
                if (!is_it)
                        continue;
                REQUIRE(seconds >= 1 && seconds <= largest[i]);
                REQUIRE(n_digits > 0 && strlen(text + n_digits) <= 3);
                if (!text[n_digits] || strcmp(text + n_digits, "s") == 0)
                        REQUIRE(strtoul(text, NULL, 10) == seconds);
        }
}

/* iperf3 ------------------------------------------------------------------------------------------------ */

void property_iperf3_json(const uint8_t *data, size_t size) {
        const struct iperf3_result untouched = { .rate = -7, .window = 7 };
        struct iperf3_result result = untouched;
        CLEANUP(cleanup_free) char *text = strndup((const char *)data, size);
        char fault[RUN_FAULT_SIZE] = "";
        enum run_end end;

        remember_input(data, size);
        REQUIRE(text);
        end = iperf3_parse(text, 0, &result, fault);
        REQUIRE(end == RUN_DONE || end == RUN_FAILED || end == RUN_BUSY || end == RUN_REFUSED);
        if (end != RUN_DONE) {
                REQUIRE(memcmp(&result, &untouched, sizeof(result)) == 0);
                REQUIRE(strlen(fault) > 0);
                return;
        }
        REQUIRE(result.rate > 0 && isfinite(result.rate));
        /* A window that was told is a multiple of any size that it proves. */
        if (iperf3_has_sent(&result, 1460))
                REQUIRE(result.window > 0 && (result.window % 1460 == 0 || result.window % 1448 == 0));
}

/* Probes ------------------------------------------------------------------------------------------------ */

/* The checksum of any echo request with this mark. */
static int echo_checksum(const struct packet_mark *mark) {
        uint8_t message[PACKET_ECHO_SIZE_LEAST + 2];

        packet_echo_write(mark, 1, message, sizeof(message));
        return message[2] << 8 | message[3];
}

/* An echo request of ours comes back as it went, and nobody else's does. */
static void try_echo(const struct packet_mark *mark, const uint8_t *data, size_t size) {
        size_t whole = PACKET_ECHO_SIZE_LEAST + size % 300, icmp_size, place = size > 2 ? data[2] % 12 : 0;
        unsigned sent = size > 1 ? (unsigned)(data[0] << 8 | data[1]) : 7, got;
        CLEANUP(cleanup_free) uint8_t *message = malloc(whole);

        REQUIRE(message);
        packet_echo_write(mark, sent, message, whole);
        for (size_t quoted = 0; quoted <= whole; quoted++) {
                REQUIRE(packet_quote_read(mark, message, quoted, &got) ==
                        (quoted < PACKET_ECHO_HEADER_SIZE  ? PACKET_FOREIGN
                         : quoted < PACKET_ECHO_SIZE_LEAST ? PACKET_SHORT
                                                           : PACKET_PROVEN));
                REQUIRE(quoted < PACKET_ECHO_HEADER_SIZE || got == sent);
        }
        REQUIRE(!packet_reply_read(mark, false, message, whole, &got, &icmp_size));
        message[0] = mark->is_v6 ? 129 : 0;
        REQUIRE(packet_reply_read(mark, false, message, whole, &got, &icmp_size));
        REQUIRE(got == sent && icmp_size == whole);
        /* A reply has the contents of the request. */
        REQUIRE(mark->is_v6 || whole < PACKET_ECHO_SIZE_LEAST + 2 ||
                (message[2] << 8 | message[3]) == echo_checksum(mark));
        /* The identifier, the sequence number, or the cookie. */
        message[4 + place] ^= 1;
        REQUIRE(packet_reply_read(mark, false, message, whole, &got, &icmp_size) ==
                (place == 2 || place == 3));
}

void property_probe_packet(const uint8_t *data, size_t size) {
        struct packet_mark mark = { .identifier = 0x6d74, .first = 0xfff0, .cookie = "setmtu!" };
        unsigned id;
        size_t icmp_size;

        remember_input(data, size);
        for (int i = 0; i < 4; i++) {
                mark.is_v6 = i & 1;
                if (packet_reply_read(&mark, i & 2, data, size, &id, &icmp_size)) {
                        REQUIRE(icmp_size >= PACKET_ECHO_SIZE_LEAST && icmp_size <= size);
                        REQUIRE(memcmp(data + size - icmp_size + 8, mark.cookie, sizeof(mark.cookie)) == 0);
                }
                if (packet_quote_read(&mark, data, size, &id) != PACKET_FOREIGN)
                        REQUIRE(size >= PACKET_ECHO_HEADER_SIZE && data[4] == 0x6d && data[5] == 0x74);
                try_echo(&mark, data, size);
        }
}

/* Whatever comes back, the probing ends in time, with sizes that can be sent. */
void property_probe_method(const uint8_t *data, size_t size) {
        static struct method method;
        struct method_settings settings = { .has_forward = true, .timeout = 5 };
        size_t used = 4;
        double now = 1;
        struct probe probe;

        remember_input(data, size);
        if (size < used)
                return;
        settings.is_v6 = data[0] & 1;
        settings.has_echo = data[0] & 2;
        settings.is_further = data[0] & 4;
        settings.has_fragmented = data[0] & 32;
        settings.udp_left = data[3] % 7;
        settings.likely = (uint32_t)data[3] * 41;
        settings.size = (settings.is_v6 ? 1280u : 68u) + (uint32_t)data[1] * 40;
        settings.local_mtu = (settings.is_v6 ? 1280u : 68u) + (uint32_t)data[2] * 40;
        method_begin(&method, &settings, now);
        while (!method_is_done(&method, now)) {
                REQUIRE(now < 7);
                while (method_send(&method, now, &probe)) {
                        REQUIRE(probe.size >= PROBE_SIZE_LEAST_V4 && probe.ttl <= 30);
                        /* One in fragments may be larger than what goes out in one piece. */
                        REQUIRE(probe.size <= method.full || probe.kind == PROBE_FRAGMENTED);
                        REQUIRE(probe.id < PROBE_COUNT_MAX);
                        /* An event for each byte: its low bits say of which kind, and about which probe. */
                        if (used < size) {
                                uint8_t byte = data[used++];
                                struct probe_event event = {
                                        .kind = byte % 5,
                                        .id = data[0] & 8 ? PROBE_ID_UNKNOWN
                                                          : probe.id - (probe.id > 0 ? byte >> 5 & 1 : 0),
                                        .from = { .bytes = { byte }, .size = 4 },
                                        .mtu = byte & 64 ? probe.size - 1 : (uint32_t)byte * 41,
                                        .fragment = byte & 128 ? 1 + (uint32_t)byte * 8 : 0,
                                        .ttl = byte,
                                        .is_short = data[0] & 8 || (data[0] & 16 && byte & 2),
                                };

                                method_take(&method, &event, now);
                        }
                }
                now += 0.01;
        }
        REQUIRE(method.verdict.kind < VERDICT_COUNT && method.verdict.size <= PROBE_SIZE_LARGEST);
}

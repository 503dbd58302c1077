/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include "config/env_file.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* `seen`: each item in order, `LINE KEY=[VALUE]` or `LINE MISTAKE`, separated by `|`. What systemd itself
 * makes of such text, the boot test compares. */
static const struct row {
        const char *name;
        const char *text;
        size_t size;
        const char *seen;
} rows[] = {
        { "nothing", TEXT(""), "" },
        { "plain", TEXT("eth0=4000\n"), "1 eth0=[4000]" },
        { "no newline at the end", TEXT("eth0=4000"), "1 eth0=[4000]" },
        { "byte order mark",
          TEXT("\xef\xbb\xbf"
               "eth0=4000\n"),
          "1 eth0=[4000]" },
        { "blank lines", TEXT("\n\n  \neth0=4000\n\n"), "4 eth0=[4000]" },
        { "comments", TEXT("# a\n; b\n  # c\neth0=1\n#"), "4 eth0=[1]" },
        { "a comment that ends in a backslash", TEXT("# a\\\neth0=1\n"), "2 eth0=[1]" },
        { "white space around", TEXT("  eth0 \t=  4000 \t\n"), "1 eth0=[4000]" },
        { "white space inside", TEXT("eth0=9000  up\n"), "1 eth0=[9000  up]" },
        { "comment sign in a value", TEXT("eth0=4000 # x\n"), "1 eth0=[4000 # x]" },
        { "double quotes", TEXT("eth0=\"9000 up\"\n"), "1 eth0=[9000 up]" },
        { "single quotes", TEXT("eth0='9000 up'\n"), "1 eth0=[9000 up]" },
        { "white space in quotes stays", TEXT("eth0=\" 9000 \"  \n"), "1 eth0=[ 9000 ]" },
        { "text after a quote is appended", TEXT("eth0=\"90\"00\n"), "1 eth0=[9000]" },
        { "a quote after a quote", TEXT("eth0=\"90\" '00'\n"), "1 eth0=[9000]" },
        { "white space after a quote goes", TEXT("eth0=\"9000 \" up \n"), "1 eth0=[9000 up]" },
        { "a quote inside a value", TEXT("eth0=90\"00\"\n"), "1 eth0=[90\"00\"]" },
        { "escaped", TEXT("eth0=\\9000\n"), "1 eth0=[9000]" },
        { "escaped white space at the end", TEXT("eth0=9000\\ \n"), "1 eth0=[9000 ]" },
        { "escaped quote", TEXT("eth0=\\\"9\n"), "1 eth0=[\"9]" },
        { "escape in double quotes", TEXT("eth0=\"\\\"\\\\\\`\\$\\n\"\n"), "1 eth0=[\"\\`$\\n]" },
        { "no escape in single quotes", TEXT("eth0='a\\'\n"), "1 eth0=[a\\]" },
        { "continued", TEXT("eth0=90\\\n00\neth1=1\n"), "1 eth0=[9000]|3 eth1=[1]" },
        { "continued in double quotes", TEXT("eth0=\"90\\\n00\"\n"), "1 eth0=[9000]" },
        { "continued at the end", TEXT("eth0=9000\\"), "1 eth0=[9000]" },
        { "a newline in quotes", TEXT("eth0=\"9000\nup\"\neth1=1\n"), "1 eth0=[9000\nup]|3 eth1=[1]" },
        { "CR LF", TEXT("eth0=1\r\n# a\r\neth1=2\r\n"), "1 eth0=[1]|3 eth1=[2]" },
        { "CR alone", TEXT("eth0=1\reth1=2\r"), "1 eth0=[1]|2 eth1=[2]" },
        { "empty value", TEXT("eth0=\neth1=''\n"), "1 eth0=[]|2 eth1=[]" },
        { "equals sign in a value", TEXT("eth0=9000 backend=unit\n"), "1 eth0=[9000 backend=unit]" },
        { "no equals sign", TEXT("nope\neth0=1\n"), "1 NO_EQUALS_SIGN|2 eth0=[1]" },
        { "no equals sign at the end", TEXT("eth0=1\nnope"), "1 eth0=[1]|2 NO_EQUALS_SIGN" },
        { "a backslash continues no key", TEXT("eth0\\\n=1\neth1=1\n"),
          "1 NO_EQUALS_SIGN|2 EMPTY_KEY|3 eth1=[1]" },
        { "empty key", TEXT("=1\neth0=1\n"), "1 EMPTY_KEY|2 eth0=[1]" },
        { "open double quote", TEXT("eth0=\"1\neth1=1\n"), "1 OPEN_QUOTE|2 eth1=[1]" },
        { "open single quote", TEXT("eth0='1\n\n#\neth1=1\n"), "1 OPEN_QUOTE|4 eth1=[1]" },
        { "open quote at the end", TEXT("eth0=1\neth1=\""), "1 eth0=[1]|2 OPEN_QUOTE" },
        { "open quote, escaped", TEXT("eth0=\"1\\"), "1 OPEN_QUOTE" },
        { "two open quotes", TEXT("eth0='1\neth1=\"1\neth2=1\n"), "1 OPEN_QUOTE|2 OPEN_QUOTE|3 eth2=[1]" },
        { "NUL in a value", TEXT("eth0=1\0\neth1=1\n"), "1 NUL|2 eth1=[1]" },
        { "NUL in a key", TEXT("e\0=1\neth1=1\n"), "1 NUL|2 eth1=[1]" },
        { "NUL first", TEXT("\0eth0=1\neth1=1\n"), "1 NUL|2 eth1=[1]" },
        { "NUL in a comment", TEXT("# \0\neth1=1\n"), "2 eth1=[1]" },
        { "NUL after an open quote", TEXT("eth0=\"1\nx\0\neth1=1\n"), "1 OPEN_QUOTE|2 NUL|3 eth1=[1]" },
};

static const char *const mistakes[] = {
        [ENV_FILE_NO_EQUALS_SIGN] = "NO_EQUALS_SIGN",
        [ENV_FILE_EMPTY_KEY] = "EMPTY_KEY",
        [ENV_FILE_OPEN_QUOTE] = "OPEN_QUOTE",
        [ENV_FILE_NUL] = "NUL",
        [ENV_FILE_TOO_LONG] = "TOO_LONG",
};

static void describe(const char *text, size_t size, char *seen, size_t seen_size) {
        FILE *stream = fmemopen(seen, seen_size, "w");
        struct env_assignment assignment;
        struct env_file reader;
        enum env_file_item item;
        const char *separator = "";

        env_file_open(&reader, text, size);
        while ((item = env_file_next(&reader, &assignment)) != ENV_FILE_END) {
                fprintf(stream, "%s%u ", separator, assignment.line);
                if (item == ENV_FILE_ASSIGNMENT)
                        fprintf(stream, "%.*s=[%.*s]", (int)assignment.key_size, assignment.key,
                                (int)assignment.value_size, assignment.value);
                else
                        fputs(mistakes[item], stream);
                separator = "|";
        }
        putc('\0', stream);
        fclose(stream);
}

static void test_row(void **state) {
        const struct row *row = *state;
        char seen[1024];

        describe(row->text, row->size, seen, sizeof(seen));
        assert_string_equal(seen, row->seen);
}

/* Around the longest line: `before` bytes of value, and what is seen. */
static const struct length_row {
        const char *name;
        const char *head;
        size_t size; /* of the line, without its newline */
        const char *tail;
        const char *seen; /* up to the value */
} length_rows[] = {
        { "4096 bytes", "eth0=", 4096, "\neth1=1\n", "1 eth0=[" },
        { "4097 bytes", "eth0=", 4097, "\neth1=1\n", "1 TOO_LONG|2 eth1=[1]" },
        { "much longer", "eth0=", 100000, "\neth1=1\n", "1 TOO_LONG|2 eth1=[1]" },
        { "a key of 4096 bytes", "", 4096, "\neth1=1\n", "1 NO_EQUALS_SIGN|2 eth1=[1]" },
        { "a key of 100000 bytes", "", 100000, "\neth1=1\n", "1 TOO_LONG|2 eth1=[1]" },
        { "a long comment", "#", 100000, "\neth1=1\n", "2 eth1=[1]" },
        { "continued beyond", "eth0=\\\n", 5000, "\neth1=1\n", "1 TOO_LONG|3 eth1=[1]" },
        { "a quote over many lines", "eth0=\"\n", 5000, "\neth1=\"1\"\n",
          "1 OPEN_QUOTE|2 TOO_LONG|3 eth1=[1]" },
};

static void test_length(void **state) {
        const struct length_row *row = *state;
        size_t head = strlen(row->head), tail = strlen(row->tail);
        char *text = malloc(row->size + tail);
        static char seen[200000];

        assert_non_null(text);
        memcpy(text, row->head, head);
        memset(text + head, '9', row->size - head);
        memcpy(text + row->size, row->tail, tail);
        describe(text, row->size + tail, seen, sizeof(seen));
        free(text);
        if (strncmp(seen, row->seen, strlen(row->seen)) != 0)
                fail_msg("seen %.60s", seen);
}

int main(void) {
        return RUN_ROWS("environment file", test_row, rows) + RUN_ROWS("length", test_length, length_rows);
}

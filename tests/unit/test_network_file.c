/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include <errno.h>

#include "network_files/network_file.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* A file, then perhaps a drop-in. `seen`: each setting as KEY=VALUE, after the [HEADER] of its section. */
static const struct parse_row {
        const char *name;
        const char *text;
        size_t size;
        const char *drop_in;
        int error;
        const char *seen;
} parse_rows[] = {
        { "nothing", TEXT(""), NULL, 0, "" },
        { "plain", TEXT("[Match]\nDriver=a\n[Link]\nName=b\n"), NULL, 0, "[Match]Driver=a [Link]Name=b " },
        { "white space", TEXT(" [Match] \n\t Driver\t= a b \n"), NULL, 0, "[Match]Driver=a b " },
        { "a section twice is two", TEXT("[SR-IOV]\na=1\n[SR-IOV]\na=2\n"), NULL, 0,
          "[SR-IOV]a=1 [SR-IOV]a=2 " },
        { "a drop-in begins without a section", TEXT("[Link]\na=1\n"), "b=2\n[Link]\nc=3\n", 0,
          "[Link]a=1 [Link]c=3 " },
        { "comments", TEXT("# a\n ; b\n[Link]\n#c=1\nd=1 # e\n"), NULL, 0, "[Link]d=1 # e " },
        { "continued", TEXT("[Link]\na=1 \\\n  2\\\n3\nb=4\n"), NULL, 0, "[Link]a=1    2 3 b=4 " },
        { "continued over a comment", TEXT("[Link]\na=1\\\n# b \\\n ;c\n2\n"), NULL, 0, "[Link]a=1 2 " },
        { "continued to the end", TEXT("[Link]\na=1\\"), NULL, 0, "[Link]a=1\\ " },
        { "a comment is not continued", TEXT("[Link]\n# a \\\nb=2\n"), NULL, 0, "[Link]b=2 " },
        { "CR LF", TEXT("[Link]\r\na=1\\\r\n2\r\n"), NULL, 0, "[Link]a=1 2 " },
        { "a line end twice ends two lines", TEXT("[Link]\na=1\\\n\nb=2\n"), NULL, 0, "[Link]a=1 b=2 " },
        { "a byte order mark", TEXT("\xef\xbb\xbf[Link]\na=1\n"), "\xef\xbb\xbf[Link]\nb=2\n", 0,
          "[Link]a=1 [Link]b=2 " },
        { "outside of a section", TEXT("a=1\n[Link]\nb=2\n"), NULL, 0, "[Link]b=2 " },
        { "no equals sign, no key", TEXT("[Link]\na\n=b\nc=\n"), NULL, 0, "[Link]c= " },
        { "a header without its end", TEXT("[Match]\nDriver=a\n[Link\n"), NULL, -EBADMSG, "" },
        { "half a bracket", TEXT("[\n"), NULL, -EBADMSG, "" },
        { "not UTF-8", TEXT("[Link]\na=\xff\n"), NULL, -EBADMSG, "" },
        { "not UTF-8, in a comment", TEXT("# \xff\n[Link]\na=1\n"), NULL, 0, "[Link]a=1 " },
};

static void test_parse(void **state) {
        const struct parse_row *row = *state;
        struct pool pool = { 0 };
        struct network_file file = { .name = "a.link" };
        const char *header = NULL;
        char seen[512] = "";
        int r;

        r = network_file_parse(&pool, &file, row->text, row->size);
        if (r == 0 && row->drop_in)
                r = network_file_parse(&pool, &file, row->drop_in, strlen(row->drop_in));
        assert_errno(r, row->error);
        for (size_t i = 0; r == 0 && i < file.n_settings; i++) {
                const struct network_setting *setting = &file.settings[i];

                if (setting->header != header)
                        sprintf(seen + strlen(seen), "[%s]", setting->header);
                header = setting->header;
                sprintf(seen + strlen(seen), "%s=%s ", setting->key, setting->value);
        }
        assert_string_equal(seen, row->seen);
        pool_free(&pool);
}

/* What a file says of the device e0. `seen`, in this order: M the list of names matches, O it is the name
 * alone, E the section is empty, B it has something besides the name. */
static const struct match_row {
        const char *name;
        const char *file;
        const char *text;
        const char *seen;
} match_rows[] = {
        { "no section", "a.link", "[Link]\nName=x\n", "ME" },
        { "the name", "a.link", "[Match]\nOriginalName=e0\n", "MO" },
        { "the name twice", "a.link", "[Match]\nOriginalName=e0\nOriginalName=e0\n", "MO" },
        { "another name", "a.link", "[Match]\nOriginalName=e1\n", "" },
        { "a list", "a.link", "[Match]\nOriginalName=e1 e0\n", "M" },
        { "two lists", "a.link", "[Match]\nOriginalName=e1\n[Match]\nOriginalName=e0\n", "M" },
        { "all", "a.link", "[Match]\nOriginalName=*\n", "M" },
        { "a set", "a.link", "[Match]\nOriginalName=e[0-9]\n", "M" },
        { "not in the set", "a.link", "[Match]\nOriginalName=e[1-9]\n", "" },
        { "all but others", "a.link", "[Match]\nOriginalName=!e1 e2\n", "M" },
        { "all but this", "a.link", "[Match]\nOriginalName=!e1 e0\n", "" },
        { "nothing but not this", "a.link", "[Match]\nOriginalName=!e0\n", "" },
        { "all but a pattern", "a.link", "[Match]\nOriginalName=* \nOriginalName=!e*\n", "" },
        { "this, and all but others", "a.link", "[Match]\nOriginalName=e0\nOriginalName=!e1\n", "M" },
        { "a reset", "a.link", "[Match]\nOriginalName=e1\nOriginalName=\nOriginalName=e0\n", "MO" },
        { "reset to nothing", "a.link", "[Match]\nOriginalName=e1\nOriginalName=\n", "ME" },
        { "a long alternative name", "a.network", "[Match]\nName=aaaaaaaaaaaaaaaa e0\n", "M" },
        { "something besides", "a.link", "[Match]\nOriginalName=e0\nDriver=x\n", "MOB" },
        { "something else", "a.link", "[Match]\nPath=x\n", "MB" },
        { "something else, reset", "a.link", "[Match]\nPath=x\nPath=\n", "ME" },
        { "a key of the other kind", "a.link", "[Match]\nName=e0\n", "ME" },
        { "a key of the other kind, .network", "a.network", "[Match]\nOriginalName=e0\n", "ME" },
        { "a condition on the host", "a.link", "[Match]\nHost=x\n", "MB" },
};

static void test_match(void **state) {
        const struct match_row *row = *state;
        const char *key = strstr(row->file, ".network") ? "Name" : "OriginalName";
        struct network_file file = { .name = row->file };
        struct pool pool = { 0 };
        char seen[8];

        assert_errno(network_file_parse(&pool, &file, row->text, strlen(row->text)), 0);
        snprintf(seen, sizeof(seen), "%s%s%s%s", network_file_match_name(&file, key, "e0") ? "M" : "",
                 network_file_names_only(&file, key, "e0") ? "O" : "",
                 network_file_has_match(&file, "") ? "" : "E",
                 network_file_has_match(&file, key) ? "B" : "");
        assert_string_equal(seen, row->seen);
        pool_free(&pool);
}

int main(void) {
        return RUN_ROWS("parse", test_parse, parse_rows) + RUN_ROWS("match", test_match, match_rows);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rows.h"

#include <errno.h>

#include "network_files/network_file.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* A file, then perhaps a drop-in. `seen`: each setting as SECTION[HEADER]KEY=VALUE. */
static const struct parse_row {
        const char *name;
        const char *text;
        size_t size;
        const char *drop_in;
        int error;
        const char *seen;
} parse_rows[] = {
        { "nothing", TEXT(""), NULL, 0, "" },
        { "plain", TEXT("[Match]\nDriver=a\n[Link]\nName=b\n"), NULL, 0, "1[Match]Driver=a 2[Link]Name=b " },
        { "white space", TEXT(" [Match] \n\t Driver\t= a b \n"), NULL, 0, "1[Match]Driver=a b " },
        { "a section twice is two", TEXT("[SR-IOV]\na=1\n[SR-IOV]\na=2\n"), NULL, 0,
          "1[SR-IOV]a=1 2[SR-IOV]a=2 " },
        { "a drop-in begins without a section", TEXT("[Link]\na=1\n"), "b=2\n[Link]\nc=3\n", 0,
          "1[Link]a=1 3[Link]c=3 " },
        { "comments", TEXT("# a\n ; b\n[Link]\n#c=1\nd=1 # e\n"), NULL, 0, "1[Link]d=1 # e " },
        { "continued", TEXT("[Link]\na=1 \\\n  2\\\n3\nb=4\n"), NULL, 0, "1[Link]a=1    2 3 1[Link]b=4 " },
        { "continued over a comment", TEXT("[Link]\na=1\\\n# b \\\n ;c\n2\n"), NULL, 0, "1[Link]a=1 2 " },
        { "continued to the end", TEXT("[Link]\na=1\\"), NULL, 0, "1[Link]a=1 " },
        { "an escaped backslash continues nothing", TEXT("[Link]\na=1\\\\\nb=2\n"), NULL, 0,
          "1[Link]a=1\\\\ 1[Link]b=2 " },
        { "a comment is not continued", TEXT("[Link]\n# a \\\nb=2\n"), NULL, 0, "1[Link]b=2 " },
        { "byte order mark", TEXT("\xef\xbb\xbf[Link]\na=1\n"), NULL, 0, "1[Link]a=1 " },
        { "CR LF", TEXT("[Link]\r\na=1\\\r\n2\r\n"), NULL, 0, "1[Link]a=1 2 " },
        { "CR alone, and NUL", TEXT("[Link]\ra=1\rb=2\0c=3"), NULL, 0, "1[Link]a=1 1[Link]b=2 1[Link]c=3 " },
        { "a line end twice ends two lines", TEXT("[Link]\na=1\\\n\nb=2\n"), NULL, 0,
          "1[Link]a=1 1[Link]b=2 " },
        { "outside of a section", TEXT("a=1\n[Link]\nb=2\n"), NULL, 0, "1[Link]b=2 " },
        { "no equals sign, no key", TEXT("[Link]\na\n=b\nc=\n"), NULL, 0, "1[Link]c= " },
        { "a header without its end", TEXT("[Match]\nDriver=a\n[Link\n"), NULL, -EBADMSG, "" },
        { "a header with a quote", TEXT("[Li\"nk]\n"), NULL, -EBADMSG, "" },
        { "half a bracket", TEXT("[\n"), NULL, -EBADMSG, "" },
        { "not UTF-8", TEXT("[Link]\na=\xff\n"), NULL, -EBADMSG, "" },
        { "not UTF-8, in a comment", TEXT("# \xff\n[Link]\na=1\n"), NULL, 0, "1[Link]a=1 " },
};

static void test_parse(void **state) {
        const struct parse_row *row = *state;
        struct network_file file = network_file_open("a.link", "");
        char seen[512] = "";
        int r = network_file_parse(&file, row->text, row->size);

        if (r == 0 && row->drop_in)
                r = network_file_parse(&file, row->drop_in, strlen(row->drop_in));
        assert_errno(r, row->error);
        for (size_t i = 0; r == 0 && i < file.n_settings; i++)
                sprintf(seen + strlen(seen), "%u[%s]%s=%s ", file.settings[i].section,
                        file.settings[i].header, file.settings[i].key, file.settings[i].value);
        assert_string_equal(seen, row->seen);
        network_file_free(&file);
}

/* What a file says of the device e0. `seen`, in this order: L there is a list of names, M it matches, O it
 * is the name alone, E the section is empty, B it has something besides the name. */
static const struct match_row {
        const char *name;
        const char *file;
        const char *text;
        const char *seen;
} match_rows[] = {
        { "no section", "a.link", "[Link]\nName=x\n", "ME" },
        { "the name", "a.link", "[Match]\nOriginalName=e0\n", "LMO" },
        { "the name twice", "a.link", "[Match]\nOriginalName=e0\nOriginalName=e0\n", "LMO" },
        { "another name", "a.link", "[Match]\nOriginalName=e1\n", "L" },
        { "a list", "a.link", "[Match]\nOriginalName=e1 e0\n", "LM" },
        { "two lists", "a.link", "[Match]\nOriginalName=e1\n[Match]\nOriginalName=e0\n", "LM" },
        { "all", "a.link", "[Match]\nOriginalName=*\n", "LM" },
        { "a set", "a.link", "[Match]\nOriginalName=e[0-9]\n", "LM" },
        { "not in the set", "a.link", "[Match]\nOriginalName=e[1-9]\n", "L" },
        { "an escaped star is no backslash", "a.link", "[Match]\nOriginalName=e\\*\n", "LM" },
        { "all but others", "a.link", "[Match]\nOriginalName=!e1 e2\n", "LM" },
        { "all but this", "a.link", "[Match]\nOriginalName=!e1 e0\n", "L" },
        { "nothing but not this", "a.link", "[Match]\nOriginalName=!e0\n", "L" },
        { "all but a pattern", "a.link", "[Match]\nOriginalName=* \nOriginalName=!e*\n", "L" },
        { "this, and all but others", "a.link", "[Match]\nOriginalName=e0\nOriginalName=!e1\n", "LM" },
        { "a reset", "a.link", "[Match]\nOriginalName=e1\nOriginalName=\nOriginalName=e0\n", "LMO" },
        { "reset to nothing", "a.link", "[Match]\nOriginalName=e1\nOriginalName=\n", "ME" },
        { "a word that is no name", "a.link", "[Match]\nOriginalName=aaaaaaaaaaaaaaaa all 17 a/b e0\n",
          "LMO" },
        { "nothing but such words", "a.link", "[Match]\nOriginalName=aaaaaaaaaaaaaaaa\n", "ME" },
        { "a long alternative name", "a.network", "[Match]\nName=aaaaaaaaaaaaaaaa e0\n", "LM" },
        { "something besides", "a.link", "[Match]\nOriginalName=e0\nDriver=x\n", "LMOB" },
        { "something else", "a.link", "[Match]\nPath=x\n", "MB" },
        { "something else, reset", "a.link", "[Match]\nPath=x\nPath=\n", "ME" },
        { "a condition on the host", "a.link", "[Match]\nHost=x\n", "MB" },
        { "an unknown key", "a.link", "[Match]\nPth=x\n", "ME" },
        { "a key of the other kind", "a.link", "[Match]\nName=e0\n", "ME" },
        { "a key of the other kind, .network", "a.network", "[Match]\nOriginalName=e0\n", "ME" },
};

static void test_match(void **state) {
        const struct match_row *row = *state;
        struct network_file file = network_file_open(row->file, "");
        const char *key = strstr(row->file, ".network") ? "Name" : "OriginalName";
        bool has_list, is_match;
        char seen[8];

        assert_errno(network_file_parse(&file, row->text, strlen(row->text)), 0);
        is_match = network_file_match_name(&file, key, "e0", &has_list);
        snprintf(seen, sizeof(seen), "%s%s%s%s%s", has_list ? "L" : "", is_match ? "M" : "",
                 network_file_names_only(&file, key, "e0") ? "O" : "",
                 network_file_has_match(&file, "") ? "" : "E",
                 network_file_has_match(&file, key) ? "B" : "");
        assert_string_equal(seen, row->seen);
        network_file_free(&file);
}

int main(void) {
        return RUN_ROWS("parse", test_parse, parse_rows) + RUN_ROWS("match", test_match, match_rows);
}

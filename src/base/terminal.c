/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/text.h"

int terminal_columns(int fd) {
        struct winsize size;

        return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_is_capable(int fd) {
        const char *terminal = getenv("TERM");

        return isatty(fd) && !(terminal && strcmp(terminal, "dumb") == 0);
}

bool terminal_is_utf8(void) {
        /* Not setlocale(): numbers keep their decimal point, and names are compared byte by byte. */
        locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
        bool is_utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

        if (locale)
                freelocale(locale);
        return is_utf8;
}

static bool is_ascii(const char *text, size_t size) {
        while (size > 0 && (unsigned char)*text < 0x80) {
                text++;
                size--;
        }
        return size == 0;
}

int terminal_text_columns(const char *text, size_t size) {
        /* A locale is a file: read once, and only if needed. */
        static locale_t utf8;
        locale_t former;
        int columns = 0;

        if (is_ascii(text, size))
                return (int)size;
        if (!utf8)
                utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
        former = uselocale(utf8);
        while (size > 0) {
                size_t length = text_utf8_length(text, size);
                wchar_t character;
                int wide = 1;

                /* Without that locale each character counts as one column. */
                if (length > 1 && mbtowc(&character, text, length) == (int)length)
                        wide = wcwidth(character);
                columns += wide >= 0 ? wide : 1;
                text += length > 0 ? length : 1;
                size -= length > 0 ? length : 1;
        }
        uselocale(former);
        return columns;
}

size_t terminal_fit(const char *text, int columns) {
        size_t fits;

        if (columns == 0)
                return strlen(text);
        fits = strcspn(text, " ");
        while (text[fits]) {
                size_t word = fits + strspn(text + fits, " "), end = word + strcspn(text + word, " ");

                if (terminal_text_columns(text, end) > columns)
                        break;
                fits = end;
        }
        return fits;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/program.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"

bool program_is_shell(const char *program) {
        return text_is_among(text_base_name(program), "sh bash dash ash ksh zsh");
}

bool program_is_script_option(const char *word) {
        return word[0] == '-' && word[1] != '-' && word[1] && word[strlen(word) - 1] == 'c';
}

bool program_is_interpreter(const char *program) {
        const char *version = text_after(program, "python");

        return version ? !version[strspn(version, "0123456789.")]
                       : text_is_among(program, "perl php node nodejs ruby lua tclsh expect");
}

bool program_is_script(const char *text, size_t size, bool is_executed) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;

        if (size > 2 && text[0] == '#' && text[1] == '!')
                return memmem(text, length, "sh", 2);
        return !is_executed && !memchr(text, '\0', length);
}

bool program_is_of_udev(const char *path) {
        return text_after(path, "/usr/lib/udev/") || text_after(path, "/lib/udev/");
}

bool program_is_of_setmtu(const char *path) {
        return text_is_among(text_base_name(path),
                             "setmtu setmtu-apply setmtu-configure setmtu-generator setmtu-keep "
                             "setmtu-networkmanager");
}

bool program_is_of_system(const char *path) {
        if (text_is_among(text_base_name(path), "ip ifconfig nmcli ovs-vsctl"))
                return true;
        if (program_is_of_udev(path) || text_ends_in(path, ".sh"))
                return false;
        return fnmatch("@(/bin/|/sbin/|/usr/bin/|/usr/sbin/|/lib/|/usr/lib)*", path, FNM_EXTMATCH) == 0;
}

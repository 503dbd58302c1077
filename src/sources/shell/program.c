/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sources/shell/program.h"

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
        static const char *const folders[] = { "/bin/",      "/sbin/", "/usr/bin/",
                                               "/usr/sbin/", "/lib/",  "/usr/lib" };

        if (text_is_among(text_base_name(path), "ip ifconfig nmcli ovs-vsctl"))
                return true;
        if (program_is_of_udev(path) || text_ends_in(path, ".sh"))
                return false;
        for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
                if (text_after(path, folders[i]))
                        return true;
        return false;
}

static const struct wrapper {
        const char *names;
        const char *with_word; /* its options with an argument, without their dashes */
        size_t n_skip;         /* words in front of the command */
} wrappers[] = {
        { "sudo", "u g C h p r t T U D R user group host prompt chdir", 0 },
        { "doas", "u C", 0 },
        { "pkexec", "user", 0 },
        { "env", "u C unset chdir", 0 },
        { "exec", "a", 0 },
        { "timeout", "s k signal kill-after", 1 },
        { "nice", "n adjustment", 0 },
        { "ionice", "c n class classdata", 0 },
        { "chrt", "", 1 },
        { "taskset", "", 1 },
        { "stdbuf", "i o e", 0 },
        { "flock", "w E wait timeout conflict-exit-code", 1 },
        { "systemd-run", "u p unit property M machine on-active on-boot description", 0 },
        { "nsenter", "t target", 0 },
        { "time", "f o", 0 },
        { "watch", "n interval", 0 },
        { "command builtin nohup setsid busybox chronic eatmydata !", "", 0 },
};

/* nsenter enters a network namespace, and not that of PID 1, which is the host's. */
static bool leaves_host(const struct shell_command *command, size_t n) {
        bool is_network = false, is_host = false;

        for (size_t i = 1; i < n; i++) {
                const char *word = command->words[i].text, *option = word + strspn(word, "-");

                is_network |= text_is_among(option, "n net a all") || text_after(option, "net=") ||
                              (word[0] == '-' && word[1] != '-' && strchr(word, 'n'));
                is_host |= text_is_among(option, "1 t1 target=1");
        }
        return is_network && !is_host;
}

size_t program_wrapper_size(const struct shell_command *command) {
        const char *name = text_base_name(command->words[0].text);
        const struct wrapper *wrapper = NULL;
        size_t i = 1, n, size;

        if (shell_assignment(&command->words[0], &size))
                return 1;
        for (size_t j = 0; j < sizeof(wrappers) / sizeof(wrappers[0]) && !wrapper; j++)
                if (text_is_among(name, wrappers[j].names))
                        wrapper = &wrappers[j];
        if (!wrapper)
                return 0;
        for (; i < command->n_words && command->words[i].text[0] == '-'; i++) {
                const char *option = command->words[i].text + strspn(command->words[i].text, "-");

                if (text_is_among(option, wrapper->with_word))
                        i++;
        }
        n = i + wrapper->n_skip;
        return strcmp(name, "nsenter") == 0 && leaves_host(command, n) ? command->n_words : n;
}

struct shell_command program_skip_wrappers(const struct shell_command *command) {
        struct shell_command rest = *command;
        size_t n;

        while (rest.n_words > 0 && (n = program_wrapper_size(&rest)) > 0)
                rest = shell_command_rest(&rest, n);
        return rest;
}

# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Each case of envfile/cases is read by systemd (envfile@.service) and by setmtu's reader (env-dump); what the two
# understood must be equal.

here=/usr/lib/setmtu-test
systemd_version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
names=()

# write_case_files: /run/envfile/N/text for the case in names[N].
write_case_files() {
        local line text number=-1
        while IFS= read -r line; do
                if [[ $line == '== '* ]]; then
                        number=$((number + 1))
                        names+=("${line#== }")
                        mkdir -p "/run/envfile/$number"
                        : > "/run/envfile/$number/text"
                elif ((number >= 0)); then
                        text=$line$'\n'
                        text=${text//<CR>/$'\r'}
                        text=${text//<TAB>/$'\t'}
                        text=${text//<BOM>/$'\xef\xbb\xbf'}
                        text=${text//<SPACE>/ }
                        text=${text//<END>$'\n'/}
                        printf '%s' "$text" >> "/run/envfile/$number/text"
                fi
        done < "$here/envfile/cases"
}

# escape TEXT: sets $escaped as env-dump writes it, every byte outside printable ASCII and the backslash as \xNN.
escape() {
        local LC_ALL=C text=$1 byte i
        escaped=''
        for ((i = 0; i < ${#text}; i++)); do
                byte=${text:i:1}
                if [[ $byte != [[:print:]] || $byte == \\ ]]; then
                        printf -v byte '%d' "'$byte"
                        printf -v byte '\\x%02x' $((byte & 255))
                fi
                escaped+=$byte
        done
}

# What systemd has made of each case, a line an assignment with the number before it. What is in the environment of the first
# case, the empty file, comes from no case.
declare -A of_every_unit
seen_by_systemd() {
        local number assignment escaped
        for number in "${!names[@]}"; do
                [[ -e /run/envfile/$number/environ ]] || continue
                while IFS= read -r -d '' assignment; do
                        [[ ! -v of_every_unit[${assignment%%=*}] ]] || continue
                        escape "$assignment"
                        echo "$number $escaped"
                done < "/run/envfile/$number/environ"
        done
}

# The same of setmtu: the last assignment of each key that can be an environment variable at all.
seen_by_setmtu() {
        local number assignment
        local -A last
        for number in "${!names[@]}"; do
                last=()
                while IFS= read -r assignment; do
                        [[ ! ${assignment%%=*} =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || last[${assignment%%=*}]=$assignment
                done < <("$here/env-dump" "/run/envfile/$number/text" 2> /dev/null)
                ((${#last[@]} == 0)) || printf "$number %s\n" "${last[@]}"
        done
}

# by_number ARRAY: the lines on stdin, sorted, into the elements of their numbers. All at once: a process that is emulated costs
# more than all of its case.
by_number() {
        local -n lines=$1
        local line
        while IFS= read -r line; do
                lines[${line%% *}]+=${line#* }$'\n'
        done < <(sort)
}

readers_agree() {
        [[ -s /run/envfile/$1/environ ]] || { echo "systemd did not load the file"; return 1; }
        is "what systemd sees ('got') and what setmtu sees ('expected')" "${systemd[$1]-}" "${setmtu[$1]-}"
}

write_case_files
mapfile -t units < <(seq --format="envfile@%g.service" 0 $((${#names[@]} - 1)))
systemctl start "${units[@]}" || true
while IFS= read -r -d '' assignment; do
        of_every_unit[${assignment%%=*}]=1
done < /run/envfile/0/environ
systemd=()
setmtu=()
by_number systemd < <(seen_by_systemd)
by_number setmtu < <(seen_by_setmtu)
compared=0
for number in "${!names[@]}"; do
        if [[ ${names[number]} == *' [254]' ]] && ((systemd_version < 254)); then
                continue
        fi
        check "EnvironmentFile: ${names[number]}" readers_agree "$number"
        compared=$((compared + 1))
done
check 'EnvironmentFile: at least 40 cases were compared' test "$compared" -ge 40 -a "${#systemd[@]}" -ge 40

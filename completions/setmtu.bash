# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Completion of setmtu(8) for bash. tests/completions compares it with what setmtu --help says.

_setmtu_commands='status check plan set unset apply reload try confirm revert'

# The options of a command.
_setmtu_options() {
    case $1 in
    status) echo --json --check ;;
    plan) echo --json ;;
    set) echo --runtime --no-apply ;;
    unset) echo --no-apply ;;
    apply) echo --dry-run ;;
    try) echo --timeout ;;
    esac
    echo --help --version
}

# Names come from whoever may name a device, so these two take none of them for shell code, as compgen -W would.

# All devices, by each of their names.
_setmtu_devices() {
    local device
    for device in /sys/class/net/*/; do
        device=${device%/}
        printf '%s\n' "${device##*/}"
    done
    ip link show 2>/dev/null | sed -n 's/^ *altname //p'
}

# The devices that the main file has a line for.
_setmtu_configured() {
    sed -n 's/^[[:space:]]*\([^#;=[:space:]][^=[:space:]]*\)[[:space:]]*=.*/\1/p' \
        "${SETMTU_ROOT-}/etc/conf.d/setmtu" 2>/dev/null | grep -v '^SETMTU_'
}

_setmtu_largest() {
    ip -o -d link show dev "$1" 2>/dev/null | sed -n 's/.* maxmtu \([1-9][0-9]*\) .*/\1/p'
}

_setmtu() {
    local current=${COMP_WORDS[COMP_CWORD]} command=status behind_mark='' i word candidates=() operands=()

    COMPREPLY=()
    # What stands before the word that is to be completed. Without a command there may be options of status.
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i == 1)) && [[ $word != -* ]]; then
            command=$word
        elif [[ ! $behind_mark && $word == -- ]]; then
            behind_mark=yes
        elif [[ ! $behind_mark && $word == --timeout ]]; then
            if ((++i == COMP_CWORD)); then
                mapfile -t COMPREPLY < <(compgen -W '30s 60s 2min' -- "$current")
                return
            fi
        elif [[ $behind_mark || $word != -* ]]; then
            operands+=("$word")
        fi
    done

    if [[ ! $behind_mark && $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_setmtu_options "$command")" -- "$current")
        return
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$_setmtu_commands" -- "$current")
        return
    fi

    case $command:${#operands[@]} in
    status:* | set:0 | try:0 | confirm:0 | revert:0) mapfile -t candidates < <(_setmtu_devices) ;;
    unset:0 | apply:*) mapfile -t candidates < <(_setmtu_configured) ;;
    set:1 | try:1) mapfile -t candidates < <(echo max && _setmtu_largest "${operands[0]}") ;;
    set:2 | try:2) candidates=(up) ;;
    check:*)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    esac
    for word in "${candidates[@]}"; do
        if [[ $word == "$current"* && ($behind_mark || $word != -*) ]]; then
            COMPREPLY+=("$(printf %q "$word")")
        fi
    done
}

complete -F _setmtu setmtu

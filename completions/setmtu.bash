# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Completion of setmtu(8) for bash. tests/completions compares it with what setmtu --help says.

_setmtu_commands='status check plan explain set unset apply reload try confirm revert import probe bench'

# What setmtu import reads.
_setmtu_formats='unit network link networkmanager networkmanager-conf tuned netplan ifupdown2 docker ifupdown ifcfg
    netctl-hook netctl netcfg openrc freebsd udev-rule dhcpcd dhclient-leases dhclient script irix irix-netif'

# The options of a command.
_setmtu_options() {
    case $1 in
    status) echo --json --check --wide ;;
    check) echo --json ;;
    plan) echo --json --wide ;;
    explain) echo --json --others ;;
    set) echo --runtime --no-apply --probe ;;
    unset) echo --no-apply ;;
    apply) echo --dry-run --wide ;;
    try) echo --timeout --probe ;;
    probe) echo --size --ipv4 --ipv6 --interface --json --timeout ;;
    bench)
        echo --mtu --runs --time --bidir --reverse --method --command --bytes --port --interface --json --csv --svg \
            --apply --yes --force
        ;;
    import) echo --write --format ;;
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

# _setmtu_argument OPTION COMMAND CURRENT: what may stand behind an option.
_setmtu_argument() {
    local device times='30s 60s 2min'
    [[ $2 != probe ]] || times='5s 10s 30s'
    case $1 in
    --timeout) mapfile -t COMPREPLY < <(compgen -W "$times" -- "$3") ;;
    --format) mapfile -t COMPREPLY < <(compgen -W "$_setmtu_formats" -- "$3") ;;
    --mtu) mapfile -t COMPREPLY < <(compgen -W '1500,9000 1500,4000,9000' -- "$3") ;;
    --runs) mapfile -t COMPREPLY < <(compgen -W '3 10 30' -- "$3") ;;
    --time) mapfile -t COMPREPLY < <(compgen -W '5s 10s 1min' -- "$3") ;;
    --method) mapfile -t COMPREPLY < <(compgen -W 'mss mtu' -- "$3") ;;
    --csv | --svg)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$3")
        ;;
    --size) mapfile -t COMPREPLY < <(compgen -W '1500 9000' -- "$3") ;;
    --probe) mapfile -t COMPREPLY < <(compgen -A hostname -- "$3") ;;
    --interface | -I)
        while IFS= read -r device; do
            if [[ $device == "$3"* ]]; then
                COMPREPLY+=("$(printf %q "$device")")
            fi
        done < <(_setmtu_devices)
        ;;
    esac
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
        elif [[ ! $behind_mark && $word =~ ^(--timeout|--format|--probe|--size|--interface|-I|--mtu|--runs|--time|--method|--command|--bytes|--port|--csv|--svg)$ ]]; then
            if ((++i == COMP_CWORD)); then
                _setmtu_argument "$word" "$command" "$current"
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
    status:* | explain:* | set:0 | try:0 | confirm:0 | revert:0) mapfile -t candidates < <(_setmtu_devices) ;;
    unset:0 | apply:*) mapfile -t candidates < <(_setmtu_configured) ;;
    set:1 | try:1) mapfile -t candidates < <(echo max && _setmtu_largest "${operands[0]}") ;;
    set:[23] | try:[23]) candidates=(up keep) ;;
    probe:0 | bench:0)
        mapfile -t COMPREPLY < <(compgen -A hostname -- "$current")
        return
        ;;
    check:* | import:*)
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

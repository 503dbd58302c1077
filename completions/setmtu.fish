# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Completion of setmtu(8) for fish. tests/completions compares it with what setmtu --help says.

# The words before the cursor: the command, which is status where options come first, and what is neither an option nor
# an option's argument.
function __setmtu_words
    set -l words (commandline -opc)[2..-1]
    set -l behind_mark no
    set -l is_argument no
    if string match -q -- '-*' "$words[1]"
        echo status
    end
    for word in $words
        if test $is_argument = yes
            set is_argument no
        else if test $behind_mark = no; and test "$word" = --
            set behind_mark yes
        else if test $behind_mark = no; and contains -- "$word" --timeout --format --probe --size --interface -I --mtu --runs --time \
                --method --command --bytes --port --csv --svg
            set is_argument yes
        else if test $behind_mark = yes; or not string match -q -- '-*' $word
            printf '%s\n' $word
        end
    end
end

# Whether the command is one of these. Without one, options are those of status.
function __setmtu_command
    set -l words (__setmtu_words)
    contains -- "$words[1]" $argv; or begin
        not set -q words[1]; and contains status $argv
    end
end

# Whether that many words stand behind the command.
function __setmtu_count
    set -l words (__setmtu_words)
    test (count $words) -eq (math $argv[1] + 1)
end


# Without a mark before it, a name that begins with a dash would be an option.
function __setmtu_offer
    for name in $argv
        if not string match -q -- '-*' $name; or contains -- -- (commandline -opc)
            printf '%s\n' $name
        end
    end
end

# All devices, by each of their names.
function __setmtu_devices
    __setmtu_offer (string replace -r '.*/(.*)/$' '$1' -- /sys/class/net/*/) \
        (ip link show 2>/dev/null | string replace -fr '^ *altname ' '')
end

# The devices that the main file has a line for.
function __setmtu_configured
    # cat says nothing of a file that is not there; a redirection would.
    __setmtu_offer (cat "$SETMTU_ROOT/etc/conf.d/setmtu" 2>/dev/null |
        string replace -fr '^\s*([^#;=\s][^=\s]*)\s*=.*' '$1' | string match -v 'SETMTU_*')
end

# max, and how much that is for the device named before.
function __setmtu_mtus
    set -l words (__setmtu_words)
    echo max
    ip -o -d link show dev "$words[2]" 2>/dev/null | string replace -fr '.* maxmtu ([1-9][0-9]*) .*' '$1'
end

complete -c setmtu -f
complete -c setmtu -l help -d 'show this and exit'
complete -c setmtu -l version -d 'show the version and exit'

set -l begins 'test (count (__setmtu_words)) -eq 0'
complete -c setmtu -n $begins -a status -d 'what each device has and is to have'
complete -c setmtu -n $begins -a check -d 'what is wrong with the configuration'
complete -c setmtu -n $begins -a plan -d 'what would be done, in which order and why'
complete -c setmtu -n $begins -a explain -d 'everything that sets an MTU here, and who wins'
complete -c setmtu -n $begins -a set -d 'give a device an MTU, now and from now on'
complete -c setmtu -n $begins -a unset -d "remove a device's line and restore its MTU"
complete -c setmtu -n $begins -a apply -d 'set the MTU of all configured devices, or of those named'
complete -c setmtu -n $begins -a reload -d 'have systemd take up an edited configuration'
complete -c setmtu -n $begins -a try -d 'set an MTU that goes back unless it is confirmed'
complete -c setmtu -n $begins -a confirm -d 'keep what setmtu try has set, and write it down'
complete -c setmtu -n $begins -a revert -d 'put back the MTU from before setmtu try'
complete -c setmtu -n $begins -a import -d 'lines for what other programs set today'
complete -c setmtu -n $begins -a probe -d 'find out how large a packet the path to a host carries'
complete -c setmtu -n $begins -a bench -d 'find by measurement which MTU is best'

complete -c setmtu -n '__setmtu_command status' -l json -d 'print a JSON array; its keys are in setmtu(8)'
complete -c setmtu -n '__setmtu_command check plan explain' -l json -d 'print a JSON object; its keys are in setmtu(8)'
complete -c setmtu -n '__setmtu_command explain' -l others -d 'print only what may set another MTU, a line each'
complete -c setmtu -n '__setmtu_command status' -l check -d 'exit with 4 where a device has not what is wanted'
complete -c setmtu -n '__setmtu_command status plan apply' -l wide -d 'show all columns, however narrow the terminal'
complete -c setmtu -n '__setmtu_command set' -l runtime -d 'set it for now and write nothing down'
complete -c setmtu -n '__setmtu_command set' -l no-apply -d 'write it down and do nothing else'
complete -c setmtu -n '__setmtu_command unset' -l no-apply -d 'remove the line and do nothing else'
complete -c setmtu -n '__setmtu_command set' -l probe -x -a '(__fish_print_hostnames)' -d 'put it back where the path to HOST does not carry it'
complete -c setmtu -n '__setmtu_command apply' -l dry-run -d 'print the requests and send none'
complete -c setmtu -n '__setmtu_command try' -l timeout -x -a '30s 60s 2min' -d 'how long to wait: 90, 90s, 2min, 1h; by default 60s'
complete -c setmtu -n '__setmtu_command import' -l write -d 'add the lines to /etc/conf.d/setmtu, too'
complete -c setmtu -n '__setmtu_command import' -l format -x -a 'unit network link networkmanager networkmanager-conf tuned netplan ifupdown2 docker ifupdown ifcfg netctl-hook netctl netcfg openrc freebsd udev-rule dhcpcd dhclient-leases dhclient script irix irix-netif' -d 'take each FILE for that format'
complete -c setmtu -n '__setmtu_command try' -l probe -x -a '(__fish_print_hostnames)' -d 'put it back at once where the path to HOST does not carry it'
complete -c setmtu -n '__setmtu_command probe' -l size -x -a '1500 9000' -d 'how large; by default the MTU of the interface'
complete -c setmtu -n '__setmtu_command probe' -s 4 -l ipv4 -d 'only by IPv4'
complete -c setmtu -n '__setmtu_command probe' -s 6 -l ipv6 -d 'only by IPv6'
complete -c setmtu -n '__setmtu_command probe' -s I -l interface -x -a '(__setmtu_devices)' -d 'by this interface, whatever the routes say'
complete -c setmtu -n '__setmtu_command probe' -l json -d 'print a JSON object; its keys are in setmtu(8)'
complete -c setmtu -n '__setmtu_command probe' -l timeout -x -a '5s 10s 30s' -d 'end after that; by default 5s'
complete -c setmtu -n '__setmtu_command bench' -l mtu -x -a '1500,9000 1500,4000,9000' -d 'sizes to compare; by default 1500,4000,9000'
complete -c setmtu -n '__setmtu_command bench' -l runs -x -a '3 10 30' -d 'rounds, 3 to 200; by default 10, half if soon clear, else double'
complete -c setmtu -n '__setmtu_command bench' -l time -x -a '5s 10s 1min' -d 'of each run: 5, 5s, 1min; by default 5s'
complete -c setmtu -n '__setmtu_command bench' -l bidir -d 'measure both ways at once'
complete -c setmtu -n '__setmtu_command bench' -l reverse -d 'measure from HOST to here'
complete -c setmtu -n '__setmtu_command bench' -l method -x -a 'mss mtu' -d "limit TCP segments, or change the device's MTU"
complete -c setmtu -n '__setmtu_command bench' -l command -x -d 'time this shell command instead of iperf3'
complete -c setmtu -n '__setmtu_command bench' -l bytes -x -d 'what that command moves: count bytes per second'
complete -c setmtu -n '__setmtu_command bench' -l port -x -d 'of iperf3 on HOST; by default 5201'
complete -c setmtu -n '__setmtu_command bench' -l interface -s I -x -a '(__setmtu_devices)' -d 'the device; by default the one towards HOST'
complete -c setmtu -n '__setmtu_command bench' -l json -d 'print a JSON object; its keys are in setmtu(8)'
complete -c setmtu -n '__setmtu_command bench' -l csv -r -F -d 'write a line for each run, too'
complete -c setmtu -n '__setmtu_command bench' -l svg -r -F -d 'write a picture, too'
complete -c setmtu -n '__setmtu_command bench' -l apply -d 'ask whether to set the best one as setmtu set does'
complete -c setmtu -n '__setmtu_command bench' -l yes -d 'with --apply: do not ask'
complete -c setmtu -n '__setmtu_command bench' -l force -d 'measure sizes, too, that setmtu probe says do not pass'

complete -c setmtu -n "not $begins; and __setmtu_command status explain" -a '(__setmtu_devices)'
complete -c setmtu -n '__setmtu_command set try confirm revert; and __setmtu_count 0' -a '(__setmtu_devices)'
complete -c setmtu -n '__setmtu_command set try; and __setmtu_count 1' -a '(__setmtu_mtus)'
complete -c setmtu -n '__setmtu_command set try; and __setmtu_count 2' -a 'up keep'
complete -c setmtu -n '__setmtu_command set try; and __setmtu_count 3' -a 'up keep'
complete -c setmtu -n '__setmtu_command unset; and __setmtu_count 0' -a '(__setmtu_configured)'
complete -c setmtu -n '__setmtu_command probe; and __setmtu_count 0' -a '(__fish_print_hostnames)'
complete -c setmtu -n '__setmtu_command apply' -a '(__setmtu_configured)'
complete -c setmtu -n '__setmtu_command check import' -F

#!/bin/bash
# deploy/package: what it builds is a sound Debian package, with all that belongs to it and nothing else.
# machine.sh installs it.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../lib.sh
source "$here/lib.sh"
# shellcheck source=checks.sh
source "$here/tests/checks.sh"

work=$(mktemp -d '/tmp/ireporter package.XXXXXX')
trap 'rm -rf -- "$work"' EXIT
tree=$work/tree

exit_status() {
    local status=0
    "$@" >"$work/refusal" 2>&1 || status=$?
    echo "$status"
}
field() { dpkg-deb --field "$package" "$1"; }

# The command line

check "--help explains" same "$(exit_status "$here/package" --help)" 0
for arguments in --output --suffix '--suffix a/b' --nonsense nonsense; do
    # shellcheck disable=SC2086 # to be split
    check "$arguments is refused" same "$(exit_status "$here/package" $arguments)" 2
done

# What is built

"$here/package" --output "$work/out put" --suffix '~test' >"$work/log" 2>&1 || fail_with_log "$work/log" "it cannot be built"
package=$(tail -n 1 "$work/log")
check "it says where the package is" same "$(echo "$work/out put/"*)" "$package"
dpkg-deb --raw-extract "$package" "$tree"
program=$tree/usr/bin/ireporter
lintian_has_nothing_to_say() { same "$(lintian --allow-root --fail-on error,warning "$package" 2>&1)" ''; }
check "lintian finds neither errors nor warnings" lintian_has_nothing_to_say

own_version=$("$program" --version)
own_version=${own_version#ireporter }
check "its version begins with the program's" [ "${package#"$work/out put/ireporter_$own_version"}" != "$package" ]
check "and is that of its name" same "$work/out put/ireporter_$(field Version)_$(field Architecture).deb" "$package"
zcat "$tree/usr/share/doc/ireporter/changelog.gz" >"$work/changelog"
check "its changelog has it too" same "$(dpkg-parsechangelog -l "$work/changelog" -S Version)" "$(field Version)"
needed() { field Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | sort | tr '\n' ' '; }
check "it depends on what it links with" same "$(needed)" \
    'libc6 libgcc-s1 libmariadb3 libpng16-16 libssl3 libstdc++6 libturbojpeg0 systemd '
check "and needs no Swift" same "$(objdump -p "$program" | grep -E 'NEEDED +libswift|NEEDED +libFoundation|RUNPATH|RPATH')" ''
check "it has no symbols but the needed" grep -q ', stripped$' <(file -b "$program")
check "its symbols are settled at the start" grep -q 'BIND_NOW' <(readelf -d "$program")

# Mode, owner and name of each file.
files() { dpkg-deb --contents "$package" | awk '!/^d/ { print $1, $2, substr($6, 2) }' | LC_ALL=C sort -k 3; }
expected='-rw-r----- root/root /etc/ireporter/ireporter.env
-rw-r--r-- root/root /etc/logrotate.d/ireporter
-rw-r--r-- root/root /etc/nginx/conf.d/ireporter-upstream.conf
-rw-r--r-- root/root /etc/nginx/snippets/ireporter-pair.conf
-rw-r--r-- root/root /etc/nginx/snippets/ireporter-status.conf
-rw-r--r-- root/root /etc/nginx/snippets/ireporter.conf
-rw-r--r-- root/root /lib/systemd/system/ireporter-status.socket
-rw-r--r-- root/root /lib/systemd/system/ireporter.service
-rw-r--r-- root/root /lib/systemd/system/ireporter.socket
-rwxr-xr-x root/root /usr/bin/ireporter
-rw-r--r-- root/root /usr/lib/sysusers.d/ireporter.conf
-rw-r--r-- root/root /usr/lib/tmpfiles.d/ireporter.conf
-rw-r--r-- root/root /usr/share/bash-completion/completions/ireporter
-rw-r--r-- root/root /usr/share/doc/ireporter/README.md
-rw-r--r-- root/root /usr/share/doc/ireporter/changelog.gz
-rw-r--r-- root/root /usr/share/doc/ireporter/copyright
-rw-r--r-- root/root /usr/share/doc/ireporter/deploy/README.md
-rw-r--r-- root/root /usr/share/doc/ireporter/examples/ireporter-both.conf
-rw-r--r-- root/root /usr/share/doc/ireporter/examples/ireporter-share.conf
-rw-r--r-- root/root /usr/share/doc/ireporter/examples/nginx.conf
-rw-r--r-- root/root /usr/share/doc/ireporter/examples/own-user.conf'
for file in "$here"/../sql/*.sql; do expected+=$'\n'"-rw-r--r-- root/root /usr/share/ireporter/sql/${file##*/}"; done
for file in "$here"/../sql/upgrade/*.sql; do
    expected+=$'\n'"-rw-r--r-- root/root /usr/share/ireporter/sql/upgrade/${file##*/}"
done
expected+='
-rw-r--r-- root/root /usr/share/lintian/overrides/ireporter
-rw-r--r-- root/root /usr/share/man/man1/ireporter.1.gz'
check "it holds its files and no others" same "$(files)" "$expected"
check "all in /etc is the administrator's" same "$(<"$tree/DEBIAN/conffiles")" "$(cd "$tree" && find etc -type f | sed 's,^,/,' | sort)"

# The units

mkdir "$tree/bin"
cp /bin/true "$tree/bin/kill"
verify() { same "$(systemd-analyze verify --recursive-errors=no --man=no --root="$tree" "$@" 2>&1)" ''; }
for unit in ireporter.service ireporter.socket ireporter-status.socket; do
    check "$unit is sound" verify "$unit"
done
is_shut_in() {
    systemd-analyze security --no-pager --offline=true --threshold=20 "$1" >"$work/security" 2>&1 ||
        { tail -n 2 -- "$work/security" && false; }
}
check "the service is shut in to 2.0 or better" is_shut_in "$tree/lib/systemd/system/ireporter.service"
listens_at() { grep -qxF "ListenStream=$2" "$tree/lib/systemd/system/$1"; }
check "nginx looks for the socket where it is" listens_at ireporter.socket \
    "$(sed -n 's/^ *server unix:\(.*\);$/\1/p' "$tree/etc/nginx/conf.d/ireporter-upstream.conf")"
check "and for the status's" listens_at ireporter-status.socket \
    "$(sed -n 's/^ *fastcgi_pass unix:\(.*\);$/\1/p' "$tree/etc/nginx/snippets/ireporter-status.conf" | sort -u)"
check "so does ireporter status" listens_at ireporter-status.socket \
    "$(sed -n 's/^IREPORTER_STATUS_LISTEN=unix://p' "$tree/etc/ireporter/ireporter.env")"
check "and no program would open it a second time" same "$(grep '^IREPORTER_LISTEN' "$tree/etc/ireporter/ireporter.env")" ''

# Manual and completion know what the program does

zcat "$tree/usr/share/man/man1/ireporter.1.gz" >"$work/ireporter.1"
check "the manual is sound" same "$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$work/ireporter.1" 2>&1 >/dev/null)" ''
LC_ALL=C.UTF-8 MANWIDTH=200 man -l "$work/ireporter.1" 2>&1 | col -bx >"$work/manual"
mapfile -t commands < <("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
check "there are commands" [ "${#commands[@]}" -ge 7 ]

# complete WORD...: what follows "ireporter WORD...", the last of which is not finished.
complete() {
    bash -c 'source /usr/share/bash-completion/bash_completion && source "$1" && shift
        COMP_WORDS=(ireporter "$@") COMP_CWORD=$# COMP_LINE="ireporter $*"
        COMP_POINT=${#COMP_LINE}
        _ireporter && echo "${COMPREPLY[*]}"' - "$tree/usr/share/bash-completion/completions/ireporter" "$@"
}
check "commands are completed" same "$(complete '')" "${commands[*]} --help --version"
for command in "${commands[@]}"; do
    mapfile -t options < <("$program" "$command" --help | grep -oE '^ +--[a-z-]+' | tr -d ' ')
    check "$command: options are completed" same "$(complete "$command" -)" "${options[*]}"
    check "$command: it is in the manual" grep -q "^   $command" "$work/manual"
    for option in "${options[@]/#--help}"; do
        check "$command $option is in the manual" grep -q -- "$option\b" \
            <(sed -n "/^   $command\b/,/^   [a-z]/p; /^   $command\b/,/^[A-Z]/p" "$work/manual")
    done
done
while read -r setting; do
    check "$setting is in the manual" grep -q "^ *$setting$" "$work/manual"
done < <(grep -o '^| .IREPORTER_[A-Z_]*' "$here/README.md" | cut -c 4-)

finish

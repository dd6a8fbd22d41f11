#!/bin/bash
# deploy/contract-php: it holds on the PHP of the contract, sees what is changed, and leaves the folder alone.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
repository=$(dirname -- "$here")
# shellcheck source=../lib.sh
source "$here/lib.sh"
# shellcheck source=checks.sh
source "$here/tests/checks.sh"

program=$(swift build --package-path "$repository" --show-bin-path)/ireporter
work=$(mktemp -d '/tmp/ireporter php.XXXXXX')
chmod 755 "$work"
trap 'rm -rf -- "$work"' EXIT

# variant NAME SED-SCRIPT FILE: a folder with the PHP of the contract, one file of it changed.
variant() {
    mkdir -p "$work/$1/upload"
    cp "$repository"/Tests/ReferencePHP/*.php "$work/$1"
    sed -i "$2" "$work/$1/$3"
    echo keep >"$work/$1/upload/1.jpg"
}

# contract NAME ARGUMENT...: the output to "$work/out", the exit status in the answer.
contract() {
    "$here/contract-php" "$work/$1" --program "$program" "${@:2}" >"$work/out" 2>"$work/err"
}
fails() { ! contract "$@"; }
status_is() {
    local status=0
    "$here/contract-php" "${@:2}" >"$work/out" 2>"$work/err" || status=$?
    same "$status" "$1"
}
says() { grep -qF -- "$1" "$work/out" || { tail -n 20 "$work/out" "$work/err" && false; }; }
fingerprint() { (cd -- "$work/$1" && find . -printf '%p %y %m %u %T@\n' -type f -exec md5sum {} + | sort); }
nothing_is_left() {
    same "$({ grep -lsF -- ireporter-contract. /proc/[0-9]*/cmdline || true; } | grep -vx "/proc/$$/cmdline" || true)" "" &&
        same "$(find /tmp -maxdepth 1 -name 'ireporter-contract.*' -newer "$work/start")" ""
}

touch "$work/start"
variant original '' index.php
before=$(fingerprint original)
check "the PHP of the contract keeps it" contract original
check "it says so" says " held, 0 differ"
check "nothing was skipped" fails original -- --only 'no such case'
check "the folder is as it was" same "$(fingerprint original)" "$before"

variant elsewhere "s/'localhost'/'db.example.com'/; s/'root'/'bob'/; s/'iReport'/'photoapp'/" database.php
check "another server, user and database are met by the private one" contract elsewhere -- --only login
variant address "s/'localhost'/'10.20.30.40'/" database.php
check "and so is an address" contract address -- --only login

variant message "s/Authorization failed/Login failed/" commands.php
check "a changed message is a difference" fails message -- --only login
check "which is shown" says '{"error":"Login failed"}'
variant line '$ a ?>\n\n' database.php
check "a stray line end is a difference" fails line -- --only stream
check "which is named" says "white space around the body"
variant broken 's/function stream/function strean/' commands.php
check "a broken backend is a difference" fails broken -- --only stream
check "PHP's complaint is shown" grep -qF 'undefined function stream()' "$work/err"

contract original -- --json --only headers || true
# shellcheck disable=SC2016 # for PHP
check "JSON stands alone on standard output" php8.2 -r 'exit(json_decode(file_get_contents($argv[1])) === null ? 1 : 0);' "$work/out"

mkdir "$work/empty"
check "a folder without index.php is a mistake" status_is 2 "$work/empty"
check "so is a folder that is not there" status_is 2 "$work/nowhere"
check "so is no folder" status_is 2
check "so is an unknown option" status_is 2 "$work/original" --frobnicate
check "nothing is left over" nothing_is_left
finish

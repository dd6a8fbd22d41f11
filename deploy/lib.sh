# shellcheck shell=bash
# What the scripts of this folder share: messages, waiting, and private servers that are started, watched and
# stopped by process id. Sourced by bash scripts under "set -euo pipefail" that have set `here` to this folder.

# Debian keeps servers out of an ordinary user's PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# To a terminal that is gone nothing can be said; that must not keep the script from cleaning up.
say() { printf '%s\n' "$*" 2>/dev/null || true; }

fail() {
    printf '%s: %s\n' "deploy/${0##*/}" "$*" >&2 || true
    exit 1
}

# fail_with_log LOG MESSAGE: shows the log's last lines first.
fail_with_log() {
    tail -n 20 -- "$1" >&2 || true
    fail "$2; all of the log is $1"
}

# For a mistake on the command line.
usage_error() {
    printf '%s: %s\nTry "%s --help".\n' "deploy/${0##*/}" "$*" "$0" >&2
    exit 2
}

# Fails with what is wrong with the Swift toolchain, if anything is.
find_swift() {
    local version
    command -v swift >/dev/null || fail "no swift on the PATH; needed is the Swift toolchain, 6.2 or later"
    version=$(swift --version 2>&1) || fail "the Swift toolchain does not start: $version"
    if ! [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] < 602)); then
        fail "Swift 6.2 or later is needed; this is $version"
    fi
}

port_is_taken() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# as_user USER COMMAND...: in place of the shell that runs it, so call it in a subshell.
as_user() {
    local user=$1 prefix=()
    shift
    if [[ $user != "$(id -un)" ]]; then
        prefix=(setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups --)
    fi
    exec "${prefix[@]}" "$@"
}

# Servers. Each is a child of the script in a session of its own: the terminal's Ctrl-C and hang-up reach the
# script alone, which then stops them in order. Should the script be killed, the kernel sends them SIGTERM.

declare -A server_pid=() server_log=()

# start_server NAME USER LOG COMMAND...
start_server() {
    local name=$1 user=$2 log=$3
    shift 3
    # The death signal last: it is forgotten when the user changes.
    (as_user "$user" setsid setpriv --pdeathsig TERM -- "$@") </dev/null >>"$log" 2>&1 &
    server_pid[$name]=$!
    server_log[$name]=$log
}

is_running() { kill -0 "${server_pid[$1]}" 2>/dev/null; }

# wait_for NAME SECONDS COMMAND...: until COMMAND succeeds, and only as long as server NAME is alive.
wait_for() {
    local name=$1 tries=$(($2 * 10))
    shift 2
    until "$@"; do
        if ! is_running "$name" || ((--tries == 0)); then
            fail_with_log "${server_log[$name]}" "$name did not come up"
        fi
        sleep 0.1
    done
}

# stop_server NAME SIGNAL SECONDS: asks with SIGNAL, waits, and kills what is still there.
stop_server() {
    local name=$1 signal=$2 tries=$(($3 * 10)) pid=${server_pid[$1]:-}
    [[ $pid ]] || return 0
    unset "server_pid[$name]"
    kill -s "$signal" "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null && ((tries-- > 0)); do sleep 0.1; done
    if kill -s KILL -- "-$pid" 2>/dev/null; then
        say "$name did not stop within $3 s and was killed"
    fi
    wait "$pid" 2>/dev/null || true
}

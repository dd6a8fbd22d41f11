#!/bin/bash
# deploy/run from start to stop: what it prints works, nothing is lost, nothing is left over.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../lib.sh
source "$here/lib.sh"
# shellcheck source=checks.sh
source "$here/tests/checks.sh"

work=$(mktemp -d '/tmp/ireporter run.XXXXXX')
chmod 755 "$work"
state="$work/state & more"
output=$work/output
port=$(php8.2 -r 'echo explode(":", stream_socket_get_name(stream_socket_server("tcp://127.0.0.1:0"), false))[1];')
url=http://127.0.0.1:$port/iReporter
run_pid=

end() {
    if [[ $run_pid ]]; then
        kill "$run_pid" 2>/dev/null || true
        wait "$run_pid" || true
    fi
    rm -rf -- "$work"
}
trap end EXIT

# start: deploy/run in the background, until it is ready.
start() {
    : >"$output"
    # Under nohup a child of this script could not be told by SIGHUP.
    env --default-signal=HUP "$here/run" --port "$port" --state "$state" >>"$output" 2>&1 &
    run_pid=$!
    if ! eventually 600 is_ready || ! grep -q '^iReporter is ready' "$output"; then
        cat "$output"
        fail "deploy/run did not come up"
    fi
}

is_ready() { grep -q '^iReporter is ready' "$output" || ! kill -0 "$run_pid" 2>/dev/null; }

# stop SIGNAL: prints the exit status.
stop() {
    local status=0
    kill -s "$1" "$run_pid"
    wait "$run_pid" || status=$?
    run_pid=
    return "$status"
}

# Of every process that has this test's directory or the site's sockets on its command line, but this one's.
left_over() {
    local sockets
    sockets=$(<"$state/sockets")
    { grep -lsF -e "$state" -e "$sockets" /proc/[0-9]*/cmdline || true; } | grep -vx "/proc/$$/cmdline" || true
}
nothing_is_left() {
    same "$(left_over)" "" && ! port_is_taken "$port" && [[ ! -e $(<"$state/sockets") ]]
}

# has_said TEXT TIMES
has_said() { [[ $(grep -cF -- "$1" "$output") == "$2" ]]; }

stream() { get -d command=stream "$url/"; }
stream_is() { [[ $(stream) == "$1" ]]; }
pid_in() { tr -d '\n' <"$1"; }
worker_pid() { pgrep -f "serve --listen unix:$(<"$state/sockets")/worker"; }
exit_status() {
    local status=0
    "$@" >"$work/refusal" 2>&1 || status=$?
    echo "$status"
}

# The command line

check "--help explains" same "$(exit_status "$here/run" --help)" 0
for arguments in --port '--port 0' '--port 65536' '--port x' --state --nonsense nonsense; do
    # shellcheck disable=SC2086 # to be split
    check "$arguments is refused" same "$(exit_status "$here/run" $arguments)" 2
done
check "a state directory that cannot be made is refused" \
    same "$(exit_status "$here/run" --port "$port" --state /dev/null/state)" 1
check "and named" grep -q "'/dev/null/state' cannot be written" "$work/refusal"

# What it prints

start
check "it says where it is" grep -qx "iReporter is ready at $url/" "$output"
mapfile -t lines < <(sed -n 's/^  curl /get /p' "$output")
check "it prints three lines to try" same "${#lines[@]}" 3
[[ ${lines[0]} =~ username=([a-z0-9-]+) ]]
name=${BASH_REMATCH[1]}
photos="{\"result\":[{\"IdPhoto\":\"1\",\"title\":\"Evening in the hills\",\"IdUser\":\"1\",\"username\":\"$name\"}]}"
check "the first registers" same "$(eval "${lines[0]}")" "{\"result\":[{\"IdUser\":\"1\",\"username\":\"$name\"}]}"
check "the second uploads" same "$(eval "${lines[1]}")" '{"successful":1}'
check "the third shows it" same "$(eval "${lines[2]}")" "$photos"
check "the photo is served" same "$(get "$url/upload/1.jpg" | sha256sum)" "$(sha256sum <"$here/sample/photo.jpg")"
check "its thumbnail too" same "$(get "$url/upload/1-thumb.jpg" | identify -format '%m %w %h' -)" "JPEG 90 90"

# One run for each port and directory

check "a second run on the directory is refused" \
    same "$(exit_status "$here/run" --port 1 --state "$state")" 1
check "and told by whom it is used" grep -q "in use by process $run_pid" "$work/refusal"
check "a second run on the port is refused" \
    same "$(exit_status "$here/run" --port "$port" --state "$work/other")" 1
check "and told that it is taken" grep -q "port $port of 127.0.0.1 is taken" "$work/refusal"
check "the first is undisturbed" stream_is "$photos"

# A server that ends is started again

kill -KILL "$(worker_pid)"
check "a worker that dies is replaced" eventually 20 stream_is "$photos"
kill -KILL "$(pid_in "$(<"$state/sockets")/db.pid")"
check "a MariaDB that dies is replaced" eventually 60 stream_is "$photos"
kill -KILL "$(pid_in "$state/nginx/nginx.pid")"
check "an nginx that dies is replaced" eventually 20 stream_is "$photos"
check "it says so" eventually 10 has_said 'is started again' 3
check "and they serve again" eventually 20 stream_is "$photos"

# Stopping and starting

for signal in TERM INT HUP; do
    check "SIG$signal ends it well" stop "$signal"
    check "and leaves nothing" nothing_is_left
    start
    check "nothing is lost" stream_is "$photos"
done

kill -KILL "$run_pid"
wait "$run_pid" 2>/dev/null || true
check "a run after one that was killed" start
check "has lost nothing" stream_is "$photos"
check "and ends well" stop TERM
check "with nothing left" nothing_is_left

finish

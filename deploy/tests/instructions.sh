#!/bin/bash
# Counts the processor's instructions of what every request costs and compares them with the numbers committed in
# instructions.txt. Unlike times, they hardly depend on what else the machine does; how the libraries use the
# processor's vector instructions makes a difference, hence the margin.
#
#     deploy/tests/instructions.sh [--write]     --write notes what is found as the numbers to keep
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../lib.sh
source "$here/lib.sh"

readonly margin=15
numbers=$here/tests/instructions.txt
options=(--package-path "$here/.." -c release --static-swift-stdlib)

swift build "${options[@]}" --product instruction-counts >/dev/null </dev/null || fail "the build failed"
program=$(swift build "${options[@]}" --show-bin-path)/instruction-counts

# instructions WORK TIMES: of the whole program.
instructions() {
    local report
    report=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$program" "$1" "$2" "$here/sample/photo.jpg" 2>&1 >/dev/null) || fail "valgrind: $report"
    [[ $report =~ Collected\ :\ ([0-9]+) ]] || fail "no count from valgrind: $report"
    echo "${BASH_REMATCH[1]}"
}

# per_piece WORK FEW MANY: what one more piece of work costs, without the program's start.
per_piece() {
    echo $((($(instructions "$1" "$3") - $(instructions "$1" "$2")) / ($3 - $2)))
}

found=$(
    echo "form $(per_piece form 100 1100)"
    echo "stream $(per_piece stream 10 110)"
    echo "thumbnail $(per_piece thumbnail 1 4)"
)
if [[ ${1:-} == --write ]]; then
    echo "$found" >"$numbers"
    say "$found"
    exit
fi
status=0
while read -r work count; do
    kept=$(sed -n "s/^$work //p" "$numbers")
    [[ $kept ]] || fail "$numbers has no number for $work"
    say "$work: $count instructions, $((count * 100 / kept)) % of $kept"
    if ((count * 100 > kept * (100 + margin))); then
        say "$work costs more than it did; if that has to be, deploy/tests/instructions.sh --write accepts it"
        status=1
    fi
done <<<"$found"
exit "$status"

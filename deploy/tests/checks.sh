# shellcheck shell=bash
# For the tests of this folder: a check is a sentence and a command that must succeed.

passed=0
failed=0

# check SENTENCE COMMAND...
check() {
    local sentence=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "ok      $sentence"
    else
        failed=$((failed + 1))
        say "FAILED  $sentence"
    fi
}

# same ACTUAL EXPECTED: says what came when it differs.
same() {
    [[ $1 == "$2" ]] && return 0
    printf '  expected: %s\n  got:      %s\n' "${2@Q}" "${1@Q}"
    return 1
}

# has_line TEXT LINE
has_line() {
    grep -qxF -- "$2" <<<"${1//$'\r'/}" && return 0
    printf '  expected the line: %s\n  in: %s\n' "$2" "${1@Q}"
    return 1
}

# eventually SECONDS COMMAND...
eventually() {
    local tries=$(($1 * 10))
    shift
    until "$@"; do
        ((tries-- > 0)) || return 1
        sleep 0.1
    done
}

get() { curl --noproxy '*' --path-as-is -s -m 20 "$@"; }

finish() {
    say "$passed passed, $failed failed"
    ((failed == 0))
}

# shellcheck shell=bash
# The Debian packages that the scripts of this folder need, and their installation. Sourced after lib.sh.
#
# An installation leaves the machine's services as they were: nothing is started, stopped or restarted, and a
# service that comes with a package (nginx, php-fpm) is switched off before it sees its first boot. MariaDB's
# core packages bring no service at all.

# shellcheck disable=SC2034 # a script uses those it needs

# What the Swift toolchain itself loads and links with, then the libraries of Package.swift.
packages_to_build=(
    libncurses6 libsqlite3-0 libcurl4 libxml2 libc6-dev libstdc++-12-dev binutils pkg-config
    libmariadb-dev libssl-dev libturbojpeg0-dev libpng-dev
)
# dpkg-shlibdeps and what it calls.
packages_to_package=(dpkg-dev binutils git gzip xz-utils)
packages_to_run=(nginx mariadb-server-core mariadb-client-core curl)
packages_to_measure=(php8.2-fpm php8.2-mysql php8.2-gd gcc libfcgi-dev imagemagick python3 wrk)
packages_to_test=(
    php8.2-fpm php8.2-cli php8.2-mysql php8.2-gd imagemagick libimage-exiftool-perl openssl
    procps shellcheck valgrind mariadb-client spawn-fcgi systemd lintian man-db bsdextrautils bash-completion file
    binutils dpkg-dev
)

readonly services_of_packages=(nginx php8.2-fpm)
readonly policy=/usr/sbin/policy-rc.d
readonly policy_mark='# Made by iReporter for the length of one installation.'

# Installs those of PACKAGE... that are missing. Needs root, or a sudo that asks for no password; fails
# otherwise, with the command to run.
ensure_packages() {
    local package missing=()
    command -v dpkg-query >/dev/null || fail "this is not a Debian system, which has in packages: $*"
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    root=()
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null || fail "these packages are missing: ${missing[*]}
To install them, with the machine's services left alone, run as root (with su or sudo):
    $(printf '%q' "$here/${0##*/}") --install"
        root=(sudo -n)
    fi
    say "installing ${missing[*]}"
    (install_packages "${missing[@]}") || fail "the packages could not be installed"
}

is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Called in a subshell of its own, so that its traps are its own.
install_packages() {
    local service complaints status=0
    new_services=()
    for service in "${services_of_packages[@]}"; do
        is_installed "$service" || new_services+=("$service")
    done

    if [[ -e $policy ]] && ! grep -qxF "$policy_mark" "$policy"; then
        # The machine's own rule: obeyed, never changed.
        as_root "$policy" nginx start >/dev/null 2>&1 || status=$?
        ((status == 101)) || fail "$policy would let these packages start services: $*"
        trap leave_services_off EXIT
    else
        trap leave_services_off EXIT
        trap 'exit 1' HUP INT TERM
        as_root tee "$policy" >/dev/null <<<$'#!/bin/sh\n'"$policy_mark"$'\nexit 101'
        as_root chmod 755 "$policy"
    fi

    # A fresh system has no package lists yet; old lists may name versions that are gone.
    apt_get install "$@" 2>/dev/null && return
    complaints=$(apt_get update 2>&1 && apt_get install "$@" 2>&1) || fail "$complaints"
}

leave_services_off() {
    local service
    if grep -qxsF "$policy_mark" "$policy"; then
        as_root rm -f "$policy"
    fi
    for service in "${new_services[@]}"; do
        is_installed "$service" || continue
        as_root update-rc.d "$service" disable >/dev/null || continue
        say "$service as a service of the machine stays off (systemctl enable --now $service turns it on)"
    done
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends --no-remove \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null >/dev/null
}

as_root() { "${root[@]}" "$@"; }

#!/bin/bash
# The package on a fresh Debian 12 that knows nothing of Swift, booted with systemd as process 1 in a container
# without a network: installed, configured as its manual says, under load while it is restarted and upgraded,
# removed, purged. Takes some minutes, most of them for the fresh system; needs root.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../lib.sh
source "$here/lib.sh"
# shellcheck source=../packages.sh
source "$here/packages.sh"
# shellcheck source=checks.sh
source "$here/tests/checks.sh"

((EUID == 0)) || fail "a system can be booted by root alone; nothing has been tested"
ensure_packages debootstrap systemd-container
root=()

work=$(mktemp -d /var/tmp/ireporter-machine.XXXXXX)
machine=$work/root
end() {
    # It shuts the machine down.
    stop_server machine TERM 60
    rm -rf -- "$work"
}
trap end EXIT
trap 'exit 1' HUP INT TERM

# The fresh system

say "building the package"
package=$("$here/package" --output "$work" | tail -n 1)
say "installing Debian 12"
debootstrap --variant=minbase bookworm "$machine" >"$work/log" 2>&1 || fail_with_log "$work/log" "debootstrap failed"
cp -- "$package" "$machine/root/first.deb"
# A later version, with a program that is another file.
dpkg-deb --raw-extract "$package" "$work/next"
sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
echo >>"$work/next/usr/bin/ireporter"
dpkg-deb --root-owner-group -Znone --build "$work/next" "$machine/root/next.deb" >/dev/null
cp -- "$here/sample/photo.jpg" "$here/../Tests/ReferencePHP/tables.sql" "$machine/root/"

# Needs a network, so before the boot. Nothing is started in a folder.
chroot "$machine" sh -ec '
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
    printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
    apt-get -qq update
    apt-get -qq -y --no-install-recommends install systemd systemd-sysv dbus nginx mariadb-server php-common curl wrk
    apt-get -qq -y --download-only install /root/first.deb
    rm /usr/sbin/policy-rc.d' >>"$work/log" 2>&1 </dev/null || fail_with_log "$work/log" "packages could not be installed"

# inside COMMAND...: in the machine.
inside() {
    nsenter --target "$leader" --all -- env -i LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}
has_booted() {
    leader=$(pgrep --parent "${server_pid[machine]}") && [[ $(inside systemctl is-system-running 2>/dev/null) == running ]]
}

say "booting it"
start_server machine root "$work/log" systemd-nspawn --quiet --directory "$machine" --boot --register=no --keep-unit \
    --private-network --link-journal=no
wait_for machine 120 has_booted

# Words for what follows

# quietly COMMAND...: shows what it says if it fails.
quietly() { "$@" >"$work/output" 2>&1 || { cat -- "$work/output" && false; }; }
url=http://127.0.0.1/iReporter
post() { inside curl -s -m 20 -b /root/jar -c /root/jar "$@" "$url/"; }
is_active() { [[ $(inside systemctl is-active "$1") == "$2" ]]; }
is_enabled() { [[ $(inside systemctl is-enabled "$1") == "$2" ]]; }
worker_pid() { inside systemctl show --property MainPID --value ireporter; }
has_other_pid() { [[ $(worker_pid) != 0 && $(worker_pid) != "$1" ]]; }
answers() { [[ $(post -d command=stream) == '{"result":['* ]]; }
logged_in() { same "$(post -d command=upload)" '{"error":"Upload on server problem"}'; }
check_ireporter() {
    # shellcheck disable=SC2016 # for the machine's shell
    inside bash -c 'set -a; . /etc/ireporter/ireporter.env
        exec runuser -u www-data -- ireporter check --nginx /etc/nginx/nginx.conf' >"$work/check" 2>&1
}
holds() { same "$(inside ireporter contract "$url/" 2>&1 | tail -n 1)" "488 held, 0 differ"; }
# What must outlive the package: photos, tables, PHP's sessions.
data() {
    inside bash -c 'cd / && find var/www/html/iReporter var/lib/php/sessions srv -printf "%p %U %m %s\n" -type f \
        -exec md5sum {} + | sort && mariadb-dump --skip-dump-date iReport' | md5sum
}

# under_load COMMAND...: no request fails meanwhile, nor in the seconds before and after.
under_load() {
    local status=0
    inside wrk -t1 -c16 -d300 -s /root/load.lua http://127.0.0.1:80/iReporter/ >"$work/load" 2>&1 &
    local load=$!
    sleep 1
    "$@" >"$work/output" 2>&1 || status=$?
    sleep 1
    # It stops, and says what it has counted.
    # shellcheck disable=SC2016 # for the machine's shell
    inside sh -c 'kill -INT $(pidof wrk)'
    wait "$load"
    cat -- "$work/load"
    ((status == 0)) && grep -qx 'failed 0 ' "$work/load" && ! grep -q 'Socket errors' "$work/load"
}
cat >"$machine/root/load.lua" <<'END'
-- 16 clients without a pause; a reply that is not the list of photos has failed.
wrk.method, wrk.body = "POST", "command=stream"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
failed, last = 0, ""
local threads = {}
function setup(thread) table.insert(threads, thread) end
function response(status, headers, body)
    if status ~= 200 or not body:find('^{"result":%[{') then failed, last = failed + 1, body end
end
function done()
    for _, thread in ipairs(threads) do print("failed " .. thread:get("failed") .. " " .. thread:get("last")) end
end
END
restart_and_reload() {
    local _
    for _ in 1 2 3 4 5; do
        inside systemctl reload ireporter
        sleep 0.7
        inside systemctl restart ireporter
        sleep 0.7
    done
}


# Installed, it does nothing yet

check "it is installed" quietly inside apt-get install -qq -y /root/first.deb
check "without Swift" inside sh -c '! command -v swift'
check "its user is made" quietly inside getent passwd ireporter
check "its settings are for root alone" \
    same "$(inside stat -c '%a %U:%G' /etc/ireporter/ireporter.env)" '640 root:root'
for unit in ireporter.service ireporter.socket ireporter-status.socket; do
    check "$unit is off" is_enabled "$unit" disabled
    check "and does not run" is_active "$unit" inactive
done
check "nginx takes its files" inside nginx -t -q

# Configured as the manual says

inside mariadb -e "CREATE DATABASE iReport CHARACTER SET latin1; GRANT SELECT, INSERT, UPDATE, DELETE ON iReport.* TO ireporter@localhost IDENTIFIED BY 'sec ret'"
inside sh -c 'mariadb iReport </root/tables.sql'
inside install -d -o www-data -g www-data /var/www/html/iReporter/upload
inside sed -i "s/^IREPORTER_DB_PASSWORD=.*/IREPORTER_DB_PASSWORD='sec ret'/; s/^IREPORTER_SESSION_STORE/#&/" \
    /etc/ireporter/ireporter.env
check_ireporter || true
check "a setting that is missing is found" same "$(<"$work/check")" \
    'ireporter: IREPORTER_SESSION_STORE is not set (files:DIR, for instance files:/var/lib/php/sessions, or database)
  man ireporter and deploy/README.md list all settings'
inside sed -i 's/^#\(IREPORTER_SESSION_STORE\)/\1/' /etc/ireporter/ireporter.env
inside sed -i 's/^\tserver_name _;/&\n include snippets\/ireporter.conf;\n include snippets\/ireporter-status.conf;/' \
    /etc/nginx/sites-available/default
nothing_is_wrong() { check_ireporter || { cat -- "$work/check" && false; }; }
check "nothing is wrong then" nothing_is_wrong
check "one command switches it on" quietly inside systemctl enable --now ireporter
for unit in ireporter.service ireporter.socket ireporter-status.socket; do
    check "$unit is on" is_enabled "$unit" enabled
    check "and active" is_active "$unit" active
done
inside systemctl reload nginx
check "it answers" eventually 20 answers
check "the pair's passwords get room" quietly inside bash -c 'set -a; . /etc/ireporter/ireporter.env
    IREPORTER_DB_USER=root IREPORTER_DB_PASSWORD= ireporter migrate --only 3'
check "it keeps the contract" holds
check "its status is told" same "$(inside curl -s "$url/ping")" pong
check "also to the command" same "$(inside ireporter status --ping --listen unix:/run/ireporter/status.sock)" pong
check "the sockets are nginx's and root's" same "$(inside stat -c '%a %U:%G' /run/ireporter/ireporter.sock)" '660 root:www-data'
check "systemd finds it shut in" quietly inside systemd-analyze security --no-pager --threshold=20 ireporter
# shellcheck disable=SC2016 # for the machine's shell
check "it may have 10,000 idle connections" inside sh -c \
    'awk "/open files/ { exit \$4 < 16384 }" /proc/$(systemctl show --property MainPID --value ireporter)/limits'

# Under load

check "somebody registers" same "$(post -d 'command=register&username=bob&password=secret' | sed 's/[0-9]\+/N/')" \
    '{"result":[{"IdUser":"N","username":"bob"}]}'
check "five reloads and restarts fail no request" under_load restart_and_reload
check "and nobody is logged out" logged_in
pid=$(worker_pid)
check "an upgrade fails no request" under_load inside apt-get install -qq -y /root/next.deb
check "it is the new program" same "$(inside readlink "/proc/$(worker_pid)/exe") $(worker_pid | grep -cx "$pid")" "/usr/bin/ireporter 0"
check "and still nobody is logged out" logged_in
check "settings that were changed are kept" inside grep -q "^IREPORTER_DB_PASSWORD='sec ret'" /etc/ireporter/ireporter.env
check "an upload works" same "$(post -F command=upload -F title=Hills -F file=@/root/photo.jpg)" '{"successful":1}'

# When it ends, hangs or cannot start

pid=$(worker_pid)
inside systemctl kill --signal=KILL ireporter
check "killed, it is back" eventually 10 has_other_pid "$pid"
check "and has kept the queue" answers
inside systemctl stop ireporter.service 2>>"$work/log"
check "stopped, it is started by a request" answers
inside mkdir -p /etc/systemd/system/ireporter.service.d
printf '[Service]\nWatchdogSec=2\n' >"$machine/etc/systemd/system/ireporter.service.d/watchdog.conf"
inside systemctl daemon-reload
inside systemctl restart ireporter
pid=$(worker_pid)
inside kill -STOP "$pid"
check "one that hangs is replaced" eventually 30 has_other_pid "$pid"
check "and answers" answers
echo IREPORTER_WORKRES=8 >>"$machine/etc/ireporter/ireporter.env"
check "a wrong setting fails the start" same "$(inside systemctl restart ireporter 2>&1 | head -n 1)" \
    'Job for ireporter.service failed because the control process exited with error code.'
check "the journal says which" inside sh -c 'journalctl -u ireporter -o cat -n 30 | grep -q "did you mean IREPORTER_WORKERS"'
sed -i '$d' "$machine/etc/ireporter/ireporter.env"
check "without it the start succeeds" inside systemctl restart ireporter
check "and it answers as before" answers

# A folder elsewhere, and a user of its own

inside install -d -o www-data /srv/photos
inside sed -i 's#^IREPORTER_UPLOAD_DIR=.*#IREPORTER_UPLOAD_DIR=/srv/photos#' /etc/ireporter/ireporter.env
inside systemctl restart ireporter
check "a folder that is shut off is told of" inside sh -c \
    'journalctl -u ireporter -o cat -n 5 | grep -q "problem  /srv/photos: Read-only file system"'
printf '[Service]\nReadWritePaths=/srv/photos\n' >"$machine/etc/systemd/system/ireporter.service.d/folder.conf"
inside systemctl daemon-reload
inside systemctl restart ireporter
check "opened, photos go there" same "$(post -F command=upload -F title=Hills -F file=@/root/photo.jpg) $(inside sh -c 'ls /srv/photos | wc -l')" \
    '{"successful":1} 2'
inside sed -i 's#^IREPORTER_UPLOAD_DIR=.*#IREPORTER_UPLOAD_DIR=/var/www/html/iReporter/upload#
    s#^IREPORTER_SESSION_STORE=.*#IREPORTER_SESSION_STORE=files:/var/lib/ireporter/sessions#' /etc/ireporter/ireporter.env
inside cp /usr/share/doc/ireporter/examples/own-user.conf /etc/systemd/system/ireporter.service.d/
inside chown -R ireporter: /var/www/html/iReporter/upload
inside systemctl daemon-reload
inside systemctl restart ireporter
check "it can have a user of its own" same "$(inside stat -c %U "/proc/$(worker_pid)")" ireporter
check "and keeps the contract" holds

# Removed and purged

before=$(data)
check "it can be removed" quietly inside apt-get remove -qq -y ireporter
check "nothing runs any more" same "$(inside pgrep -x ireporter)$(inside ls /run/ireporter)" ''
check "the settings stay" inside test -e /etc/ireporter/ireporter.env
check "nginx starts, and tells the apps" same "$(inside systemctl restart nginx && post -d command=stream)" \
    '{"error":"The server cannot answer right now. Try again later."}'
check "no data is touched" same "$(data)" "$before"
inside apt-get purge -qq -y ireporter >"$work/output" 2>&1
check "purging says what it leaves" grep -q '^iReporter is purged. Left as they are: the photos' "$work/output"
check "and what is the administrator's" has_line "$(<"$work/output")" \
    "Left, since it holds what you put there: /etc/systemd/system/ireporter.service.d"
check "and what nginx still wants" has_line "$(<"$work/output")" /etc/nginx/sites-enabled/default
check "its own is gone" inside sh -c '! ls -d /etc/ireporter /var/lib/ireporter /var/log/ireporter /run/ireporter 2>/dev/null'
check "still no data is touched" same "$(data)" "$before"

finish

# shellcheck shell=bash
# A private site in one directory: MariaDB, worker and nginx, each with its data, its log and no setting from
# elsewhere. Sourced after lib.sh.
#
# The script sets
#   state   the directory: db/ upload/ sessions/ tmp/ belong to the servers' user, log/ nginx/ and the rest do not,
#           so that a server cannot plant a link there for root to follow
#   worker  the executable
#   port    of nginx, on 127.0.0.1
# and choose_server_user and make_socket_directory below set
#   server_user   who the servers run as
#   sockets       where their unix sockets are

sockets=
site_user=$(id -un)

# As root the servers run as whoever owns the directory, at first www-data, provided that this user gets there:
# not below /root, for instance.
choose_server_user() {
    local user
    server_user=$site_user
    ((EUID == 0)) || return 0
    user=$(stat -c %U -- "$state")
    [[ $user != root ]] || user=www-data
    if (as_user "$user" test -x "$state" -a -x "$worker"); then
        server_user=$user
    else
        say "$user cannot reach ${state@Q} or the worker: the servers run as root"
    fi
}

# Makes the directories, or fails with what keeps it from doing so.
make_state() {
    local free
    if ! mkdir -p -- "$state"/{log,nginx,tmp,upload,sessions} 2>/dev/null || ! [[ -w $state && -w $state/log ]]; then
        fail "${state@Q} cannot be written by $site_user"
    fi
    chmod 711 "$state"
    chmod 700 "$state"/{log,tmp,upload,sessions}
    (umask 077 && : >>"$state/cookies")
    free=$(df --output=avail -k -- "$state" | tail -n 1)
    ((free > 300 * 1024)) || fail "only $((free / 1024)) MiB are free at ${state@Q}; 300 are needed"
}

# give_to_servers DIRECTORY...: with everything in it, which is looked through only if it was somebody else's.
give_to_servers() {
    local directory
    for directory in "$@"; do
        [[ $(stat -c %U -- "$directory") == "$server_user" ]] ||
            find "$directory" -exec chown -h -- "$server_user" {} +
    done
}

# A unix socket's path is short, and a user's run-time directory goes when he logs out; hence /tmp. The name is
# kept, so that the next start clears away what a killed one left.
make_socket_directory() {
    local old
    if [[ -f $state/sockets ]]; then
        read -r old <"$state/sockets" || true
        [[ ! $old =~ ^/tmp/ireporter\.[[:alnum:]]{6}$ ]] || rm -rf -- "$old"
    fi
    sockets=$(mktemp -d /tmp/ireporter.XXXXXX)
    echo "$sockets" >"$state/sockets"
    give_to_servers "$sockets" "$state"/{tmp,upload,sessions}
}

# MariaDB

# Made under a passing name, so that an interrupted start leaves no half of a database.
create_database() {
    [[ ! -d $state/db ]] || return 0
    say "creating the database"
    rm -rf -- "$state/db.new"
    mkdir -m 700 "$state/db.new"
    give_to_servers "$state/db.new"
    # From inside, since the installer cannot take a path with a space; with whatever names the machine can resolve;
    # and not in /tmp, where every MariaDB that starts removes the temporary tables of the others.
    (cd -- "$state/db.new" && as_user "$server_user" env TMPDIR="$state/tmp" \
        mariadb-install-db --no-defaults --user="$server_user" --datadir=. --force --skip-test-db \
        --auth-root-authentication-method=socket --auth-root-socket-user="$site_user") \
        </dev/null >>"$state/log/mariadb.log" 2>&1 ||
        fail_with_log "$state/log/mariadb.log" "the database could not be created"
    mv -- "$state/db.new" "$state/db"
}

# The character set is the one that Debian's own MariaDB has.
start_mariadb() {
    start_server mariadb "$server_user" "$state/log/mariadb.log" \
        mariadbd --no-defaults --user="$server_user" --datadir="$state/db" --tmpdir="$state/tmp" \
        --skip-networking --socket="$sockets/db" --pid-file="$sockets/db.pid" \
        --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci --innodb-buffer-pool-size=64M
}

# Standard input as SQL, with all rights.
run_sql() { mariadb --no-defaults --socket="$sockets/db" --user="$site_user"; }

mariadb_answers() { run_sql <<<'DO 0' 2>/dev/null; }

# An account for the worker that can read and write rows and nothing more, and the tables.
prepare_database() {
    if [[ ! -s $state/db-password ]]; then
        (umask 077 && od -An -tx1 -N24 /dev/urandom | tr -d ' \n' >"$state/db-password")
    fi
    give_to_servers "$state/db-password"
    run_sql <<END || fail "the tables could not be made"
CREATE DATABASE IF NOT EXISTS ireporter CHARACTER SET utf8mb4;
CREATE OR REPLACE USER ireporter@localhost IDENTIFIED BY '$(<"$state/db-password")';
GRANT SELECT, INSERT, UPDATE, DELETE ON ireporter.* TO ireporter@localhost;
USE ireporter;
$(<"$here/../sql/schema.sql")
END
}

# Worker

# The caller's own IREPORTER_ variables are passed on, except for those that lead to another database.
start_worker() {
    unset "${!IREPORTER_DB_@}"
    start_server worker "$server_user" "$state/log/worker.log" env \
        IREPORTER_DB_SOCKET="$sockets/db" IREPORTER_DB_USER=ireporter IREPORTER_DB_NAME=ireporter \
        IREPORTER_DB_PASSWORD_FILE="$state/db-password" \
        IREPORTER_UPLOAD_DIR="$state/upload" IREPORTER_SESSION_STORE="files:$state/sessions" \
        "$worker" serve --listen "unix:$sockets/worker"
}

# nginx

# The shipped snippets with this site's paths, in a configuration of its own.
configure_nginx() {
    local upload nginx=$state/nginx
    # shellcheck disable=SC2001 # bash would give & a meaning here, too
    upload=$(sed 's/[&|\\]/\\&/g' <<<"$state/upload")
    rm -f -- "$nginx"/*.conf
    sed "s|/var/www/html/iReporter/upload|$upload|" "$here/nginx/ireporter.conf" >"$nginx/server.conf"
    sed "s|/run/ireporter/ireporter.sock|$sockets/worker|" "$here/nginx/ireporter-upstream.conf" >"$nginx/http.conf"
    {
        ((EUID != 0)) || echo "user $server_user $(id -gn "$server_user");"
        cat <<END
daemon off;
pid nginx.pid;
error_log stderr error;
worker_processes auto;
worker_shutdown_timeout 8s;
events {
    worker_connections 1024;
}
http {
    include http.conf;
    access_log ../log/nginx-access.log;
    client_body_temp_path body;
    fastcgi_temp_path fastcgi;
    proxy_temp_path proxy;
    scgi_temp_path scgi;
    uwsgi_temp_path uwsgi;
    server_tokens off;
    sendfile on;
    server {
        listen 127.0.0.1:$port;
        include server.conf;
    }
}
END
    } >"$nginx/nginx.conf"
}

# Started as root, it changes to the servers' user itself once it has its port.
start_nginx() {
    start_server nginx "$site_user" "$state/log/nginx.log" nginx -e stderr -p "$state/nginx/" -c nginx.conf
}

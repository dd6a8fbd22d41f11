# shellcheck shell=bash
# The servers of deploy/bench: one MariaDB with a database for each set of tables, one nginx, one php-fpm, and for
# each set a worker, a worker that keeps nothing, and the C program. Sourced after site.sh.
#
# A target is one backend on one set of tables, at a port of its own:
#   worker  as it is configured by default (passwords as PHP stores them)
#   fresh   the worker with IREPORTER_STREAM_CACHE=off
#   c       bench.d/plain.c
#   php     Tests/ReferencePHP
# Of the sets, legacy are the tutorial's MyISAM tables, new those of sql/schema.sql.

first_port=18200

# NAME SCHEMA USERS PHOTOS
sets=(
    "legacy-1k legacy 1000 1000"
    "legacy-20k legacy 20000 1000"
    "legacy-20k-index index 20000 1000"
    "legacy-1m legacy 1000 1000000"
    "new-1k new 1000 1000"
    "new-1m new 1000000 1000000"
    "uploads legacy 1000 1000"
    "scrypt new 1000 1000"
)
sets_unless_quick=("legacy-100k legacy 1000 100000" "new-100k new 1000 100000")

legacy_tables='
CREATE TABLE login (IdUser int NOT NULL AUTO_INCREMENT PRIMARY KEY, username varchar(45), pass varchar(45))
    ENGINE=MyISAM DEFAULT CHARSET=latin1;
CREATE TABLE photos (IdPhoto int NOT NULL AUTO_INCREMENT PRIMARY KEY, title varchar(100), IdUser int)
    ENGINE=MyISAM DEFAULT CHARSET=latin1;'

# As Debian sets MariaDB up, with enough memory for the largest set and connections for the largest crowd.
start_bench_mariadb() {
    start_server mariadb "$server_user" "$state/log/mariadb.log" \
        mariadbd --no-defaults --user="$server_user" --datadir="$state/db" --tmpdir="$state/tmp" \
        --skip-networking --socket="$sockets/db" --pid-file="$sockets/db.pid" \
        --character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci \
        --innodb-buffer-pool-size=512M --key-buffer-size=64M --max-connections=4000
}

database_of() { tr - _ <<<"bench_$1"; }

fill_databases() {
    local name schema users photos
    printf 'CREATE USER bench@localhost IDENTIFIED BY "bench"; GRANT ALL ON *.* TO bench@localhost;\n' | run_sql
    for set in "${sets[@]}"; do
        read -r name schema users photos <<<"$set"
        echo "CREATE DATABASE $(database_of "$name"); USE $(database_of "$name");"
        if [[ $schema == new ]]; then cat -- "$here/../sql/schema.sql"; else echo "$legacy_tables"; fi
        [[ $schema != index ]] || echo 'ALTER TABLE login ADD KEY username (username);'
        echo "INSERT INTO login (username, pass) SELECT CONCAT('user', seq), CONCAT('pass', seq) FROM seq_1_to_$users;"
        echo "INSERT INTO photos (title, IdUser) SELECT CONCAT('Evening in the hills ', seq), 1 + seq % 1000
            FROM seq_1_to_$photos;"
    done | run_sql || fail "the tables could not be filled"
}

# The rows just written would go on being flushed during the first measurements.
settle() {
    local capacity
    read -ra capacity < <(echo 'SELECT @@innodb_io_capacity, @@innodb_io_capacity_max, @@innodb_max_dirty_pages_pct' |
        run_sql | tail -n 1)
    printf '%s;\n' 'FLUSH TABLES' 'SET GLOBAL innodb_io_capacity_max = 40000' 'SET GLOBAL innodb_io_capacity = 20000' \
        'SET GLOBAL innodb_max_dirty_pages_pct = 0' | run_sql
    for _ in {1..30}; do
        [[ $(echo 'SHOW GLOBAL STATUS LIKE "Innodb_buffer_pool_pages_dirty"' | run_sql) =~ [[:space:]]([0-9]+)$ ]] ||
            fail "MariaDB does not tell how much it has still to write"
        ((BASH_REMATCH[1] > 100)) || break
        sleep 0.5
    done
    ((BASH_REMATCH[1] <= 100)) || say "MariaDB has still ${BASH_REMATCH[1]} pages to write"
    printf 'SET GLOBAL %s = %s;\n' innodb_io_capacity "${capacity[0]}" innodb_io_capacity_max "${capacity[1]}" \
        innodb_max_dirty_pages_pct "${capacity[2]}" | run_sql
    sync
}

# Noise with the detail of a photograph, in the sizes that clients send.
make_photos() {
    local size
    mkdir -p -- "$state/photos"
    convert -size 1000x750 plasma:tomato-steelblue -attenuate 0.15 +noise Gaussian "$state/photos/source.png"
    for size in 320x240 640x480 2048x1536 4032x3024; do
        convert "$state/photos/source.png" -resize "$size!" -quality 88 "$state/photos/$size.jpg"
    done
}

start_bench_backends() {
    local name number=0
    mkdir -p -- "$state"/{uploads,web}
    start_bench_php
    for set in "${sets[@]}"; do
        read -r name _ <<<"$set"
        mkdir -p -- "$state/uploads/$name" "$state/web/$name/iReporter/upload"
        cp -- "$repository"/Tests/ReferencePHP/*.php "$state/web/$name/iReporter/"
        give_to_servers "$state/uploads/$name" "$state/web/$name/iReporter/upload"
        if [[ $name == scrypt ]]; then
            start_bench_worker worker "$name" IREPORTER_PASSWORDS=scrypt IREPORTER_LOGIN_ATTEMPTS=0
        else
            start_bench_worker worker "$name" IREPORTER_PASSWORDS=plain
            start_bench_worker fresh "$name" IREPORTER_PASSWORDS=plain IREPORTER_STREAM_CACHE=off
            start_server "c-$name" "$server_user" "$state/log/c-$name.log" \
                "$state/plain" "$sockets/c-$name" "$sockets/db" bench bench "$(database_of "$name")"
        fi
    done
    for name in "${!server_pid[@]}"; do
        [[ $name != @(worker|fresh|c)-* ]] || wait_for "$name" 20 test -S "$sockets/$name"
    done
    wait_for php 20 test -S "$sockets/php"
}

# start_bench_worker BACKEND SET VARIABLE=VALUE...
start_bench_worker() {
    local backend=$1 name=$2
    shift 2
    start_server "$backend-$name" "$server_user" "$state/log/$backend-$name.log" env \
        IREPORTER_DB_SOCKET="$sockets/db" IREPORTER_DB_USER=bench IREPORTER_DB_PASSWORD=bench \
        IREPORTER_DB_NAME="$(database_of "$name")" IREPORTER_UPLOAD_DIR="$state/uploads/$name" \
        IREPORTER_SESSION_STORE="files:$state/sessions" IREPORTER_LOGIN_ATTEMPTS=0 "$@" \
        "$worker" serve --listen "unix:$sockets/$backend-$name"
}

start_bench_php() {
    local as=() root=()
    ((EUID != 0)) || as=("user = $server_user" "group = $(id -gn "$server_user")") root=(--allow-to-run-as-root)
    printf '%s\n' '[global]' "error_log = $state/log/php.log" '[www]' "${as[@]}" "listen = $sockets/php" \
        'listen.mode = 0666' 'listen.backlog = 1024' 'pm = static' 'pm.max_children = 8' \
        "php_admin_value[session.save_path] = $state/sessions" "php_admin_value[upload_tmp_dir] = $state/tmp" \
        'php_admin_value[upload_max_filesize] = 20M' 'php_admin_value[post_max_size] = 21M' \
        'php_admin_flag[opcache.enable] = on' 'php_admin_flag[display_errors] = off' >"$state/php-fpm.conf"
    start_server php "$site_user" "$state/log/php.log" \
        php-fpm8.2 --nodaemonize --fpm-config "$state/php-fpm.conf" "${root[@]}"
}

# One line for each target: BACKEND SET PORT PID
describe_targets() {
    local name backend number=0
    for set in "${sets[@]}"; do
        read -r name _ <<<"$set"
        for backend in worker fresh c php; do
            if [[ $backend == php ]]; then
                echo "php $name $((first_port + number)) ${server_pid[php]}"
            elif [[ ${server_pid["$backend-$name"]:-} ]]; then
                echo "$backend $name $((first_port + number)) ${server_pid["$backend-$name"]}"
            fi
            number=$((number + 1))
        done
    done
    echo "mariadb - 0 ${server_pid[mariadb]}"
    echo "nginx - 0 ${server_pid[nginx]}"
}

configure_bench_nginx() {
    local name backend number=0
    {
        ((EUID != 0)) || echo "user $server_user $(id -gn "$server_user");"
        cat <<END
daemon off;
pid nginx.pid;
error_log stderr error;
worker_processes auto;
worker_rlimit_nofile 8192;
events {
    worker_connections 4096;
}
http {
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path body;
    fastcgi_temp_path fastcgi;
    proxy_temp_path proxy;
    scgi_temp_path scgi;
    uwsgi_temp_path uwsgi;
END
        for set in "${sets[@]}"; do
            read -r name _ <<<"$set"
            for backend in worker fresh c php; do
                bench_server "$backend" "$name" $((first_port + number))
                number=$((number + 1))
            done
        done
        echo '}'
    } >"$state/nginx/nginx.conf"
}

# The worker and the C program as the shipped snippets have it, PHP as its manual has it.
bench_server() {
    local backend=$1 name=$2 port=$3
    if [[ $backend == php ]]; then
        cat <<END
    server {
        listen 127.0.0.1:$port backlog=1024;
        root $state/web/$name;
        index index.php;
        client_max_body_size 21m;
        location ~ \.php\$ {
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
            fastcgi_param REFERENCE_DB_SOCKET $sockets/db;
            fastcgi_param REFERENCE_DB_NAME $(database_of "$name");
            fastcgi_param REFERENCE_DB_USER bench;
            fastcgi_param REFERENCE_DB_PASSWORD bench;
            fastcgi_pass unix:$sockets/php;
        }
    }
END
    elif [[ ${server_pid["$backend-$name"]:-} ]]; then
        sed "s|/run/ireporter/ireporter.sock|$sockets/$backend-$name|; s|upstream ireporter|upstream $backend-$name|" \
            "$here/nginx/ireporter-upstream.conf"
        echo "server { listen 127.0.0.1:$port backlog=1024;"
        sed "s|/var/www/html/iReporter/upload|$state/uploads/$name|; s|fastcgi_pass ireporter|fastcgi_pass $backend-$name|" \
            "$here/nginx/ireporter.conf"
        echo '}'
    fi
}

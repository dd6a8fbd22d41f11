#!/bin/bash
# The shipped nginx snippet without a worker: what nginx answers by itself, and what it serves and does not.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../lib.sh
source "$here/lib.sh"
# shellcheck source=../site.sh
source "$here/site.sh"
# shellcheck source=checks.sh
source "$here/tests/checks.sh"

state=$(mktemp -d '/tmp/ireporter nginx.XXXXXX')
port=$(php8.2 -r 'echo explode(":", stream_socket_get_name(stream_socket_server("tcp://127.0.0.1:0"), false))[1];')
url=http://127.0.0.1:$port/iReporter

end() {
    stop_server nginx TERM 10
    stop_server silence TERM 10
    rm -rf -- "$state" "$sockets"
}
trap end EXIT

worker=/bin/true
make_state
choose_server_user
make_socket_directory
configure_nginx
# What a server block may hold already, and a time limit that a test can wait for.
sed -i -e "s|include server.conf;|&\n include \"$here/nginx/ireporter-pair.conf\";|" \
    -e 's/include server.conf;/types { text\/html jpg; }\n &\n location ~ \\.php$ { return 200 "php"; }\n location ~ \\.jpg$ { return 200 "jpg"; }/' \
    "$state/nginx/nginx.conf"
sed -i -e 's/fastcgi_read_timeout 60s/fastcgi_read_timeout 1s/' "$state/nginx/server.conf"
start_nginx
wait_for nginx 10 port_is_taken "$port"

# What nginx answers by itself

unavailable='{"error":"The server cannot answer right now. Try again later."} 200 application/json'
malfunction='{"error":"Upload malfunction"} 200 application/json'
shown=(-w ' %{http_code} %{content_type}')
head -c 22500000 /dev/zero >"$state/large"

check "no worker (502) is a JSON error" same "$(get "${shown[@]}" -d command=stream "$url/")" "$unavailable"

# A socket that accepts and never answers.
# shellcheck disable=SC2016 # PHP's variables
start_server silence "$server_user" "$state/log/silence.log" php8.2 -r '
    $s = stream_socket_server("unix://" . $argv[1]);
    while ($c = stream_socket_accept($s, 600)) { $kept[] = $c; }' "$sockets/worker"
wait_for silence 10 test -S "$sockets/worker"
check "a silent worker (504) is a JSON error" same "$(get "${shown[@]}" -d command=stream "$url/")" "$unavailable"

check "a body over the limit (413) is an upload malfunction" \
    same "$(get "${shown[@]}" -F "file=@\"$state/large\"" "$url/")" "$malfunction"
check "a body over the limit, sent without asking" \
    same "$(get "${shown[@]}" -H Expect: -F "file=@\"$state/large\"" "$url/")" "$malfunction"
check "a chunked body over the limit" \
    same "$(get "${shown[@]}" -H 'Transfer-Encoding: chunked' --data-binary "@$state/large" "$url/")" "$malfunction"
check "over HTTP/1.0" same "$(get "${shown[@]}" -0 -F "file=@\"$state/large\"" "$url/index.php")" "$malfunction"

# Where the endpoint is

for path in /iReporter/ //iReporter// /iReporter/index.php /iReporter//index.php '/iReporter/?a=b' \
    /iReporter/jsonsignup.php /iReporter/jsonlogin2.php /jsonsignup.php /jsonlogin2.php; do
    check "POST $path reaches the worker" \
        same "$(get "${shown[@]}" -d command=stream "http://127.0.0.1:$port$path")" "$unavailable"
done
for path in lib.php api.php index.php/x index.php.bak .git/config; do
    check "POST /iReporter/$path reaches nothing" same "$(get -o /dev/null -w '%{http_code}' -d x=y "$url/$path")" 404
done

# What is served

photo=$here/sample/photo.jpg
served=(1.jpg 1-thumb.jpg 2147483647.jpg)
hidden=(
    .hidden.jpg .1.jpg 1.jpg.part 1.jpg~ tmp.jpg 01.jpg 0.jpg -1.jpg 1-thumb-thumb.jpg 1.JPG 1.jpeg 1.png
    shell.php 1.jpg.php 1.php.jpg lost+found/1.jpg
)
mkdir "$state/upload/lost+found" "$state/upload/5.jpg"
for name in "${served[@]}" "${hidden[@]}"; do cp -- "$photo" "$state/upload/$name"; done
cp -- "$photo" "$state/elsewhere.jpg"
ln -s ../elsewhere.jpg "$state/upload/3.jpg"
chown -R -- "$server_user" "$state/upload"

for name in "${served[@]}"; do
    check "$name is served" same "$(get "$url/upload/$name" | sha256sum)" "$(sha256sum <"$photo")"
done
headers=$(get -I "$url/upload/1.jpg")
check "as a JPEG" has_line "$headers" 'Content-Type: image/jpeg'
check "and nothing else" has_line "$headers" 'X-Content-Type-Options: nosniff'
check "kept for thirty days" has_line "$headers" 'Cache-Control: public, max-age=2592000'
check "a thumbnail for one" has_line "$(get -I "$url/upload/1-thumb.jpg")" 'Cache-Control: public, max-age=86400'
for name in "${hidden[@]}" '' . lost+found 4.jpg 1.jpg/x.php 1.jpg%0a ..%2felsewhere.jpg; do
    check "upload/$name is not served" same "$(get -o /dev/null -w '%{http_code}' "$url/upload/$name")" 404
done
check "a link is not followed" same "$(get -o /dev/null -w '%{http_code}' "$url/upload/3.jpg")" 403
check "nothing can be posted to a photo" same "$(get -o /dev/null -w '%{http_code}' -d x=y "$url/upload/1.jpg")" 405

finish

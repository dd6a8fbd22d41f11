"""What the parts of deploy/bench share: the targets, and wrk."""

import os
import signal
import subprocess
import time
import urllib.parse
import urllib.request
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))

Target = namedtuple("Target", "backend set port pid")

# rate: replies per second; p50, p99: milliseconds; refused: replies that are not 200; broken: connections that failed.
Load = namedtuple("Load", "requests rate p50 p99 refused broken")


class Failure(Exception):
    pass


def read_targets(state):
    with open(f"{state}/targets") as file:
        lines = [line.split() for line in file]
    return {(backend, tables): Target(backend, tables, int(port), int(pid)) for backend, tables, port, pid in lines}


def url(target):
    return f"http://127.0.0.1:{target.port}/iReporter/"


def post(target, **fields):
    """Sends a form; the body and the session cookie of the reply."""
    data = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(urllib.request.Request(url(target), data), timeout=60) as reply:
        cookie = reply.headers.get("Set-Cookie", "").split(";")[0]
        return reply.read(), cookie


def register(target):
    """A new account; its session cookie."""
    body, cookie = post(target, command="register", username=f"bench{time.time_ns()}", password="secret")
    if b'"result"' not in body:
        raise Failure(f"{target.backend} on {target.set} registers nobody: {body[:200]}")
    return cookie


def start_load(target, load, clients, seconds, options):
    environment = {**os.environ, "LOAD": load, **options}
    command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "60s", "-s", f"{HERE}/load.lua", url(target)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish_load(process):
    output, _ = process.communicate()
    for line in output.splitlines():
        if line.startswith("RESULT "):
            requests, duration, p50, p99, refused, broken = map(int, line.split()[1:])
            return Load(requests, requests / duration * 1e6, p50 / 1e3, p99 / 1e3, refused, broken)
    raise Failure(f"wrk: {output}")


def warm_up(target, load, clients, options):
    """A moment of a load that does not count: connections and caches are to be measured full."""
    process = start_load(target, load, clients, 1, options)
    time.sleep(0.25)
    process.send_signal(signal.SIGINT)
    # Ended this early it may have nothing to tell.
    process.communicate()


def run_load(target, load, clients, seconds, options):
    return finish_load(start_load(target, load, clients, seconds, options))

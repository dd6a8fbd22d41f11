"""The measurements of deploy/bench that are not one load on one target."""

import os
import statistics
import subprocess
import time

import bench
import fastcgi
import processes

IDLE_CONNECTIONS = 10_000
# The p99 of a short load differs from the next one's by half; so many are taken at a time.
SAMPLES = 2


def measure(state, worker, targets, seconds, rounds):
    """Everything, by the names that plan.goals knows."""
    extra = {}
    extra.update(fairness(state, targets, seconds, rounds))
    extra.update(memory(state, targets, seconds))
    extra["start"] = start(state, worker, targets)
    extra.update(idle_connections(state, targets, seconds, rounds))
    return extra


def fairness(state, targets, seconds, rounds):
    """p99 of `stream` alone, and while the same worker takes uploads and hashes passwords."""
    target = targets["worker", "scrypt"]
    cookie = {"COOKIE": bench.register(target)}
    idle, busy = [], []
    for _ in range(rounds):
        idle.append(bench.run_load(target, "stream", 16, seconds, {}).p99)
        upload = bench.start_load(target, f"upload {state}/photos/4032x3024.jpg", 8, seconds + 2, cookie)
        login = bench.start_load(target, "login 1000", 8, seconds + 2, {})
        time.sleep(1)
        busy.append(bench.run_load(target, "stream", 16, seconds, {}).p99)
        bench.finish_load(upload)
        bench.finish_load(login)
    return {"idle p99": statistics.median(idle), "busy p99": statistics.median(busy)}


def memory(state, targets, seconds):
    """The most that each backend's processes take, in proportion, during eight uploads at once."""
    found = {}
    for backend in ("worker", "php"):
        target = targets[backend, "uploads"]
        cookie = {"COOKIE": bench.register(target)}
        with processes.PeakMemory(processes.family(target.pid)) as peak:
            bench.run_load(target, f"upload {state}/photos/4032x3024.jpg", 8, max(2, seconds), cookie)
        found[f"{backend} memory"] = peak.bytes
    return found


def start(state, worker, targets):
    """Seconds from the start of a worker to its first reply, a whole list of photos."""
    with open(f"/proc/{targets['worker', 'legacy-1k'].pid}/environ", "rb") as file:
        pairs = [entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry]
    environment = {name.decode(): value.decode() for name, value in pairs}
    path = f"{state}/start.sock"
    found = []
    for _ in range(11):
        begun = time.perf_counter()
        process = subprocess.Popen([worker, "serve", "--listen", f"unix:{path}"], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while True:
                try:
                    with fastcgi.connect(path) as connection:
                        reply = fastcgi.exchange(connection, "command=stream")
                    break
                except (FileNotFoundError, ConnectionError):
                    if process.poll() is not None:
                        raise bench.Failure("the worker does not start")
                    time.sleep(0.0005)
            found.append(time.perf_counter() - begun)
        finally:
            process.terminate()
            process.wait()
        if b'"result"' not in reply:
            raise bench.Failure(f"the first reply is {reply[:200]}")
    return statistics.median(found)


def idle_connections(state, targets, seconds, rounds):
    """What connections that once had a request and are kept cost."""
    target = targets["worker", "legacy-1k"]
    with open(f"/proc/{target.pid}/cmdline", "rb") as file:
        path = file.read().split(b"\0")[-2].decode().removeprefix("unix:")
    threads = len(os.listdir(f"/proc/{target.pid}/task"))
    without, with_them, memory, more_threads = [], [], [], []
    for _ in range(rounds):
        without += [bench.run_load(target, "stream", 16, seconds, {}).p99 for _ in range(SAMPLES)]
        connections = []
        try:
            for _ in range(IDLE_CONNECTIONS):
                connection = fastcgi.connect(path)
                fastcgi.exchange(connection, "command=nothing")
                connections.append(connection)
            with_them += [bench.run_load(target, "stream", 16, seconds, {}).p99 for _ in range(SAMPLES)]
            memory.append(processes.proportional([target.pid]))
            more_threads.append(len(os.listdir(f"/proc/{target.pid}/task")) - threads)
        finally:
            for connection in connections:
                connection.close()
        # The worker closes its ends.
        time.sleep(0.5)
    return {
        "uncrowded p99": statistics.median(without),
        "crowded p99": statistics.median(with_them),
        "idle memory": max(memory),
        "idle threads": max(more_threads),
    }

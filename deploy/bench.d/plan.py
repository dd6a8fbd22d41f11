"""The measurements of deploy/bench, as data."""

from collections import namedtuple

# name: of the row; load: as load.lua takes it; clients: at once; targets: (backend, set) in the order of the turns;
# options: COOKIE and CLOSE for load.lua; quick: whether it is part of --quick.
Row = namedtuple("Row", "name load clients targets options quick")


def on(tables, *backends):
    return [(backend, tables) for backend in backends]


def rows(photos):
    """All rows whose numbers come from one load at a time; `photos` is the folder of the uploads."""
    every = ("worker", "fresh", "c", "php")
    plan = []

    def add(name, load, clients, targets, quick=False, **options):
        plan.append(Row(name, load, clients, targets, options, quick))

    for clients in (1, 16, 64, 256):
        add(f"stream, {clients} clients", "stream", clients, on("legacy-1k", *every), clients in (16, 64))
    for clients in (16, 64):
        add(f"stream, {clients} clients, new schema", "stream", clients, on("new-1k", *every))
        add(f"stream, {clients} clients, no keep-alive", "stream", clients, on("legacy-1k", *every), CLOSE="1")
    add("stream with a session, 16 clients", "stream", 16, on("legacy-1k", "worker", "php"), COOKIE="session")
    add("one photo, 16 clients", "one", 16, on("legacy-1k", "worker", "php"), True)

    for schema in ("legacy", "new"):
        targets = [(backend, f"{schema}-{size}") for size in ("1k", "100k", "1m") for backend in ("worker", "fresh")]
        add(f"stream by size, {schema}, 16 clients", "stream", 16, targets, True)

    add("login, 1,000 and 1,000,000 users, new schema, 16 clients", "login 1000", 16,
        [("worker", "new-1k"), ("worker", "new-1m"), ("php", "new-1k")], True)
    for clients in (16, 64):
        add(f"login, 20,000 users, legacy, {clients} clients", "login 20000", clients,
            [("worker", "legacy-20k-index"), ("worker", "legacy-20k"), ("php", "legacy-20k")], True)
    add("register, new schema, 16 clients", "register", 16, on("new-1k", "worker", "php"))

    for size, name in (("320x240", "320 px"), ("640x480", "640×480"), ("2048x1536", "3 MP"), ("4032x3024", "12 MP")):
        add(f"upload {name}, 4 clients", f"upload {photos}/{size}.jpg", 4, on("uploads", "worker", "php"),
            True, COOKIE="session")

    for clients in (1, 16, 64, 256):
        add(f"empty command, {clients} clients", "empty", clients, on("legacy-1k", "worker", "c", "php"),
            clients == 64)
    add("empty command, 64 clients, no keep-alive", "empty", 64, on("legacy-1k", "worker", "c", "php"), CLOSE="1")
    return plan


def goals(rate, p99, extra):
    """(what, found, goal) for each goal whose measurements were made.

    `rate` and `p99` take a row, a backend and a set; `extra` has what special.py found."""
    found = []

    def goal(what, wanted, compute):
        try:
            found.append((what, compute(), wanted))
        except (KeyError, ZeroDivisionError):
            pass

    for clients in (16, 64):
        row = f"stream, {clients} clients"
        at = "legacy-1k"
        goal(f"{row}: requests per second, times php-fpm", "≥ 12", lambda: rate(row, "worker", at) / rate(row, "php", at))
        goal(f"{row}: p99, times php-fpm", "≤ 0.33", lambda: p99(row, "worker", at) / p99(row, "php", at))
        goal(f"{row}, not kept: times php-fpm", "≥ 2.5", lambda: rate(row, "fresh", at) / rate(row, "php", at))
        goal(f"{row}, not kept: times the C program", "≥ 1", lambda: rate(row, "fresh", at) / rate(row, "c", at))
    for schema in ("legacy", "new"):
        for backend, name in (("worker", "kept"), ("fresh", "not kept")):
            row = f"stream by size, {schema}, 16 clients"
            goal(f"stream, {schema}, {name}: 1,000 photos, times 1,000,000", "≤ 1.2",
                 lambda: rate(row, backend, f"{schema}-1k") / rate(row, backend, f"{schema}-1m"))
    row = "login, 1,000 and 1,000,000 users, new schema, 16 clients"
    goal("login, new schema: 1,000 users, times 1,000,000", "≤ 1.3",
         lambda: rate(row, "worker", "new-1k") / rate(row, "worker", "new-1m"))
    for clients in (16, 64):
        row = f"login, 20,000 users, legacy, {clients} clients"
        goal(f"login, 20,000 users, {clients} clients, with an index: times php-fpm without", "≥ 10",
             lambda: rate(row, "worker", "legacy-20k-index") / rate(row, "php", "legacy-20k"))
    for size in ("320 px", "640×480", "3 MP", "12 MP"):
        row = f"upload {size}, 4 clients"
        goal(f"upload {size}: times php-fpm", "≥ 2", lambda: rate(row, "worker", "uploads") / rate(row, "php", "uploads"))
    row = "empty command, 64 clients"
    goal("empty command, 64 clients: times the C program", "≥ 1.6",
         lambda: rate(row, "worker", "legacy-1k") / rate(row, "c", "legacy-1k"))
    goal("empty command, 64 clients: p99, times the C program", "≤ 0.33",
         lambda: p99(row, "worker", "legacy-1k") / p99(row, "c", "legacy-1k"))
    goal("stream p99 under 8 uploads of 12 MP and 8 log-ins, times idle", "≤ 5",
         lambda: extra["busy p99"] / extra["idle p99"])
    goal("memory, 8 uploads of 12 MP at once, times php-fpm", "≤ 0.33",
         lambda: extra["worker memory"] / extra["php memory"])
    goal("start to first reply, ms", "< 50", lambda: extra["start"] * 1000)
    goal("memory with 10,000 idle connections, MB", "< 50", lambda: extra["idle memory"] / 1e6)
    goal("threads with 10,000 idle connections, more than without", "0", lambda: extra["idle threads"])
    goal("stream p99 with 10,000 idle connections, times without", "≈ 1",
         lambda: extra["crowded p99"] / extra["uncrowded p99"])
    return found

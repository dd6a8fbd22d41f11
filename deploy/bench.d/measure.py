"""Runs the measurements of deploy/bench on servers that are up, and reports them."""

import argparse
import json
import os
import re
import statistics
import sys
import time

import bench
import plan
import processes
import report
import special


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--state")
    parser.add_argument("--worker")
    parser.add_argument("--output")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def chosen(options, targets):
    rows = []
    for row in plan.rows(f"{options.state}/photos"):
        if (row.quick or not options.quick) and re.search(options.only, row.name):
            rows.append(row._replace(targets=[key for key in row.targets if targets is None or key in targets]))
    return rows


def measure_once(row, target, others, seconds, is_first):
    """One turn of one target: the load's numbers, processor time per request in µs, and memory."""
    load = row.load if row.load != "register" else f"register r{time.time_ns()}x"
    if row.options.get("COOKIE"):
        options = {**row.options, "COOKIE": bench.register(target)}
    else:
        options = row.options
    # A few large photos need more time to be a number.
    seconds *= 2 if "MP" in row.name else 1
    if is_first:
        bench.warm_up(target, f"{load}w" if row.load == "register" else load, row.clients, options)
    pids = processes.family(target.pid)
    before = processes.seconds(pids), *(processes.seconds(other) for other in others.values())
    found = bench.run_load(target, load, row.clients, seconds, options)
    memory = processes.proportional(pids)
    after = processes.seconds(pids), *(processes.seconds(other) for other in others.values())
    spent = [(late - early) / max(found.requests, 1) * 1e6 for early, late in zip(before, after)]
    numbers = {**found._asdict(), "cpu": spent[0], "memory": memory}
    numbers.update({f"cpu {name}": value for name, value in zip(others, spent[1:])})
    # What was under way when the load ended is still being worked on.
    time.sleep(0.2)
    return numbers


def median_of(turns):
    result = {name: statistics.median(turn[name] for turn in turns) for name in turns[0]}
    result["lowest"] = min(turn["rate"] for turn in turns)
    result["highest"] = max(turn["rate"] for turn in turns)
    result["refused"] = max(turn["refused"] for turn in turns)
    result["broken"] = max(turn["broken"] for turn in turns)
    return result


def main():
    options = arguments()
    if options.list:
        for row in chosen(options, None):
            print(row.name)
        return
    targets = bench.read_targets(options.state)
    others = {name: processes.family(targets[name, "-"].pid) for name in ("nginx", "mariadb")}
    rows = chosen(options, targets)
    turns = {}
    begun = time.time()
    # Row by row, so that what is compared is measured within seconds, and all of it again in each round.
    for number in range(options.rounds):
        for row in rows:
            print(f"\rround {number + 1} of {options.rounds}: {row.name:60}", end="", file=sys.stderr, flush=True)
            # Else what the row before has written would go on being flushed during this one.
            os.sync()
            for key in row.targets:
                turn = measure_once(row, targets[key], others, options.seconds, number == 0)
                turns.setdefault((row.name, *key), []).append(turn)
    print("\rmemory, fairness, start, idle connections" + " " * 40, file=sys.stderr)
    extra = {}
    if not options.only:
        extra = special.measure(options.state, options.worker, targets, options.seconds, options.rounds)
    found = {key: median_of(list_of_turns) for key, list_of_turns in turns.items()}

    os.makedirs(options.output, exist_ok=True)
    text = report.markdown(rows, found, extra, options, time.time() - begun)
    with open(f"{options.output}/bench.md", "w") as file:
        file.write(text)
    with open(f"{options.output}/bench.svg", "w") as file:
        file.write(report.plot(rows, found))
    with open(f"{options.output}/bench.json", "w") as file:
        json.dump({" / ".join(key): value for key, value in found.items()} | {"special": extra}, file, indent=1)
    print(text)


if __name__ == "__main__":
    try:
        main()
    except bench.Failure as failure:
        sys.exit(f"deploy/bench: {failure}")

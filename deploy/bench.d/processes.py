"""What the kernel says of processes: processor time and memory."""

import os
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid):
    """A process and all that descend from it."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(name))
    found = [pid]
    for member in found:
        found.extend(children.get(member, []))
    return found


def seconds(pids):
    """Processor time that the processes have used, in user and kernel."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def proportional(pids):
    """Proportional set size of the processes, in bytes."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            continue
    return total * 1024


class PeakMemory:
    """The largest proportional set size while the block runs, looked at every 20 ms."""

    def __init__(self, pids):
        self.pids = pids
        self.bytes = 0

    def __enter__(self):
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self):
        while not self._stop.is_set():
            self.bytes = max(self.bytes, proportional(self.pids))
            time.sleep(0.02)

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

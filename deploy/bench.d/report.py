"""Tables in Markdown and a plot in SVG from the numbers of deploy/bench."""

import os
import platform
import subprocess
from html import escape

import plan

NAMES = {"worker": "iReporter", "fresh": "iReporter, list not kept", "c": "C on libfcgi", "php": "php-fpm"}
COLOURS = {"worker": "#d9480f", "fresh": "#f08c00", "c": "#868e96", "php": "#4263eb"}


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0].strip()
    except (OSError, IndexError):
        return "unknown"


def machine():
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[2]
    release = ".".join(platform.release().split(".")[:2])
    return (f"{len(models)} × {models[0] if models else platform.machine()}, {memory:.0f} GiB, Linux {release}, "
            f"{first_line('mariadbd', '--version')}, {first_line('php-fpm8.2', '--version')}; "
            f"load generator, servers and databases on the same cores; load average of the 15 minutes before: {load:.1f}")


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(heads, lines):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "|".join("---" if index == 0 else "---:" for index in range(len(heads))) + "|"
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def reference(row, found, backend):
    """The numbers of the row's first target of a backend, if it has one."""
    keys = [(row.name, *key) for key in row.targets if key[0] == backend]
    return found.get(keys[0]) if keys else None


def lines(row, found):
    php = reference(row, found, "php")
    for backend, tables in row.targets:
        numbers = found[row.name, backend, tables]
        faults = numbers["refused"] + numbers["broken"]
        yield [
            f"{NAMES[backend]} ({tables})", number(numbers["rate"]),
            f"{numbers['rate'] / php['rate']:.1f}" if php and php["rate"] else "",
            f"{numbers['p50']:.2f}", f"{numbers['p99']:.2f}", number(numbers["cpu"]), number(numbers["cpu mariadb"]),
            number(numbers["cpu nginx"]), f"{numbers['memory'] / 1e6:.0f}", f"{faults:.0f}" if faults else "",
        ]


def markdown(rows, found, extra, options, took):
    def rate(row, backend, tables):
        return found[row, backend, tables]["rate"]

    def p99(row, backend, tables):
        return found[row, backend, tables]["p99"]

    text = [f"Machine: {machine()}.", f"Medians of {options.rounds} rounds of {options.seconds} s each, in turns; "
            f"{took / 60:.0f} minutes.", ""]
    goals = [[what, number(value), wanted] for what, value, wanted in plan.goals(rate, p99, extra)]
    text += table(["what", "found", "goal"], goals)
    heads = ["backend (tables)", "requests/s", "× php-fpm", "p50 ms", "p99 ms", "CPU µs", "MariaDB µs", "nginx µs",
             "PSS MB", "faults"]
    for row in rows:
        text += ["", f"**{row.name}**", "", *table(heads, lines(row, found))]
    return "\n".join(text) + "\n"


def plot(rows, found):
    """Horizontal bars: throughput as a multiple of php-fpm's, for every row that has php-fpm."""
    bars = []
    for row in rows:
        php = reference(row, found, "php")
        if php and php["rate"]:
            group = [(key, found[row.name, *key]["rate"] / php["rate"]) for key in row.targets]
            bars.append((row.name, group))
    widest = max([value for _, group in bars for _, value in group], default=1)
    left, width, bar, gap = 330, 520, 12, 14
    y = 40
    shapes = []
    for name, group in bars:
        middle = y + bar * len(group) / 2 + 4
        shapes.append(f'<text x="{left - 8}" y="{middle:.0f}" text-anchor="end">{escape(name)}</text>')
        for (backend, tables), value in group:
            length = max(1, value / widest * width)
            title = f"{NAMES[backend]} ({tables}): {value:.1f}"
            shapes.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 2}" fill="{COLOURS[backend]}">'
                          f'<title>{escape(title)}</title></rect>')
            shapes.append(f'<text x="{left + length + 4:.1f}" y="{y + 9}" class="value">{value:.1f}</text>')
            y += bar
        y += gap
    legend = "".join(f'<rect x="{left + 150 * index}" y="12" width="10" height="10" fill="{COLOURS[backend]}"/>'
                     f'<text x="{left + 150 * index + 14}" y="21">{escape(label)}</text>'
                     for index, (backend, label) in enumerate(NAMES.items()))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 60} {y + 10}" '
            'font-family="sans-serif" font-size="11"><title>Throughput as a multiple of php-fpm\'s</title>'
            '<style>.value { font-size: 9px; fill: #495057 }</style>'
            f'<rect width="100%" height="100%" fill="white"/>{legend}{"".join(shapes)}</svg>\n')

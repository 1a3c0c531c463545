"""Run a process and tell what it took."""
import os
import re
import resource
import statistics
import subprocess
import sys
import time

# macOS counts bytes, Linux KiB.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class NotMeasured(Exception):
    """Something that a figure needs is not there."""


class Run:
    """What one process took: CPU seconds (user and system), wall seconds, peak bytes, and bytes that
    it gave the system to write, where the system tells."""

    def __init__(self, cpu, wall, peak, code, errors, written):
        self.cpu, self.wall, self.peak, self.code, self.errors = cpu, wall, peak, code, errors
        self.written = written


def run(command, log, **options):
    """Run a command; its standard error goes to the file `log`."""
    with open(log, "wb") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, **{"stdin": subprocess.DEVNULL, **options})
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        written = bytes_written(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    with open(log, "rb") as errors:
        text = errors.read(4000).decode(errors="replace").strip()
    cpu = usage.ru_utime + usage.ru_stime
    return Run(cpu, wall, usage.ru_maxrss * RSS_UNIT, process.returncode, text, written)


def bytes_written(pid):
    """What a process that has ended, and was not waited for, wrote in all; None if nobody knows."""
    try:
        with open("/proc/%d/io" % pid) as figures:
            return int(re.search(r"^wchar: (\d+)", figures.read(), re.M).group(1))
    except (OSError, AttributeError):
        return None


def median(runs, what):
    return statistics.median(getattr(one, what) for one in runs)


def own_peak():
    """The peak of this process: what a child counts before it has become another program."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT

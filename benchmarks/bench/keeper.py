"""Runs one command under limits and leaves nothing behind.

Each run has a keeper process of its own. The keeper adopts every orphan of the command (PR_SET_CHILD_SUBREAPER), adds up
CPU time and memory over the whole process tree - RLIMIT_CPU alone is per process, and `a | b` is two of them - and kills
the tree when the command ends, a limit is reached, or the keeper itself is told to stop.

Started as `python3 keeper.py '<json>'`; answers with one JSON object on stdout.
"""

import ctypes
import json
import math
import os
import resource
import select
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
POLL_SECONDS = 0.02
GRACE_SECONDS = 1.0
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def prctl(option, argument):
    """Asks the kernel; without effect where there is no such kernel."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(option, argument, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def parents():
    """The parent of every process there is."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    # The command name may contain anything, so count fields from its closing parenthesis.
                    found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                pass
    return found


def descendants():
    """Every process below this one."""
    children = {}
    for process, parent in parents().items():
        children.setdefault(parent, []).append(process)
    found, open_ = [], [os.getpid()]
    while open_:
        below = children.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def usage(process):
    """CPU seconds of a process with its reaped children, and its resident bytes."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0, 0
    return sum(int(field) for field in fields[11:15]) / TICK, int(fields[21]) * PAGE


def kill_descendants():
    """Kills until nothing is left: what is killed may have forked in the meantime."""
    for _ in range(200):
        alive = descendants()
        for process in alive:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


class Output:
    """The lines that matter of what the command prints: `s ...` lines, and the bare words of solvers without them."""

    def __init__(self):
        self.lines, self.rest = [], b""

    def feed(self, data):
        *whole, self.rest = (self.rest + data).split(b"\n")
        self.rest = self.rest[:4096]
        for line in whole:
            self.line(line)

    def line(self, line):
        text = line[:4096].decode("utf-8", "replace").strip()
        if len(self.lines) < 100 and (text.startswith("s ") or text in ("SAT", "UNSAT", "SATISFIABLE", "UNSATISFIABLE")):
            self.lines.append(text)

    def end(self):
        self.line(self.rest)
        return self.lines


def run(command, cpu_limit, wall_limit, memory_limit):
    """Runs a shell command. Limits in seconds and bytes, `memory_limit` may be 0 for none."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()

    def limits():
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != keeper:
            os._exit(127)
        # The net below the polling loop. The kernel counts whole ticks here and would be up to a tenth early.
        whole = math.ceil(cpu_limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory_limit:
            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

    own_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    started = time.monotonic()
    # `exec` where it is a single command: no shell between the limits and the solver.
    simple = not any(sign in command for sign in "|&;<>$`()")
    child = subprocess.Popen(
        ["/bin/sh", "-c", "exec " + command if simple else command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=limits, start_new_session=True)
    output, errors, stopped, term_sent, peak = Output(), b"", None, None, 0
    streams = [child.stdout, child.stderr]
    exited = None
    while exited is None:
        ready = select.select(streams, [], [], POLL_SECONDS)[0] if streams else time.sleep(POLL_SECONDS) or []
        for stream in ready:
            data = os.read(stream.fileno(), 1 << 16)
            if not data:
                streams.remove(stream)
            elif stream is child.stdout:
                output.feed(data)
            else:
                errors = (errors + data)[-2000:]
        # Left as a zombie for now, so that its times are still counted below.
        exited = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        wall = time.monotonic() - started
        measured = [usage(process) for process in descendants()]
        cpu, memory = sum(one[0] for one in measured), sum(one[1] for one in measured)
        peak = max(peak, memory)
        if exited is None and stopped is None:
            if cpu > cpu_limit:
                stopped = "timeout"
            elif wall > wall_limit:
                stopped = "wall"
            elif memory_limit and memory > memory_limit:
                stopped = "memout"
            if stopped:
                term_sent = wall
                os.killpg(child.pid, signal.SIGTERM)
        if exited is None and term_sent is not None and wall > term_sent + GRACE_SECONDS:
            break
    kill_descendants_but_reap(child)
    wall = time.monotonic() - started
    for stream in streams:
        os.set_blocking(stream.fileno(), False)
        try:
            while data := os.read(stream.fileno(), 1 << 16):
                if stream is child.stdout:
                    output.feed(data)
                else:
                    errors = (errors + data)[-2000:]
        except BlockingIOError:
            pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    # A child's peak starts at the size of the process that forked it. Below that, what was seen while polling is better.
    if used.ru_maxrss * 1024 > own_memory * 1.05 or peak == 0:
        peak = max(peak, used.ru_maxrss * 1024)
    return {
        "exit": child.returncode, "cpu": round(used.ru_utime + used.ru_stime, 3), "wall": round(wall, 3), "memory": peak,
        "stopped": stopped, "lines": output.end(), "errors": errors.decode("utf-8", "replace"),
    }


def kill_descendants_but_reap(child):
    """Ends the command and whatever it left running; the child's exit status is kept."""
    if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        for process in descendants():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
    child.wait()
    kill_descendants()


def main():
    def stop(*_):
        kill_descendants()
        os._exit(130)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    task = json.loads(sys.argv[1])
    if os.getppid() != task["runner"]:
        return
    print(json.dumps(run(task["command"], task["cpu"], task["wall"], task["memory"])))


if __name__ == "__main__":
    main()

"""The runner against small shell scripts that behave and misbehave like solvers."""

import csv
import gzip
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(os.path.dirname(HERE), "run")


class Runner(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.at = self.temporary.name
        self.instances = os.path.join(self.at, "instances")
        os.mkdir(self.instances)
        self.out = os.path.join(self.at, "out.csv")
        self.add("a.qdimacs", "p cnf 1 1\n1 0\n")

    def add(self, name, text):
        path = os.path.join(self.instances, name)
        with gzip.open(path, "wt") if name.endswith(".gz") else open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def answers(self, **answers):
        with open(os.path.join(self.instances, "ANSWERS.tsv"), "w", encoding="utf-8") as file:
            file.write("file\tfamily\tanswer\n")
            for name, answer in answers.items():
                file.write(f"{name}.qdimacs\tsmall\t{answer}\n")

    def command(self, *arguments, **solvers):
        given = [f"--solver={name}={command}" for name, command in solvers.items()]
        return [sys.executable, RUN, "--no-suite", "--no-peers", "--gamesat=/none", "--dir", self.instances, "--out",
                self.out, "--cache", os.path.join(self.at, "cache"), "--time", "1", *arguments, *given]

    def run_it(self, *arguments, **solvers):
        return subprocess.run(self.command(*arguments, **solvers), capture_output=True, text=True, check=False)

    def rows(self):
        with open(self.out, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_verdicts_come_from_exit_codes_and_lines(self):
        done = self.run_it(
            code="sh -c 'exit 10' {}", line="echo s cnf 1 1 1 #{}", unknown="echo s cnf -1 1 1 #{}", crash="sh -c 'kill -11 $$'",
            torn="sh -c 'echo s cnf 0 1 1; exit 10' {}")
        verdicts = {row["solver"]: row["verdict"] for row in self.rows()}
        self.assertEqual(
            verdicts, {"code": "true", "line": "true", "unknown": "unknown", "crash": "error", "torn": "error"}, done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertIn("contradicts itself", done.stderr)

    def test_wrong_and_contradicting_verdicts_fail(self):
        self.answers(a="false")
        done = self.run_it(liar="sh -c 'exit 10' {}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("WRONG: a.qdimacs: the answer is false, but liar says true", done.stderr)
        self.answers(a="unknown")
        done = self.run_it("--fresh", one="sh -c 'exit 10' {}", other="sh -c 'exit 20' {}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("contradict one another: one says true, other says false", done.stderr)

    def test_cpu_time_of_a_pipeline_is_added_up(self):
        spin = "python3 -c 'while True: pass'"
        done = self.run_it(both=f"{spin} | {spin} #{{}}")
        [row] = self.rows()
        self.assertEqual(row["verdict"], "timeout", done.stderr)
        self.assertLess(float(row["cpu"]), 1.6)

    def test_memory_is_limited(self):
        self.run_it("--memory", "300", big="python3 -c 'x = bytearray(10**9); print(len(x))' {}")
        self.assertEqual([row["verdict"] for row in self.rows()], ["memout"])

    def test_memory_is_measured(self):
        self.run_it(some="python3 -c 'x = b\"x\" * 10**8; exit(10)' {}")
        [row] = self.rows()
        self.assertTrue(100 < float(row["memory_mb"]) < 160, row)

    def test_nothing_is_left_running(self):
        # A daemon in a session of its own, that ignores what can be ignored.
        pids = os.path.join(self.at, "pids")
        daemon = f"sh -c \"trap \\\"\\\" TERM HUP; echo \\$\\$ >>{pids}; while true; do sleep 0.1; done\""
        self.run_it(father=f"setsid {daemon} >/dev/null 2>&1 & sleep 0.3; exit 10 #{{}}")
        self.assertEqual([row["verdict"] for row in self.rows()], ["true"])
        self.assert_all_dead(pids)

    def test_a_stopped_runner_stops_its_solvers(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            pids = os.path.join(self.at, f"pids{number}")
            command = self.command("--fresh", sleeper=f"echo $$ >>{pids}; sleep 60 #{{}}")
            with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as runner:
                deadline = time.monotonic() + 20
                while not os.path.exists(pids) and time.monotonic() < deadline:
                    time.sleep(0.02)
                runner.send_signal(number)
            self.assert_all_dead(pids)

    def assert_all_dead(self, pids):
        with open(pids, encoding="utf-8") as file:
            numbers = [int(line) for line in file]
        self.assertTrue(numbers)
        deadline = time.monotonic() + 10
        while any(os.path.exists(f"/proc/{number}") for number in numbers):
            self.assertLess(time.monotonic(), deadline, f"still running: {numbers}")
            time.sleep(0.02)

    def test_a_stopped_benchmark_goes_on(self):
        self.add("b.qdimacs", "p cnf 1 1\n1 0\n")
        log = os.path.join(self.at, "log")
        solver = {"s": f"echo {{}} >>{log}; exit 10"}
        self.run_it("--match", "a.q", **solver)
        # A kill in the middle of writing a row.
        with open(self.out, "a", encoding="utf-8") as file:
            file.write("b.qdimacs,x,ins")
        done = self.run_it(**solver)
        self.assertIn("1 runs to do, 1 done before", done.stderr)
        self.assertEqual([row["instance"] for row in self.rows()], ["a.qdimacs", "b.qdimacs"])
        with open(log, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)
        self.assertEqual(self.run_it("--time", "2", **solver).returncode, 2)

    def test_packed_files_are_unpacked(self):
        self.add("c.qdimacs.gz", "p cnf 1 1\n1 0\n")
        self.run_it("--match", "c.q", reader="grep -q '^p cnf 1 1' {} && exit 10")
        self.assertEqual([row["verdict"] for row in self.rows()], ["true"])

    def test_wrong_command_lines_are_refused(self):
        self.assertEqual(self.run_it().returncode, 2)
        self.assertEqual(self.run_it(**{"a": ""}).returncode, 2)
        self.assertEqual(self.run_it("--dir", "/none", s="true").returncode, 1)


if __name__ == "__main__":
    unittest.main()

"""The CSV of results: one row a run, appended at once, so that a stopped benchmark can go on where it was."""

import csv
import os
from dataclasses import asdict, dataclass, fields

SOLVED = ("true", "false")


@dataclass(frozen=True)
class Row:
    """One run of one solver on one instance."""

    instance: str
    family: str
    set: str
    kind: str
    size: str  # what growth curves are drawn over, may be empty
    answer: str  # true, false or unknown: what is known beforehand
    solver: str
    verdict: str  # true, false, unknown, timeout, memout, error
    cpu: float  # seconds, user and system, whole process tree
    wall: float  # seconds
    memory_mb: float  # peak resident
    exit: str
    cpu_limit: float  # seconds
    memory_limit_mb: float  # 0: none
    note: str

    @property
    def solved(self):
        return self.verdict in SOLVED

    @property
    def wrong(self):
        return self.solved and self.answer in SOLVED and self.verdict != self.answer


NAMES = [field.name for field in fields(Row)]
NUMBERS = [field.name for field in fields(Row) if field.type is float]


class BadResults(Exception):
    """A file that is not a table of results."""


def read(path):
    """The rows of a file. A last line without its end, left by a kill in mid-write, is not a row."""
    with open(path, newline="", encoding="utf-8") as file:
        text = file.read()
    text = text[: text.rfind("\n") + 1]
    rows = []
    for record in csv.DictReader(text.splitlines()):
        if any(record.get(name) is None for name in NAMES):
            raise BadResults(f"{path}: not a table of results, expected the columns {', '.join(NAMES)}")
        try:
            rows.append(Row(**{name: float(record[name]) if name in NUMBERS else record[name] for name in NAMES}))
        except ValueError as error:
            raise BadResults(f"{path}: {error}") from error
    return rows


class Writer:
    """Appends rows to a file, after mending a torn last line."""

    def __init__(self, path, fresh):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        if not fresh and os.path.exists(path):
            with open(path, "rb+") as file:
                file.truncate(file.read().rfind(b"\n") + 1)
        new = fresh or not os.path.exists(path) or os.path.getsize(path) == 0
        self.file = open(path, "w" if new else "a", newline="", encoding="utf-8")
        self.table = csv.DictWriter(self.file, NAMES, lineterminator="\n")
        if new:
            self.table.writeheader()

    def add(self, row):
        record = asdict(row)
        record["note"] = " ".join(record["note"].split())
        self.table.writerow(record)
        self.file.flush()


def contradictions(rows):
    """Instances on which solvers contradict the known answer or one another: (instance, what is wrong)."""
    by_instance = {}
    for row in rows:
        if row.solved:
            by_instance.setdefault(row.instance, []).append(row)
    found = []
    for instance, solved in sorted(by_instance.items()):
        wrong = [row for row in solved if row.wrong]
        if wrong:
            said = ", ".join(f"{row.solver} says {row.verdict}" for row in wrong)
            found.append((instance, f"the answer is {wrong[0].answer}, but {said}"))
        elif len({row.verdict for row in solved}) > 1:
            said = ", ".join(f"{row.solver} says {row.verdict}" for row in solved)
            found.append((instance, f"solvers contradict one another: {said}"))
    return found

"""Instances: generated ones from suite.toml, most of them made by gamesat itself, and directories of files."""

import bz2
import csv
import gzip
import itertools
import lzma
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from dataclasses import dataclass, replace

from bench import graphs

OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
FORMULAS = re.compile(r"\.(qdimacs|cnf|qcir|gsat|hex|shannon|pg)(\.(gz|xz|bz2))?$")


@dataclass(frozen=True)
class Instance:
    """Something to solve, with what is known about it."""

    name: str
    family: str
    set: str
    kind: str  # qbf or game: which solvers can read it
    path: str
    make: str = ""  # arguments for gamesat that print it, if it is generated so
    text: str = ""  # or the file itself
    graph: str = ""  # or the words of bench/graphs.py
    size: str = ""
    answer: str = "unknown"


class SuiteError(Exception):
    """A suite, a directory or a generator that does not work."""


def answer_word(value):
    return {True: "true", False: "false"}.get(value, str(value).lower())


def from_suite(path, sets, cache):
    """The instances of the named sets of a suite file, or of its default sets if none is named."""
    with open(path, "rb") as file:
        suite = tomllib.load(file)
    known = suite["sets"]
    for name in sets:
        if name not in known:
            raise SuiteError(f"{path}: there is no set '{name}'; the sets are {', '.join(known)}")
    sets = sets or [name for name, about in known.items() if about.get("default", True)]
    instances = []
    for family in suite["family"]:
        if family["set"] not in known:
            raise SuiteError(f"{path}: family '{family['name']}' is in the unknown set '{family['set']}'")
        if family["set"] in sets:
            instances += expand(family, known[family["set"]]["kind"], cache)
    return instances


def choices(family):
    """The values of each instance of a family, and its answer.

    One for every combination of the values in `vary`; lists in `zip` go side by side; every `case` has values of its own
    and, under `true` and `false`, words for one of them by their answers.
    """
    vary, side = family.get("vary", {}), family.get("zip", {})
    if len({len(values) for values in side.values()}) > 1:
        raise SuiteError(f"family '{family['name']}': the lists in zip have different lengths")
    answer = answer_word(family.get("answer", "unknown"))
    for together in zip(*side.values()) if side else [()]:
        for values in itertools.product(*vary.values()):
            chosen = {**dict(zip(side, together)), **dict(zip(vary, values))}
            if "case" not in family:
                yield chosen, answer
            for case in family.get("case", []):
                fixed = {key: value for key, value in case.items() if key not in ("true", "false")}
                for known in ("true", "false"):
                    for key, words in case.get(known, {}).items():
                        for word in words.split():
                            yield {**chosen, **fixed, key: word}, known


def expand(family, kind, cache):
    """The instances of a family."""
    if sum(key in family for key in ("make", "text", "graph")) != 1:
        raise SuiteError(f"family '{family['name']}': one of make, text and graph says what its instances are")
    for chosen, answer in choices(family):
        name = "-".join([family["name"]] + [f"{key}{value}" for key, value in chosen.items()])
        made = {key: family.get(key, "").format(**chosen) for key in ("make", "text", "graph")}
        yield Instance(
            name, family["name"], family["set"], kind, os.path.join(cache, family["set"], name + ".txt"),
            size=str(chosen.get(family.get("size"), "")), answer=answer, **made)


def from_directory(directory):
    """The formulas of a directory, with answers and families from its ANSWERS.tsv if there is one."""
    if not os.path.isdir(directory):
        raise SuiteError(f"{directory}: not a directory")
    known = {}
    table = os.path.join(directory, "ANSWERS.tsv")
    if os.path.exists(table):
        with open(table, newline="", encoding="utf-8") as file:
            known = {record["file"]: record for record in csv.DictReader(file, delimiter="\t")}
    label = os.path.basename(os.path.abspath(directory))
    instances = []
    for name in sorted(os.listdir(directory)):
        if FORMULAS.search(name):
            record = known.get(name, {})
            kind = "qbf" if re.search(r"\.(qdimacs|cnf)", name) else "qcir" if ".qcir" in name else "game"
            instances.append(Instance(
                name, record.get("family") or label, label, kind, os.path.join(directory, name),
                answer=record.get("answer") or "unknown"))
    if not instances:
        raise SuiteError(f"{directory}: no formulas (*.qdimacs, *.cnf, *.qcir, *.gsat, also .gz, .xz, .bz2)")
    return instances


def make(instance, gamesat):
    """Makes sure that a generated instance is there and gives it back with the answer its generator announces.

    What an older gamesat made is made again.
    """
    if instance.text or instance.graph:
        os.makedirs(os.path.dirname(instance.path), exist_ok=True)
        with open(instance.path, "w", encoding="utf-8") as file:
            file.write(instance.text or graphs.text(instance.graph))
    if not instance.make:
        return instance
    if not os.path.exists(instance.path) or os.path.getmtime(instance.path) < os.path.getmtime(gamesat):
        os.makedirs(os.path.dirname(instance.path), exist_ok=True)
        partial = instance.path + ".partial"
        with open(partial, "wb") as file:
            done = subprocess.run([gamesat, *shlex.split(instance.make)], stdout=file, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            os.remove(partial)
            message = done.stderr.decode("utf-8", "replace").strip()
            raise SuiteError(f"gamesat {instance.make}: exit {done.returncode}: {message}")
        os.replace(partial, instance.path)
    announced = announced_answer(instance.path)
    if announced != "unknown" and instance.answer not in ("unknown", announced):
        raise SuiteError(f"{instance.name}: the suite says {instance.answer}, its generator {announced}")
    known = instance.answer if announced == "unknown" else announced
    return replace(instance, answer=known)


def announced_answer(path):
    """What a `c answer true` or `c answer false` line among the first comments says."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in itertools.islice(file, 20):
            words = line.split()
            if words[:2] == ["c", "answer"] and len(words) == 3:
                return words[2]
    return "unknown"


def plain(path, cache):
    """The path of an uncompressed copy: most solvers read nothing else."""
    base, extension = os.path.splitext(path)
    if extension not in OPENERS:
        return path
    # Two directories may hold files of the same name.
    place = os.path.join(cache, "unpacked", os.path.dirname(os.path.abspath(path)).strip("/").replace("/", "+"))
    copy = os.path.join(place, os.path.basename(base))
    if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
        os.makedirs(place, exist_ok=True)
        try:
            with OPENERS[extension](path, "rb") as packed, open(copy + ".partial", "wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise SuiteError(f"{path}: {error}") from error
        os.replace(copy + ".partial", copy)
    return copy

"""Graphs for Shannon's game whose winner is known by construction, the same on every machine.

  linked    Short wins moving second: layers of two vertices, each joined to all of the next, and Short answers in the
            layer where Cut takes one. More edges never hurt Short, so random ones are added.
  parted    Cut wins moving second: every path runs from some vertex a_i to b_i, since nothing else joins their two sides,
            and Cut answers with the other of the two. What lies beyond is random.
  trees     edge game; Short wins moving second: two random spanning trees on the same vertices (Lehman).
"""


class Random:
    """A linear congruential generator (Knuth's MMIX), so that no version of Python changes an instance."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def shuffled(self, values):
        values = list(values)
        for last in range(len(values) - 1, 0, -1):
            other = self.below(last + 1)
            values[last], values[other] = values[other], values[last]
        return values


def linked(random, layers, extra):
    layer = lambda number: [2 * number + 1, 2 * number + 2]  # noqa: E731
    last = 2 * layers + 1
    edges = {(0, v) for v in layer(0)} | {(v, last) for v in layer(layers - 1)}
    edges |= {(u, v) for number in range(layers - 1) for u in layer(number) for v in layer(number + 1)}
    while extra > 0:
        # Within three layers, so that no shortcut makes the game trivial.
        u = 1 + random.below(last - 1)
        v = u + 1 + random.below(5)
        if v < last and (u, v) not in edges:
            edges.add((u, v))
        extra -= 1
    return last + 1, (0, last), edges


def parted(random, pairs, beyond):
    left, right = list(range(1, beyond + 1)), list(range(beyond + 1, 2 * beyond + 1))
    a = [2 * beyond + 1 + i for i in range(pairs)]
    b = [2 * beyond + 1 + pairs + i for i in range(pairs)]
    last = 2 * (beyond + pairs) + 1
    edges = set(zip(a, b))
    for terminal, side, gate in ((0, left, a), (last, right, b)):
        inner = side + gate
        for _ in range(2 * len(inner)):
            u, v = inner[random.below(len(inner))], inner[random.below(len(inner))]
            if u != v and (v, u) not in edges:
                edges.add((u, v))
        edges |= {(terminal, v) for v in side[: max(2, len(side) // 2)]}
    return last + 1, (0, last), edges


def trees(random, vertices):
    edges = []
    for _ in range(2):
        order = random.shuffled(range(vertices))
        edges += [(order[random.below(at)], order[at]) for at in range(1, vertices)]
    return vertices, (0, vertices - 1), edges


KINDS = {"linked": (linked, "vertex", "cut"), "parted": (parted, "vertex", "short"), "trees": (trees, "edge", "cut")}


def text(words):
    """The file that words such as `linked layers=5 extra=8 seed=1` describe."""
    kind, *settings = words.split()
    given = {key: int(value) for key, value in (setting.split("=") for setting in settings)}
    random = Random(given.pop("seed"))
    build, game, turn = KINDS[kind]
    vertices, terminals, edges = build(random, **given)
    # Numbers must not give the construction away.
    names = random.shuffled(range(1, vertices + 1))
    lines = [f"p shannon {game} {vertices} {len(edges)}", f"terminals {names[terminals[0]]} {names[terminals[1]]}", f"turn {turn}"]
    lines += [f"e {names[u]} {names[v]}" for u, v in random.shuffled(sorted(edges))]
    return "\n".join(lines) + "\n"

"""The suite: what its families become, and that the graphs are what they claim to be."""

import os
import tempfile
import unittest

from bench import graphs, suite

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.join(os.path.dirname(HERE), "suite.toml")


class Suite(unittest.TestCase):
    def test_every_instance_has_its_own_name(self):
        instances = suite.from_suite(SUITE, [], "/none")
        self.assertEqual(len({instance.name for instance in instances}), len(instances))
        self.assertEqual({instance.set for instance in instances}, {"families", "random", "games", "boards", "board-qbf"})
        self.assertTrue(all(instance.answer in ("true", "false") for instance in instances if instance.set.startswith("board")))
        # Every opening of the boards up to 6x6, and as many of each answer as the literature has.
        hexes = [instance for instance in instances if instance.family == "hex"]
        for size, wins in ((3, 5), (4, 4), (5, 13), (6, 24)):
            own = [instance.answer for instance in hexes if instance.size == str(size)]
            self.assertEqual((len(own), own.count("true")), (size * size, wins))

    def test_cases_carry_their_answers(self):
        family = {"set": "s", "name": "f", "make": "x {n} {k} {w}", "size": "n", "vary": {"k": [1, 2]},
                  "case": [{"n": 3, "true": {"w": "a b"}, "false": {"w": "c"}}]}
        made = [(i.name, i.make, i.size, i.answer) for i in suite.expand(family, "game", "/none")]
        self.assertEqual(made[0], ("f-k1-n3-wa", "x 3 1 a", "3", "true"))
        self.assertEqual([answer for *_, answer in made], ["true", "true", "false"] * 2)
        with self.assertRaises(suite.SuiteError):
            list(suite.expand({**family, "text": "y"}, "game", "/none"))

    def test_graphs_repeat_and_are_well_formed(self):
        for words in ("linked layers=3 extra=4 seed=1", "parted pairs=2 beyond=3 seed=1", "trees vertices=9 seed=1"):
            text = graphs.text(words)
            self.assertEqual(text, graphs.text(words))
            self.assertNotEqual(text, graphs.text(words.replace("seed=1", "seed=2")))
            header, *lines = text.splitlines()
            _, _, kind, vertices, count = header.split()
            edges = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("e ")]
            self.assertEqual(len(edges), int(count))
            self.assertTrue(all(1 <= u <= int(vertices) and 1 <= v <= int(vertices) and u != v for u, v in edges))
            if kind == "vertex":
                self.assertEqual(len({frozenset(edge) for edge in edges}), len(edges))

    def test_texts_become_files(self):
        with tempfile.TemporaryDirectory() as cache:
            family = {"set": "s", "name": "f", "text": "bridgit {n}\n", "vary": {"n": [4]}, "answer": True}
            [instance] = suite.expand(family, "game", cache)
            suite.make(instance, "/none")
            with open(instance.path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "bridgit 4\n")


if __name__ == "__main__":
    unittest.main()

"""The report on made-up results whose figures can be worked out by hand."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

from bench import results, svg

REPORT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "report")


def row(instance, solver, verdict, cpu, answer="unknown", size=""):
    return results.Row(instance, "fam", "made", "qbf", size, answer, solver, verdict, cpu, cpu, 5.0, "0", 4.0, 2000.0, "a,b\nc")


class Report(unittest.TestCase):
    def make(self, rows):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        path = os.path.join(temporary.name, "results.csv")
        writer = results.Writer(path, True)
        for one in rows:
            writer.add(one)
        writer.file.close()
        done = subprocess.run([sys.executable, REPORT, path], capture_output=True, text=True, check=False)
        with open(os.path.join(temporary.name, "report.md"), encoding="utf-8") as file:
            text = file.read()
        pictures = {}
        for name in os.listdir(temporary.name):
            if name.endswith(".svg"):
                pictures[name] = tree.parse(os.path.join(temporary.name, name))
        return done, text, pictures

    def test_counts_and_par2(self):
        done, text, pictures = self.make([
            row("i1", "a", "true", 1.0, size="1"), row("i1", "b", "timeout", 4.0, size="1"),
            row("i2", "a", "false", 3.0, size="2"), row("i2", "b", "false", 1.0, size="2"),
            row("i3", "a", "timeout", 4.0, size="3"), row("i3", "b", "unknown", 0.1, size="3"),
            row("i4", "a", "true", 1.0, size="4")])
        self.assertEqual(done.returncode, 0, done.stderr)
        # Of three instances a solves two: (1 + 3 + 8) / 3; b one: (8 + 1 + 8) / 3; the best of both (1 + 1 + 8) / 3.
        self.assertIn("| a | 2 | 1 | 1 | 1 | 4.00 | 4.00 | 5 | 1 | 0 | 0 | 0 |", text)
        self.assertIn("| b | 1 | 0 | 1 | 0 | 5.67 | 1.00 | 5 | 1 | 0 | 1 | 0 |", text)
        self.assertIn("| virtual best | 2 | 1 | 1 |  | 3.33 | 2.00 |", text)
        self.assertIn("| fam | 3 | 2 | 1 | 2 |", text)
        self.assertIn("1 instances that not every solver has run are left out", text)
        self.assertEqual(sorted(pictures), ["cactus-made.svg", "growth-made.svg", "scatter-made-b-a.svg"])

    def test_wrong_verdicts_fail_and_do_not_count(self):
        done, text, _ = self.make([row("i1", "a", "true", 1.0, answer="false"), row("i2", "a", "true", 1.0, answer="true")])
        self.assertEqual(done.returncode, 3)
        self.assertIn("**i1**: the answer is false, but a says true", text)
        self.assertIn("| a | 1 | 1 | 0 | 1 | 4.50 | 1.00 | 5 | 0 | 0 | 0 | 1 |", text)

    def test_pages_are_filled_between_their_markers(self):
        with tempfile.TemporaryDirectory() as place:
            table, page = os.path.join(place, "results.csv"), os.path.join(place, "page.md")
            writer = results.Writer(table, True)
            for one in (row("i1", "a", "true", 1.0), row("i2", "a", "true", 2.0)):
                writer.add(one)
            writer.file.close()
            with open(os.path.join(place, "words.txt"), "w", encoding="utf-8") as file:
                file.write("said\n")
            with open(page, "w", encoding="utf-8") as file:
                file.write("before\n<!-- begin: made summary -->\nold\n<!-- end -->\nbetween\n<!-- begin: made -->\n<!-- end -->\n"
                           "<!-- begin: output words -->\n<!-- end -->\n<!-- begin: output none -->\nkept\n<!-- end -->\nafter\n")
            for _ in range(2):  # the second time changes nothing
                done = subprocess.run([sys.executable, REPORT, table, "--update", page], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(page, encoding="utf-8") as file:
                    text = file.read()
                self.assertNotIn("old", text)
                self.assertEqual(text.count("| a | 2 | 2 | 0 | 2 | 1.50 |"), 2)
                self.assertIn("](plots/cactus-made.svg)", text)
                self.assertIn("```\nsaid\n```", text)
                self.assertIn("kept", text)
                self.assertTrue(text.startswith("before\n") and text.endswith("after\n") and "between" in text)
            self.assertTrue(os.path.exists(os.path.join(place, "plots", "cactus-made.svg")))

    def test_sizes_far_apart_get_pictures_of_their_own(self):
        rows = [results.Row(f"{family}{size}", family, "made", "qbf", str(size), "true", "a", "true", 1.0, 1.0, 5.0, "0", 4.0, 2000.0, "")
                for family, sizes in (("small", (2, 3)), ("large", (10, 1000))) for size in sizes]
        _, _, pictures = self.make(rows)
        self.assertEqual(sorted(pictures), ["cactus-made.svg", "growth-made-2.svg", "growth-made.svg"])

    def test_axes_map_their_ends(self):
        axis = svg.Axis("t", 0.001, 8, 0, 400, log=True)
        self.assertEqual([axis(0.001), axis(10)], [0, 400])
        self.assertEqual([words for _, words in axis.ticks()], ["0.001", "0.01", "0.1", "1", "10"])
        self.assertEqual([words for _, words in svg.Axis("n", 0, 10, 0, 1, whole=True).ticks()], ["0", "2", "4", "6", "8", "10"])


if __name__ == "__main__":
    unittest.main()

"""Line and scatter plots as SVG text: axes with ticks and units, a legend, and nothing else.

Colours are Okabe and Ito's, which colour-blind readers can tell apart; series also differ by marker and dash.
"""

import math
from xml.sax.saxutils import escape

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#000000"]
DASHES = ["", "6 3", "2 3", "8 3 2 3", "", "6 3", "2 3", "8 3 2 3"]
WIDTH, HEIGHT = 860, 420
# The legend stands to the right of the axes, where no line can run under it.
LEFT, RIGHT, TOP, BOTTOM = 70, 240, 40, 56


class Axis:
    """Maps values to positions; linear or logarithmic."""

    def __init__(self, label, low, high, start, end, log=False, whole=False):
        self.label, self.log, self.whole, self.start, self.end = label, log, whole, start, end
        if log:
            self.low, self.high = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
            self.high = max(self.high, self.low + 1)
        else:
            self.low, self.high = low, high if high > low else low + 1

    def __call__(self, value):
        place = math.log10(value) if self.log else value
        return self.start + (place - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        """(value, text) of each tick."""
        if self.log:
            step = max(1, (self.high - self.low) // 8)
            return [(10.0**power, number(10.0**power)) for power in range(self.low, self.high + 1, step)]
        raw = (self.high - self.low) / 6
        scale = 10.0 ** math.floor(math.log10(raw))
        step = next(factor * scale for factor in (1, 2, 5, 10) if factor * scale >= raw * 0.999)
        if self.whole:
            step = max(1, round(step))
        first = math.ceil(self.low / step - 1e-9)
        return [(i * step, number(i * step)) for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def number(value):
    if value and (abs(value) < 0.001 or abs(value) >= 1e6):
        return f"10^{round(math.log10(abs(value)))}" if math.log10(abs(value)) % 1 == 0 else f"{value:.0e}"
    return f"{value:g}"


def text(x, y, words, size=13, anchor="start", extra=""):
    # Exponents are set above the line, not spelt with a caret.
    base, caret, power = words.partition("10^")
    words = escape(words) if not caret else f'{escape(base)}10<tspan dy="-5" font-size="{size - 3}">{escape(power)}</tspan>'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>{words}</text>'


def marker(kind, x, y, colour):
    shapes = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>',
        f'<rect x="{x - 2.9:.1f}" y="{y - 2.9:.1f}" width="5.8" height="5.8"/>',
        f'<path d="M{x:.1f} {y - 3.8:.1f} l3.6 6.4 h-7.2 z"/>',
        f'<path d="M{x:.1f} {y - 4:.1f} l4 4 l-4 4 l-4 -4 z"/>',
    ]
    return f'<g fill="{colour}" fill-opacity="0.75">{shapes[kind % len(shapes)]}</g>'


class Plot:
    """Collects the parts of a picture."""

    def __init__(self, title, x, y):
        self.x, self.y, self.parts = x, y, []
        self.parts.append(text(LEFT, 22, title, 15, extra=' font-weight="bold"'))
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for value, words in x.ticks():
            at = x(value)
            self.parts.append(f'<path d="M{at:.1f} {TOP}V{bottom}" stroke="#e4e4e4"/>')
            self.parts.append(text(at, bottom + 18, words, 12, "middle"))
        for value, words in y.ticks():
            at = y(value)
            self.parts.append(f'<path d="M{LEFT} {at:.1f}H{right}" stroke="#e4e4e4"/>')
            self.parts.append(text(LEFT - 8, at + 4, words, 12, "end"))
        self.parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>')
        self.parts.append(text((LEFT + right) / 2, HEIGHT - 14, x.label, 13, "middle"))
        middle = (TOP + bottom) / 2
        self.parts.append(text(18, middle, y.label, 13, "middle", f' transform="rotate(-90 18 {middle:.1f})"'))

    def line(self, series, points, steps=False, marks=True):
        """A line through points; `steps` keeps the height until the next point."""
        colour, dash = COLOURS[series % 8], DASHES[series % 8]
        path = ""
        for index, (x, y) in enumerate(points):
            at = f"{self.x(x):.1f} {self.y(y):.1f}"
            path += f"M{at}" if index == 0 else f"H{self.x(x):.1f}V{self.y(y):.1f}" if steps else f"L{at}"
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>')
        if marks:
            self.points(series, points)

    def points(self, series, points):
        for x, y in points:
            self.parts.append(marker(series, self.x(x), self.y(y), COLOURS[series % 8]))

    def rule(self, start, end, dash="4 4"):
        """A thin grey line between two points."""
        (x1, y1), (x2, y2) = start, end
        self.parts.append(
            f'<path d="M{self.x(x1):.1f} {self.y(y1):.1f}L{self.x(x2):.1f} {self.y(y2):.1f}" stroke="#888" stroke-dasharray="{dash}"/>')

    def legend(self, names, lines=True, marks=True):
        x, y = WIDTH - RIGHT + 16, TOP + 10
        for index, name in enumerate(names):
            at = y + 18 * index
            colour, dash = COLOURS[index % 8], DASHES[index % 8]
            if lines:
                dashes = f' stroke-dasharray="{dash}"' if dash else ""
                self.parts.append(f'<path d="M{x} {at}h24" stroke="{colour}" stroke-width="1.8"{dashes}/>')
            if marks:
                self.parts.append(marker(index, x + 12, at, colour))
            self.parts.append(text(x + 32, at + 4, name, 12))

    def svg(self):
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="DejaVu Sans, Verdana, Arial, sans-serif" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def x_axis(label, low, high, **kind):
    return Axis(label, low, high, LEFT, WIDTH - RIGHT, **kind)


def y_axis(label, low, high, **kind):
    return Axis(label, low, high, HEIGHT - BOTTOM, TOP, **kind)

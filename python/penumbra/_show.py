"""How results show themselves: aligned text, HTML in a notebook, a whole page."""

from __future__ import annotations

import html
import math
import os
import pathlib
import typing

from penumbra import _palette

# Colors of a notebook are inherited, so that light and dark ones both are readable.
_STYLE = """
.penumbra{line-height:1.5}
.penumbra h2{font-size:1.15rem;margin:2rem 0 .5rem}
.penumbra h1,.penumbra li,.penumbra p{overflow-wrap:anywhere}
.penumbra p,.penumbra ul{max-width:46rem;margin:.5rem 0}
.penumbra ul{padding-left:1.2rem}
.penumbra .soft{opacity:.72}
.penumbra .warning{border-left:4px solid #D55E00;padding-left:.7rem}
.penumbra .wide{overflow-x:auto}
.penumbra pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.7rem;\
background:rgba(128,128,128,.12);border-radius:.3rem}
.penumbra table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem;\
margin:0}
.penumbra th,.penumbra td{padding:.3rem .7rem .3rem 0;text-align:left;vertical-align:middle;\
border-bottom:1px solid rgba(128,128,128,.35);white-space:nowrap;background:none;color:inherit}
.penumbra th{font-weight:600}
.penumbra td.free{white-space:normal;min-width:9rem;overflow-wrap:anywhere}
.penumbra code{font-size:.92em;background:none;color:inherit}
.penumbra .bar{position:relative;width:9.5rem;height:.7rem;border:1px solid rgba(128,128,128,.5)}
.penumbra .bar span{position:absolute;top:0;height:100%}
.penumbra .score{left:0;background:BAR}
.penumbra .deviation{height:2px !important;top:calc(50% - 1px) !important;background:currentColor}
.penumbra .chance{border-left:1px dashed currentColor}
.penumbra figure{margin:.5rem 0;background:#fff;border-radius:.3rem;\
overflow:hidden;max-width:46rem}
.penumbra figure.several{max-width:none}
.penumbra .several .panels{display:grid;\
grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}
.penumbra .panels svg{display:block;width:100%;height:auto}
.penumbra .legend{color:TEXT;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;\
padding:.4rem 1rem .8rem;font-size:.92rem}
.penumbra .legend.many{display:block;column-gap:1.2rem}
.penumbra .legend span{display:block;padding-left:1.6em;text-indent:-1.6em;break-inside:avoid;\
overflow-wrap:anywhere}
.penumbra .mark{width:1.2em;height:1.2em;margin-right:.4em;vertical-align:-.2em;display:inline}
.penumbra .classes{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0;font-size:.92rem}
.penumbra .classes span{min-width:0;overflow-wrap:anywhere}
@media (max-width:30rem){.penumbra .bar{width:6rem}}
""".replace("BAR", _palette.COLORS[0]).replace("TEXT", _palette.TEXT)

_PAGE_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff}
body{margin:0 auto;max-width:62rem;padding:1rem;color:var(--ink);background:var(--paper);\
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.5rem 0}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#14171b}}
"""


class Shown:
    """A result that shows itself in a notebook, and as a page of its own."""

    def _title(self) -> str:
        """The heading of the page."""
        raise NotImplementedError

    def _html(self, whole: bool) -> str:
        """What is shown; `whole`: on a page of its own, with everything that there is to say."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return f'<div class="penumbra"><style>{_STYLE}</style>\n{self._html(False)}</div>'

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write a page that stands alone: tables and pictures inside, light or dark as the reader
        prefers.

        Parameters
        ----------
        path : path-like
            The file, ``.html``.

        Raises
        ------
        OSError
            It cannot be written.
        """
        title = escaped(self._title())
        page = (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
            f"<title>{title}</title>\n<style>{_PAGE_STYLE}{_STYLE}</style>\n</head>\n"
            f'<body class="penumbra">\n<h1>{title}</h1>\n{self._html(True)}</body>\n</html>\n'
        )
        pathlib.Path(path).write_text(page, encoding="utf-8")


def escaped(value: typing.Any) -> str:
    """Text as HTML."""
    return html.escape(str(value))


def fixed(value: float, digits: int, none: str = "") -> str:
    """A number with `digits` decimals; `none` for NaN."""
    return none if math.isnan(value) else f"{value:.{digits}f}"


def with_deviation(mean: float, deviation: float, digits: int, sign: str = "+-") -> str:
    """``0.9120 +- 0.0200``; NaN as a deviation: there is none."""
    if math.isnan(deviation):
        return fixed(mean, digits, "-")
    return f"{fixed(mean, digits)} {sign} {fixed(deviation, digits)}"


def aligned(rows: typing.Sequence[typing.Sequence[str]], right: typing.Container[int] = ()) -> str:
    """Lines of cells in columns; columns in `right` are aligned there, the last is as it comes."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if j in right else cell.ljust(width)
            for j, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def table(headings: typing.Sequence[str], rows: typing.Iterable[typing.Sequence[str]]) -> str:
    """A table of HTML; cells are HTML, and the last column may be wide."""
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{cell}</td>" for cell in row[:-1])
        + f'<td class="free">{row[-1]}</td></tr>\n'
        for row in rows
    )
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>\n"
    )


def paragraphs(texts: typing.Iterable[str], kind: str = "") -> str:
    """Texts, which are not HTML, as paragraphs of a class."""
    opening = f'<p class="{kind}">' if kind else "<p>"
    return "".join(f"{opening}{escaped(line)}</p>\n" for line in texts)


def bar(share: float, deviation: float, chance: float) -> str:
    """A bar from 0 to 1, with a deviation to either side and a dashed line at chance."""

    def percent(value: float) -> float:
        return 100 * min(max(value, 0.0), 1.0)

    spread = 0.0 if math.isnan(deviation) else deviation
    low, high = percent(share - spread), percent(share + spread)
    line = (
        ""
        if math.isnan(chance)
        else f'<span class="chance" style="left:{percent(chance):.1f}%"></span>'
    )
    return (
        f'<div class="bar" role="img" aria-label="{share:.4f}">'
        f'<span class="score" style="width:{percent(share):.1f}%"></span>'
        f'<span class="deviation" style="left:{low:.1f}%;width:{high - low:.1f}%"></span>'
        f"{line}</div>"
    )

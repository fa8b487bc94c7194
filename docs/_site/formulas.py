"""Formulas as MathML, which browsers draw: no script and no font to load."""

from docutils import nodes
from latex2mathml.converter import convert


def inline(self, node):
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(self, node):
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

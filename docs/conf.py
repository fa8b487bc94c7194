"""The site. tools/make-docs stages the pages and runs Sphinx."""

import importlib.metadata
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "_site"))

project = "penumbra"
author = "the penumbra developers"
copyright = f"2026, {author}"
release = version = importlib.metadata.version("penumbra-learn")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "formulas",
    "search_words",
]
exclude_patterns = ["_site", "tasks", "sg_execution_times.rst", "gallery/sg_execution_times.rst"]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
# the gallery has functions in its settings, and the folder may have blanks
suppress_warnings = ["config.cache", "sphinx_gallery.space_in_filename"]

autosummary_generate = True
autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # the docstrings give types and shapes
napoleon_google_docstring = False
napoleon_use_rtype = False

sphinx_gallery_conf = {
    "examples_dirs": "tasks",
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "parallel": True,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "min_reported_time": 1e9,
}

html_theme = "furo"
html_title = "penumbra"
html_static_path = ["_site/static"]
html_css_files = ["penumbra.css"]
html_favicon = "_site/static/favicon.svg"
html_show_sphinx = False
html_copy_source = False
html_last_updated_fmt = None
html_math_renderer = "mathml"
html_search_language = "questions"
html_js_files = ["search.js"]


def escape_attributes(app, what, name, obj, options, lines):
    """In docstrings `n_components_` is an attribute, not a link of reStructuredText."""
    lines[:] = [re.sub(r"(?<![\w`])(\w+)_(?![\w`])", r"\1\\_", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", escape_attributes, priority=900)

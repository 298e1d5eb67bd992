# SPDX-License-Identifier: Apache-2.0
"""How Sphinx builds the documentation: `make docs`. Why by Sphinx: decisions/0095."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from sphinx.addnodes import desc_annotation, desc_name, desc_signature
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python")]

from reference.text import to_rst  # noqa: E402
from write_reference import PAGES, write  # noqa: E402

project = "makespan"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]

extensions = ["myst_parser", "sphinx_external_toc", "sphinx.ext.autodoc"]
external_toc_path = "_toc.yml"
myst_heading_anchors = 4  # `page.md#a-heading`, for headings of these depths
highlight_language = "text"  # of blocks that name no language
suppress_warnings = ["misc.highlighting_failure"]  # examples in comments have "…" in them
toc_object_entries = False  # the menu would have thousands of them
maximum_signature_line_length = 90  # longer ones have a line for each parameter
nitpicky = True  # a role that names nothing is an error; what signatures name need not be ours
nitpick_ignore_regex = [("(cpp|c):.*", ".*"), ("py:(class|data)", ".*")]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = False  # keywords of functions are made of settings, not written
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"makespan {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False


def read_fortran_name(_: BuildEnvironment, signature: str, node: desc_signature) -> str:
    """What a link to an entry of Fortran names: what stands before the parentheses."""
    name = signature.removeprefix("type(").rstrip(")").split("(")[0].split(" ")[0]
    before, _, after = signature.partition(name)
    node += [desc_annotation(before, before), desc_name(name, name), desc_annotation(after, after)]
    return name


def plain_docstring(*given: Any) -> None:
    """Docstrings are plain text, as comments are."""
    lines: list[str] = given[-1]
    lines[:] = to_rst(lines, "python")


def setup(app: Sphinx) -> None:
    """Called by Sphinx. The pages of the reference are written before it looks for pages."""
    write(ROOT, ROOT / PAGES)
    app.add_object_type(
        "fortran", "fortran", indextemplate="pair: %s; Fortran", parse_node=read_fortran_name
    )
    app.connect("autodoc-process-docstring", plain_docstring)

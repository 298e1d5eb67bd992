# SPDX-License-Identifier: Apache-2.0
"""Pictures of parts of pages: what is shown, what is cut off. No browser is needed."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from tools.page_picture import MARGIN, cropped, with_headings


def test_the_headings_are_in_the_page_and_nothing_of_it_is_lost() -> None:
    page = with_headings("<body><h2>Time</h2><div>drawn</div></body></html>", ["Time", 'a "b"'])

    assert page.startswith("<body><h2>Time</h2><div>drawn</div><style>")
    assert page.endswith("</script></body></html>")
    assert '["Time", "a \\"b\\""].some(' in page


def test_what_is_no_page_is_refused() -> None:
    with pytest.raises(ValueError, match="no page of --report"):
        with_headings("id,price", ["Time"])


def test_white_is_cut_off_but_for_a_margin() -> None:
    picture = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(picture).rectangle((50, 100, 89, 119), fill="blue")

    assert cropped(picture).size == (40 + 2 * MARGIN, 20 + 2 * MARGIN)


def test_an_empty_picture_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing is drawn"):
        cropped(Image.new("RGB", (30, 20), "white"))

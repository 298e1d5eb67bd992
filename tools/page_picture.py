# SPDX-License-Identifier: Apache-2.0
r"""Makes a picture of parts of a page that `--report` wrote: what Chromium shows of them.

python tools/page_picture.py PAGE.html OUT.png "heading" ["heading" ...]

A heading may be cut short: all parts whose headings begin so are shown, in the page's order,
without their tables and notes. docs/tutorial/first-simulation.md's picture:

    makespan simulate machine.toml --tasks 10000:lognormal:0.5:1.6e6 --policy guided,equal_time \
      --dispatcher counter --report schedules.html
    python tools/page_picture.py schedules.html schedules.png "Schedule by"
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops

WIDTH = 960
HEIGHT_MAX = 4000
SCALE = 1.5
COLOURS = 64
MARGIN = 12  # of the picture

_SHOW = """<style>
body { margin: 0 10px; max-width: none; background: #fff } h2 { font-size: 1.05em; margin: 1em 0 0 }
.modebar { display: none !important }
</style><script>
let shown = false;
for (const part of document.body.children) {
  const is_heading = part.tagName === "H2";
  if (is_heading) shown = HEADINGS.some(begin => part.textContent.startsWith(begin));
  if (!shown || !(is_heading || part.tagName === "DIV")) part.style.display = "none";
}
</script>"""


def with_headings(page: str, headings: Sequence[str]) -> str:
    """The page, with nothing on it but what is under these headings."""
    if "</body>" not in page:
        raise ValueError("no page of --report: it has no body")
    begin, _, end = page.rpartition("</body>")
    return f"{begin}{_SHOW.replace('HEADINGS', json.dumps(list(headings)))}</body>{end}"


def cropped(picture: Image.Image) -> Image.Image:
    """Without the white around what is drawn, but for a margin."""
    flat = picture.convert("RGB")
    box = ImageChops.difference(flat, Image.new("RGB", flat.size, "white")).getbbox()
    if box is None:
        raise ValueError("nothing is drawn under these headings: is one of them wrong?")
    left, top, right, bottom = box
    return flat.crop(
        (
            max(0, left - MARGIN),
            max(0, top - MARGIN),
            min(flat.width, right + MARGIN),
            min(flat.height, bottom + MARGIN),
        )
    )


def photographed(page: Path, folder: Path) -> Image.Image:
    """What Chromium draws of it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise FileNotFoundError("no chromium here: apt-get install chromium")
    shot = folder / "shot.png"
    subprocess.run(
        [
            browser,
            *["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
            *[f"--user-data-dir={folder}", "--virtual-time-budget=10000"],
            *[f"--window-size={WIDTH},{HEIGHT_MAX}", f"--force-device-scale-factor={SCALE}"],
            *[f"--screenshot={shot}", page.as_uri()],
        ],
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=90,
    )
    return Image.open(shot)


def picture_of(page: Path, out: Path, headings: Sequence[str]) -> None:
    """Reads the page, writes the picture."""
    with tempfile.TemporaryDirectory(prefix="page_picture.") as path:
        folder = Path(path)
        shown = folder / "page.html"
        shown.write_text(
            with_headings(page.read_text(encoding="utf-8"), headings), encoding="utf-8"
        )
        picture = cropped(photographed(shown, folder))
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, optimize=True)
    print(f"written: {out}, {picture.width} x {picture.height}")


def main() -> int:
    """The exit code."""
    page, out, *headings = sys.argv[1:]
    picture_of(Path(page), Path(out), headings)
    return 0


if __name__ == "__main__":
    sys.exit(main())

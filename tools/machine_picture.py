# SPDX-License-Identifier: Apache-2.0
r"""Makes docs/pictures/machine.png: how far apart the memories of a machine of four packages are.

python tools/machine_picture.py docs/pictures/machine.png

The numbers are what L. L. Pilla's slides print for four Opterons 6174 ("Latency matrix for NUMA
nodes (ns)", Load balancing for parallel multi-core machines with non-uniform communication costs,
2012), put where `makespan machine --measure` would have put its own; the picture is a part of the
page that `makespan machine FILE --report` writes. `makespan` must be on the path.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from page_picture import picture_of

MACHINE = "package:4 group:2 [numa] core:6 pu:1"
NAME = "makespan:memory_latency"
LATENCIES_PS = (
    (57670, 121800, 126900, 167400, 126700, 166300, 125800, 165200),
    (122400, 57220, 126700, 166800, 167600, 126600, 166200, 124300),
    (127000, 125900, 57860, 121800, 125200, 124300, 127100, 166000),
    (167600, 165500, 121600, 57050, 126000, 124900, 167500, 125600),
    (126400, 165500, 124900, 125300, 57460, 121300, 126300, 126100),
    (167600, 126200, 124700, 125100, 122200, 57180, 167200, 166000),
    (125600, 165400, 127000, 165600, 126400, 165900, 58400, 121700),
    (165400, 124300, 168500, 126200, 127200, 168000, 122600, 57170),
)
"""By row the node of the core that reads, by column that of the memory, as in the slides."""


def with_latencies(xml: str) -> str:
    """A machine of hwloc, from the cores of each NUMA node to each of the memories."""
    cores, memories = (
        re.findall(rf'type="{kind}"[^>]* gp_index="(\d+)"', xml) for kind in ("Group", "NUMANode")
    )
    nodes = len(LATENCIES_PS)
    places = [f"Group:{one}" for one in cores] + [f"NUMANode:{one}" for one in memories]
    rows = [[0] * nodes + list(row) for row in LATENCIES_PS] + [[0] * 2 * nodes] * nodes
    lists = {
        "indexes": " ".join(places) + " ",
        "u64values": " ".join(str(value) for row in rows for value in row) + " ",
    }
    matrix = "".join(
        f'    <{name} length="{len(text)}">{text}</{name}>\n' for name, text in lists.items()
    )
    head = f'<distances2hetero nbobjs="{len(places)}" kind="22" name="{NAME}">'
    return xml.replace("  <support", f"  {head}\n{matrix}  </distances2hetero>\n  <support", 1)


def main(out: Path) -> int:
    """The exit code."""
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder) / "opterons.xml", Path(folder) / "opterons.html"
        makespan = ["makespan", "machine", "-q"]
        subprocess.run([*makespan, "--synthetic", MACHINE, "-o", file], check=True)
        file.write_text(with_latencies(file.read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run([*makespan, file, "--report", page], check=True)
        picture_of(page, out, ["memory latency"])
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

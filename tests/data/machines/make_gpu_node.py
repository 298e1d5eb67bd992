# SPDX-License-Identifier: Apache-2.0
"""Writes gpu_node.xml: a node of two processors with four GPUs, as hwloc would export it.

hwloc (lstopo) makes the processors from a synthetic description, which knows no devices. Those are
put in here as hwloc writes them for a machine that has them: a host bridge beside the NUMA node's
cores, a PCI device behind a PCI bridge, and the names that the drivers give it. Run:
`python3 make_gpu_node.py > gpu_node.xml`.
"""

from __future__ import annotations

import re
import subprocess
import sys

PROCESSORS = (
    "package:2 group:2 [numa(memory=128GiB)] l3:2(size=32MiB) l2:2(size=512KiB) "
    "l1d:1(size=32KiB) core:1 pu:2"
)
NETWORK_GROUP = 1
"""The card hangs beside the GPU of this group."""

GPU = """<object type="Bridge" gp_index="{id0}" bridge_type="0-1" depth="0" bridge_pci="0000:[{bus}-{end}]">
  <object type="Bridge" gp_index="{id1}" bridge_type="1-1" depth="1" bridge_pci="0000:[{next}-{next}]" pci_busid="0000:{bus}:01.1" pci_type="0604 [1022:1483] [0000:0000] 00" pci_link_speed="31.507692">
    <object type="PCIDev" gp_index="{id2}" pci_busid="0000:{next}:00.0" pci_type="0302 [10de:20b0] [10de:134f] a1" pci_link_speed="31.507692">
      <object type="OSDev" gp_index="{id3}" name="cuda{group}" subtype="CUDA" osdev_type="5">
        <info name="CoProcType" value="CUDA"/>
        <info name="Backend" value="CUDA"/>
        <info name="GPUVendor" value="NVIDIA Corporation"/>
        <info name="GPUModel" value="NVIDIA A100-SXM4-40GB"/>
        <info name="CUDAGlobalMemorySize" value="41485824"/>
      </object>
      <object type="OSDev" gp_index="{id4}" name="nvml{group}" subtype="NVML" osdev_type="1">
        <info name="Backend" value="NVML"/>
        <info name="GPUVendor" value="NVIDIA Corporation"/>
        <info name="GPUModel" value="NVIDIA A100-SXM4-40GB"/>
      </object>
    </object>
  </object>
{card}</object>
"""  # noqa: E501 - as hwloc writes it
CARD = """  <object type="PCIDev" gp_index="{id5}" pci_busid="0000:{bus}:03.0" pci_type="0207 [15b3:101b] [15b3:0007] 00" pci_link_speed="31.507692">
    <object type="OSDev" gp_index="{id6}" name="ib0" osdev_type="2">
      <info name="Address" value="00:00:10:29:fe:80:00:00:00:00:00:00:0c:42:a1:03:00:79:99:a0"/>
    </object>
    <object type="OSDev" gp_index="{id7}" name="mlx5_0" osdev_type="3">
      <info name="NodeGUID" value="0c42:a103:0079:99a0"/>
    </object>
  </object>
"""  # noqa: E501 - as hwloc writes it


def devices(group: int) -> str:
    """What hangs on one group of cores."""
    numbers = {f"id{n}": str(1000 + 10 * group + n) for n in range(8)}
    bus = 0x20 * group + 2
    places = {"bus": f"{bus:02x}", "next": f"{bus + 1:02x}", "end": f"{bus + 2:02x}"}
    card = CARD.format(**numbers, **places) if group == NETWORK_GROUP else ""
    return GPU.format(**numbers, **places, group=group, card=card)


def main() -> None:
    """Puts the devices at the end of each group."""
    command = ["lstopo-no-graphics", "--input", PROCESSORS, "--of", "xml", "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    parts = re.split(r"(?<=\n)(?=      </object>\n)", text)  # the ends of groups
    for group, part in enumerate(parts):
        sys.stdout.write(part)
        if group < len(parts) - 1:
            sys.stdout.writelines(f"        {x}\n" for x in devices(group).splitlines())


if __name__ == "__main__":
    main()

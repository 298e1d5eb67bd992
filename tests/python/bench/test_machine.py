# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import asdict

from bench.machine import fingerprint, first_line_of, read_cpuinfo

CPUINFO = """\
processor\t: 0
cpu family\t: 6
model\t\t: 207
model name\t: Intel(R) Xeon(R) Processor
flags\t\t: fpu fma avx2 avx512f hypervisor

processor\t: 1
model name\t: another
"""


def test_processor_is_named_with_model_and_telling_instruction_sets():
    cpu, instruction_sets = read_cpuinfo(CPUINFO)

    assert cpu == "Intel(R) Xeon(R) Processor (family 6, model 207)"
    assert instruction_sets == ["fma", "avx2", "avx512f"]


def test_fingerprint_can_be_written_as_json():
    machine = fingerprint()

    assert machine.cores >= 1
    assert json.loads(json.dumps(asdict(machine))) == asdict(machine)


def test_command_that_is_not_there_leaves_a_blank():
    assert first_line_of(["/nowhere/compiler", "--version"]) == ""

# SPDX-License-Identifier: Apache-2.0
import json

from tools.bench_compare import compare, main, read_result


def write(path, ratio, quartiles=None):
    row = {"name": "kernel", "value": 2.0, "unit": "x", "compared_to": "mkl", "ratio": ratio}
    path.write_text(json.dumps([{**row, "target": "ratio >= 3", "reached": ratio >= 3}]))
    if quartiles:
        width = {"lower_quartile": quartiles[0], "upper_quartile": quartiles[1]}
        run = {"spreads": {"kernel": {"ratio": width}}}
        path.with_suffix(".run.json").write_text(json.dumps(run))
    return path


def only(before, after):
    (difference,) = compare(read_result(before), read_result(after))
    return difference


def test_difference_within_the_quartiles_is_no_change(tmp_path):
    before = write(tmp_path / "a.json", 3.2, (3.1, 3.3))
    after = write(tmp_path / "b.json", 3.4, (3.25, 3.5))

    difference = only(before, after)

    assert difference.verdict == "same within spread"
    assert difference.quotient == 3.4 / 3.2


def test_difference_beyond_the_quartiles_is_a_change(tmp_path):
    before = write(tmp_path / "a.json", 3.2, (3.1, 3.3))
    after = write(tmp_path / "b.json", 4.0, (3.9, 4.1))

    assert only(before, after).verdict == "changed"


def test_difference_without_spreads_is_not_judged(tmp_path):
    before = write(tmp_path / "a.json", 3.2)
    after = write(tmp_path / "b.json", 9.0)

    assert only(before, after).verdict == "spread unknown"


def test_lost_target_ends_with_code_1(tmp_path, capsys):
    before = write(tmp_path / "a.json", 3.2, (3.1, 3.3))
    after = write(tmp_path / "b.json", 2.9, (2.8, 3.2))

    assert main([str(before), str(after)]) == 1
    assert main([str(after), str(before)]) == 0
    assert "lost" in capsys.readouterr().out


def test_row_without_figure_is_not_compared(tmp_path):
    before = write(tmp_path / "a.json", 3.2)
    after = write(tmp_path / "b.json", 3.2)
    rows = json.loads(after.read_text())
    rows[0].update(value=None, ratio=None, reached=None)
    after.write_text(json.dumps(rows))

    assert only(before, after).verdict == "not in both"

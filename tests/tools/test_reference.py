# SPDX-License-Identifier: Apache-2.0
"""The pages of the reference have what the sources offer, with its comments."""

from __future__ import annotations

from pathlib import Path

import pytest
from reference.check import (
    c_names,
    cpp_names,
    missing,
    missing_c,
    missing_cpp,
    missing_fortran,
    untold_c,
    untold_fortran,
)
from reference.cpp_pieces import pieces_of
from reference.declarations import sections_of
from reference.entry import Entry
from reference.fortran import TITLES, fortran_entries, fortran_lines
from reference.headers import cpp_pages, public_headers, rooms
from reference.python import public_names, python_lines
from reference.text import inline, to_rst
from write_reference import main, pages

from tests.tools.repository import PROJECT

HEADER = """// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the file is for:
//
//   int const two = twice(1);

namespace makespan::bag {

class Elsewhere;

// Twice the number.
// In two lines.
constexpr int twice(int number) { return number * 2; }
constexpr double twice(double number) { return number * 2; }

template <class T>
concept Item = requires(T item) { item.run(); };

struct Options {
  int threads{1};  // that run,
                   // all of them
  std::string name = "a, (b)";
};

enum class Kind { first, second };  // of two

class Team final : public Base {
 public:
  Team(int threads, Options const& options = {}) : threads_{threads}, options_(options) {}
  Team(Team const&) = delete;
  ~Team();

  // Blocks.
  [[nodiscard]] std::vector<int> run(std::span<int const> items) const;
  [[nodiscard]] friend bool operator<(Team const& a, Team const& b) { return a.id < b.id; }

  void (*call)(void* context);

 private:
  int threads_;
};

namespace detail {
int hidden();
}

}  // namespace makespan::bag
"""

FACADE = """! SPDX-License-Identifier: Apache-2.0
module makespan
  use makespan_job, only: begin => start, &
      team
end module makespan
"""
JOB = """! SPDX-License-Identifier: Apache-2.0
! Jobs.
module makespan_job
  ! Images together.
  type :: team
    private
    integer :: number
  contains
    procedure :: size => size_of
  end type
contains
  ! First of all.
  subroutine start(threads, stat)
    integer, intent(in), optional :: threads
    integer, intent(out), optional :: stat

    stat = 0
  end subroutine

  ! How many there are.
  integer function size_of(this)
    class(team), intent(in) :: this
  end function
end module
"""


def entries_of(text: str, domain: str = "cpp") -> dict[str, Entry]:
    _, sections = sections_of(text, domain)
    return {entry.names[0]: entry for section in sections for entry in section.entries}


def test_all_public_names_of_the_repository_have_an_entry() -> None:
    assert missing(PROJECT) == []


def test_a_repository_without_the_c_interface_is_told(tmp_path: Path) -> None:
    assert missing(tmp_path) == ["src/makespan/capi: no header of the C interface"]


def test_the_pages_have_each_name_of_the_python_package() -> None:
    lines = python_lines(PROJECT)

    names = [one.name for one in public_names(PROJECT)]
    assert "price" in names
    assert [
        name for name in names if not any(line.endswith(f":: makespan.{name}") for line in lines)
    ] == []


def test_each_public_header_has_a_section() -> None:
    texts = pages(PROJECT)

    headers = public_headers(PROJECT)
    assert len(headers) > 50
    assert {f"cpp/{name}.rst" for name in rooms(PROJECT)} < set(texts)
    everything = "\n".join(texts.values())
    assert [header for header in headers if f"``{header}``" not in everything] == []


def install(root: Path, headers: dict[str, str]) -> None:
    """Writes headers, and a list that has them all installed."""
    for name, text in headers.items():
        path = root / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "cmake").mkdir()
    (root / "cmake/installed_headers.txt").write_text("# All.\n" + "\n".join(headers) + "\n")


def test_headers_in_detail_and_those_that_are_not_installed_are_left_out(tmp_path: Path) -> None:
    names = ("makespan/bag/run.hpp", "makespan/bag/detail/board.hpp", "makespan/bag.hpp")
    install(tmp_path, dict.fromkeys(names, ""))
    (tmp_path / "src/makespan/bag/inner.hpp").touch()

    found = [str(header) for header in public_headers(tmp_path)]
    assert found == ["makespan/bag/run.hpp", "makespan/bag.hpp"]
    assert list(rooms(tmp_path)) == ["all", "bag"]


def test_a_function_that_two_headers_declare_has_one_entry(tmp_path: Path) -> None:
    text = "namespace makespan {\nint twice(int);\nstruct Twice {};\n}\n"
    install(tmp_path, dict.fromkeys(("makespan/bag/one.hpp", "makespan/grid/two.hpp"), text))

    text = "\n".join(line for _, page in cpp_pages(tmp_path) for line in page.lines)
    assert text.count(".. cpp:function:: int twice(int)") == 1
    assert text.count(".. cpp:struct:: Twice") == 2, (
        "this is an error of the program, and of `make docs`"
    )


def test_a_header_is_cut_into_entries() -> None:
    head, (section,) = sections_of(HEADER, "cpp")

    assert head == ["What the file is for:", "", "  int const two = twice(1);"]
    assert section.scope == "makespan::bag"
    names = [entry.names for entry in section.entries]
    assert names == [["twice", "twice"], ["Item"], ["Options"], ["Kind"], ["Team"]]


def test_declarations_under_one_comment_are_one_entry() -> None:
    twice = entries_of(HEADER)["twice"]

    assert twice.signatures == [
        "constexpr int twice(int number)",
        "constexpr double twice(double number)",
    ]
    assert twice.text == ["Twice the number.", "In two lines."]


def test_members_have_the_comments_beside_them() -> None:
    threads, name = entries_of(HEADER)["Options"].members

    assert threads.signatures == ["int threads"]
    assert threads.text == ["that run,", "all of them"]
    assert name.signatures == ['std::string name = "a, (b)"']


def test_of_a_class_only_the_public_part_is_shown() -> None:
    team = entries_of(HEADER)["Team"]

    assert team.signatures == ["Team final : public Base"]
    assert [member.signatures for member in team.members] == [
        ["Team(int threads, Options const& options = {})"],
        [
            "std::vector<int> run(std::span<int const> items) const",
            "bool operator<(Team const& a, Team const& b)",
        ],
        ["void (*call)(void* context)"],
    ]


def test_enumerators_are_members() -> None:
    kind = entries_of(HEADER)["Kind"]

    assert kind.directive == "cpp:enum-class"
    assert [member.names for member in kind.members] == [["first"], ["second"]]
    assert kind.text == ["of two"]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('constexpr std::string_view text = R"(a; { b)";', "text"),
        ("alignas(64) std::atomic<int> count{0};", "count"),
        ("inline constexpr int million = 1'000'000;", "million"),
        ("template <class T> requires(sizeof(T) <= 8) T load(T const* at) { return *at; }", "load"),
        ("constexpr bool operator==(Work, Work) { return true; }", "operator=="),
        ("A& operator+=(A& a, A b) { a.x = b.x < a.x ? b.x : a.x; return a; }", "operator+="),
        ("std::function<void(int)> const call = [](int) { return; };", "call"),
        ("extern int table[3];", "table"),
        ("double limit{std::numeric_limits<double>::infinity()};", "limit"),
    ],
)
def test_declarations_of_other_shapes_have_their_names(code: str, name: str) -> None:
    found = entries_of(f"namespace makespan {{\n{code}\n}}\n")

    assert list(found) == [name]


@pytest.mark.parametrize("code", ["int x", "class Open {", "void f(int"])
def test_what_has_no_end_is_refused(code: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        pieces_of(code)


def test_a_name_of_c_without_an_entry_is_told() -> None:
    text = "enum makespan_kind { MAKESPAN_ONE = 1 };\nint makespan_run(int kind);\n"

    assert c_names(text) == {"makespan_kind", "MAKESPAN_ONE", "makespan_run"}
    assert missing_c(text) == []
    assert missing_c(f"{text}static_assert(makespan_hidden());\n") == ["makespan_hidden"]


def test_a_pointer_to_a_function_has_its_name() -> None:
    text = "/* Is called. */\ntypedef int (*makespan_function)(void const* data, int64_t bytes);\n"

    assert c_names(text) == {"makespan_function"}
    assert missing_c(text) == untold_c(text) == []


def test_a_name_of_c_without_a_comment_is_told() -> None:
    text = "/* How. */\nenum makespan_kind { MAKESPAN_ONE = 1 };\n\nint makespan_run(int kind);\n"

    assert untold_c(text) == ["makespan_run"]
    assert untold_c(text.replace("int makespan_run", "/* Runs. */\nint makespan_run")) == []


def test_a_name_of_cpp_without_an_entry_is_told() -> None:
    # A shape that is not read: it has no entry, and is told of.
    odd = "namespace makespan {\ntemplate <class T>\n  requires true\nstruct Odd {\n};\n}\n"

    assert cpp_names(HEADER) == {"twice", "Item", "Options", "Kind", "Team"}
    assert missing_cpp(HEADER) == []
    assert missing_cpp(odd) == ["Odd"]


def test_fortran_has_the_names_of_the_facade(tmp_path: Path) -> None:
    (tmp_path / "fortran").mkdir()
    (tmp_path / "fortran/makespan.f90").write_text(FACADE, encoding="utf-8")
    (tmp_path / "fortran/makespan_job.f90").write_text(JOB, encoding="utf-8")

    assert missing_fortran(tmp_path) == []
    page = "\n".join(fortran_lines(tmp_path))
    assert ".. fortran:: begin([threads], [stat])\n\n   First of all." in page
    assert "integer, intent(in), optional :: threads" in page
    assert "   .. fortran:: team%size()\n\n      How many there are." in page
    assert "number" not in page


@pytest.mark.parametrize(
    ("comment", "names"),
    [
        ("  ! First of all.\n", ["begin"]),
        ("  ! How many there are.\n", ["team%size"]),
        ("  ! Images together.\n", ["team"]),
        ("! Jobs.\n", []),
    ],
)
def test_a_name_of_fortran_without_a_comment_is_told(
    tmp_path: Path, comment: str, names: list[str]
) -> None:
    (tmp_path / "fortran").mkdir()
    (tmp_path / "fortran/makespan.f90").write_text(FACADE, encoding="utf-8")
    job = JOB.replace(comment, "")
    (tmp_path / "fortran/makespan_job.f90").write_text(job, encoding="utf-8")

    assert untold_fortran(tmp_path) == names


def test_a_constant_of_fortran_has_the_comment_beside_it(tmp_path: Path) -> None:
    (tmp_path / "fortran").mkdir()
    facade = "module makespan\n  use makespan_c_types, only: one, two\nend module\n"
    numbers = (
        "! SPDX\nmodule makespan_c_types\n  integer, parameter :: one = 1  ! the first\n"
        "  integer, parameter :: two = 2\nend module\n"
    )
    (tmp_path / "fortran/makespan.f90").write_text(facade, encoding="utf-8")
    (tmp_path / "fortran/makespan_c_types.f90").write_text(numbers, encoding="utf-8")

    assert untold_fortran(tmp_path) == ["two"]
    assert ".. fortran:: one = 1\n\n   the first" in "\n".join(fortran_lines(tmp_path))


def test_each_module_of_fortran_has_a_title() -> None:
    assert {module.name for module, _ in fortran_entries(PROJECT)} <= set(TITLES)


def test_a_python_name_without_a_docstring_is_told(tmp_path: Path) -> None:
    package = tmp_path / "python/makespan"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('_HOMES = {"Job": "job", "run": "job"}\n')
    (package / "job.py").write_text(
        'class Job:\n    """One."""\n\n    def end(self): ...\n    def _rest(self): ...\n'
        "\n\ndef run(): ...\n"
    )

    assert [one.undocumented for one in public_names(tmp_path)] == [["Job.end"], ["run"]]


def test_a_name_that_no_module_declares_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fortran").mkdir()
    facade = FACADE.replace("team", "crowd")
    (tmp_path / "fortran/makespan.f90").write_text(facade, encoding="utf-8")
    (tmp_path / "fortran/makespan_job.f90").write_text(JOB, encoding="utf-8")

    with pytest.raises(KeyError, match="crowd"):
        missing_fortran(tmp_path)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("plain", "plain"),
        ("`code` and *no* emphasis_", "``code`` and \\*no\\* emphasis\\_"),
        ("see docs/how-to/melt.md.", "see :doc:`/how-to/melt`."),
        ("1. first", "1\\. first"),
        ("- no item", "\\- no item"),
    ],
)
def test_comments_are_plain_text(text: str, marked: str) -> None:
    assert inline(text) == marked


def test_what_is_set_off_stays_as_it_is() -> None:
    lines = to_rst(["So:", "", "  run(1);", "", "  run(2);", "- one", "  more", "- two"], "cpp")

    assert lines == [
        *("So:", "", ".. code-block:: cpp", "", "   run(1);", "", "   run(2);", ""),
        *("- one more", "", "- two", ""),
    ]


def test_writing_again_removes_pages_that_are_no_more(tmp_path: Path) -> None:
    old = tmp_path / "cpp/none.rst"
    old.parent.mkdir()
    old.write_text("old", encoding="utf-8")

    assert main([str(tmp_path)]) == 0

    assert not old.exists()
    assert (tmp_path / "c.rst").read_text(encoding="utf-8").startswith("C: all functions\n")

# SPDX-License-Identifier: Apache-2.0
"""What sends garbage to the ports of jobs finds them, sends, and sees what is wrong.

Whole jobs are for `make torture-ports`.
"""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass

import pytest

from tests.torture.fault import Fault
from tests.torture.job import Ended
from tests.torture.strangers import Port, Strangers, check_end, listening


@pytest.fixture
def server() -> socket.socket:
    """One that listens here, and takes what comes."""
    there = socket.create_server(("127.0.0.1", 0))
    there.settimeout(10)
    return there


def port_of(server: socket.socket) -> Port:
    return Port("127.0.0.1", server.getsockname()[1])


def test_ports_of_a_process_are_found(server: socket.socket) -> None:
    with server:
        assert port_of(server) in listening([os.getpid()])
        assert port_of(server) not in listening([1])


@dataclass
class HereAsJob:
    """This process as a job of one image, without a launcher or with nothing but one."""

    is_image: bool

    def processes(self) -> list[int]:
        return [os.getpid()]

    def pythons(self) -> list[int]:
        return [os.getpid()] if self.is_image else []


def test_garbage_comes_to_them(server: socket.socket) -> None:
    with server, Strangers(HereAsJob(is_image=True), 1, launcher=False) as strangers:  # type: ignore[arg-type]
        end = time.monotonic() + 10
        while strangers.sent == 0 and time.monotonic() < end:
            connection, _ = server.accept()
            connection.close()
        assert strangers.sent > 0
        assert port_of(server) in strangers.ports


def test_the_launchers_ports_are_left_alone(server: socket.socket) -> None:
    with server, Strangers(HereAsJob(is_image=False), 1, launcher=False) as strangers:  # type: ignore[arg-type]
        time.sleep(0.2)
        assert port_of(server) not in strangers.ports


@pytest.mark.parametrize(
    ("err", "sentence"),
    [
        ("", "without a word"),
        ("Segmentation fault (core dumped)", "it said"),
        ("==7==AddressSanitizer: CHECK failed: asan_thread.cpp:360", "a sanitizer reports"),
        ("AddressSanitizer CHECK failed: asan_thread.cpp:360", "a sanitizer reports"),
        ("AddressSanitizer: ERROR: expected '=' in ASAN_OPTIONS", "a sanitizer reports"),
        ("FATAL: ThreadSanitizer: unexpected memory mapping", "a sanitizer reports"),
    ],
)
def test_ends_that_are_wrong(err: str, sentence: str) -> None:
    with pytest.raises(Fault, match=sentence):
        check_end(Ended(139, "", err))
    said = "makespan: a message of image 7 to a bag"
    check_end(Ended(4, "", said))
    with pytest.raises(Fault, match="use-after-free"):
        check_end(Ended(4, "", said, ("==7==ERROR: AddressSanitizer: heap-use-after-free",)))

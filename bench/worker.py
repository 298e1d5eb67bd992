# SPDX-License-Identifier: Apache-2.0
"""The harness's side of the bench protocol: a process that stays alive and answers requests.

A request is one line ``run WORD...``, a reply one line of JSON. A contestant that lives in its own
process is warm when it is asked, cannot disturb the others, and can be pinned to the same core.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from bench.process import pinned

REPLY_TIMEOUT_S = 300.0

Reply = dict[str, float]


class WorkerError(RuntimeError):
    """A worker answered with an error, fell silent or ended."""


def opened(pipe: IO[str] | None) -> IO[str]:
    """Return a pipe of a process that was started with one."""
    if pipe is None:
        msg = "the worker was started without a pipe to it"
        raise WorkerError(msg)
    return pipe


class Worker:
    """One contestant's process. Usable in a with-statement, which ends the process."""

    def __init__(
        self,
        command: Sequence[str | Path],
        cores: set[int],
        extra_path: Path | None = None,
        timeout_s: float = REPLY_TIMEOUT_S,
    ) -> None:
        """Start `command` on `cores`; `extra_path` is put before PYTHONPATH for Python workers.

        A reply that takes longer than `timeout_s` [s] is not waited for.
        """
        self._timeout_s = timeout_s
        self._name = Path(command[-1]).name
        environment = dict(os.environ)
        if extra_path is not None:
            environment["PYTHONPATH"] = str(extra_path)
        with pinned(cores):
            self._process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
                env=environment,
            )
        self._requests = opened(self._process.stdin)
        self._replies = opened(self._process.stdout)

    def run(self, request: str) -> Reply:
        """Ask for one run and wait for its reply."""
        try:
            self._requests.write(f"run {request}\n")
            self._requests.flush()
        except BrokenPipeError as error:
            raise WorkerError(self._ended(request)) from error
        reply = json.loads(self._reply_line(request))
        if "error" in reply:
            msg = f"{self._name} could not run '{request}' ({reply['error']})"
            raise WorkerError(msg)
        return {name: float(figure) for name, figure in reply.items()}

    def close(self) -> None:
        """End the process by closing its input; kill it if it does not listen."""
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._replies.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self.close()

    def _reply_line(self, request: str) -> str:
        with selectors.DefaultSelector() as selector:
            selector.register(self._replies, selectors.EVENT_READ)
            if not selector.select(self._timeout_s):
                self._process.kill()
                msg = f"{self._name} did not answer '{request}' within {self._timeout_s:.0f} s"
                raise WorkerError(msg)
        line = self._replies.readline()
        if not line:
            raise WorkerError(self._ended(request))
        return line

    def _ended(self, request: str) -> str:
        try:
            code: int | None = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            code = None
        return f"{self._name} ended (exit code {code}) at request '{request}'; see its messages"

"""Files of JSON lines, plain or compressed, that may be damaged or cut off."""

from __future__ import annotations

import base64
import gzip
import importlib
import json
import math
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, Callable, Generic, TypeVar

from tally.library import TallyError

Line = TypeVar("Line")
Kind = TypeVar("Kind")


class DamagedLine(ValueError):
    """A line that cannot be read: in which file, which one, and what is wrong with it."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(file, line, what)
        self.file, self.line, self.what = file, line, what

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: damaged line: {self.what}"


class Reader(Generic[Line]):
    """Iterates over the lines of files, once. `parse` gives None for what is passed over."""

    def __init__(
        self, files: Sequence[str], parse: Callable[[dict[str, Any]], Line | None], skip: bool, longest: float = math.inf
    ) -> None:
        # How many damaged lines were skipped so far.
        self.damaged = 0
        # Whether the last line of a file was cut off; it is not used, even where it looks whole.
        self.incomplete = False
        self._parse, self._skip, self._longest = parse, skip, longest
        self._lines = (line for file in files for line in self._read(file))

    def __iter__(self) -> Iterator[Line]:
        return self

    def __next__(self) -> Line:
        return next(self._lines)

    def _read(self, file: str) -> Iterator[Line]:
        with _open(file) as readline:
            for number, raw in enumerate(self._raw(file, readline), 1):
                try:
                    if len(raw) > self._longest + 1:
                        raise ValueError(f"it is longer than {self._longest} bytes")
                    line = self._parse(_object(raw)) if raw.strip() else None
                except (ValueError, RecursionError) as error:
                    if not self._skip:
                        raise DamagedLine(file, number, str(error)) from error
                    self.damaged += 1
                else:
                    if line is not None:
                        yield line

    def _raw(self, file: str, readline: Callable[[], bytes]) -> Iterator[bytes]:
        try:
            while (raw := readline()).endswith(b"\n"):
                yield raw
        except EOFError:
            raw = b"a compressed file that is cut off"
        except (OSError, zlib.error) as error:
            raise TallyError(TallyError.DATA, f"{file}: the compressed file is damaged: {error}") from error
        self.incomplete = self.incomplete or raw != b""


def member(line: dict[str, Any], name: str, kind: type[Kind], default: Kind | None = None) -> Kind:
    """A member of a line, which is of this very type."""
    value = line.get(name, default)
    if type(value) is not kind:
        raise ValueError(f"'{name}' is missing, or no {kind.__name__}")
    return value


def attributes(line: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a line."""
    return {name: _value(value) for name, value in member(line, "attributes", dict, {}).items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]
    if not isinstance(value, dict):
        return value
    # What JSON lacks is written as an object.
    if list(value) == ["$b"] and isinstance(value["$b"], str):
        return base64.b64decode(value["$b"], validate=True)
    if list(value) == ["$f"] and value["$f"] in ("nan", "inf", "-inf"):
        return float(value["$f"])
    raise ValueError("an attribute is an object")


def _object(raw: bytes) -> dict[str, Any]:
    value = json.loads(raw.decode(), parse_constant=_number, parse_float=_number)
    if b"\\ud" in raw or b"\\uD" in raw:
        # Half a surrogate pair is read as U+FFFD.
        text = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
        value = json.loads(text.decode("utf-16", "replace"))
    if not isinstance(value, dict):
        raise ValueError("it is no object")
    return value


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number of JSON, or beyond the range of a double")
    return number


@contextmanager
def _open(file: str) -> Iterator[Callable[[], bytes]]:
    """What reads a file's lines: an EOFError says that it is cut off, an OSError that it is damaged."""
    try:
        plain = open(file, "rb")
    except OSError as error:
        raise TallyError(TallyError.INPUT, f"{file}: cannot read it: {error.strerror}") from error
    with plain:
        if file.endswith(".gz"):
            yield gzip.open(plain).readline
        elif file.endswith(".zst"):
            with _zstd(file, plain) as readline:
                yield readline
        else:
            yield plain.readline


@contextmanager
def _zstd(file: str, plain: IO[bytes]) -> Iterator[Callable[[], bytes]]:
    try:
        module: Any = importlib.import_module("zstandard")
    except ImportError:
        program = shutil.which("zstd")
        if program is None:
            message = f"{file}: to read files of zstd install the package zstandard (pip), or the program zstd"
            raise TallyError(TallyError.UNAVAILABLE, message) from None
        with subprocess.Popen([program, "-dcq"], stdin=plain, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            yield lambda: _by_program(process)
    else:
        lines = _by_module(module, plain)
        yield lambda: next(lines, b"")


def _by_module(module: Any, plain: IO[bytes]) -> Iterator[bytes]:
    # Not by the module's own reader, which takes a frame that is cut off for one that ends.
    frame, rest, data = None, b"", plain.read(1 << 16)
    try:
        while data:
            frame = frame or module.ZstdDecompressor().decompressobj()
            *lines, rest = (rest + frame.decompress(data)).split(b"\n")
            yield from (line + b"\n" for line in lines)
            data = frame.unused_data or plain.read(1 << 16)
            if frame.eof:
                frame = None
    except module.ZstdError as error:
        raise OSError(str(error)) from error
    if frame is not None:
        raise EOFError
    yield rest


def _by_program(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout and process.stderr
    line = process.stdout.readline()
    if not line and process.wait() != 0:
        message = process.stderr.read().decode(errors="replace").strip()
        raise EOFError(message) if "premature end" in message else OSError(message)
    return line

"""libtally as ctypes sees it: how it is found, and what its structures and functions look like.

The header is `tally.h`, which says of each function what it does and on which threads.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Union

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

# The interface that is declared here.
ABI = 1
# Bits of `Options.flags`.
VERBOSE, NO_RECOVERY, LOG_REPORTS = 1, 2, 4


class TallyError(Exception):
    """What went wrong: `code` is one of the numbers below, the text says what, where and what to do."""

    ARGUMENT, DATA, INPUT, UNAVAILABLE, INTERNAL, OUTPUT = 64, 65, 66, 69, 70, 73
    PLUGIN, NEWER, CONFIGURATION, TAKEN, ENDED = 75, 76, 78, 1001, 1002

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class Structure(ctypes.Structure):
    """Begins with its size, by which the library knows what the header had that a program was built with."""

    def __init__(self) -> None:
        super().__init__()
        self.size = ctypes.sizeof(self)


class Failure(Structure):
    """`tally_error`."""

    _fields_ = [("size", c_uint32), ("code", c_int32), ("message", ctypes.c_char * 2040)]

    def error(self) -> TallyError:
        """The exception for it."""
        return TallyError(self.code, self.message.decode(errors="replace"))


def _structure(name: str, **fields: Any) -> Any:
    return type(name, (Structure,), {"_fields_": [("size", c_uint32), *fields.items()]})


Options = _structure(
    "tally_options", flags=c_uint32, configuration=c_char_p, plugins=c_char_p, plugin_folders=POINTER(c_char_p),
    plugin_folder_count=c_size_t, settings=POINTER(c_char_p), setting_count=c_size_t, archive=c_char_p, store=c_char_p,
    control=c_char_p, program=c_char_p, claim=c_char_p, log=c_void_p, log_context=c_void_p,
)  # fmt: skip
RunOptions = _structure("tally_run_options", flags=c_uint32, archive=c_char_p, begun_ns=c_int64)
RunSummary = _structure("tally_run_summary", in_time=c_uint32, dropped_events=c_uint64, dropped_outputs=c_uint64)
PlayerState = _structure(
    "tally_player_state", known=c_uint32, playhead_ms=c_int64, ad_playhead_ms=c_int64, duration_ms=c_int64,
    live_wall_ms=c_int64, bitrate=c_int64, throughput=c_int64, dropped_frames=c_int64, rendered_frames=c_int64,
    rate=c_double, volume=c_double, frame_rate=c_double, width=c_int32, height=c_int32, player_width=c_int32,
    player_height=c_int32, is_muted=c_uint8, is_fullscreen=c_uint8, is_live=c_uint8, is_audio_only=c_uint8,
    reserved=c_uint32,
)  # fmt: skip
RawReport = _structure(
    "tally_report", kind=c_uint32, session=c_uint32, timed_out=c_uint32, delivered=c_uint64, kept=c_uint64,
    dropped=c_uint64, level=c_int32, reserved=c_uint32, run=c_char_p, plugin=c_char_p, code=c_char_p, message=c_char_p,
    details=c_char_p,
)  # fmt: skip


class AttributeValue(ctypes.Union):
    """The value of a `tally_attribute`."""

    _fields_ = [("text", c_char_p), ("integer", c_int64), ("number", c_double), ("truth", c_int64)]


class Attribute(ctypes.Structure):
    """`tally_attribute`."""

    _fields_ = [("name", c_char_p), ("kind", c_uint32), ("length", c_uint32), ("value", AttributeValue)]


# Functions that may wait: other threads of Python go on meanwhile.
_WAITING: dict[str, Any] = {
    "tally_open": (c_void_p, POINTER(Options), POINTER(Failure)),
    "tally_close": (c_int32, c_void_p, c_int64),
    "tally_run_start": (c_void_p, c_void_p, POINTER(RunOptions), POINTER(Failure)),
    "tally_run_end": (None, c_void_p, c_int64, POINTER(RunSummary)),
    "tally_run_free": (None, c_void_p),
    "tally_adapter_start": (c_void_p, c_void_p, POINTER(RunOptions), POINTER(Attribute), c_size_t, POINTER(Failure)),
    "tally_adapter_free": (None, c_void_p, c_int64),
    # Not as a text: ctypes would copy it, and forget where it has to be freed.
    "tally_perform": (c_void_p, c_void_p, c_char_p, POINTER(Failure)),
    "tally_recover": (c_int64, c_void_p, c_char_p, POINTER(Failure)),
}
# Functions that never wait are called with the interpreter's lock held. Who gives it away has to get it back, which
# takes milliseconds while another thread computes; nothing in Tally ever waits for that lock.
_QUICK: dict[str, Any] = {
    "tally_version": (c_char_p,),
    "tally_library_abi": (c_uint32,),
    "tally_run_id": (c_char_p, c_void_p),
    "tally_run_archive": (c_char_p, c_void_p),
    "tally_run_time": (c_int64, c_void_p),
    "tally_run_set_state": (None, c_void_p, POINTER(PlayerState)),
    "tally_run_forget": (None, c_void_p, c_uint32),
    "tally_run_set_info": (c_int32, c_void_p, c_int32, POINTER(Attribute), c_size_t),
    "tally_track": (c_int32, c_void_p, c_char_p, POINTER(Attribute), c_size_t),
    "tally_track_playhead": (c_int32, c_void_p, c_int64),
    "tally_signal": (c_int32, c_void_p, c_int64, c_char_p, POINTER(Attribute), c_size_t),
    "tally_adapter_run": (c_void_p, c_void_p),
    "tally_next_report": (ctypes.c_bool, c_void_p, POINTER(RawReport)),
    "tally_report_descriptor": (ctypes.c_int, c_void_p),
    "tally_free": (None, c_void_p),
}


class Library:
    """The functions of libtally, by their names."""

    def __init__(self, path: Path | None = None) -> None:
        name = os.fsdecode(path or os.environ.get("TALLY_LIBRARY") or "libtally.so.1")
        try:
            waiting, quick = ctypes.CDLL(name), ctypes.PyDLL(name)
        except OSError as error:
            raise TallyError(
                TallyError.INPUT,
                f"{name} cannot be loaded: {error}; install the package libtally (apt install libtally), or say where "
                "the library is with library= or the environment's TALLY_LIBRARY",
            ) from error
        try:
            abi = quick.tally_library_abi()
            if abi != ABI:
                raise TallyError(
                    TallyError.NEWER,
                    f"{name} has the interface {abi}, and this package is for {ABI}: install those versions of libtally and "
                    "tally-telemetry that belong together",
                )
            for source, functions in ((waiting, _WAITING), (quick, _QUICK)):
                for symbol, (result, *arguments) in functions.items():
                    function = getattr(source, symbol)
                    function.restype, function.argtypes = result, arguments
                    setattr(self, symbol, function)
        except AttributeError as error:
            raise TallyError(TallyError.INPUT, f"{name} is no libtally, or a damaged one: {error}") from error

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def path_bytes(path: Path | None) -> bytes | None:
    """A path as C takes it; None stays None."""
    return None if path is None else _whole(os.fsencode(path))


def text_bytes(text: str) -> bytes:
    """A text as C takes it."""
    return _whole(utf8(text))


def utf8(text: str) -> bytes:
    """A text in UTF-8, in which U+FFFD takes the place of half a surrogate pair."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _whole(text: bytes) -> bytes:
    # C would cut it there.
    if 0 in text:
        raise ValueError(f"a zero byte has no place in {text!r}")
    return text

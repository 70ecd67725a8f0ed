"""What ends the work of this package, with the exit codes of Tally's programs."""

SUCCESS, DIFFERENCE = 0, 1
USAGE, BAD_DATA, NO_INPUT, UNAVAILABLE, CANNOT_CREATE = 64, 65, 66, 69, 73
OUTPUT_FAILED, PLUGIN_FAILED, NEWER_VERSION, INTERRUPTED = 74, 75, 76, 130

# When several things went wrong, the first of these decides, as in a replay.
_ORDER = (PLUGIN_FAILED, NEWER_VERSION, NO_INPUT, BAD_DATA, DIFFERENCE)


class Failure(Exception):
    """What went wrong, where and what to do, and how the program ends.

    The text of an exception is all that comes back from a worker, so the code is in it.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(f"{message} [exit code {code}]")
        self.message = message
        self.code = code

    def __reduce__(self) -> tuple[type["Failure"], tuple[str, int]]:
        return (Failure, (self.message, self.code))


def worst(codes: list[int]) -> int:
    """The exit code of many shards."""
    found = [code for code in _ORDER if code in codes]
    return found[0] if found else max(codes, default=SUCCESS)

"""Where playback stands."""

import time


class Place:
    """A place that goes on by the clock where Kodi's does not.

    While Kodi waits for a server its time stands, and it plays the seconds that it has buffered.
    """

    LATE_S = 1

    def __init__(self):
        self.ms = 0
        self._said_ms = 0
        self._said_at = self._looked_at = time.monotonic()

    def update(self, said_ms, is_playing):
        now = time.monotonic()
        if said_ms != self._said_ms:
            self.ms, self._said_ms, self._said_at = said_ms, said_ms, now
        elif is_playing and now > self._said_at + self.LATE_S:
            self.ms += round((now - self._looked_at) * 1000)
        self._looked_at = now

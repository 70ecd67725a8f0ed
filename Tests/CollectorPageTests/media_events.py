"""What the page's own protocol of a media element stands for in track calls, told without tally.js."""

# Calls that have no event of the element beside them.
OTHERS = frozenset(("playhead_sample", "quality_sample", "metadata_change", "rendition_change",
                    "request_completed", "request_failed", "request_cancelled"))


class Course:
    """The calls of a course, each with the moment of its media event, ms."""

    def __init__(self):
        self.calls = []
        self.is_open = self.is_wanted = self.has_started = self.is_sought = self.is_waiting = False

    def call(self, event, at):
        self.calls.append((event, at))

    def go_on(self, at):
        if self.is_waiting:
            self.call("buffer_complete", at)
        self.is_waiting = False

    def seek_ends(self, at):
        if self.is_sought:
            self.call("seek_complete", at)
        self.is_sought = False

    def take(self, name, at, is_seeking, has_ended):
        """Takes one media event."""
        if name == "loadstart" and not self.is_open:
            self.is_open, self.has_started = True, False
            self.call("video_load", at)
        elif name in ("emptied", "pagehide") and self.is_open:
            self.call("video_unload", at)
            self.is_open = self.is_wanted = self.is_waiting = self.is_sought = False
        elif name in ("play", "playing") and not self.is_wanted:
            self.is_wanted = True
            self.call("play", at)
        elif name == "waiting" and self.is_wanted and not (self.is_waiting or self.is_sought or is_seeking or has_ended):
            self.is_waiting = True
            self.call("buffer_start", at)
        elif name == "pause" and self.is_wanted and not has_ended:
            self.go_on(at)
            self.is_wanted = False
            self.call("pause", at)
        elif name == "seeking" and self.has_started and not self.is_sought:
            self.go_on(at)
            self.is_sought = True
            self.call("seek_start", at)
        elif name == "seeked" and not self.is_wanted:
            self.seek_ends(at)
        elif name == "ended":
            self.seek_ends(at)
            self.go_on(at)
            self.is_wanted = False
            self.call("complete", at)
        elif name == "error":
            self.call("player_error", at)
        elif name in ("hidden", "visible"):
            self.call("application_background" if name == "hidden" else "application_foreground", at)
        if name == "playing":
            self.seek_ends(at)
            self.go_on(at)
            if not self.has_started:
                self.call("first_frame", at)
            self.has_started = True


def calls_of(protocol):
    """The calls that a protocol of [name, moment, place, whether it seeks, whether it has ended] stands for."""
    course = Course()
    for name, at, _, is_seeking, has_ended, *_ in protocol:
        course.take(name, at, is_seeking, has_ended)
    return course.calls

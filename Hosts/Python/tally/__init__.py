"""Tally for players written in Python.

    with tally.open(plugins="new-relic-video,jsonlines", archive="archives/") as telemetry, telemetry.run() as run:
        run.load(video_name="Film", stream_type="vod")
        run.play()
        run.playhead(1250)

`tally.archive`, `tally.outputs` and `tally.frames` read what was recorded; they need no library.
"""

from tally import archive, frames, outputs
from tally.adapters import Adapter
from tally.library import TallyError
from tally.reports import LogLine, MissedReports, Report, SessionReport, TrackerError
from tally.runs import Run, Summary, Tracked
from tally.telemetry import Telemetry, open

__version__ = "0.1.0"
__all__ = ["Adapter", "LogLine", "MissedReports", "Report", "Run", "SessionReport", "Summary", "TallyError", "Telemetry"]
__all__ += ["Tracked", "TrackerError", "__version__", "archive", "frames", "open", "outputs"]

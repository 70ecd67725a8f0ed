#!/usr/bin/env python3
"""Computes the metrics of docs/metrics.md from the lines of archives, and compares them with what Tally says.

Written from the pages, not from Tally's code: the player's state and the playhead from docs/data-model.md, the metrics
from docs/metrics.md, a whole session at a time.

usage: metrics.py ARCHIVE... [--by ATTRIBUTE] [--sessions FILE] [--set FILE] [--database FILE]

FILE of --sessions is `tally-replay metrics --sessions --json`, of --set `tally-replay metrics --json --groups 1000000`,
of --database what the reporter `sqlite` wrote of the same archives. Archives are plain text without damage.
Exit codes: 0 all is equal, 1 something differs, 64 wrong options.
"""
import collections
import datetime
import decimal
import hashlib
import json
import sqlite3
import sys

CORE_EVENTS = {"session_snapshot", "plugin_enabled", "plugin_disabled", "plugin_configured", "plugin_replaced",
               "clock_step", "system_suspended", "plugin_loaded", "plugin_command"}
# What belongs to the player outlasts a session; everything else is forgotten at its begin and end.
OF_PLAYER = {"volume_milli", "rate_milli", "player_width", "player_height", "muted", "fullscreen"}
OUTLASTING = {"interrupted", "background"}
SETS = {"play": ("playing", "paused"), "pause": ("paused", "playing"), "first_frame": ("started", None),
        "complete": ("ended", "playing"), "seek_start": ("seeking", None), "seek_complete": (None, "seeking"),
        "buffer_start": ("buffering", None), "buffer_complete": (None, "buffering"),
        "ad_break_start": ("in_ad_break", None), "ad_start": ("in_ad", None), "ad_complete": (None, "in_ad"),
        "ad_skip": (None, "in_ad"), "interruption_start": ("interrupted", None),
        "interruption_end": (None, "interrupted"), "application_background": ("background", None),
        "application_foreground": (None, "background")}
HALTING = {"paused", "seeking", "buffering", "in_ad", "ended", "interrupted"}
SAMPLE_US = 250_000
ONE = 1 << 30
DIMENSIONS = ["video_id", "stream_type", "video_cdn", "country", "application_version", "rendition", "loaded_day",
              "loaded_hour", "loaded_minute"]
# How many groups these may have: where there are more, none is kept.
MOST_GROUPS = {"loaded_hour": 1_000, "loaded_minute": 1_440}


def toward_zero(value, divisor):
    return value // divisor if value >= 0 else -(-value // divisor)


class Playhead:
    """The estimate of the data model: goes on while the content plays, for two sample intervals, never backwards."""

    def __init__(self, time):
        self.reported, self.told, self.report_time = None, 0, time
        self.base, self.base_time, self.rate = 0, time, None

    def projected(self, time):
        until = min(time, self.report_time + 2 * SAMPLE_US)
        if self.rate is None or self.reported is None or self.reported < 0 or until <= self.base_time:
            return self.base
        return self.base + (until - self.base_time) * self.rate // 1000

    def value(self, time):
        return max(self.told, self.projected(time))

    def report(self, place, time, jump):
        place_us = place * 1000
        self.told = place_us if jump or self.reported is None else max(place_us, self.value(time))
        self.reported, self.report_time = place, time
        self.base, self.base_time = place_us, time

    def run(self, rate, time):
        """Goes on at a rate, or stands for None."""
        if rate != self.rate:
            self.told = max(self.told, self.value(time))
            self.base, self.base_time, self.rate = self.projected(time), time, rate

    def stand(self, time):
        self.told, self.base = self.value(time), self.projected(time)
        self.base_time = 1 << 62


class Event:
    """A player event of a session, with the state right after it."""

    def __init__(self, run, line, kind):
        self.time, self.kind, self.attributes = line["t_us"], kind, line.get("attributes", {})
        self.flags, self.known = frozenset(run.flags), dict(run.known)
        self.wall = run.epoch + self.time + run.steps
        self.asleep = 0
        estimate = run.playhead.value(self.time) if run.playhead.reported is not None else None
        self.reported = run.playhead.reported if run.playhead.report_time == self.time else None
        self.estimate = None if estimate is None else toward_zero(estimate, 1000)
        self.place = self.estimate if self.reported is None else self.reported
        # As a seek begins the place may be its target already.
        self.left = self.attributes.get("seek_from_ms") if kind == "seek_start" else self.reported
        duration = self.known.get("duration_ms", 0)
        self.end = duration if duration > 0 and not self.known.get("live") else None
        self.rate = max(self.known.get("rate_milli", 1000), 1)


class Session:
    def __init__(self, run, number, begun):
        self.run, self.number, self.begun, self.epoch = run, number, begun, None
        self.ended, self.events = None, []


class Run:
    def __init__(self, name, header):
        self.name, self.epoch, self.semantics = name, header["epoch_us"], header["semantics"]
        self.erased = set(header.get("erased_sessions", []))
        self.known, self.flags, self.playhead, self.steps = {}, set(), Playhead(0), 0
        self.moves = self.moves_untold = self.paused_by_rate = False
        self.sessions, self.session, self.last_time = [], None, 0

    def forget(self, time):
        self.known = {name: value for name, value in self.known.items() if name in OF_PLAYER}
        self.flags &= OUTLASTING
        self.playhead = Playhead(time)
        self.moves = self.moves_untold = self.paused_by_rate = False

    def begin(self, time):
        self.forget(time)
        number = self.sessions[-1].number + 1 if self.sessions else 1
        while number in self.erased:
            number += 1
        self.session = Session(self, number, time)
        self.sessions.append(self.session)

    def end(self, time):
        if self.session:
            self.session.ended = time
            self.session = None

    def follow(self, line):
        time, kind, attributes = line["t_us"], line["event"], line.get("attributes", {})
        if kind == "video_load":
            self.begin(time)
        if kind == "seek_start":
            self.flags.add("seeking")
        self.report(line.get("state", {}), time, jump="seeking" in self.flags or kind == "video_load")
        if kind in ("play", "pause", "complete"):
            self.paused_by_rate = kind == "pause" and attributes.get("implicit") is True
            self.moves_untold = False
        on, off = SETS.get(kind, (None, None))
        self.flags.discard(off)
        if on:
            self.flags.add(on)
        if kind == "ad_break_complete":
            self.flags -= {"in_ad_break", "in_ad"}
        plays = self.session and "playing" in self.flags and ("started" in self.flags or self.moves)
        self.playhead.run(max(self.known.get("rate_milli", 1000), 0) if plays and not self.flags & HALTING else None,
                          time)
        if kind == "clock_step":
            self.steps += attributes.get("step_us", 0)
        if kind == "system_suspended":
            length = attributes.get("step_us", 0)
            length = length if isinstance(length, int) and 0 < length < 1 << 53 else 0
            if self.session and self.session.events:
                self.session.events[-1].asleep += length
            if length and self.semantics >= 2:
                self.playhead.stand(time)
        if self.session and kind not in CORE_EVENTS:
            self.session.events.append(Event(self, line, kind))
        if kind == "video_unload" and self.session:
            self.end(time)
            self.forget(time)

    def report(self, state, time, jump):
        state = {name: value for name, value in state.items() if name != "is"}
        age = state.pop("playhead_age_us", None)
        place = state.pop("playhead_ms", None)
        if place is not None and age is None:
            moved = self.playhead.reported is not None and not jump and place > self.playhead.reported
            self.moves = self.moves or moved and "playing" in self.flags
            self.playhead.report(place, time, jump)
        self.known.update(state)


def read(paths):
    """The sessions of archives, in the order in which they begin."""
    runs, sessions = {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                if "tally" in line:
                    runs[line["run"]] = Run(line["run"], line["tally"])
                    continue
                run = runs[line["run"]]
                run.last_time = max(run.last_time, line["t_us"])
                if "event" in line:
                    run.follow(line)
                elif "end" in line:
                    run.end(line["t_us"])
                    sessions += runs.pop(line["run"]).sessions
    for run in runs.values():
        # It was cut off, and is ended right behind its last line.
        run.end(run.last_time + 1)
        sessions += run.sessions
    return sessions


# One session


def activity(event, wait):
    flags = event.flags
    if flags & {"in_ad", "in_ad_break"}:
        return "ad"
    if "ended" in flags and "playing" not in flags:
        return "ended"
    if "started" not in flags:
        return "starting" if "playing" in flags else "idle"
    if "seeking" in flags:
        return "seeking"
    if "playing" not in flags:
        return "paused"
    if "interrupted" in flags:
        return "interrupted"
    if "buffering" not in flags:
        return "playing"
    return {"seek": "seeking", "initial": "starting"}.get(wait, "rebuffering")


def word(value):
    """What a text, a whole number or a truth is counted by; None for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value if len(value.encode()) <= 256 else value.encode()[:256].decode(errors="ignore")
    return None


def bucket(value):
    """The number of the bucket of a whole number above 0: the smallest i with value <= 2^((i + 1) / 64), exactly."""
    return (value ** 64 - 1).bit_length() - 1


class Histogram:
    def __init__(self):
        self.zeros, self.buckets = 0, collections.Counter()

    def add(self, value):
        if value <= 0:
            self.zeros += 1
        else:
            self.buckets[bucket(value)] += 1

    def merge(self, other):
        self.zeros += other.zeros
        self.buckets.update(other.buckets)

    def json(self, octaves=0):
        return {"scale": 6, "zeros": self.zeros,
                "buckets": [[index - 64 * octaves, count] for index, count in sorted(self.buckets.items())]}

    def quantile(self, hundredths):
        """The middle of the bucket of the nearest rank, in thousandths."""
        count = self.zeros + sum(self.buckets.values())
        if not count:
            return None
        rank = max(-(-count * hundredths // 100), 1) - self.zeros
        if rank <= 0:
            return 0
        for index, number in sorted(self.buckets.items()):
            rank -= number
            if rank <= 0:
                return (bound(index) + bound(index + 1)) // 2
        return None


def bound(index):
    with decimal.localcontext() as context:
        context.prec = 60
        return int(decimal.Decimal(2) ** (decimal.Decimal(index) / 64) * 1000)


def ratio(part, whole):
    return part * ONE // whole if whole > 0 else None


class Measured:
    """The metrics of a session, in whole numbers: times in us, places in ms, ratios in units of 2^-30."""

    def __init__(self, session):
        self.session, self.run = session, session.run
        events = session.events
        waits, wait = [], None
        for number, event in enumerate(events):
            if event.kind == "buffer_start":
                wait = (number, event.attributes.get("buffer_cause"))
            waits.append(wait)
        names = [activity(event, wait and wait[1]) for event, wait in zip(events, waits)]
        ends = [event.time for event in events[1:]] + [events[-1].time if session.ended is None else session.ended]
        spans, asleep = [], 0
        for event, end in zip(events, ends):
            whole = max(end - event.time, 0)
            asleep += min(event.asleep, whole)
            spans.append(whole - min(event.asleep, whole))
        played = self.played(events, names, spans)
        time = collections.Counter()
        for name, span in zip(names, spans):
            time[name] += span
        kinds = collections.Counter(event.kind for event in events)
        first = {}
        for event in events:
            first.setdefault(event.kind, event.time)
        play, frame = first.get("play"), first.get("first_frame")
        asked, startup, startup_ads = False, 0, 0
        for event, name, span in zip(events, names, spans):
            asked = asked or event.kind == "play"
            if asked and "started" not in event.flags:
                startup += span
                startup_ads += span if name == "ad" else 0
        ordered = play is not None and frame is not None and frame >= play
        fatal = [event for event in events
                 if event.kind == "player_error" and event.attributes.get("error_fatal") not in (None, False, 0)]
        failed_before = any("started" not in event.flags for event in fatal)
        failed_after = any("started" in event.flags for event in fatal)
        self.started = frame is not None
        self.attempted = self.started or play is not None
        is_open = session.ended is None
        start_failed = play is not None and not self.started and failed_before
        exited = play is not None and not self.started and not failed_before and not is_open

        rated, bits, peak, self.renditions = 0, 0, None, collections.Counter()
        furthest = estimate = None
        for number, (event, name, part) in enumerate(zip(events, names, played)):
            if name != "playing":
                continue
            bitrate = event.known.get("bitrate_bps")
            if bitrate is not None:
                peak = bitrate if peak is None else max(peak, bitrate)
                if bitrate >= 0:
                    rated += part
                    bits += part * bitrate
                    key = (bitrate, max(event.known.get("height", 0), 0))
                    if key not in self.renditions and len(self.renditions) >= 32:
                        key = (-1, 0)
                    self.renditions[key] += part
            left = events[number + 1].left if number + 1 < len(events) else None
            for place in (event.reported, left):
                if place is not None:
                    furthest = place if furthest is None else max(furthest, place)
            if event.place is not None:
                reached = self.reached(event, part)
                estimate = reached if estimate is None else max(estimate, reached)
        self.count_minutes(events, names, played)
        self.bits = bits
        self.latency = Histogram()
        shown = None
        for event, name in zip(events, names):
            live = event.known.get("live_wall_ms")
            if live is not None and live != shown:
                shown = live
                if name == "playing":
                    self.latency.add(toward_zero(event.wall, 1000) - live)
        visible = [event for event in events if event.kind == "rendition_change"
                   and event.attributes.get("rendition_phase", "visible") == "visible"]
        shifts = collections.Counter(event.attributes.get("rendition_shift") for event in visible)
        self.codes = collections.Counter()
        for event in events:
            if event.kind == "player_error":
                words = [word(event.attributes.get(name)) for name in ("error_code", "error_id")]
                code = next((text for text in words if text is not None), "none")
                if code not in self.codes and len(self.codes) >= 32:
                    code = "other"
                self.codes[code] += 1
        length = max(max(event.known.get("duration_ms", 0) for event in events), 0)
        completed = kinds["complete"] > 0
        quartile = None
        if length > 0:
            quartile = 4 if completed else min(max(estimate or 0, 0) * 4 // length, 3)
        latency = self.latency.quantile(50)
        self.values = {
            "attempted": int(self.attempted), "started": int(self.started),
            "startup_ms": max(startup - startup_ads, 0) if ordered else None,
            "startup_with_ads_ms": startup if ordered else None,
            "exited_before_start": int(exited), "start_failed": int(start_failed),
            "playback_failed": int(self.started and failed_after), "completed": int(completed),
            "session_ms": None if is_open else (session.ended - session.begun) // 1000,
            "play_ms": sum(played), "play_wall_ms": time["playing"], "rebuffer_ms": time["rebuffering"],
            "rebuffer_count": len({wait[0] for wait, name in zip(waits, names) if name == "rebuffering" and wait}),
            "rebuffered": int("rebuffering" in names),
            "rebuffer_ratio": ratio(time["rebuffering"], sum(played) + time["rebuffering"]),
            "starting_ms": time["starting"], "pause_ms": time["paused"], "seek_ms": time["seeking"],
            "interrupted_ms": time["interrupted"], "sleep_ms": asleep, "seeks": kinds["seek_start"],
            "average_bitrate_bps": bits // rated if rated > 0 else None, "rated_ms": rated, "peak_bitrate_bps": peak,
            "renditions": len(visible), "switches_up": shifts["up"], "switches_down": shifts["down"],
            "dropped_frames": self.most(events, "dropped_frames"),
            "rendered_frames": self.most(events, "rendered_frames"),
            "live_latency_ms": None if latency is None else (latency + 500) // 1000,
            "furthest_ms": furthest, "furthest_estimate_ms": estimate, "length_ms": length or None,
            "progress": ratio(min(max(estimate or 0, 0), length), length), "quartile": quartile,
            "minutes_watched": len(self.minutes), "minutes_skipped": self.skipped(),
            "minutes_replayed": sum(count > 1 for count in self.minutes.values()),
            "ad_ms": time["ad"], "ad_breaks": kinds["ad_break_start"],
            "ads_asked": kinds["ad_start"]
            + sum(event.kind == "ad_error" and "in_ad" not in event.flags for event in events),
            "ads": kinds["ad_start"], "ads_completed": kinds["ad_complete"], "ads_skipped": kinds["ad_skip"],
            "ad_clicks": kinds["ad_click"], "ad_errors": kinds["ad_error"], "errors": kinds["player_error"],
            "has_error": int(kinds["player_error"] > 0),
        }
        whole = sum(time.values()) + asleep
        if ends[-1] >= events[0].time and whole != ends[-1] - events[0].time:
            raise ValueError(f"{self.run.name}/{session.number}: the activities do not fill the session")
        self.is_open, self.quartile = is_open, quartile
        self.end_reason = self.reason(events, is_open, start_failed, failed_after, completed, exited)
        self.describe(events)

    @staticmethod
    def most(events, name):
        known = [max(event.known[name], 0) for event in events if name in event.known]
        return max(known) if known else None

    @staticmethod
    def reached(event, part):
        place = toward_zero(event.place * 1_000_000 + part * event.rate, 1_000_000)
        return place if event.end is None else min(place, event.end)

    @staticmethod
    def played(events, names, spans):
        """What of each span counts as played, us."""
        parts, begin, content, lost = [], None, 0, 0
        for number, (event, name, span) in enumerate(zip(events, names, spans)):
            if name != "playing":
                begin = None
                parts.append(0)
                continue
            before = events[number - 1].place if number else None
            went_back = None not in (before, event.place) and event.place + 500 < before
            if begin is None or went_back:
                begin, content, lost = event.place or 0, 0, 0
            content += span * event.rate
            part = span
            if event.end is not None:
                left = events[number + 1].left if number + 1 < len(events) else None
                bound_ms = event.end
                if None not in (left, event.place) and left + 500 >= event.place:
                    bound_ms = min(left, event.end)
                lag = content - 1_000_000 * (bound_ms - begin)
                if lag > 500_000_000 and lag > lost:
                    part = max(span - -(-(lag - lost) // event.rate), 0)
                    lost = lag
            parts.append(part)
        return parts

    def count_minutes(self, events, names, played):
        """How often playing came to each minute of the content."""
        self.minutes, end, last = {}, None, None
        for event, name, part in zip(events, names, played):
            if name != "playing" or event.place is None or event.place < 0:
                continue
            reached = self.reached(event, part)
            if reached <= event.place:
                continue
            goes_on = end is not None and event.place + 500 >= end
            new_from = max(event.place, end) if goes_on else event.place
            for minute in range(event.place // 60_000, (reached - 1) // 60_000 + 1):
                if minute not in self.minutes:
                    if len(self.minutes) < 1440:
                        self.minutes[minute] = 1
                elif new_from < reached and minute >= new_from // 60_000 and not (goes_on and minute == last):
                    self.minutes[minute] += 1
            if new_from < reached:
                last = (reached - 1) // 60_000
            end = max(end, reached) if goes_on else reached

    def skipped(self):
        return max(self.minutes) - min(self.minutes) + 1 - len(self.minutes) if self.minutes else 0

    def reason(self, events, is_open, start_failed, failed_after, completed, exited):
        unload = next((event for event in events if event.kind == "video_unload"), None)
        if is_open:
            return "open"
        if start_failed:
            return "start_failed"
        if self.started and failed_after:
            return "playback_failed"
        if self.started and completed:
            return "completed"
        if exited:
            return "exited_before_start"
        if not self.attempted:
            return "not_attempted"
        if unload is None:
            return "run_ended"
        if unload.attributes.get("implicit") is not True:
            return "left"
        return word(unload.attributes.get("cause")) or "replaced"

    def describe(self, events):
        """By what the session is grouped; what was said last of the video holds."""
        said, viewer = {}, None
        for event in events:
            if event.kind in ("video_load", "metadata_change"):
                said.update({name: word(value) for name, value in event.attributes.items() if word(value) is not None})
                if isinstance(event.attributes.get("user_id"), str):
                    viewer = event.attributes["user_id"]
        self.viewer = hash_of(viewer) if viewer else None
        loaded = self.run.epoch + self.session.begun
        self.loaded = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=loaded)
        self.said = said
        best = max((item for item in self.renditions.items() if item[1] > 0),
                   key=lambda item: (item[1], item[0]), default=None)
        self.said_rendition = None
        if best:
            (bitrate, height), _ = best
            self.said_rendition = "other" if bitrate < 0 else f"{height}p" if height else str(bitrate)

    def group(self, dimension):
        if dimension == "rendition":
            return self.said_rendition
        if dimension == "loaded_day":
            return self.loaded.strftime("%Y-%m-%d")
        if dimension == "loaded_hour":
            return self.loaded.strftime("%Y-%m-%dT%H:00Z")
        if dimension == "loaded_minute":
            return self.loaded.strftime("%Y-%m-%dT%H:%MZ")
        return self.said.get(dimension)

    def json(self, dimensions):
        found = {"run": self.run.name, "session": self.session.number,
                 "loaded_at": self.loaded.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), "is_open": self.is_open,
                 "end_reason": self.end_reason,
                 "groups": {name: self.group(name) for name in dimensions if self.group(name) is not None}}
        for name, value in self.values.items():
            found[name] = None if value is None else told(value, name)
        found |= {"errors_by_code": dict(self.codes), "renditions_time": rendition_rows(self.renditions),
                  "minutes": sorted([minute, visits] for minute, visits in self.minutes.items()),
                  "latency": self.latency.json()}
        return found


# Many sessions

CLOCK = {"session_ms", "live_latency_ms", "furthest_ms", "furthest_estimate_ms", "length_ms"}
RATIOS = {"rebuffer_ratio", "progress"}
OF_PLAYS = {"startup_ms", "startup_with_ads_ms", "playback_failed", "completed", "play_ms", "play_wall_ms", "rebuffer_ms",
            "rebuffer_count", "rebuffered", "rebuffer_ratio", "average_bitrate_bps", "rated_ms", "peak_bitrate_bps",
            "dropped_frames", "rendered_frames", "live_latency_ms", "furthest_ms", "furthest_estimate_ms", "progress",
            "quartile", "minutes_watched", "minutes_skipped", "minutes_replayed"}
OF_ATTEMPTS = {"exited_before_start", "start_failed", "ads_asked", "ads", "ads_completed", "ads_skipped", "ad_clicks",
               "ad_errors", "has_error"}
DISTRIBUTIONS = {"session_ms", "play_ms", "startup_ms", "startup_with_ads_ms", "rebuffer_ratio", "average_bitrate_bps",
                 "live_latency_ms", "progress"}


def divisor(name):
    return ONE if name in RATIOS else 1000 if name.endswith("_ms") and name not in CLOCK else 1


def told(value, name, by=1):
    whole = divisor(name) * by
    return value // whole if value % whole == 0 else value / whole


def hash_of(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def rendition_rows(times):
    return [{"bitrate_bps": None if bitrate < 0 else bitrate, "height": height or None,
             "play_ms": told(time, "rated_ms")} for (bitrate, height), time in sorted(times.items())]


def group_json(measured, with_minutes=False):
    """What the JSON of a group says, of all its sessions."""
    ended = [session for session in measured if not session.is_open]
    found = {"metrics": {}}
    sums = {}
    for name in names_of(measured):
        counted = [session.values[name] for session in ended if session.values[name] is not None
                   and (name not in OF_PLAYS or session.started) and (name not in OF_ATTEMPTS or session.attempted)]
        sums[name] = (len(counted), sum(counted))
        entry = {"count": len(counted), "sum": told(sum(counted), name)}
        if counted:
            entry |= {"mean": told(sum(counted), name, len(counted)), "min": told(min(counted), name),
                      "max": told(max(counted), name)}
            if name in DISTRIBUTIONS:
                histogram = Histogram()
                for value in counted:
                    histogram.add((value + 500) // 1000 if divisor(name) == 1000 else value)
                scale = ONE if name in RATIOS else 1
                entry |= {"p50": histogram.quantile(50) / 1000 / scale, "p95": histogram.quantile(95) / 1000 / scale,
                          "histogram": histogram.json(30 if name in RATIOS else 0)}
        found["metrics"][name] = entry

    def total(name):
        return sums[name][1]

    def mean(name):
        count, sum_ = sums[name]
        return told(sum_, name, count) if count else None

    def share(part, whole):
        return part / whole if whole > 0 else None

    startup = found["metrics"]["startup_ms"]
    found["headline"] = {
        "sessions": len(ended), "open_sessions": len(measured) - len(ended), "attempts": total("attempted"),
        "plays": total("started"), "exit_before_start_share": mean("exited_before_start"),
        "start_failure_share": mean("start_failed"), "error_share": mean("has_error"),
        "playback_failure_share": mean("playback_failed"), "completed_share": mean("completed"),
        "rebuffered_share": mean("rebuffered"), "startup_ms": mean("startup_ms"),
        "startup_median_ms": startup.get("p50"), "startup_p95_ms": startup.get("p95"),
        "rebuffer_ratio": mean("rebuffer_ratio"), "rebuffer_count": mean("rebuffer_count"), "play_ms": mean("play_ms"),
        "average_bitrate_bps": mean("average_bitrate_bps"), "ads": mean("ads"),
        "total_play_ms": told(total("play_ms"), "play_ms"),
        "total_play_wall_ms": told(total("play_wall_ms"), "play_wall_ms"),
        "total_rebuffer_ms": told(total("rebuffer_ms"), "rebuffer_ms"),
        "weighted_rebuffer_ratio": share(total("rebuffer_ms"), total("play_ms") + total("rebuffer_ms")),
        "weighted_bitrate_bps": share(sum(session.bits for session in ended), total("rated_ms")),
        "dropped_frame_ratio": share(total("dropped_frames"), total("dropped_frames") + total("rendered_frames")),
        "ad_completion_share": share(total("ads_completed"), total("ads")),
    }
    codes, renditions, latency, reasons = collections.Counter(), collections.Counter(), Histogram(), collections.Counter()
    quartiles = [0] * 5
    for session in ended:
        codes.update(session.codes)
        renditions.update(session.renditions)
        latency.merge(session.latency)
        reasons[session.end_reason] += 1
        if session.started and session.quartile is not None:
            quartiles[session.quartile] += 1
    # A Counter leaves out what adds nothing, and a rendition may have been shown for no time.
    found |= {"end_reasons": dict(reasons), "errors_by_code": dict(codes), "quartiles": quartiles,
              "renditions_time": rendition_rows(renditions), "latency": latency.json()}
    viewers = {session.viewer for session in ended if session.viewer is not None}
    kept = sorted(viewers)[:1024]
    found["viewers"] = {"distinct": len(kept) if len(kept) < 1024 else (1023 << 64) // kept[-1],
                        "exact": len(kept) < 1024}
    for name, among in (("samples", ended), ("failed_samples", [one for one in ended if one.values["errors"] > 0])):
        names = [(one.run.name, one.session.number) for one in among]
        chosen = sorted(names, key=lambda key: hash_of(f"{key[0]}/{key[1]}"))[:8]
        found[name] = [{"run": run, "session": number} for run, number in sorted(chosen)]
    if with_minutes:
        rows = minute_rows(ended)
        if rows:
            found["minutes"] = rows
    return found


def names_of(measured):
    return measured[0].values.keys() if measured else []


def minute_rows(ended):
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for session in ended:
        minutes = sorted(session.minutes)
        for minute in minutes:
            row = rows[minute]
            row[0] += 1
            row[1] += session.minutes[minute] > 1
            row[3] += minute == minutes[-1]
        for here, there in zip(minutes, minutes[1:]):
            for minute in range(here + 1, min(there, here + 1441)):
                rows[minute][2] += 1
    return [[minute, *row] for minute, row in sorted(rows.items())]


# Comparing


class Differences:
    def __init__(self):
        self.count = 0

    def compare(self, expected, found, place, tolerance=1e-12):
        if isinstance(expected, dict) and isinstance(found, dict):
            for key in sorted(expected.keys() | found.keys()):
                self.compare(expected.get(key, "missing"), found.get(key, "missing"), f"{place}.{key}", tolerance)
        elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
            for index, pair in enumerate(zip(expected, found)):
                self.compare(*pair, f"{place}[{index}]", tolerance)
        elif not self.same(expected, found, tolerance):
            self.count += 1
            if self.count <= 20:
                print(f"{place}: {expected!r} expected, and it is {found!r}")

    @staticmethod
    def same(expected, found, tolerance):
        numbers = (int, float)
        if isinstance(expected, bool) or isinstance(found, bool) or not isinstance(expected, numbers) \
                or not isinstance(found, numbers):
            return expected == found
        return abs(expected - found) <= tolerance * max(abs(expected), abs(found))


def compare_database(path, measured, differences):
    """The views of `sqlite`: what they have of each session, and of all together."""
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    rows = {(row["run"], row["session"]): dict(row) for row in database.execute("SELECT * FROM session_metrics")}
    minutes = collections.defaultdict(set)
    for row in database.execute("SELECT run, session, minute FROM session_minutes"):
        minutes[row["run"], row["session"]].add(row["minute"])
    differences.compare(len(measured), len(rows), "sessions of the database")
    for session in measured:
        key = (session.run.name, session.session.number)
        place, row = f"database {key[0]}/{key[1]}", rows.get(key, {})
        # There it is rounded to ms.
        shared = {name: value for name, value in session.json([]).items() if name in row and name != "loaded_at"}
        # Ratios and bitrates are not cut off there.
        for name in shared:
            loose = {"rebuffer_ratio": 2 / ONE, "average_bitrate_bps": 1}.get(name, 0)
            expected, found = shared[name], row[name]
            if isinstance(expected, bool):
                expected = int(expected)
            if loose and None not in (expected, found) and abs(expected - found) <= loose:
                continue
            differences.compare(expected, found, f"{place}.{name}", 1e-9)
        missing = {"startup_with_ads_ms", "switches_up", "switches_down", "dropped_frames", "rendered_frames",
                   "interrupted_ms", "starting_ms", "sleep_ms"} - row.keys()
        differences.compare([], sorted(missing), f"{place}: columns that are missing")
        differences.compare(sorted(session.minutes), sorted(minutes[key]), f"{place}.minutes")
    summary = dict(database.execute("SELECT * FROM metrics").fetchone())
    expected = group_json(measured)["headline"]
    for name in expected.keys() & summary.keys():
        # There quantiles are those of the values themselves; here those of buckets.
        loose = {"startup_median_ms": 0.2, "startup_p95_ms": 0.02, "rebuffer_ratio": 1e-6, "average_bitrate_bps": 1e-6}
        differences.compare(expected[name], summary[name], f"database metrics.{name}", loose.get(name, 1e-9))


def main(arguments):
    archives, dimensions, files = [], list(DIMENSIONS), {}
    while arguments:
        word_ = arguments.pop(0)
        if word_ in ("--sessions", "--set", "--database", "--by") and arguments:
            value = arguments.pop(0)
            if word_ == "--by":
                dimensions.append(value)
            else:
                files[word_] = value
        elif word_.startswith("-"):
            print(__doc__, file=sys.stderr)
            return 64
        else:
            archives.append(word_)
    measured = [Measured(session) for session in read(archives)]
    differences = Differences()
    if "--sessions" in files:
        with open(files["--sessions"], encoding="utf-8") as file:
            found = {(line["run"], line["session"]): line for line in map(json.loads, file)}
        expected = {(one.run.name, one.session.number): one.json(dimensions) for one in measured}
        differences.compare({f"{run}/{number}": line for (run, number), line in expected.items()},
                            {f"{run}/{number}": line for (run, number), line in found.items()}, "session")
    if "--set" in files:
        with open(files["--set"], encoding="utf-8") as file:
            found = json.load(file)
        differences.compare(group_json(measured), found["total"], "total")
        for dimension in dimensions:
            groups = collections.defaultdict(list)
            for one in measured:
                if one.group(dimension) is not None:
                    groups[one.group(dimension)].append(one)
            too_fine = len(groups) > MOST_GROUPS.get(dimension, len(groups))
            if too_fine:
                groups = {}
            expected = {"distinct": len(groups), "too_fine": too_fine, "left_out": 0,
                        "groups": [{"value": value, **group_json(groups[value], dimension == "video_id")}
                                   for value in sorted(groups, key=lambda text: text.encode())]}
            differences.compare(expected, found["groups"][dimension], dimension)
    if "--database" in files:
        compare_database(files["--database"], measured, differences)
    print(f"{len(measured)} sessions, {sum(len(one.session.events) for one in measured)} events, "
          f"{differences.count} differences")
    return 1 if differences.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

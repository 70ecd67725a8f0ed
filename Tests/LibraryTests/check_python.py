#!/usr/bin/env python3
"""Holds the Python package to libtally, with plugins and archives as they are.

PYTHONPATH=Hosts/Python python3 Tests/LibraryTests/check_python.py BUILD_FOLDER [CASE...]
"""

import asyncio
import contextlib
import gc
import gzip
import math
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import tally

BUILD = ""
# Seconds after which a wait for what never comes is given up, so that a test fails; none passes by it.
NET = 60
EVENTS = ["video_load", "play", "first_frame", "playhead_sample", "seek_start", "seek_complete", "buffer_start"]
EVENTS += ["buffer_complete", "quality_sample", "metadata_change", "player_error", "consent", "custom", "pause"]
EVENTS += ["ad_start", "complete", "video_unload"]


class Case(unittest.TestCase):
    """A test with a folder of its own, which has the archives and the output of what it opens."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.output = os.path.join(self.folder, "out.jsonl")

    def open(self, settings=None, **more):
        """Opens with a tracker and a reporter, and an archive folder."""
        options = dict(plugins=["new-relic-video", "jsonlines"], plugin_folders=[BUILD], archive=self.folder + "/archives/")
        options = {**options, "library": os.path.join(BUILD, "libtally.so"), **more}
        path = {} if options["plugins"] == "new-relic-video" else {"plugins.jsonlines.config.path": self.output}
        return tally.open(settings={**path, **(settings or {})}, **options)

    def recorded(self):
        """A short run; gives its archive."""
        with self.open({"plugins.jsonlines.config.events": True}) as telemetry, telemetry.run() as run:
            run.state(playhead_ms=0, duration_ms=4000, rate=1.0, muted=False)
            run.load(video_name="Film", stream_type="vod")
            run.play()
            run.first_frame()
            run.custom("mark", ratio=0.5, parts=3)
            run.unload()
        return run.archive

    def lines(self, path, **how):
        """The lines of an archive, and its reader."""
        reader = tally.archive.read(path, **how)
        return list(reader), reader

    def events(self, path):
        """The events of an archive."""
        return [line for line in self.lines(path)[0] if isinstance(line, tally.archive.Event)]

    def fails(self, code, *words):
        """Expects a TallyError of this code whose text has these words."""
        case = self

        class Expected(contextlib.AbstractContextManager):
            def __exit__(self, kind, error, trace):
                case.assertIsInstance(error, tally.TallyError)
                case.assertEqual(error.code, code, str(error))
                for word in words:
                    case.assertIn(word, str(error))
                return True

        return Expected()


class Tracking(Case):
    """What is told of a player."""

    def test_all_calls_are_recorded_in_their_order(self):
        with self.open({"plugins.jsonlines.config.events": True}) as telemetry:
            with telemetry.run() as run:
                self.assertEqual(telemetry.version.split(".")[0], tally.__version__.split(".")[0])
                run.state(playhead_ms=0, duration_ms=10_000, rate=1.0, volume=0.25, muted=True, size=(640, 360))
                results = [run.load(video_name="Fílm", stream_type="vod"), run.play(), run.first_frame()]
                results += [run.playhead(1250)]
                results += [run.seek(1300, 5000), run.seeked(), run.buffering("stall"), run.buffered(), run.quality()]
                results += [run.metadata(genre="news", parts=3), run.error("E1", "it broke", fatal=True, error_code=7)]
                results += [run.consent("in"), run.custom("choice", ratio=0.5, great=1 << 70, odd=math.nan, none=None)]
                results += [run.pause()]
                self.assertEqual(run.info("ad", ad_id="ad-1"), 0)
                results += [run.track("ad_start", {"own": True}), run.complete(), run.unload()]
                self.assertTrue(all(result == 0 and result.queued for result in results), results)
                self.assertGreater(run.time_us, 0)
            self.assertTrue(run.play().ended)
        events = self.events(run.archive)
        self.assertEqual([event.event for event in events], EVENTS)
        self.assertEqual([event.n for event in events], list(range(1, len(EVENTS) + 1)))
        said = {event.event: event for event in events}
        self.assertEqual(said["video_load"].attributes, {"video_name": "Fílm", "stream_type": "vod"})
        state = {"playhead_ms": 0, "duration_ms": 10_000, "rate_milli": 1000, "volume_milli": 250, "muted": True}
        self.assertEqual(said["video_load"].state, {**state, "width": 640, "height": 360})
        self.assertEqual(said["playhead_sample"].state["playhead_ms"], 1250)
        self.assertEqual(said["seek_start"].attributes, {"seek_from_ms": 1300, "seek_to_ms": 5000})
        self.assertEqual(said["buffer_start"].attributes, {"buffer_cause": "stall"})
        self.assertEqual(said["metadata_change"].attributes["parts"], 3)
        error = {"error_id": "E1", "error_fatal": True, "error_message": "it broke", "error_code": 7}
        self.assertEqual(said["player_error"].attributes, error)
        self.assertEqual(said["consent"].attributes, {"consent_scope": "all", "consent_state": "in"})
        custom = said["custom"].attributes
        self.assertEqual(list(custom), ["custom_name", "ratio", "great", "odd"])
        self.assertEqual((custom["ratio"], custom["great"]), (0.5, float(1 << 70)))
        self.assertTrue(math.isnan(custom["odd"]))
        self.assertEqual(said["ad_start"].attributes, {"ad_id": "ad-1", "own": True})
        self.assertIs(said["ad_start"].attributes["own"], True)
        outputs = list(tally.outputs.read(self.output))
        self.assertEqual([line.kind for line in outputs if line.line == "event"], EVENTS)
        records = [line.kind for line in outputs if line.line == "record"]
        self.assertEqual(records[:4], ["TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "CONTENT_SEEK_START"])
        self.assertTrue(all(line.run == run.id for line in outputs))

    def test_what_is_left_out_is_counted(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.load()
            result = run.track("custom", {"custom_name": "large", "text": "x" * 70_000})
            self.assertEqual((result, result.left_out, result.queued), (1, 1, True))
            self.assertIn("1 attributes", repr(result))
            with self.assertRaisesRegex(TypeError, "'list' is a list"):
                run.custom("x", list=[1])
            self.assertEqual([event.event for event in self.ended(run)], ["video_load", "custom"])

    def ended(self, run):
        run.end()
        return self.events(run.archive)

    def test_a_full_queue_refuses(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.load()
            # Such an event takes longer to be written than to be told.
            attributes = {"custom_name": "long", "text": "x" * 400}
            results = [run.track("custom", attributes)]
            while not results[-1].refused and len(results) < 1_000_000:
                results.append(run.track("custom", attributes))
            self.assertEqual({int(result) for result in results}, {0, -1})
            self.assertFalse(results[-1].queued)

    def test_an_unknown_event_is_told(self):
        with self.open() as telemetry, telemetry.run() as run:
            with self.assertRaisesRegex(ValueError, "'video_lod'.*is it 'video_load'"):
                run.track("video_lod")
            with self.assertRaisesRegex(ValueError, "'zzz'$"):
                run.track("zzz")
            # C would read it as a play.
            with self.assertRaisesRegex(ValueError, "zero byte"):
                run.track("play\0ed")
            self.assertEqual(self.ended(run), [])

    def test_state_is_kept_until_it_is_forgotten(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.state(bitrate=800_000, throughput=5, duration_ms=9, rendered_frames=3, live=False, frame_rate=29.97)
            run.load()
            run.state(bitrate=None, live=True)
            run.forget("throughput", "rendered_frames")
            # What was reported of a session is forgotten at its end, and the next one has what is said since.
            run.load()
            states = [event.state for event in self.ended(run) if event.event == "video_load"]
        kept = {"duration_ms": 9, "fps_milli": 29970}
        more = {"bitrate_bps": 800_000, "throughput_bps": 5, "rendered_frames": 3}
        self.assertEqual(states, [{**kept, **more, "live": False}, {**kept, "live": True}])

    def test_wrong_members_of_the_state(self):
        with self.open() as telemetry, telemetry.run() as run:
            for call in (lambda: run.state(bitrat=1), lambda: run.forget("bitrat")):
                with self.assertRaisesRegex(ValueError, "no 'bitrat'; there are playhead_ms, .*audio_only"):
                    call()
            for members in ({"size": 640}, {"playhead_ms": (1, 2)}, {"duration_ms": 1.5}, {"volume": "loud"}):
                with self.assertRaises((TypeError, ValueError)):
                    run.state(**members)
            # As unsigned bits these would be other numbers.
            with self.assertRaises(ValueError):
                run.playhead(1 << 63)
            for members in ({"size": (1 << 32, 1)}, {"bitrate": 1 << 64}):
                with self.assertRaisesRegex(ValueError, "out of range"):
                    run.state(**members)
            with self.assertRaisesRegex(ValueError, "'vidoe' is no subject; there are video, ad_break"):
                run.info("vidoe", video_name="x")
            with self.assertRaises(TypeError):
                run.playhead("1")

    def test_texts_are_what_python_has(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.load(video_name="a\0b", video_id="half \ud800 a pair 😀", player_name="")
            attributes = self.ended(run)[0].attributes
        self.assertEqual(attributes, {"video_name": "a\0b", "video_id": "half \ufffd a pair 😀", "player_name": ""})

    def test_calls_of_many_threads(self):
        with self.open(plugins="new-relic-video") as telemetry, telemetry.run() as run:
            run.load()
            threads = [
                threading.Thread(target=lambda number=number: [run.custom(f"{number}") for _ in range(100)])
                for number in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            names = [event.attributes["custom_name"] for event in self.ended(run) if event.event == "custom"]
        self.assertEqual(sorted(names), sorted(str(number) for number in range(8) for _ in range(100)))


class Signals(Case):
    """Players that tell what happens, and not what it means."""

    def test_signals_become_track_calls(self):
        begun = time.monotonic_ns() - 2_000_000_000
        with self.open() as telemetry, telemetry.adapter(player_name="Example", begun_ns=begun) as adapter:
            adapter.signal("opening", begun + 500_000_000, url="https://media.example/film.mp4", playing=True)
            opened = adapter.signal("opened", begun + 1_000_000_000, duration_ms=60_000, live=False, video=True)
            self.assertEqual((opened.queued, opened.left_out), (True, 0))
            self.assertTrue(adapter.signal("picture", begun + 1_500_000_000).queued)
            adapter.signal("position", ms=1_000)
            adapter.signal("setting", volume=float("nan"), rate=float("inf"))
            adapter.signal("position", ms=2**63 - 1)
            with self.assertRaisesRegex(ValueError, "the signal 'position' was left out"):
                adapter.signal("position", ms="1000")
            adapter.signal("position", 2**63 - 1, ms=1_250)
            adapter.signal("tick")
            adapter.signal("position", time.time_ns(), ms=1_500)
            adapter.track("custom", custom_name="mark")
            with self.assertRaisesRegex(ValueError, "there is no signal 'nothing'"):
                adapter.signal("nothing")
            with self.assertRaisesRegex(ValueError, "no player's event is called 'nothing'"):
                adapter.track("nothing")
            adapter.signal("closed")
        events = self.events(adapter.archive)
        names = [event.event for event in events if not event.event.endswith("_sample")]
        expected = ["application_launched", "player_ready", "video_load", "play", "metadata_change", "first_frame", "custom"]
        self.assertEqual(names, [*expected, "video_unload", "application_terminated"])
        times = {event.event: event.time_us for event in events}
        # Each is rounded by itself, from ns.
        self.assertAlmostEqual(times["first_frame"] - times["video_load"], 1_000_000, delta=2)
        self.assertGreaterEqual(times["custom"], 2_000_000)
        with self.fails(tally.TallyError.ENDED, "closed"):
            adapter.signal("tick")

    def test_what_is_wrong_with_a_signal_is_logged_once(self):
        lines = []
        with self.open(log=lines.append) as telemetry, telemetry.adapter() as adapter:
            for _ in range(3):
                with self.assertRaises(ValueError):
                    adapter.signal("buffering", percent=float("nan"))
                self.assertTrue(adapter.signal("seeked", to_ms=5).queued)
        said = [line.message for line in lines if line.level == "warning"]
        self.assertEqual(len(said), 2, said)
        self.assertRegex(said[0], "^the signal 'buffering' came with a 'percent' that counts nothing: it was left out")
        self.assertRegex(said[1], "^the signal 'seeked' has no attribute 'to_ms' but at_ms: it was heeded without that")

    def test_telemetry_that_nobody_hears_says_so(self):
        for plugins, archive, expected in (
            ("new-relic-video", None, ["no reporter is among the plugins: what the trackers say is counted and goes nowhere"]),
            ("", None, ["nothing is reported: there are no plugins and no archive"]),
            ("new-relic-video", True, []),
        ):
            with self.subTest(plugins=plugins), tempfile.TemporaryDirectory() as folder:
                lines = []
                archives = {"archive": folder} if archive else {}
                with tally.open(
                    plugins=plugins, plugin_folders=[BUILD], library=BUILD + "/libtally.so", log=lines.append, **archives
                ) as telemetry:
                    telemetry.poll()
                self.assertEqual([line.message for line in lines if line.level == "warning"], expected)

    def test_an_adapter_ends_with_the_telemetry(self):
        with self.open() as telemetry:
            adapter = telemetry.adapter()
            adapter.signal("opening", url="film.mp4")
        self.assertEqual(self.events(adapter.archive)[-1].event, "application_terminated")
        adapter.end()

    def test_a_run_began_a_while_ago(self):
        with self.open() as telemetry, telemetry.run(begun_ns=time.monotonic_ns() - 5_000_000_000) as run:
            self.assertGreaterEqual(run.time_us, 5_000_000)


class Opening(Case):
    """What is opened, and what cannot be."""

    def test_a_configuration_and_settings(self):
        path = os.path.join(self.folder, "tally.json5")
        with open(path, "w") as file:
            file.write("{plugins: [{plugin: 'jsonlines', config: {path: '/nowhere'}}, {plugin: 'new-relic-video'}],}")
        # A text that reads as a number stays a text.
        with contextlib.ExitStack() as stack:
            stack.callback(os.chdir, os.getcwd())
            os.chdir(self.folder)
            settings = {"plugins.jsonlines.config.path": "12", "plugins.jsonlines.config.events": True}
            with self.open(settings, configuration=path, plugins=None) as telemetry, telemetry.run() as run:
                run.load()
            self.assertIn("video_load", [line.kind for line in tally.outputs.read("12")])

    def test_what_is_wrong_is_told(self):
        with self.fails(tally.TallyError.CONFIGURATION, "plugins.jsonlines.config.nonsense"):
            self.open({"plugins.jsonlines.config.nonsense": 1})
        with self.fails(tally.TallyError.PLUGIN, "no-such-plugin"):
            self.open(plugins="no-such-plugin,jsonlines")
        with self.fails(tally.TallyError.INPUT, "/nowhere.json5"):
            self.open(configuration="/nowhere.json5")
        with self.open() as telemetry, self.fails(tally.TallyError.OUTPUT, "/nowhere/run.tally"):
            telemetry.run("/nowhere/run.tally")
        with self.assertRaises(TypeError):
            self.open(plugin_folders=BUILD)

    def test_the_library_has_to_be_there(self):
        with self.fails(tally.TallyError.INPUT, "/nowhere/libtally.so", "apt install libtally", "TALLY_LIBRARY"):
            self.open(library="/nowhere/libtally.so")
        with self.fails(tally.TallyError.INPUT, "libc.so.6", "is no libtally"):
            self.open(library="libc.so.6")
        environment = {**os.environ, "TALLY_LIBRARY": os.path.join(BUILD, "libtally.so")}
        program = "import tally; print(tally.open(plugins=[], plugin_folders=[]).close())"
        found = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertEqual((found.stdout, found.returncode), ("0\n", 0), found.stderr)
        environment["TALLY_LIBRARY"] = "/nowhere/other.so"
        found = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertIn("/nowhere/other.so cannot be loaded", found.stderr)

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_another_interface_is_refused(self):
        path = os.path.join(self.folder, "libnewer.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", path], input=b"int tally_library_abi() { return 2; }",
                       check=True)  # fmt: skip
        with self.fails(tally.TallyError.NEWER, path, "the interface 2", "for 1"):
            self.open(library=path)

    def test_a_claim_is_one_openers(self):
        with self.open(claim="adapter"):
            with self.fails(tally.TallyError.TAKEN, "'adapter'"):
                self.open(claim="adapter")
        self.open(claim="adapter").close()

    def test_an_archive_of_its_own(self):
        path = os.path.join(self.folder, "own.tally")
        with self.open() as telemetry, telemetry.run(path) as run:
            run.load()
        self.assertEqual(run.archive, path)
        self.assertEqual([event.event for event in self.events(path)], ["video_load"])
        with self.open(archive=None) as telemetry, telemetry.run() as run:
            self.assertIsNone(run.archive)

    def test_opening_again_and_again_leaves_no_thread(self):
        def count():
            return len(os.listdir("/proc/self/task"))

        def once():
            with self.open() as telemetry, telemetry.run() as run:
                run.load()
                run.play()

        once()
        gc.collect()
        threads = count()
        for _ in range(30):
            once()
        gc.collect()
        # A thread that was joined may be listed until the kernel has put it away.
        for _ in range(1_000):
            if count() > threads:
                os.sched_yield()
        self.assertLessEqual(count(), threads)


class Ending(Case):
    """What is over, and copies of the process."""

    def test_the_end_of_a_run(self):
        with self.open() as telemetry:
            with telemetry.run() as run:
                run.load()
            summary = run.end()
            self.assertEqual(summary, tally.Summary(True, 0, 0))
            self.assertEqual(run.end(-1), summary)
            self.assertEqual(self.lines(run.archive)[0][-1].end, "drained")
            other = telemetry.run()
            other.load()
            other.end(-1)
            self.assertEqual(self.lines(other.archive)[0][-1].end, "cancelled")
            with contextlib.suppress(KeyError), telemetry.run() as third:
                third.load()
                raise KeyError
            self.assertEqual(self.lines(third.archive)[0][-1].end, "drained")

    def test_use_after_the_end(self):
        with self.open() as telemetry:
            run = telemetry.run()
            run.load()
        self.assertEqual(self.lines(run.archive)[0][-1].end, "drained")
        self.assertTrue(run.play().ended and run.playhead(1).ended)
        self.assertEqual((repr(run.play()), run.play().queued), ("<Tracked: ended>", False))
        run.state(volume=1)
        self.assertEqual(run.info("video", video_name="x"), 0)
        self.assertEqual(telemetry.close(), 0)
        calls = [telemetry.run, telemetry.poll, telemetry.plugins, telemetry.erase, lambda: telemetry.recover("x")]
        for call in [*calls, lambda: telemetry.report_descriptor]:
            with self.fails(tally.TallyError.ENDED, "the telemetry is closed"):
                call()
        self.assertEqual([report.session for report in telemetry.reports()], [1])

    def test_what_nobody_closes_is_closed_with_a_warning(self):
        telemetry = self.open(claim="left")
        run = telemetry.run()
        run.load()
        archive = run.archive
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            del telemetry, run
            gc.collect()
        self.assertIn("not closed", str(told[0].message))
        self.open(claim="left").close()
        self.assertEqual(self.lines(archive)[0][-1].end, "drained")

    def test_a_copy_of_the_process(self):
        with self.open() as telemetry:
            with telemetry.run() as run:
                run.load()
                held, copied = threading.Event(), threading.Event()

                def hold():
                    # In the copy there is nobody who could give them back.
                    with telemetry._changed, telemetry._fetching:
                        held.set()
                        copied.wait()

                holder = threading.Thread(target=hold)
                holder.start()
                held.wait()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    child = os.fork()
                if child == 0:
                    # Ends a copy that hangs.
                    signal.alarm(60)
                    self.copy(telemetry, run)
                copied.set()
                holder.join()
                _, status = os.waitpid(child, 0)
                self.assertEqual(os.waitstatus_to_exitcode(status), 0)
                run.play()
            self.assertEqual(len(list(telemetry.reports())), 1)
        self.assertEqual([event.event for event in self.events(run.archive)], ["video_load", "play"])
        lines, reader = self.lines(run.archive)
        self.assertEqual((lines[-1].end, reader.incomplete, reader.damaged), ("drained", False, 0))

    def copy(self, telemetry, run):
        """What a copy does; its exit code says whether all was well."""
        code = 1
        try:
            with telemetry, run:
                assert run.play().ended and run.playhead(1).ended
                run.state(volume=0.5)
                assert list(telemetry.reports()) == []
                for call in (telemetry.run, telemetry.plugins):
                    with self.fails(tally.TallyError.ENDED, "copy"):
                        call()
            del telemetry, run
            gc.collect()
            code = 0
        finally:
            os._exit(code)

    def test_recovery(self):
        program = (
            "import os, sys, tally\n"
            "telemetry = tally.open(plugins='new-relic-video,jsonlines', plugin_folders=[sys.argv[1]], archive=sys.argv[2],"
            " settings={'plugins.jsonlines.config.path': '/dev/null'}, library=sys.argv[1] + '/libtally.so')\n"
            "run = telemetry.run()\nrun.load()\n"
            "while len(open(run.archive).readlines()) < 2: os.sched_yield()\n"
            "os._exit(9)"
        )
        folder = self.folder + "/crashed/"
        self.assertEqual(subprocess.run([sys.executable, "-c", program, BUILD, folder]).returncode, 9)
        # What is recovered goes to reporters alone that keep what they took.
        settings = {"plugins.sqlite.config.path": self.folder + "/out.db"}
        with self.open(settings, plugins="new-relic-video,jsonlines,sqlite") as telemetry:
            self.assertEqual(telemetry.recover(folder), 1)
            self.assertEqual(telemetry.recover(folder), 0)
        (archive,) = os.listdir(folder)
        self.assertEqual(self.lines(folder + archive)[0][-1].end, "crash")


class Reports(Case):
    """What Tally has to say."""

    def test_a_session_is_reported_once(self):
        with self.open() as telemetry, telemetry.run() as run:
            descriptor = telemetry.report_descriptor
            self.assertEqual(select.select([descriptor], [], [], 0)[0], [])
            run.load()
            run.play()
            run.unload()
            select.select([descriptor], [], [], NET)
            (report,) = telemetry.reports()
            self.assertEqual(report, tally.SessionReport(run.id, 1, report.delivered, 0, 0, False))
            self.assertGreater(report.delivered, 0)
            self.assertEqual(list(telemetry.reports()), [])
            self.assertEqual(select.select([descriptor], [], [], 0)[0], [])

    def test_reports_come_to_an_event_loop_until_the_close(self):
        async def sessions(telemetry, run):
            run.load()
            run.unload()
            found = []
            async for report in telemetry.reports_async():
                found.append(report.session)
                if len(found) == 1:
                    run.load()
                    run.unload()
                elif len(found) == 2:
                    threading.Thread(target=telemetry.close).start()
            return found

        telemetry = self.open()
        found = asyncio.run(asyncio.wait_for(sessions(telemetry, telemetry.run()), NET))
        self.assertEqual(found, [1, 2])

    def test_an_event_loop_has_rest_while_nothing_comes(self):
        async def rest(telemetry):
            asked, reports = [], telemetry.reports

            def counted():
                asked.append(1)
                return reports()

            telemetry.reports = counted
            waiting = asyncio.ensure_future(telemetry.reports_async().__anext__())
            await asyncio.sleep(0.1)
            waiting.cancel()
            return len(asked)

        with self.open(log=lambda line: None) as telemetry:
            self.assertEqual(asyncio.run(rest(telemetry)), 1)

    def test_an_event_loop_hears_of_what_others_have_fetched(self):
        async def session(telemetry, run):
            run.load()
            found, loop = [], asyncio.get_running_loop()
            # Runs while the loop waits; with a log it fetches the report, which the descriptor tells no more.
            loop.call_soon(run.end)
            async for report in telemetry.reports_async():
                found.append(report.session)
                loop.call_soon(telemetry.close)
            return found

        with self.open(log=lambda line: None) as telemetry:
            self.assertEqual(asyncio.run(asyncio.wait_for(session(telemetry, telemetry.run()), NET)), [1])

    def test_log_lines_come_when_reports_are_fetched(self):
        lines, threads = [], []

        def log(line):
            lines.append(line)
            threads.append(threading.current_thread())

        # The reporter's thread meets the error, and tells it.
        with self.open({"plugins.jsonlines.config.path": "/dev/full"}, log=log) as telemetry:
            with telemetry.run() as run:
                run.load()
                select.select([telemetry.report_descriptor], [], [], NET)
                self.assertEqual(lines, [])
                telemetry.poll()
                self.assertIn("/dev/full", lines[0].message)
                self.assertEqual((lines[0].level, lines[0].plugin), ("error", "jsonlines"))
                run.unload()
            self.assertEqual([type(report) for report in telemetry.reports()], [tally.SessionReport])
        self.assertEqual(set(threads), {threading.current_thread()})
        self.assertTrue(all(isinstance(line, tally.LogLine) for line in lines))

    def test_the_end_of_a_run_hands_over_log_lines(self):
        lines = []
        with self.open({"plugins.jsonlines.config.path": "/dev/full"}, log=lines.append) as telemetry:
            with telemetry.run() as run:
                run.load()
            self.assertIn("/dev/full", lines[0].message)

    def test_nothing_that_is_logged_around_the_close_is_lost(self):
        program = (
            "import sys, tally\n"
            "telemetry = tally.open(plugins='new-relic-video,jsonlines', settings={'plugins.jsonlines.config.path':"
            " '/dev/full'}, plugin_folders=[sys.argv[1]], library=sys.argv[1] + '/libtally.so', log=lambda line: sys.stderr.write(line.message))\n"
            "run = telemetry.run()\n"
            "run.load()\n"
            "telemetry._runs.clear()\n"
            "telemetry.close()"
        )
        run = subprocess.run([sys.executable, "-c", program, BUILD], capture_output=True, text=True)
        self.assertEqual((run.stdout, run.returncode), ("", 0))
        self.assertIn("/dev/full", run.stderr)

    def test_without_a_log_warnings_go_to_standard_error(self):
        program = (
            "import sys, tally\n"
            "with tally.open(plugins='new-relic-video,jsonlines', settings={'plugins.jsonlines.config.path': '/dev/full'},"
            " plugin_folders=[sys.argv[1]], library=sys.argv[1] + '/libtally.so') as telemetry, telemetry.run() as run:\n"
            "    run.load()"
        )
        run = subprocess.run([sys.executable, "-c", program, BUILD], capture_output=True, text=True)
        self.assertEqual((run.stdout, run.returncode), ("", 0))
        self.assertIn("/dev/full", run.stderr)


class Plugins(Case):
    """Plugins while playback goes on."""

    def test_enable_and_disable(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.load()
            self.assertEqual([telemetry.disable("new-relic-video") for _ in range(2)], [True, False])
            # Behind the instances come files that another folder's took the place of, under the same names.
            states = {plugin["name"]: plugin["state"] for plugin in reversed(telemetry.plugins())}
            self.assertEqual((states["new-relic-video"], states["jsonlines"]), ("disabled", "enabled"))
            self.assertTrue(telemetry.enable("new-relic-video"))
            names = [event.event for event in self.events(run.archive)]
            self.assertEqual(names, ["video_load", "plugin_disabled", "plugin_enabled"])
            self.assertEqual([line["run"] for line in telemetry.statistics()["runs"]], [run.id])
            with self.fails(tally.TallyError.UNAVAILABLE, '"nobody"', "there are new-relic-video"):
                telemetry.enable("nobody")
            with self.fails(tally.TallyError.ARGUMENT, "unknown command"):
                telemetry.perform("plai")
            with self.assertRaisesRegex(ValueError, "quotes"):
                telemetry.enable("\"'")

    def test_files(self):
        folder = os.path.join(self.folder, "with a space")
        os.mkdir(folder)
        file = shutil.copy(os.path.join(BUILD, "libmux-data.tallyplugin.so"), folder)
        with self.open(plugin_folders=[]) as telemetry, telemetry.run():
            self.assertIs(telemetry.load_plugin(os.path.relpath(file)), False)
            self.assertIs(telemetry.replace_plugin(file), False)
            with self.fails(tally.TallyError.UNAVAILABLE, "/nowhere/libx.tallyplugin.so"):
                telemetry.load_plugin("/nowhere/libx.tallyplugin.so")

    def test_what_is_erased(self):
        with self.open() as telemetry, telemetry.run() as run:
            run.load(user_id="somebody")
            telemetry.erase()
        self.assertIs(self.lines(run.archive)[0][0].header["erased"], True)
        self.assertEqual(self.events(run.archive), [])


class Reading(Case):
    """Archives and outputs, whole and otherwise."""

    def test_plain_and_compressed(self):
        path = self.recorded()
        lines, reader = self.lines(path)
        self.assertEqual((reader.damaged, reader.incomplete), (0, False))
        run = lines[0]
        self.assertIsInstance(run, tally.archive.Run)
        self.assertEqual((run.n, run.trackers[0]["name"], run.header["format"]), (0, "new-relic-video", 1))
        self.assertGreater(run.epoch_us, 1_600_000_000_000_000)
        self.assertEqual((lines[-1].end, lines[-1].dropped), ("drained", 0))
        self.assertEqual([line.n for line in lines], list(range(len(lines))))
        with open(path, "rb") as file:
            content = file.read()
        with gzip.open(self.folder + "/a.tally.gz", "wb") as file:
            file.write(content)
        self.assertEqual(self.lines(self.folder + "/a.tally.gz")[0], lines)
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", path, "-o", self.folder + "/a.tally.zst"], check=True)
            self.assertEqual(self.lines(self.folder + "/a.tally.zst")[0], lines)
            # Files that were put one after another are one.
            with open(self.folder + "/a.tally.zst", "rb") as file:
                packed = file.read()
            with open(self.folder + "/b.tally.zst", "wb") as file:
                file.write(packed + packed)
            self.assertEqual(self.lines(self.folder + "/b.tally.zst")[0], lines + lines)
            self.cut(self.folder + "/a.tally.zst")
        self.cut(self.folder + "/a.tally.gz")

    def cut(self, path):
        """A compressed file that ends too early, and one that is none."""
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 9)
        self.assertTrue(self.lines(path)[1].incomplete)
        with open(path, "r+b") as file:
            file.write(b"nonsense")
        with self.fails(tally.TallyError.DATA, path):
            self.lines(path)

    @unittest.skipIf(shutil.which("zstd") is None, "there is no zstd")
    def test_without_zstd(self):
        path = self.folder + "/a.tally.zst"
        subprocess.run(["zstd", "-q", "-o", path], input=b"\n", check=True)
        program = "import sys, tally; list(tally.archive.read(sys.argv[1]))"
        # Without packages and without programs.
        environment = {"PATH": "/nowhere", "PYTHONPATH": os.pathsep.join(sys.path)}
        environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(os.path.abspath(tally.__file__)))
        run = subprocess.run([sys.executable, "-S", "-c", program, path], env=environment, capture_output=True, text=True)
        self.assertIn("install the package zstandard", run.stderr)

    def test_cut_and_damaged(self):
        path = self.recorded()
        whole = self.lines(path)[0]
        with open(path, "rb") as file:
            raw = file.read().splitlines(keepends=True)
        cut = self.written(b"".join(raw[:-1]) + raw[-1].rstrip(b"\n"))
        lines, reader = self.lines(cut)
        self.assertEqual((lines, reader.incomplete), (whole[:-1], True))
        bad = [b"{nonsense}\n", b"[1]\n", b'{"n":1}\n', b'{"run":"x","n":1.0,"t_us":0,"mark":true}\n', b'{"run":"\xff"}\n']
        bad += [b'{"run":"x","n":1,"t_us":-1,"mark":true}\n', b'{"run":"x","n":1,"t_us":1,"event":"e","state":[]}\n']
        bad += [b'{"run":"x","n":1,"t_us":1,"event":"e","attributes":{"a":{"b":1}}}\n', b'{"run":"x","n":NaN}\n']
        bad += [b'{"run":"x","n":1,"t_us":1,"event":"e","attributes":{"a":1e999}}\n', b"[" * 100_000 + b"\n"]
        bad += [b'{"run":"x","n":1,"t_us":1,"event":"e","attributes":{"a":"' + b"x" * (1 << 20) + b'"}}\n']
        for line in bad:
            file = self.written(raw[0] + b"\n" + line + b"".join(raw[1:]))
            with self.assertRaises(tally.archive.DamagedLine) as told:
                self.lines(file)
            self.assertEqual((told.exception.file, told.exception.line), (file, 3))
            self.assertTrue(str(told.exception).startswith(f"{file}:3: damaged line: "))
            lines, reader = self.lines(file, skip_damaged=True)
            self.assertEqual((lines, reader.damaged), (whole, 1))

    def test_values_and_what_is_newer(self):
        values = b'{"a":{"$f":"-inf"},"b":{"$b":"AAEC"},"c":[1,[null,{"$f":"inf"}]],"d":"\\ud800x\\ud83d\\ude00"}'
        line = b'{"run":"x","n":7,"t_us":5,"event":"own","attributes":%s,"more":1}\r\n' % values
        newer = b'{"run":"x","n":8,"t_us":5,"unknown":1}\n'
        (event,), _ = self.lines(self.written(line + newer))
        expected = {"a": -math.inf, "b": b"\0\1\2", "c": [1, [None, math.inf]], "d": "\ufffdx😀"}
        self.assertEqual(event.attributes, expected)
        header = b'{"run":"x","n":0,"tally":{"format":2,"semantics":9,"epoch_us":0}}\n'
        with self.fails(tally.TallyError.NEWER, "the format 2"):
            self.lines(self.written(header), skip_damaged=True)
        with self.fails(tally.TallyError.INPUT, "/nowhere.tally"):
            self.lines("/nowhere.tally")

    def written(self, content):
        """A file that holds this."""
        path = os.path.join(self.folder, "written.tally")
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_rotated_outputs(self):
        settings = {"plugins.jsonlines.config.rotate_bytes": 1, "plugins.jsonlines.config.events": True}
        for compress in ("gzip", "none", "zstd"):
            with self.open({**settings, "plugins.jsonlines.config.compress": compress}) as telemetry, telemetry.run() as run:
                run.load()
                for _ in range(3):
                    run.custom("again")
                    telemetry.perform("drain 5")
        self.assertTrue({".gz", ".zst"} < {os.path.splitext(name)[1] for name in os.listdir(self.folder)})
        lines = list(tally.outputs.read(self.output))
        for archive in sorted(os.scandir(self.folder + "/archives"), key=lambda entry: entry.stat().st_mtime_ns):
            events = self.events(archive.path)
            found = [line for line in lines if line.line == "event" and line.run == events[0].run]
            # An archive also numbers the marks of a run in which nothing happens for a second.
            self.assertEqual([(line.kind, line.time_us) for line in found],
                             [(event.event, event.time_us) for event in events])  # fmt: skip
        runs = [line.run for line in lines]
        self.assertEqual(runs, sorted(runs, key=runs.index))
        self.assertEqual(len(set(runs)), 3)
        self.assertLess(len(list(tally.outputs.read(self.output, rotated=False))), len(lines))

    def test_frames(self):
        path = self.recorded()
        tables = [name for name in ("pandas", "polars") if self.is_there(name)]
        for name in tables:
            frame = tally.frames.events(path, library=name)
            events = self.events(path)
            self.assertEqual(list(frame["event"]), [event.event for event in events])
            self.assertEqual(list(frame["attributes.custom_name"])[3], "mark")
            # One that is missing somewhere makes no fractions of the others.
            self.assertEqual(str(frame["attributes.parts"].dtype), "Int64")
            epoch = self.lines(path)[0][0].epoch_us
            self.assertEqual(list(frame["time"])[0].timestamp(), (epoch + events[0].time_us) / 1e6)
            self.assertEqual(len(tally.frames.events(iter(events[:2]), library=name)), 2)
            self.assertEqual(len(tally.frames.events([path, path], library=name)), 2 * len(events))
            records = tally.frames.records(self.output, library=name)
            self.assertEqual(list(records["kind"])[:2], ["TRACKER_READY", "CONTENT_REQUEST"])
            self.assertEqual(list(records["attributes.actionName"]), list(records["kind"]))
            self.assertEqual(len(records), sum(line.line == "record" for line in tally.outputs.read(self.output)))
        for name in {"pandas", "polars"} - set(tables):
            with self.fails(tally.TallyError.UNAVAILABLE, f"there is no {name}"):
                tally.frames.events(path, library=name)
        with self.assertRaises(ValueError):
            tally.frames.events(path, library="numpy")
        if not tables:
            self.skipTest("there is neither pandas nor polars")

    def is_there(self, name):
        """Whether a package can be imported."""
        try:
            __import__(name)
        except ImportError:
            return False
        return True


if __name__ == "__main__":
    if len(sys.argv) < 2 or not os.path.exists(os.path.join(sys.argv[1], "libtally.so")):
        sys.exit(__doc__ + "\nBUILD_FOLDER has libtally.so and the plugins.")
    BUILD = os.path.abspath(sys.argv.pop(1))
    unittest.main()

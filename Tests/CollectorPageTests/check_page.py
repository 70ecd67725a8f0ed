"""Plays media in a real browser, and holds what tally.js sends against what the page itself saw. See --help."""
import argparse
import gzip
import os
import sys
import traceback

from playwright.sync_api import sync_playwright

from collector import WEB
from visit import CHROMIUM, Failure, Visit, demand, media_folders


def plays_and_pauses(visit):
    """Play, pause, play: the run says what the page saw, in its order, with rate, place and length."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("video.pause()")
    visit.until_event("pause")
    visit.evaluate("video.playbackRate = 2; video.play()")
    visit.until_event("play", 2)
    visit.until(lambda: len(visit.lines("playhead_sample")) > 8, "samples")
    visit.evaluate("tally.destroy()")
    visit.until_event("drained")
    told = [event for event in visit.events() if event not in ("buffer_start", "buffer_complete", "request_completed", "metadata_change")]
    demand(told == ["video_load", "play", "first_frame", "pause", "play", "video_unload", "drained"], f"the run says {told}")
    demand(visit.lines("metadata_change")[0]["state"]["duration_ms"] // 100 == 200, "the length is not 20 s")
    demand(visit.lines("video_load")[0]["attributes"]["video_id"] == "asset-1", "the video has no id")
    frame = visit.lines("first_frame")[0]
    demand(frame["state"]["width"] == 640 and frame["attributes"]["startup_time_ms"] >= 0, f"the first frame is {frame}")
    rates = [line["state"]["rate_milli"] for line in visit.lines("playhead_sample") if "rate_milli" in line["state"]]
    demand(rates[-1] == 2000, f"the rates are {rates}")
    places = [line["state"]["playhead_ms"] for line in visit.lines("playhead_sample")]
    demand(places == sorted(places) and places[-1] > places[0], f"the places are {places}")


def seeks(visit):
    """A seek with `waiting` inside is one seek and no stall; a scrub is one seek."""
    visit.site.hold = lambda path, place: path.endswith("clip.mp4") and place > 1_000_000 and not visit.site.held.is_set()
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("video.currentTime = 15; setTimeout(() => video.currentTime = 16, 20)")
    visit.until_event("seek_start")
    visit.until(lambda: visit.seen("waiting"), "a wait")
    visit.page.wait_for_timeout(500)
    demand("seek_complete" not in visit.events(), "the seek is over before there is data")
    visit.site.held.set()
    visit.until_event("seek_complete")
    visit.evaluate("tally.destroy()")
    visit.until_event("drained")
    seek = visit.lines("seek_start")
    demand(len(seek) == 1 and len(visit.lines("seek_complete")) == 1, f"the seeks are {visit.events()}")
    attributes = seek[0]["attributes"]
    demand(attributes["seek_from_ms"] < 10_000 and attributes["seek_to_ms"] >= 15_000, f"the seek is {attributes}")
    stalls = [line for line in visit.lines("buffer_start") if line["attributes"]["buffer_cause"] == "stall"]
    demand(not stalls, f"a wait in the seek is a stall: {stalls}")


def stalls(visit):
    """The server stops: one stall, as long as the page saw it wait."""
    visit.site.hold = lambda path, place: path.endswith("clip.mp4") and place > 400_000 and not visit.site.held.is_set()
    visit.open()
    visit.play()
    visit.until(lambda: len(visit.lines("buffer_start")) and visit.events()[-1] == "buffer_start" and "first_frame" in visit.events(), "a stall")
    visit.page.wait_for_timeout(1000)
    visit.site.held.set()
    visit.until(lambda: visit.events().count("buffer_start") == visit.events().count("buffer_complete"), "the stall's end")
    begin = [line for line in visit.lines("buffer_start") if line["attributes"]["buffer_cause"] == "stall"]
    demand(len(begin) == 1, f"the stalls are {begin}")
    end = next(line for line in visit.lines("buffer_complete") if line["n"] > begin[0]["n"])
    waits = visit.seen("waiting")
    went_on = next(one for one in visit.seen("playing") if one[1] > waits[-1][1])
    length, was = (end["t_us"] - begin[0]["t_us"]) / 1000, went_on[1] - waits[-1][1]
    demand(abs(length - was) < 300, f"the stall lasts {length} ms, and the page waited {was} ms")
    middle = [line for line in visit.lines("playhead_sample") if begin[0]["n"] < line["n"] < end["n"]]
    demand(len(middle) <= 1, f"samples go on in the stall: {middle}")


def ends(visit):
    """The element pauses before it ends; nobody has paused. To play again is the same session."""
    visit.open()
    visit.play("media/short.mp4")
    visit.until_event("complete")
    demand(visit.seen("pause"), "the element did not pause")
    demand("pause" not in visit.events(), f"the end is a pause: {visit.events()}")
    visit.evaluate("video.play()")
    visit.until_event("play", 2)
    demand(visit.events().count("video_load") == 1, "to play again is a session of its own")


def fails(visit):
    """A missing file is a fatal error with the element's code, and of several sources only the last is the end."""
    visit.open()
    visit.evaluate("(url) => { video.src = url; video.play().catch(() => {}); }", visit.site.url("media/nothing.mp4"))
    visit.until_event("player_error")
    error = visit.lines("player_error")[0]["attributes"]
    demand(error["error_code"] == 4 and error["error_fatal"] is True, f"the error is {error}")
    visit.page.close()
    visit.open()
    visit.evaluate("""(urls) => { for (const url of urls) video.append(Object.assign(document.createElement("source"), { src: url })); video.load(); video.play().catch(() => {}); }""",
                   [visit.site.url("media/nothing.mp4"), visit.site.url("media/short.mp4")])
    visit.until_event("first_frame")
    errors = [line["attributes"]["error_fatal"] for line in visit.lines("player_error")]
    demand(errors == [False], f"the errors' weights are {errors}")
    demand(visit.events().count("video_load") == 1, "each source is a session")


def is_refused_autoplay(visit):
    """Autoplay with sound that the browser refuses is no playback."""
    # What a test evaluates counts as the viewer's gesture, so the page does it by itself.
    visit.context.add_init_script("""addEventListener("load", () => {
        window.tally = Tally.attach(video, { to: "%s", key: "good", run: "run1", every: 1 });
        video.muted = false; video.src = "%s"; video.play().catch((error) => window.refusal = error.name); })"""
                                  % (visit.site.url("c"), visit.site.url("media/clip.mp4")))
    visit.runs.append("run1")
    visit.page = visit.context.new_page()
    visit.page.goto(visit.site.url("tests/page.html"))
    visit.until(lambda: "metadata_change" in visit.events(), "the media")
    visit.until(lambda: visit.evaluate("window.refusal") == "NotAllowedError", "the refusal")
    visit.until_event("metadata_change")
    demand("first_frame" not in visit.events(), "a refused play has a first frame")
    plays, pauses = visit.events().count("play"), visit.events().count("pause")
    demand(plays == len(visit.seen("play")) and pauses == len(visit.seen("pause")), f"the run says {visit.events()}")
    visit.page.click("#b")
    visit.evaluate("video.play()")
    visit.until_event("first_frame")


def changes_source(visit):
    """Another source is another session, with the description that the application gives; the first ends."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("tally.load({ id: 'asset-2' })")
    visit.play("media/short.mp4")
    visit.until_event("complete")
    demand([line["attributes"]["video_id"] for line in visit.lines("video_load")] == ["asset-1", "asset-2"], f"{visit.lines('video_load')}")
    visit.play("media/clip.mp4")
    visit.until_event("first_frame", 3)
    demand(visit.events().count("video_load") == 3 and visit.events().count("video_unload") == 2, f"{visit.events()}")


def is_hidden(visit):
    """A hidden page says so, and sends at once; back again it says that."""
    visit.open(every=1000)
    visit.play()
    visit.until_event("video_load")
    visit.page.wait_for_timeout(1500)
    visit.evaluate("""Object.defineProperty(document, "hidden", { get: () => window.isHidden, configurable: true });
        window.isHidden = true; document.dispatchEvent(new Event("visibilitychange"))""")
    visit.until_event("application_background")
    visit.evaluate("tally.custom('x'); window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')); tally.destroy()")
    visit.until_event("drained")
    demand("application_foreground" in visit.events(), f"{visit.events()}")


def is_closed(visit):
    """A page that is closed in the middle ends its session and its run, with all that happened."""
    visit.open(every=1000)
    visit.play()
    visit.until(lambda: visit.evaluate("video.currentTime > 3"), "playing")
    visit.page.close()
    visit.until(lambda: "drained" in visit.events(), "the end of the run")
    demand(visit.events()[-2:] == ["video_unload", "drained"], f"{visit.events()}")
    last = visit.collector.lines(visit.runs[-1])[-2]
    demand(last["state"]["playhead_ms"] > 2900, f"the last place is {last}")


def sends_later(visit):
    """What could not be sent is kept, and the next page sends it: nothing is lost or sent as another line."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    before = len(visit.collector.lines("run1"))
    visit.collector.answers = [503] * 1000
    visit.until(lambda: visit.evaluate("video.currentTime > 4"), "playing")
    visit.page.close()
    visit.collector.answers = []
    visit.open()
    visit.until(lambda: "drained" in visit.events("run1"), "the run before")
    demand(len(visit.collector.lines("run1")) > before + 8, "the run before is not whole")
    visit.until(lambda: not visit.evaluate("Object.keys(localStorage).some((name) => name.startsWith('tally ') && name.endsWith('run1'))"), "an empty storage")


def is_sent_again(visit):
    """Lost answers and refusals for a while: each batch comes again, later and later, until it is safe."""
    visit.collector.answers = [(503, {"Retry-After": "3"}, {}), "lost", 429]
    visit.open()
    visit.play()
    visit.until(lambda: len(visit.collector.posts) > 4 and "first_frame" in visit.events(), "more batches", 60)
    times = [post["at"] for post in visit.collector.posts]
    demand(times[1] - times[0] >= 2.9, f"Retry-After is not kept: {times}")
    # Of an answer that is lost the browser itself tries again at once.
    pauses = [times[number + 1] - times[number] for number, post in enumerate(visit.collector.posts) if post["order"] == 429]
    demand(pauses and pauses[0] >= 0.9, f"no pause after a failure: {times}")


def is_refused(visit):
    """A wrong key: it is said once, nothing is sent any more, and the page plays."""
    visit.open(key="bad")
    visit.play()
    visit.until(lambda: visit.evaluate("video.currentTime > 3"), "playing")
    demand(len(visit.collector.posts) == 1, f"{len(visit.collector.posts)} batches after a refusal")
    warnings = visit.evaluate("warnings")
    demand(len(warnings) == 1 and "403" in warnings[0], f"the warnings are {warnings}")


def warns_of_slips(visit):
    """A word of other players in the description of the video is said in the console, once; it is an attribute all the same."""
    visit.open(video={"id": "film", "title": "A film", "videoName": "A film", "my_own": 1})
    visit.play()
    visit.until_event("first_frame")
    warnings = visit.evaluate("warnings")
    demand(warnings == ["tally: unknown video.title"], f"the warnings are {warnings}")
    load = next(line for line in visit.collector.lines("run1") if line["event"] == "video_load")["attributes"]
    demand(load["video_id"] == "film" and load["title"] == "A film" and load["my_own"] == 1, f"{load}")


def begins_anew(visit):
    """A run that the collector has ended is followed by another one with the next session."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.collector.answers = [(200, {}, {"safe": 10_000, "ended": True})]
    visit.until(lambda: not visit.collector.answers, "the end")
    visit.page.wait_for_timeout(1500)
    visit.play("media/short.mp4")
    visit.until(lambda: len(visit.collector.runs) == 2, "another run")
    run = visit.evaluate("tally.run()")
    demand(len(run) == 20 and run in visit.collector.runs, f"the run is {run}")
    visit.until(lambda: "complete" in visit.events(run), "the new run's end")
    demand(visit.events(run)[0] == "video_load", f"{visit.events(run)}")


def keeps_consent(visit):
    """Global Privacy Control begins the run with an opt-out, or there is no run."""
    visit.context.add_init_script("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })")
    visit.open(consent="in")
    visit.play()
    visit.until_event("first_frame")
    first = visit.collector.lines("run1")[0]
    demand(first["event"] == "consent" and first["attributes"] == {"consent_scope": "all", "consent_state": "out"}, f"{first}")
    visit.page.close()
    visit.open(privacyControl="none")
    visit.play()
    visit.until(lambda: visit.evaluate("video.currentTime > 2"), "playing")
    demand(not visit.collector.lines("run2"), "there is a run")
    demand(visit.evaluate("tally.custom('x'), tally.destroy(), tally.then === undefined"), "the calls are not there")


def samples_runs(visit):
    """Of many pages the share is sent that the sample says."""
    visit.open(sample=0)
    visit.play()
    count = visit.evaluate("""(to) => { let count = 0; for (let i = 0; i < 400; i++) {
        const one = Tally.attach(document.createElement("video"), { to, key: "good", sample: 0.1 }); if (one.run()) count++; one.destroy(); } return count; }""",
                           visit.site.url("c"))
    demand(10 < count < 90, f"{count} of 400")
    demand(visit.evaluate("(url) => import(url).then(({ Tally }) => typeof Tally.attach)", visit.site.url("web/tally.mjs")) == "function",
           "the module exports no attach")
    demand(not visit.collector.lines("run1"), "a page outside of the sample sends")


def comes_back(visit):
    """A page in the browser's history goes on with its run, and was asleep meanwhile."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("window.token = 1")
    visit.page.goto(visit.site.url("tests/other.html"))
    visit.page.wait_for_timeout(1500)
    visit.page.evaluate("setTimeout(() => history.back())")
    visit.page.wait_for_timeout(1000)
    if not visit.evaluate("window.token === 1"):
        print("  (the browser kept no page)", end="")
        return
    visit.evaluate("video.paused && video.play()")
    visit.until_event("system_suspended")
    demand("drained" not in visit.events() and "video_unload" not in visit.events(), f"{visit.events()}")
    length = visit.lines("system_suspended")[0]["attributes"]["step_us"]
    demand(length > 1_000_000, f"it slept {length} us")
    visit.until(lambda: visit.lines("playhead_sample")[-1]["n"] > visit.lines("system_suspended")[0]["n"], "samples")


def sleeps(visit):
    """The wall clock goes on and the page's does not: a sleep, by which the run's time goes on."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("{ const now = Date.now; Date.now = () => now() + 60000; }")
    visit.until_event("system_suspended")
    line = visit.lines("system_suspended")[0]
    demand(abs(line["attributes"]["step_us"] - 60e6) < 1e6, f"{line}")
    visit.until(lambda: visit.collector.lines("run1")[-1]["n"] > line["n"], "more")
    later = visit.collector.lines("run1")[line["n"]]
    demand(later["t_us"] >= line["t_us"] + line["attributes"]["step_us"], f"{later} is dated in the sleep {line}")


def shows_ads(visit):
    """Ads by IMA's events: the content's pause is none of the viewer's, and the ad's picture is not the content's."""
    visit.open()
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("""async () => {
        const manager = new EventTarget();
        tally.ima(manager);
        const pod = { getTimeOffset: () => 5, getAdPosition: () => 1 };
        const ad = { getAdId: () => "ad-1", getTitle: () => "Soap", getDuration: () => 15, getAdPodInfo: () => pod };
        const fire = (name, more) => manager.dispatchEvent(Object.assign(new Event(name), { getAd: () => ad, ...more }));
        fire("contentPauseRequested"); video.pause();
        await new Promise((done) => setTimeout(done, 300));
        fire("start"); fire("firstQuartile"); fire("adProgress", { getAdData: () => ({ currentTime: 7.5 }) }); fire("complete");
        fire("contentResumeRequested"); video.play();
        await new Promise((done) => setTimeout(done, 1500));
        tally.adBreakStart({ type: "mid" }); video.pause(); tally.adStart({ id: "ad-2", duration_ms: 5000 }); tally.adSkip(); tally.adBreakComplete(); video.play();
        tally.custom("choice", { list: [1, "x"], more: { a: 1 } });
        tally.destroy();
    }""")
    visit.until_event("drained")
    told = [event for event in visit.events() if event not in ("buffer_start", "buffer_complete", "request_completed", "metadata_change")]
    demand(told == ["video_load", "play", "first_frame", "ad_break_start", "ad_start", "ad_quartile", "ad_complete", "ad_break_complete",
                    "ad_break_start", "ad_start", "ad_skip", "ad_break_complete", "custom", "video_unload", "drained"], f"{told}")
    start = visit.lines("ad_start")[0]
    demand(start["attributes"] == {"ad_id": "ad-1", "ad_name": "Soap", "ad_duration_ms": 15000, "ad_position": 1}, f"{start}")
    demand(start["state"]["width"] == 0 and start["state"]["ad_playhead_ms"] == 0, f"{start}")
    demand(visit.lines("ad_complete")[0]["state"]["ad_playhead_ms"] == 7500, f"{visit.lines('ad_complete')}")
    demand(visit.lines("ad_break_start")[0]["attributes"] == {"ad_break_type": "mid", "ad_break_start_ms": 5000}, f"{visit.lines('ad_break_start')}")
    demand(visit.lines("custom")[0]["attributes"] == {"custom_name": "choice", "list": [1, "x"], "more": '{"a":1}'}, f"{visit.lines('custom')}")


def follows_hls(visit):
    """hls.js: renditions decided and seen, bandwidth, requests; the same session after it recovers from an error."""
    visit.open(sample=0)
    visit.evaluate("(url) => import(url).then((module) => { window.Hls = Object.values(module).find((one) => one && one.isSupported); })", visit.site.url("hls/hls.js"))
    visit.evaluate("window.hls = new Hls({ startLevel: 0 })")
    visit.attach(player="hls")
    visit.evaluate("(url) => { hls.on('hlsLevelSwitched', (_, { level }) => (window.levels ??= []).push(hls.levels[level].height)); hls.loadSource(url); hls.attachMedia(video); video.play(); }",
                   visit.site.url("media/hls/master.m3u8"))
    visit.until_event("first_frame")
    visit.evaluate("hls.nextLevel = 2")
    visit.until(lambda: [line["attributes"] for line in visit.lines("rendition_change") if line["attributes"].get("rendition_height") == 720 and line["attributes"]["rendition_phase"] == "visible"], "720p")
    visible = [line["attributes"]["rendition_height"] for line in visit.lines("rendition_change") if line["attributes"]["rendition_phase"] == "visible"]
    demand(visible == visit.evaluate("levels"), f"the run says {visible}, the player {visit.evaluate('levels')}")
    manual = visit.lines("rendition_change")[-1]["attributes"]
    demand(manual["rendition_cause"] == "manual" and manual["rendition_bitrate_bps"] == 2500000, f"{manual}")
    visit.until_event("request_completed", 5)
    requests = [line["attributes"] for line in visit.lines("request_completed")]
    demand({"manifest", "media"} <= {one["request_type"] for one in requests}, f"{requests}")
    demand(all(one.get("request_status") == 200 and one.get("request_bytes") for one in requests), f"{requests[:3]}")
    demand(visit.lines("quality_sample")[-1]["state"].get("throughput_bps"), f"{visit.lines('quality_sample')}")
    demand(visit.lines("video_load")[0]["attributes"]["player_name"] == "hls.js", f"{visit.lines('video_load')}")
    visit.evaluate("hls.recoverMediaError(); video.play()")
    visit.until(lambda: len(visit.seen("emptied")) > 0, "the recovery")
    visit.page.wait_for_timeout(1500)
    demand(visit.events().count("video_load") == 1, f"a recovery is a session: {visit.events()}")
    visit.site.fail = lambda path: path.endswith(".m4s")
    visit.evaluate("(url) => { hls.loadSource(url); video.play().catch(() => {}); }", visit.site.url("media/hls/master.m3u8"))
    visit.until_event("player_error")
    demand(visit.events().count("video_load") == 2, f"the source loaded again is no session: {visit.events()}")
    demand([line for line in visit.lines("request_failed") if line["attributes"].get("request_status") == 404], "no request failed")


def follows_videojs(visit):
    """Video.js with its HLS: renditions seen, requests, its name."""
    visit.open(sample=0)
    visit.page.add_script_tag(url=visit.site.url("videojs/video.js"))
    visit.evaluate("window.player = videojs(video, { html5: { hls: { overrideNative: true }, nativeAudioTracks: false, nativeVideoTracks: false } })")
    visit.attach(player="player")
    visit.evaluate("(url) => { player.src({ src: url, type: 'application/x-mpegURL' }); player.play(); }", visit.site.url("media/hls/master.m3u8"))
    visit.until_event("first_frame")
    visit.until(lambda: [line for line in visit.lines("rendition_change") if line["attributes"]["rendition_phase"] == "visible"], "a rendition")
    line = next(line for line in visit.lines("rendition_change") if line["attributes"]["rendition_phase"] == "visible")
    demand(line["attributes"]["rendition_bitrate_bps"] in (300000, 900000, 2500000), f"{line}")
    demand(visit.lines("video_load")[0]["attributes"]["player_name"] == "Video.js", f"{visit.lines('video_load')}")
    visit.until_event("request_completed", 3)


def follows_shapes(visit):
    """Shaka Player and dash.js by their shape: renditions, bandwidth, waits, errors, requests that were given up."""
    visit.open(sample=0)
    visit.evaluate("""() => {
        window.shaka = Object.assign(new EventTarget(), {
            getVariantTracks: () => [{ active: false }, { active: true, bandwidth: 900000, width: 640, height: 360, frameRate: 25, codecs: "avc1" }],
            getConfiguration: () => ({ abr: { enabled: true } }), getAssetUri: () => "https://cdn.example/a.mpd?token=1",
            getStats: () => ({ estimatedBandwidth: 5e6 }), getPlaybackRate: () => 1,
            fire(name, more) { this.dispatchEvent(Object.assign(new Event(name), more)); } });
        const listeners = {};
        window.dash = { attachSource() {}, getVersion: () => "5.1.1", getAverageThroughput: () => 4000,
            on: (name, act) => (listeners[name] = act), off: (name) => delete listeners[name], fire: (name, event) => listeners[name]?.(event) };
    }""")
    visit.attach(player="shaka")
    visit.play()
    visit.until_event("first_frame")
    visit.evaluate("""shaka.fire("adaptation"); shaka.fire("mediaqualitychanged", { quality: { contentType: "video", bandwidth: 900000, width: 640, height: 360 } });
        shaka.fire("buffering", { buffering: true }); shaka.fire("buffering", { buffering: false });
        shaka.fire("downloadfailed", { aborted: true, request: { uris: ["https://cdn.example/7.m4s?x"] } });
        shaka.fire("error", { detail: { severity: 2, code: 1002, message: "no" } }); tally.destroy()""")
    visit.until_event("drained")
    phases = [line["attributes"]["rendition_phase"] for line in visit.lines("rendition_change")]
    demand(phases == ["decided", "visible"], f"{visit.lines('rendition_change')}")
    state = visit.lines("rendition_change")[1]["state"]
    demand(state["bitrate_bps"] == 900000 and state["throughput_bps"] == 5000000, f"{state}")
    demand(visit.lines("video_load")[0]["attributes"]["video_url"] == "https://cdn.example/a.mpd", f"{visit.lines('video_load')}")
    demand([line["attributes"]["buffer_cause"] for line in visit.lines("buffer_start")][-1] == "stall", f"{visit.events()}")
    demand(visit.lines("request_cancelled")[0]["attributes"]["request_url"] == "https://cdn.example/7.m4s", f"{visit.lines('request_cancelled')}")
    error = visit.lines("player_error")[0]["attributes"]
    demand(error["error_code"] == 1002 and error["error_fatal"], f"{error}")
    visit.attach(player="dash")
    visit.until_event("first_frame")
    visit.evaluate("""const one = { mediaType: "video", newRepresentation: { bandwidth: 300000, width: 320, height: 180, frameRate: 25, codecs: "avc1" } };
        dash.fire("qualityChangeRequested", one); dash.fire("qualityChangeRendered", one); dash.fire("qualityChangeRendered", { mediaType: "audio" });
        dash.fire("fragmentLoadingAbandoned", { request: { url: "https://cdn.example/8.m4s" } });
        dash.fire("error", { error: { code: 27, message: "gone" } }); tally.destroy()""")
    visit.until_event("drained")
    told = visit.lines("rendition_change")
    demand(len(told) == 2 and told[1]["attributes"]["rendition_fps_milli"] == 25000, f"{told}")
    demand(told[1]["state"]["throughput_bps"] == 4000000, f"{told[1]}")
    demand(visit.lines("player_error")[0]["attributes"]["error_domain"] == "dash.js", f"{visit.lines('player_error')}")
    demand(visit.lines("request_cancelled"), "no request is given up")


def costs_little(visit):
    """The script takes less than a hundredth of the main thread while a film plays."""
    visit.open(sample=0)
    client = visit.context.new_cdp_session(visit.page)
    client.send("Profiler.enable")
    client.send("Profiler.setSamplingInterval", {"interval": 100})
    visit.attach()
    client.send("Profiler.start")
    visit.play()
    visit.until(lambda: visit.evaluate("video.currentTime > 12"), "twelve seconds")
    profile = client.send("Profiler.stop")["profile"]
    nodes = {node["id"]: node for node in profile["nodes"]}
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", [])}
    own = set()
    for number in nodes:
        at = number
        while at is not None:
            if nodes[at]["callFrame"]["url"].endswith("tally.js"):
                own.add(number)
                break
            at = parents.get(at)
    spent = sum(delta for number, delta in zip(profile["samples"], profile["timeDeltas"]) if number in own)
    share = spent / (profile["endTime"] - profile["startTime"])
    print(f"  ({share:.2%} of the main thread)", end="")
    demand(share < 0.01, f"{share:.2%} of the main thread")


def is_small(_):
    """Each form of the script is at most 6 KiB compressed."""
    for name in ("tally.js", "tally.mjs"):
        with open(os.path.join(WEB, name), "rb") as file:
            size = len(gzip.compress(file.read(), 9))
        demand(size <= 6144, f"{name} has {size} B")


CASES = (plays_and_pauses, seeks, stalls, ends, fails, is_refused_autoplay, changes_source, is_hidden, is_closed, sends_later,
         is_sent_again, is_refused, warns_of_slips, begins_anew, keeps_consent, samples_runs, comes_back, sleeps, shows_ads, follows_hls,
         follows_videojs, follows_shapes, costs_little, is_small)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", metavar="CASE", help="these cases alone")
    parser.add_argument("--hls", metavar="FILE", help="hls.js as a module")
    parser.add_argument("--collector", metavar="URL", help="a collector that gets each batch, too")
    parser.add_argument("--key", default="", help="its key")
    options = parser.parse_args()
    folders = {**media_folders(), "hls": os.path.dirname(options.hls) if options.hls else "/nowhere"}
    code = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, ignore_default_args=["--disable-back-forward-cache"],
                                             args=["--no-sandbox", "--autoplay-policy=document-user-activation-required"])
        for case in CASES:
            if options.only and case.__name__ not in options.only:
                continue
            if case is follows_hls and not options.hls:
                print(f"{case.__name__}: left out, there is no hls.js")
                continue
            visit = Visit(browser, folders, options.collector and (options.collector, options.key))
            print(case.__name__, end="", flush=True)
            try:
                case(visit)
                visit.close()
                print(": well")
            except Failure as failure:
                print(f": {failure}")
                code = 1
            except Exception:  # pylint: disable=broad-exception-caught
                print(f": {traceback.format_exc()}")
                code = 1
        browser.close()
    return code


if __name__ == "__main__":
    sys.exit(main())

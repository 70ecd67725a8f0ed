// The course of playback, from the events of an HTML media element.

import { guarded, named, plainAddress, rounded, thousandths, warn } from "./guard.js";

/** How often the playhead is sampled, ms. */
const SAMPLE = 250;
/** Quality is sampled each so many samples of the playhead. */
const QUALITY = 40;
/** A player that jumps less than this while it waits for data steps over a gap: the viewer has not sought, ms. */
const GAP = 1000;
/** Where so little is left, a wait is the end of the media, s. */
const END = 0.1;
/** A source that comes this soon after `load` of the application is the one that it spoke of, us. */
const ANNOUNCED = 5e6;
/** Where nobody says which frame is the first one, it has been when playback has gone on for so long, s. */
const UNSEEN = 0.3;
/** What looks like a word of other players in a description of a video. */
const SLIP = /^title$|[A-Z]/;
/** What a description of a video says in words of its own. */
const OWN = /^(id|name|url|language|mime_type|codec|cdn)$/;

/** Follows one element. */
export function followElement(video, run, options) {
  let player = {};
  let description = options.video;
  let announcedAt = -ANNOUNCED;
  let itsSource;
  let timer;
  let samples = 0;
  let stood;

  // What is known of the session, and what has been said of it.
  let isOpen;
  let isWanted;
  let hasStarted;
  let isSought;
  let isWaiting;
  let place;
  let playedAt;
  let startup;
  let movesFrom;
  let length;
  let shown;
  let latest = {};
  let totals;
  let said = {};

  const itsSourceNow = () => player.sourceNow?.();
  const isStanding = () => video.paused || video.ended;

  /** The session's total of a figure that browsers count since the load, the element's begin, or the last fall. */
  const total = (figure, number) => {
    const [sum, before] = totals[figure] ?? [0, number];
    totals[figure] = [sum + number - (number < before ? 0 : before), number];
    return totals[figure][0];
  };

  /** What is on screen: an ad in another player, of which nothing is known, has no size. */
  const quality = () => {
    const frames = video.getVideoPlaybackQuality?.();
    const state = {
      player_width: video.clientWidth,
      player_height: video.clientHeight,
      throughput_bps: rounded(player.bandwidthNow?.()) || undefined,
    };
    if (frames) {
      state.dropped_frames = total("dropped", frames.droppedVideoFrames);
      state.rendered_frames = total("rendered", frames.totalVideoFrames - frames.droppedVideoFrames);
    }
    if (video.readyState)
      Object.assign(state, { width: video.videoWidth, height: video.videoHeight, audio_only: !video.videoWidth }, shown);
    if (playback.adPlace != null && video.paused) state.width = state.height = state.bitrate_bps = state.fps_milli = 0;
    return state;
  };

  const stateNow = () => {
    const { duration } = video;
    const isLive = duration == Infinity;
    const hasLength = duration > 0;
    return {
      playhead_ms: thousandths(video.currentTime),
      ad_playhead_ms: playback.adPlace,
      duration_ms: isLive ? -1 : hasLength ? thousandths(duration) : undefined,
      live: hasLength ? isLive : undefined,
      rate_milli: thousandths(player.rateNow?.() ?? video.playbackRate),
      volume_milli: thousandths(video.volume),
      muted: video.muted,
      fullscreen: !!(document.fullscreenElement?.contains(video) || video.webkitDisplayingFullscreen),
    };
  };

  const describe = () => {
    for (const word in description) if (SLIP.test(word)) warn("unknown video." + word);
    return {
      player_name: player.playerName ?? "html",
      player_version: player.version,
      video_url: plainAddress(itsSourceNow() ?? video.currentSrc),
      autoplay: video.autoplay,
      ...named("application", options.application),
      user_id: options.viewer,
      ...named("video", description, OWN),
    };
  };

  /** Ends the session, if there is one. */
  const close = () => {
    if (isOpen) playback.report("video_unload");
    isOpen = isWanted = false;
    clearInterval(timer);
  };

  const open = () => {
    close();
    run.renew();
    isOpen = true;
    hasStarted = isSought = isWaiting = playedAt = startup = movesFrom = length = shown = undefined;
    latest = {};
    totals = {};
    place = thousandths(video.currentTime);
    itsSource = itsSourceNow();
    playback.report("video_load", describe());
  };

  const play = () => {
    if (!isOpen) open();
    if (isWanted) return;
    isWanted = true;
    playedAt ??= run.now;
    playback.report("play");
    stood = 0;
    timer = setInterval(guarded(tick), SAMPLE);
  };

  const halt = (event) => {
    playback.goOn();
    isWanted = false;
    clearInterval(timer);
    playback.report(event);
  };

  const pause = () => {
    // An element pauses as it ends, and the content as an ad begins: nobody has paused.
    if (isWanted && !video.ended && !playback.isInBreak) halt("pause");
  };

  const complete = () => {
    if (!isOpen) return;
    seekEnds();
    halt("complete");
  };

  const start = () => {
    if (!isWanted || hasStarted) return;
    playback.goOn();
    hasStarted = true;
    startup = rounded((run.now - playedAt) / 1000);
    playback.report("first_frame", { startup_time_ms: startup });
  };

  const playing = () => {
    play();
    seekEnds();
    playback.goOn();
    if (hasStarted) return;
    movesFrom ??= video.currentTime;
    video.requestVideoFrameCallback?.(guarded(() => video.paused || start()));
  };

  const seek = () => {
    const to = thousandths(video.currentTime);
    // Before anything has been seen, a seek is the place to start from. Several before one is complete are one scrub.
    if (!hasStarted || !isOpen || isSought || (isWaiting && Math.abs(to - place) < GAP)) return;
    playback.goOn();
    isSought = true;
    playback.report("seek_start", { seek_from_ms: place, seek_to_ms: to });
  };

  /** The seek is over when playback can go on, or stands. */
  const seekEnds = () => {
    if (!isSought || video.seeking || (!isStanding() && video.readyState < 3)) return;
    isSought = false;
    playback.report("seek_complete");
  };

  const move = () => {
    if (video.seeking) return;
    const before = place;
    place = thousandths(video.currentTime);
    seekEnds();
    if (place != before && video.readyState > 2) playback.goOn();
    // Without pictures, or in a page that is not seen, nobody says which frame is the first.
    if (!video.paused && video.currentTime > movesFrom + UNSEEN) start();
  };

  function tick() {
    run.look();
    if (!video.seeking) place = thousandths(video.currentTime);
    // An element that pauses without an event, or stayed behind an ad.
    stood = isStanding() && !playback.isInBreak ? stood + 1 : 0;
    if (stood > 4) pause();
    if (hasStarted && !video.paused && !isSought && !isWaiting) playback.samplePlayhead();
    if (++samples % QUALITY == 0) sampleQuality();
  }

  const sampleQuality = () => {
    const { buffered, currentTime } = video;
    let ahead = 0;
    for (let part = buffered.length; part--; ) {
      if (buffered.start(part) <= currentTime + 0.1) ahead = Math.max(ahead, buffered.end(part) - currentTime);
    }
    playback.report("quality_sample", { buffer_length_ms: thousandths(ahead), startup_time_ms: startup });
  };

  const describeAgain = () => {
    const { duration } = video;
    if (!isOpen || isNaN(duration) || Math.abs(duration - length) <= 1 || duration === length) return;
    length = duration;
    playback.report("metadata_change", { stream_type: duration == Infinity ? "live" : "vod", ...describe() });
  };

  const events = {
    loadstart() {
      // Else it is a further <source>, or the source that the application or the player has spoken of.
      if (!isOpen) open();
    },
    emptied() {
      // A player that recovers from an error attaches the same again.
      if ((!itsSource || itsSourceNow() != itsSource) && run.now - announcedAt > ANNOUNCED) close();
    },
    durationchange: describeAgain,
    play,
    playing,
    pause,
    ended: complete,
    waiting: () => playback.wait(),
    seeking: seek,
    seeked: seekEnds,
    timeupdate: move,
    ratechange: () => playback.samplePlayhead(),
    volumechange: () => playback.samplePlayhead(),
    resize() {
      // A picture of another size, where no adapter says more; the first one is no change.
      const { videoWidth: width, videoHeight: height } = video;
      if (latest.decided || !height) return;
      if (latest.visible) playback.changeRendition("visible", { width, height });
      latest.visible = height;
    },
    error({ target }) {
      // A <source> that fails is followed by the next.
      const { code, message } = video.error ?? {};
      const isLast = !/SOURCE/.test(target.nextElementSibling?.tagName);
      if (target != video) playback.fail("html", "source", plainAddress(target.src), isLast);
      else if (code) playback.fail("html", code, message, code > 1);
    },
    waitingforkey: () => playback.report("custom", { custom_name: "waitingforkey" }),
  };

  const playback = {
    /** What ends with the following. */
    removals: [],
    /** Whether an ad break goes on, whose pause of the content nobody asked for. */
    isInBreak: false,
    /** Where the ad stands, ms, as long as one is shown. */
    adPlace: undefined,

    /** Makes a call with the state of the player. */
    report(event, attributes) {
      const state = { ...stateNow(), ...quality() };
      Object.assign(said, state);
      run.report(event, attributes, state);
    },

    /** Listens until the element is followed no more. Targets have `addEventListener`, or `on` and `off`. */
    listen(target, event, act) {
      const safe = guarded(act);
      const isNode = target.addEventListener;
      // Captured, since the error of a <source> does not bubble.
      if (isNode) target.addEventListener(event, safe, true);
      else target.on(event, safe);
      playback.removals.push(() => (isNode ? target.removeEventListener(event, safe, true) : target.off(event, safe)));
    },

    /** Begins with what goes on already; `adapter` is what is known of the player around the element. */
    begin(adapter) {
      player = adapter;
      if (!video.networkState && !itsSourceNow()) return;
      open();
      describeAgain();
      if (!video.paused) (video.readyState > 2 ? playing : play)();
    },

    /** Follows the element no more, and ends its session. */
    end() {
      close();
      playback.removals.splice(0).forEach((remove) => guarded(remove)());
    },

    /** The application says what is loaded now: a session of its own. */
    load(words) {
      description = words;
      announcedAt = run.now;
      open();
    },

    /** The player loads something, also what it had loaded before. */
    loadAgain() {
      if (!isOpen || length != null) open();
    },

    /** The content waits for an ad: the wish to play has been there before. */
    beginBreak() {
      if (isOpen) play();
      playback.isInBreak = true;
    },

    /** The player waits for data. */
    wait() {
      if (!isWanted || isWaiting || isSought || video.seeking || isStanding() || playback.isInBreak) return;
      if (hasStarted && video.duration - video.currentTime < END) return;
      isWaiting = true;
      playback.report("buffer_start", { buffer_cause: hasStarted ? "stall" : "initial" });
    },

    /** The player has enough data again. */
    goOn() {
      if (isWaiting) playback.report("buffer_complete");
      isWaiting = false;
    },

    /** Says where playback stands, and what has changed since that was last said. */
    samplePlayhead() {
      const state = stateNow();
      for (const member in state) if (member != "playhead_ms" && said[member] === state[member]) delete state[member];
      Object.assign(said, state);
      if (isOpen) run.report("playhead_sample", undefined, state);
    },

    /** Says which rendition the player has decided for, or shows. */
    changeRendition(phase, rendition, isManual) {
      const { bitrate_bps, fps_milli, height } = rendition;
      const worth = bitrate_bps ?? height;
      const before = latest[phase];
      latest[phase] = worth;
      const isVisible = phase == "visible";
      if (isVisible) shown = { bitrate_bps, fps_milli };
      const cause = isManual ? "manual" : "automatic";
      const shift = before && (worth > before ? "up" : worth < before ? "down" : "same");
      playback.report("rendition_change", named("rendition", { phase, cause, shift, ...rendition }));
      if (isVisible) sampleQuality();
    },

    /** Says what is wrong with playback. */
    fail(domain, code, message, fatal) {
      const words = { id: domain + " " + code, domain, code: rounded(code), message: message || undefined, fatal };
      playback.report("player_error", named("error", words));
    },
  };

  for (const each in events) playback.listen(video, each, events[each]);
  playback.listen(document, "fullscreenchange", playback.samplePlayhead);
  return playback;
}

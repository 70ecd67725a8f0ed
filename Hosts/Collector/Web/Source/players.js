// What players around the element know more than it: renditions, bandwidth, errors. Recognised by their shape.

import { guarded, named, plainAddress, rounded, thousandths } from "./guard.js";

/** A rendition in any player's words. */
const plainRendition = ({ bitrate, bandwidth, width, height, frameRate, codecs, attrs, name }) => ({
  bitrate_bps: rounded(bitrate ?? bandwidth),
  width,
  height,
  fps_milli: thousandths(frameRate),
  codec: codecs ?? attrs?.CODECS,
  name,
});

/** Says what came of a request for media: `completed`, `failed` or `cancelled`. */
const requested = (playback, outcome, url, words) => {
  const address = plainAddress(url);
  const host = new URL(address, location).host;
  const type = /\.(m3u8|mpd)$/.test(address) ? "manifest" : "media";
  playback.report("request_" + outcome, named("request", { url: address, host, type, ...words }));
};

/** Follows the requests for media of any player by the browser's own times of them, which are no event of players. */
export function followRequests(playback) {
  const each = ({ name, responseStatus: status, initiatorType, encodedBodySize, duration, responseStart, startTime }) => {
    if (!/\.(m3u8|mpd|ts|m4.|mp.|cmf.|aac|webm|vtt)(\?|$)/.test(name)) return;
    // Without an answer it is the player that knows why.
    if (status === 0 && /h/.test(initiatorType)) return;
    requested(playback, status > 399 ? "failed" : "completed", name, {
      status: status || undefined,
      bytes: encodedBodySize || undefined,
      duration_ms: rounded(duration),
      first_byte_ms: responseStart ? rounded(responseStart - startTime) : undefined,
    });
  };
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(guarded(each)));
  observer.observe({ type: "resource" });
  playback.removals.push(() => observer.disconnect());
}

/** Follows a player, and returns what it knows; nothing when its shape is none of those that are known. */
export function adapted(player, playback) {
  const listen = (event, act) => playback.listen(player, event, act);
  const change = (phase, rendition, isManual) => playback.changeRendition(phase, plainRendition(rendition), isManual);
  const lost = (outcome, url) => requested(playback, outcome, url);

  if (player?.loadSource) {
    const switched = (phase) => (_, { level }) => change(phase, player.levels[level], !player.autoLevelEnabled);
    listen("hlsManifestLoading", playback.loadAgain);
    listen("hlsLevelSwitching", switched("decided"));
    listen("hlsLevelSwitched", switched("visible"));
    listen("hlsFragLoadEmergencyAborted", (_, { frag }) => lost("cancelled", frag.url));
    listen("hlsError", (_, { type, details, fatal, error, response, url, frag }) => {
      const code = response?.code;
      const isRequest = type == "networkError";
      if (isRequest && !code) lost("failed", url ?? frag?.url);
      // Of a stall and of a request that is tried again others tell.
      const isOthers = isRequest || /^buffer[SN]/.test(details);
      if (fatal || !isOthers) playback.fail("hls.js " + details, code, error?.message, fatal);
    });
    return {
      playerName: "hls.js",
      version: player.constructor.version,
      sourceNow: () => player.url,
      bandwidthNow: () => player.bandwidthEstimate,
    };
  }

  if (player?.getVariantTracks) {
    const decide = () => {
      const variant = player.getVariantTracks().find(({ active }) => active);
      if (variant) change("decided", variant, !player.getConfiguration().abr.enabled);
    };
    listen("loading", playback.loadAgain);
    listen("adaptation", decide);
    listen("variantchanged", decide);
    listen("mediaqualitychanged", ({ quality }) => {
      if (!/audio/.test(quality.contentType)) change("visible", quality);
    });
    listen("buffering", ({ buffering }) => (buffering ? playback.wait : playback.goOn)());
    listen("downloadfailed", ({ request, httpResponseCode, aborted }) => {
      if (!httpResponseCode) lost(aborted ? "cancelled" : "failed", request.uris[0]);
    });
    listen("error", ({ detail }) => playback.fail("shaka", detail.code, detail.message, detail.severity > 1));
    return {
      playerName: "Shaka Player",
      version: player.constructor.version,
      sourceNow: () => player.getAssetUri(),
      bandwidthNow: () => player.getStats().estimatedBandwidth,
      rateNow: () => player.getPlaybackRate(),
    };
  }

  if (player?.attachSource) {
    const switched = (phase) => ({ mediaType, newRepresentation }) => {
      if (mediaType == "video") change(phase, newRepresentation);
    };
    listen("qualityChangeRequested", switched("decided"));
    listen("qualityChangeRendered", switched("visible"));
    listen("fragmentLoadingAbandoned", ({ request }) => lost("cancelled", request.url));
    listen("error", ({ error }) => playback.fail("dash.js", error.code, error.message, true));
    return {
      playerName: "dash.js",
      version: player.getVersion(),
      bandwidthNow: () => player.getAverageThroughput("video") * 1000,
    };
  }

  if (!player?.tech) return {};
  const tech = () => player.tech(true);
  const engine = () => tech().vhs ?? tech().hls;
  let followed;
  let shown;
  listen("timeupdate", () => {
    const playlists = engine()?.playlists;
    if (!playlists || playlists == followed) return;
    followed = playlists;
    playback.listen(playlists, "mediachange", () => {
      const { BANDWIDTH, RESOLUTION, CODECS } = playlists.media().attributes;
      change("decided", { bandwidth: BANDWIDTH, codecs: CODECS, ...RESOLUTION });
    });
    const track = Array.from(player.textTracks()).find(({ label }) => label == "segment-metadata");
    playback.listen(track, "cuechange", () => {
      const cue = track.activeCues[0]?.value;
      if (!cue || shown == cue.playlist) return;
      shown = cue.playlist;
      change("visible", { ...cue, ...cue.resolution });
    });
  });
  listen("error", () => {
    const error = player.error();
    // The element says its own errors.
    if (error && !tech().el().error) playback.fail("Video.js", error.code, error.message, true);
  });
  return {
    playerName: "Video.js",
    sourceNow: () => player.currentSrc(),
    bandwidthNow: () => engine()?.bandwidth,
  };
}

// Ads: by calls of the application, or by the events of an ads manager as IMA has it.

import { named, thousandths } from "./guard.js";

/** The calls for the ads of one playback. */
export function advertising(playback) {
  /** The ad is over. */
  const finish = (event) => () => {
    if (playback.adPlace == null) return;
    playback.report(event);
    playback.adPlace = undefined;
  };

  const ads = {
    adBreakStart(words) {
      playback.beginBreak();
      playback.report("ad_break_start", named("ad_break", words));
    },
    adStart(words) {
      playback.adPlace = 0;
      playback.report("ad_start", named("ad", words));
    },
    adComplete: finish("ad_complete"),
    adSkip: finish("ad_skip"),
    adClick: () => playback.report("ad_click"),
    adQuartile: (quartile) => playback.report("ad_quartile", { ad_quartile: quartile }),
    adError: (words) => playback.report("ad_error", named("error", words)),
    /** Where the ad stands, ms. */
    adProgress(place) {
      if (playback.adPlace == null) return;
      playback.adPlace = place;
      playback.samplePlayhead();
    },
    adBreakComplete() {
      if (!playback.isInBreak) return;
      playback.report("ad_break_complete");
      playback.isInBreak = false;
      playback.adPlace = undefined;
    },

    /** Follows an ads manager. */
    ima(manager) {
      const podOf = (event) => event.getAd?.()?.getAdPodInfo?.();
      const beginBreak = (event) => {
        if (playback.isInBreak) return;
        const place = podOf(event)?.getTimeOffset();
        const type = place > 0 ? "mid" : place < 0 ? "post" : "pre";
        ads.adBreakStart({ type, start_ms: place < 0 ? undefined : thousandths(place) });
      };
      const events = {
        contentPauseRequested: beginBreak,
        start(event) {
          beginBreak(event);
          const ad = event.getAd();
          ads.adStart({
            id: ad.getAdId?.(),
            name: ad.getTitle?.(),
            duration_ms: thousandths(ad.getDuration?.()),
            position: podOf(event)?.getAdPosition(),
          });
        },
        adProgress: (event) => ads.adProgress(thousandths(event.getAdData().currentTime)),
        firstQuartile: () => ads.adQuartile(1),
        midpoint: () => ads.adQuartile(2),
        thirdQuartile: () => ads.adQuartile(3),
        click: ads.adClick,
        complete: ads.adComplete,
        skip: ads.adSkip,
        adError(event) {
          const problem = event.getError();
          ads.adError({ message: problem.getMessage(), code: problem.getErrorCode(), domain: "ima" });
          ads.adBreakComplete();
        },
        contentResumeRequested: ads.adBreakComplete,
        allAdsCompleted: ads.adBreakComplete,
      };
      for (const each in events) playback.listen(manager, each, events[each]);
    },
  };
  return ads;
}

/** What can be an attribute. */
export type Value = string | number | boolean | null | Value[];
/** Attributes by the names of Tally's data model; every other name is the application's own. */
export type Attributes = Record<string, Value | undefined>;

/**
 * The main asset. Words that are not here are attributes as they stand, `stream_type` or `genre`. What looks like another
 * player's word, `title` or one with a capital letter, is also said in the console, once.
 */
export interface Video extends Attributes {
  id?: string;
  name?: string;
  url?: string;
  /** BCP 47 tag of the main audio. */
  language?: string;
  mime_type?: string;
  codec?: string;
  cdn?: string;
}

/** A pod of ads. */
export interface AdBreak extends Attributes {
  id?: string;
  name?: string;
  /** Index in the main content, from 1. */
  position?: number;
  start_ms?: number;
  type?: "pre" | "mid" | "post";
}

/** An ad. */
export interface Ad extends Attributes {
  id?: string;
  name?: string;
  duration_ms?: number;
  /** Index in its break, from 1. */
  position?: number;
  url?: string;
  creative_id?: string;
}

export interface Options {
  /** The collector's address, without a slash at its end: runs are posted to `<to>/runs/<run>`. */
  to: string;
  /** The key that may write. It is public, as everything in a page is. */
  key: string;
  /** The run's id, 1 to 64 of `A-Z a-z 0-9 . _ -`; 20 random letters and digits unless given. */
  run?: string;
  video?: Video;
  /** Who watches, as the application names them: the personal attribute `user_id`. */
  viewer?: string;
  application?: { name?: string; version?: string };
  /** The player around the element: of hls.js 1, Shaka Player 4 and later, dash.js 5, or Video.js 7 and later. */
  player?: object;
  /** The share of pages that are followed, from 0 to 1; all unless given. */
  sample?: number;
  /** The viewer's consent as the run begins. Global Privacy Control makes it `out`. */
  consent?: "in" | "out" | "pending";
  /** What Global Privacy Control means: a run that says `out` (unless given), or no run. */
  privacyControl?: "out" | "none";
  /** Seconds from one batch to the next, 10 unless given. */
  every?: number;
}

/** What may be said of a playback. No call throws. When nothing is sent, all are there and do nothing. */
export interface Playback {
  /** The run's id; nothing when there is none. It changes when the collector has ended the run before. */
  run(): string | undefined;
  /** Makes a call by its name in Tally's data model, with the state of the player. */
  track(event: string, attributes?: Attributes): void;
  /** Makes a call of the application's own. */
  custom(name: string, attributes?: Attributes): void;
  /** Says the viewer's consent, for `all` or one tracker. */
  consent(scope: string, state: "in" | "out" | "pending"): void;
  /** Says what is loaded now: a session of its own. To be called before the element or the player gets its source. */
  load(video: Video): void;
  /** Ends the session and the run. */
  destroy(): void;
  adBreakStart(adBreak?: AdBreak): void;
  adStart(ad?: Ad): void;
  /** Where the ad stands, ms. */
  adProgress(place: number): void;
  adQuartile(quartile: 1 | 2 | 3): void;
  adClick(): void;
  adComplete(): void;
  adSkip(): void;
  adError(error?: { id?: string; message?: string; code?: number; domain?: string }): void;
  adBreakComplete(): void;
  /** Follows an ads manager that has the events of Google's IMA. */
  ima(manager: EventTarget | object): void;
}

export declare const Tally: {
  /** Follows a media element, and sends what happens to a collector. Never throws. */
  attach(video: HTMLMediaElement, options: Options): Playback;
};

declare global {
  interface Window {
    Tally: typeof Tally;
  }
}

// The one way to the data: embedded in the document of a report, or asked of a dashboard that goes on.

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Rows of the list as objects, with the text that a search looks at. */
function sessionRows({ columns, rows, pages }) {
  const reasons = new Map(pages.map(([run, session, ...why]) => [`${run}/${session}`, why]));
  return rows.map((cells) => {
    const row = Object.fromEntries(columns.map((name, place) => [name, cells[place]]));
    row.id = `${row.run}/${row.session}`;
    row.why = reasons.get(row.id);
    row.search = [row.title, row.asset, row.id, row.stream_type].filter(Boolean).join("\n").toLowerCase();
    return row;
  });
}

/** The data in a document. */
export class EmbeddedData {
  #document;
  #kept = new Map();

  constructor(document) {
    this.#document = document;
  }

  /** Whether the document has any. */
  get isThere() {
    return this.#part("overview") !== null;
  }

  #part(name) {
    return this.#document.querySelector(`script[data-part="${CSS.escape(name)}"]`);
  }

  #read(name, make = (value) => value) {
    if (!this.#kept.has(name)) {
      const part = this.#part(name);
      this.#kept.set(name, part ? unpacked(part.textContent).then(make) : Promise.resolve(null));
    }
    return this.#kept.get(name);
  }

  /** What is known of all sessions. */
  overview() {
    return this.#read("overview");
  }

  /** The list of sessions, as objects. */
  sessions() {
    return this.#read("sessions", sessionRows);
  }

  /** One session's course; null when it has no page. */
  session(run, number) {
    return this.#read(`session/${run}/${number}`);
  }

  /** Nothing changes. */
  get isLive() {
    return false;
  }
}

/** The data of a dashboard, which are told anew when they change. */
export class LiveData {
  #base;
  #kept = new Map();
  #onChange = () => {};
  #onState = () => {};

  constructor(base) {
    this.#base = base;
  }

  /** It goes on. */
  get isLive() {
    return true;
  }

  /** Calls `onChange` whenever there is something new, and `onState` with whether the dashboard can be heard. */
  listen(onChange, onState) {
    this.#onChange = onChange;
    this.#onState = onState;
    this.#begin();
  }

  #begin() {
    const events = new EventSource(new URL("events", this.#base));
    const change = () => {
      this.#kept.clear();
      this.#onState(true);
      this.#onChange();
    };
    events.addEventListener("open", change);
    events.addEventListener("change", change);
    events.addEventListener("error", () => {
      this.#onState(false);
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.#begin(), 3000);
    });
  }

  async #answer(path) {
    const answer = await fetch(new URL(path, this.#base), { signal: AbortSignal.timeout(20_000) });
    if (answer.status === 404) return null;
    if (answer.status === 401) throw new Error("The dashboard was started anew: open its address with the token once more.");
    if (!answer.ok) throw new Error(`the dashboard answered ${answer.status} for ${path}`);
    return answer.json();
  }

  /** What is asked for twice between two changes is asked once. */
  #ask(path, make = (value) => value) {
    if (!this.#kept.has(path)) {
      const asked = this.#answer(path).then((value) => value && make(value));
      this.#kept.set(path, asked);
      asked.catch(() => this.#kept.delete(path));
    }
    return this.#kept.get(path);
  }

  /** What is known of all sessions so far. */
  overview() {
    return this.#ask("overview.json");
  }

  /** The list of sessions so far. */
  sessions() {
    return this.#ask("sessions.json", sessionRows);
  }

  /** One session's course so far; null when it has no page. */
  session(run, number) {
    return this.#ask(`session/${encodeURIComponent(run)}/${number}.json`);
  }

  /** What the host's plugins are and did. */
  plugins() {
    return this.#ask("plugins.json");
  }
}

/** The groups of a dimension, or none. */
export function groupsOf(set, dimension) {
  return set.metrics.groups[dimension]?.groups ?? [];
}

/** The middle of a bucket of a histogram: place `index` of so many (2 to the power of `scale`) to a doubling. */
function bucketMiddle(index, scale) {
  return 2 ** ((index + 0.5) / 2 ** scale);
}

/** A histogram as at most `limit` bars of equal width on a logarithmic axis: [{from, to, count}]. */
export function histogramBars(histogram, limit = 24) {
  const buckets = histogram?.buckets ?? [];
  if (!buckets.length) return histogram?.zeros ? [{ from: 0, to: 0, count: histogram.zeros }] : [];
  const { scale } = histogram;
  const first = buckets[0][0];
  const width = Math.max(1, Math.ceil((buckets[buckets.length - 1][0] - first + 1) / limit));
  const bars = [];
  for (const [index, number] of buckets) {
    const place = Math.floor((index - first) / width);
    while (bars.length <= place) {
      const from = first + bars.length * width;
      bars.push({ from: 2 ** (from / 2 ** scale), to: 2 ** ((from + width) / 2 ** scale), count: 0 });
    }
    bars[place].count += number;
  }
  if (histogram.zeros) bars.unshift({ from: 0, to: 0, count: histogram.zeros });
  if (bars.length === 1) bars[0].middle = bucketMiddle(first, scale);
  return bars;
}

// Charts by Chart.js, each with its table. Colours are those of Okabe and Ito, which colour-blind people tell apart.
import { element, shape, table } from "./elements.js";
import { count } from "./format.js";

/** The charts of the page, by what they show; when the page is drawn anew they go on in it. */
let charts = new Map();
/** Those of a page that is about to be left: they are seen until the next one is there. */
let leftCharts = [];

/** A page is about to be drawn; `isSame` says whether it is the one that is seen. */
export function beginCharts(isSame) {
  if (!isSame) {
    leftCharts.push(...charts.values());
    charts = new Map();
  }
  for (const one of charts.values()) one.isUsed = false;
}

/** A page is drawn: ends the charts that are no more in it. */
export function endCharts() {
  for (const [name, one] of charts) {
    if (one.isUsed) continue;
    leftCharts.push(one);
    charts.delete(name);
  }
  for (const one of leftCharts) {
    one.isOver = true;
    one.chart?.destroy();
  }
  leftCharts = [];
}

/** The colour of a name of the style, as a canvas takes it. */
function colour(name, opacity = 1) {
  const probe = element("span", { hidden: true, style: { color: `var(--${name})` } });
  document.body.append(probe);
  const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g);
  probe.remove();
  return `rgb(${red} ${green} ${blue} / ${opacity})`;
}

/** The names of the colours of series, in order. */
const seriesColours = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"];

/** Whether a value has no neighbours, so that no line shows it. */
function isAlone(values, place) {
  return (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null;
}

function dataset(series, place, kind) {
  const name = series.colour ?? seriesColours[place % seriesColours.length];
  const stroke = colour(name);
  const isLine = (series.kind ?? kind) === "line";
  return {
    type: series.kind,
    label: series.name,
    data: series.values,
    borderColor: stroke,
    backgroundColor: isLine ? colour(name, 0.13) : stroke,
    fill: series.fill ?? false,
    stepped: series.stepped ?? false,
    borderWidth: isLine ? 2 : 0,
    borderDash: series.dash ?? [],
    pointRadius: series.values.map((_, at) =>
      isLine && series.values.length > 40 && !isAlone(series.values, at) ? 0 : 3),
    pointStyle: ["circle", "rectRot", "triangle", "rect"][place % 4],
    maxBarThickness: series.axis ? 14 : 48,
    spanGaps: false,
    yAxisID: series.axis ?? "y",
    order: series.axis ? 0 : 1,
  };
}

function axis(text, { format, grid = true, position, largest }) {
  return {
    title: { display: Boolean(text), text, color: colour("muted") },
    ticks: { color: colour("muted"), maxRotation: 0, autoSkipPadding: 16, callback: format },
    grid: { display: grid, color: colour("line") },
    border: { color: colour("line") },
    beginAtZero: true,
    suggestedMax: largest,
    position,
  };
}

/**
 * Makes a chart with its table below.
 *
 * `labels` name the places of the horizontal axis, with `ticks` as what stands below it; each of `series` is {name, values,
 * format?, kind?, axis?, fill?}.
 */
export function chartFigure({
  title, note, kind = "bar", labels, ticks = labels, series, labelTitle, valueTitle, largest, horizontal = false,
  height = 260,
}) {
  let name = title;
  while (charts.get(name)?.isUsed) name += "+";
  const known = charts.get(name) ?? {
    canvas: element("canvas", { role: "img", "aria-label": `${title}; the table below has the numbers` }),
  };
  charts.set(name, known);
  known.isUsed = true;
  const { canvas } = known;
  const frame = element("div", { class: "chart", style: { height: `${height}px` } }, canvas);
  const rows = labels.map((label, place) => ({ label, place }));
  const columns = [{ title: labelTitle, text: (row) => row.label }].concat(series.map((one) => ({
    title: one.name, number: true, text: (row) => (one.format ?? count)(one.values[row.place]),
  })));
  const details = element("details", { class: "numbers", ontoggle() {
    // Made when it is asked for: it may have hundreds of rows.
    if (!details.open || details.children.length > 1) return;
    details.append(table(title, columns, rows, { hiddenCaption: true }));
  } }, element("summary", {}, "Table"));
  const figure = element("figure", { class: "panel" },
    element("figcaption", {}, element("h3", {}, title), note && element("p", { class: "note" }, note)), frame, details);
  const valueFormat = series[0]?.format ?? count;
  const value = axis(valueTitle, { format: valueFormat, largest });
  const label = axis(labelTitle, { grid: false, format: (place) => ticks[place] });
  const scales = horizontal ? { x: value, y: label } : { x: label, y: value };
  const second = series.find((one) => one.axis === "second");
  if (second) scales.second = axis(second.name, { format: second.format, grid: false, position: "right" });
  // It is drawn once its place on the page is known.
  requestAnimationFrame(() => {
    if (!canvas.isConnected || known.isOver) return;
    const data = { labels, datasets: series.map((one, place) => dataset(one, place, kind)) };
    const options = {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: horizontal ? "y" : "x",
      interaction: { mode: "index", intersect: false, axis: horizontal ? "y" : "x" },
      scales,
      plugins: {
        legend: {
          display: series.length > 1,
          position: "bottom",
          labels: { color: colour("text"), usePointStyle: true, boxHeight: 7 },
        },
        tooltip: { callbacks: {
          label: (item) => ` ${item.dataset.label}: ${(series[item.datasetIndex].format ?? count)(item.raw)}`,
        } },
      },
    };
    if (known.chart) {
      known.chart.data = data;
      known.chart.options = options;
      known.chart.update("none");
    } else {
      known.chart = new Chart(canvas, { type: kind, data, options });
    }
  });
  return figure;
}

/** A line that shows how a figure went, beside the figure itself; gaps are where it had no value. */
export function sparkLine(values) {
  const [width, height] = [120, 26];
  const most = Math.max(...values.map((value) => value ?? 0)) || 1;
  const x = (place) => (place / Math.max(values.length - 1, 1) * (width - 4) + 2).toFixed(1);
  const y = (value) => (height - 2 - value / most * (height - 4)).toFixed(1);
  let path = "";
  values.forEach((value, place) => {
    if (value === null || value === undefined) return;
    path += `${(values[place - 1] ?? null) === null ? "M" : "L"}${x(place)} ${y(value)}`;
    // A value without neighbours would be a line without length.
    if (isAlone(values, place)) path += "h0.1";
  });
  return shape("svg", { class: "spark-line", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none",
    "aria-hidden": "true" }, shape("path", { class: "ground", d: `M0 ${height - 1}H${width}` }), shape("path", { d: path }));
}

/** A few bars that show the shape of a distribution beside its figure; they say nothing that the page does not. */
export function sparkBars(bars) {
  const most = Math.max(...bars.map((bar) => bar.count), 1);
  return element("div", { class: "spark", "aria-hidden": "true" }, bars.map((bar) =>
    element("span", { style: { height: `${Math.max(4, Math.round(bar.count / most * 100))}%` } })));
}

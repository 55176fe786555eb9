// The past of a file: a bar on a track for each version, and a slider from change to change.

import { ask } from "./ask.js";
import { html, moment, plainTime, svg } from "./text.js";

const WIDTH = 1000;
const HEIGHT = 22;
const LEAST = 3;

/**
 * The history of what a page shows. If nothing of it was known at the time that is asked for, still
 * when it became known.
 */
export async function askHistory(parameters, signal) {
  const { id, knownAt } = parameters;
  try {
    return await ask("history", { id, knownAt }, signal);
  } catch (fault) {
    if (fault.name === "AbortError" || !knownAt) throw fault;
    const { known } = await ask("history", { id }, signal);
    return { changes: [], known };
  }
}

/**
 * The track and the sliders.
 *
 * `choose(asOf)` is told of the time that is chosen; an empty one is now. `compare(asOf)` of the
 * time that is compared with; an empty one compares with none. Without it, nothing is compared.
 * `know(knownAt)` is told of what is to be known; an empty one is all that is known now.
 */
export function drawTimeline(history, parameters, choose, compare, know) {
  const known = knownSlider(history.known ?? [], parameters.knownAt, know);
  const versions = (history.changes ?? []).filter((change) => change.begins);
  const at = indexAt(versions, parameters.asOf);
  const against = parameters.against ? indexAt(versions, parameters.against) : -1;
  const before = parameters.asOf && versions.length > 0 && at < 0;
  const slider = html("input", {
    type: "range",
    min: 0,
    max: Math.max(0, versions.length - 1),
    value: Math.max(0, at),
    id: "version",
    "aria-valuetext": at < 0 ? "before the first version" : label(versions, at),
    disabled: versions.length < 2,
  });
  slider.addEventListener("input", () => {
    slider.setAttribute("aria-valuetext", label(versions, slider.valueAsNumber));
    slider.title = label(versions, slider.valueAsNumber);
  });
  slider.addEventListener("change", () => choose(versions[slider.valueAsNumber].asOf ?? ""));
  const step = (by) => {
    const next = at + by;
    if (next >= 0 && next < versions.length) choose(versions[next].asOf ?? "");
  };
  const free = html("input", {
    type: "text",
    id: "as-of",
    size: 29,
    spellcheck: "false",
    placeholder: "now",
    value: parameters.asOf ?? "",
    "aria-describedby": "as-of-form",
  });
  free.addEventListener("change", () => choose(free.value.trim()));
  const root = html(
    "section",
    { class: "timeline", "aria-label": "Versions of the file" },
    html(
      "div",
      { class: "controls" },
      html("label", { for: "version" }, versions.length === 1 ? "1 version" : `${versions.length} versions`),
      button("back", "◀", "One change back ([)", at <= 0, () => step(-1)),
      slider,
      button("forth", "▶", "One change forward (])", at < 0 || at >= versions.length - 1, () => step(1)),
      button("newest", "now", "The newest", !parameters.asOf, () => choose("")),
      html("label", { for: "as-of" }, "as of"),
      free,
      html("span", { id: "as-of-form", class: "unseen" }, "a time such as 2026-11-21T00:35:30Z, in UTC"),
      compare ? compareWith(versions, at, against, compare) : null,
    ),
    track(versions, at, against, choose),
    before
      ? html("p", { class: "note", role: "alert" }, "Before the file existed, as far as is recorded: it began ", moment(versions[0].from))
      : describeVersion(versions[at]),
    history.partial ? html("p", { class: "partial" }, "There are older changes than these.") : null,
    known.root,
  );
  return { root, step, stepKnown: known.step, isUseful: versions.length > 0 || known.root !== null };
}

/** Steps through the times at which the store learned of changes; nothing if it learned all at once. */
function knownSlider(times, knownAt, know) {
  if (times.length < 2) return { root: null, step: () => {} };
  let at = times.length - 1;
  if (knownAt) at = times.findLastIndex((time) => time <= normal(knownAt));
  const tell = (index) =>
    index < 0 ? "nothing of it" : `${index + 1} of ${times.length}, what was known at ${plainTime(times[index])}`;
  const choose = (index) => know(index === times.length - 1 ? "" : times[index]);
  const slider = html("input", { type: "range", id: "known", min: 0, max: times.length - 1, value: Math.max(0, at), "aria-valuetext": tell(at) });
  slider.addEventListener("input", () => {
    slider.setAttribute("aria-valuetext", tell(slider.valueAsNumber));
    slider.title = tell(slider.valueAsNumber);
  });
  slider.addEventListener("change", () => choose(slider.valueAsNumber));
  const step = (by) => {
    if (at + by >= 0 && at + by < times.length) choose(at + by);
  };
  const root = html(
    "div",
    { class: "controls" },
    html("label", { for: "known", title: "When the store learned of changes of this file" }, "what was known"),
    button("known-back", "◀", "What was known before (<)", at <= 0, () => step(-1)),
    slider,
    button("known-forth", "▶", "What was known after (>)", at >= times.length - 1, () => step(1)),
    html("span", { class: "note" }, tell(at)),
  );
  return { root, step };
}

function button(id, name, title, disabled, click) {
  return html("button", { type: "button", id, title, "aria-label": title, disabled, on: { click } }, name);
}

/** The version that was the newest at a time; -1 if none was. */
function indexAt(versions, time) {
  if (!time) return versions.length - 1;
  let index = -1;
  versions.forEach((version, i) => {
    if (version.from <= normal(time)) index = i;
  });
  return index;
}

/** Times of answers are to the microsecond; a shorter one is filled up, so that texts compare. */
function normal(time) {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?Z$/.exec(time);
  return match ? `${match[1]}:${match[2] ?? "00"}.${(match[3] ?? "").padEnd(6, "9")}Z` : time;
}

function label(versions, index) {
  const version = versions[index];
  return version ? `version ${index + 1} of ${versions.length}, ${plainTime(version.from)}` : "";
}

function describeVersion(version) {
  if (!version) return html("p", { class: "note" }, "No write of this is on record.");
  const job = version.job ? `, job ${version.job.replace(/^job:/, "")} ${version.jobName ?? ""}` : "";
  return html(
    "p",
    { class: "note" },
    version.operation === "renamed-here" ? `renamed from ${version.other ?? "?"} ` : "written ",
    moment(version.from),
    version.user ? ` by ${version.user}` : "",
    job,
    version.until ? [", the newest until ", moment(version.until)] : ", the newest to this day",
    version.doubts?.length ? ` (? ${version.doubts.join("; ")})` : "",
  );
}

function compareWith(versions, at, against, compare) {
  const earlier = versions.slice(0, Math.max(0, at));
  const select = html(
    "select",
    { id: "against", disabled: earlier.length === 0 },
    html("option", { value: "" }, "nothing"),
    earlier.map((version, i) =>
      html("option", { value: version.asOf ?? "", selected: i === against }, `version ${i + 1}, ${plainTime(version.from)}`),
    ),
  );
  select.addEventListener("change", () => compare(select.value));
  return [html("label", { for: "against" }, "compare with"), select];
}

function track(versions, at, against, choose) {
  if (versions.length === 0) return null;
  const millis = (time) => Date.parse(time);
  const first = millis(versions[0].from);
  const last = Math.max(millis(versions.at(-1).from) * 1.0, first) + 1;
  const span = (last - first) * 1.15;
  const x = (time) => ((millis(time) - first) / span) * WIDTH;
  const bars = versions.map((version, i) => {
    const from = x(version.from);
    const to = version.until ? x(version.until) : WIDTH;
    const state = i === at ? " chosen" : i === against ? " against" : "";
    const bar = svg(
      "rect",
      { class: `version${state}`, x: from, y: 3, width: Math.max(LEAST, to - from - 1), height: HEIGHT - 6, rx: 3 },
      svg("title", {}, `${label(versions, i)}${version.user ? " by " + version.user : ""}`),
    );
    bar.addEventListener("click", () => choose(version.asOf ?? ""));
    return bar;
  });
  return svg(
    "svg",
    { class: "track", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    bars,
  );
}

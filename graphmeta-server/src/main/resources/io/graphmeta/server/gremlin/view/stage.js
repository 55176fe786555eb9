// The picture of a lineage with what belongs to it: legend, overview, panel, table, and files to save.

import { addressOf } from "./address.js";
import { describe } from "./panel.js";
import { drawLegend, drawOverview, drawPicture, drawTable } from "./picture.js";
import { saveButtons } from "./save.js";
import { copyButton, html, number } from "./text.js";

const DEPTHS = ["1", "2", "3", "4", "6", "8", "12", ""];
const BUDGETS = ["20", "40", "80", "160", "400", "1000", "2000"];
const DEFAULT_LIMIT = "5000";
const MOST_EARLIER = 200;
const LIMITS = ["1000", "5000", "20000", "100000"];

/** What is kept of the last picture, so that the same place is seen in the next one. */
let last = { id: null, key: null, keyboard: false };

/** Where everything lay in the last picture, so that what stays is seen where it was. */
let lay = { id: null, dir: null, boxes: new Map(), x: 0, y: 0 };

/** The picture, or the table, that the parameters ask for. `change` changes the parameters. */
export function drawStage(picture, parameters, change, signal) {
  const body = html("div", { class: "stage" });
  if (parameters.view === "table") showTable(body, picture, parameters, change, signal);
  else showPicture(body, picture, parameters, change, signal);
  return body;
}

function showPicture(body, picture, parameters, change, signal) {
  const scroller = html("div", { class: "scroller" });
  const beside = html("div", { class: "beside" });
  const open = (key) => {
    const opened = parameters.open ?? [];
    last = { id: parameters.id, key, keyboard: body.contains(document.activeElement) };
    const members = (picture.boxes ?? []).find((box) => box.key === key);
    if (opened.includes(key)) change({ open: opened.filter((each) => each !== key) });
    else if (members && ((members.count > 1 && members.count <= 100) || members.built)) change({ open: [...opened, key] });
  };
  let drawn;
  const close = () => {
    beside.replaceChildren();
    drawn.select(-1);
  };
  const choose = (index) => {
    const box = picture.boxes[index];
    last = { id: parameters.id, key: box.key, keyboard: false };
    drawn.select(index);
    beside.replaceChildren(
      describe(box, parameters, { open, close, closeAll: () => change({ open: [] }), signal, lineage: picture.question }),
    );
  };
  drawn = drawPicture(picture, { select: choose, open });
  scroller.append(drawn.root);
  const overview = html("div", { class: "below" }, drawLegend(picture), drawOverview(picture, scroller));
  body.append(html("div", { class: "frame-of-picture" }, scroller, overview), beside);
  const page = document.getElementById("page");
  page.addEventListener("key", ({ detail: event }) => event.key === "Escape" && close(), { signal });
  const kept = last.id === parameters.id ? picture.boxes.findIndex((box) => box.key === last.key) : -1;
  const start = kept >= 0 ? kept : picture.boxes.findIndex((box) => box.start);
  // A wide picture begins where the question was asked.
  requestAnimationFrame(() => {
    const isNext = keepPlace(picture, parameters, drawn.root, scroller);
    drawn.shapes[start]?.scrollIntoView({ block: "nearest", inline: isNext ? "nearest" : "center" });
    window.scrollTo(0, 0);
    lay = layOf(picture, parameters, drawn.root, scroller);
    if (kept >= 0 && last.keyboard) drawn.focus(kept);
  });
}

/** The middles of the boxes that are seen, by their keys, which the next picture of the same is to stay near to. */
export function earlier(parameters) {
  if (lay.id !== parameters.id || lay.dir !== parameters.dir || lay.boxes.size > MOST_EARLIER) return undefined;
  return Object.fromEntries([...lay.boxes].map(([key, box]) => [key, box.y + Math.floor(box.height / 2)]));
}

function layOf(picture, parameters, root, scroller) {
  const frame = scroller.getBoundingClientRect();
  const { x, y } = root.getBoundingClientRect();
  return {
    id: parameters.id,
    dir: parameters.dir,
    boxes: new Map((picture.boxes ?? []).map((box) => [box.key, box])),
    x: x - frame.x,
    y: y - frame.y,
  };
}

/** Moves a picture so that half of what was in the last one lies where it did; false if there was none. */
function keepPlace(picture, parameters, root, scroller) {
  if (lay.id !== parameters.id || lay.dir !== parameters.dir) return false;
  const kept = (picture.boxes ?? []).filter((box) => lay.boxes.has(box.key));
  if (kept.length === 0) return false;
  const moved = (side) => median(kept.map((box) => box[side] - lay.boxes.get(box.key)[side]));
  const x = Math.round(lay.x - moved("x"));
  const y = Math.round(lay.y - moved("y"));
  root.style.marginLeft = `${Math.max(0, x)}px`;
  root.style.marginTop = `${Math.max(0, y)}px`;
  // Room to scroll to where it lay.
  root.style.marginRight = `${Math.max(0, scroller.clientWidth - x - picture.width)}px`;
  scroller.scrollLeft = Math.max(0, -x);
  scroller.scrollTop = Math.max(0, -y);
  return true;
}

function median(numbers) {
  const sorted = numbers.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function showTable(body, picture, parameters, change, signal) {
  const beside = html("div", { class: "beside" });
  const choose = (index) =>
    beside.replaceChildren(
      describe(picture.boxes[index], parameters, {
        open: (key) => change({ open: [...(parameters.open ?? []), key] }),
        close: () => beside.replaceChildren(),
        closeAll: () => change({ open: [] }),
        signal,
        lineage: picture.question,
      }),
    );
  body.append(html("div", { class: "scroll" }, drawTable(picture, choose)), beside);
}

/** How much a picture shows, and what is missing or has changed. */
export function summary(picture, parameters) {
  const boxes = picture.boxes ?? [];
  const parts = [
    html("p", { class: "note" }, `${number(picture.elements)} elements in ${number(boxes.length)} boxes. Times in UTC.`),
  ];
  if (picture.outOfTime) {
    parts.unshift(html("p", { class: "partial", role: "alert" }, "Partial: time ended the search. Take fewer steps, or start from one of these."));
  } else if (picture.partial && parameters.depth && picture.elements < Number(parameters.limit ?? DEFAULT_LIMIT)) {
    parts.push(html("p", { class: "note" }, `Up to ${parameters.depth} steps from the start; there is more beyond.`));
  } else if (picture.partial) {
    parts.unshift(
      html("p", { class: "partial", role: "alert" }, "Partial: a limit ended the search. Take fewer steps, or more elements."),
    );
  }
  if (picture.compared) parts.push(html("p", { class: "compared" }, changes(picture)));
  return html("div", {}, parts);
}

/** How many runs of each program, and versions of files, are new, gone and kept. */
function changes(picture) {
  const words = picture.presences ?? { new: "new", gone: "gone", kept: "kept" };
  const boxes = picture.boxes ?? [];
  const counts = new Map();
  for (const box of boxes) {
    const name = box.kind === "process" ? `runs of ${box.name}` : "versions of files";
    const count = counts.get(name) ?? { new: 0, gone: 0, kept: 0 };
    count[box.presence] += box.count;
    counts.set(name, count);
  }
  const changed = [...counts].filter(([, count]) => count.new + count.gone > 0);
  if (changed.length === 0) return "Both are the same.";
  const total = (count) => count.new + count.gone + count.kept;
  return changed
    .sort(([, a], [, b]) => total(b) - total(a))
    .map(([name, count]) => `${name}: ${number(count.new)} ${words.new} (+), ${number(count.gone)} ${words.gone} (−), ${number(count.kept)} ${words.kept}`)
    .join(" · ");
}

/**
 * A link to the same picture for ever, and files of it; with `exported`, the question for a lineage,
 * also in the forms of other tools.
 */
export function exports(page, picture, parameters, exported) {
  const link = () => {
    const pinned = { ...parameters, asOf: parameters.asOf || picture.now, knownAt: parameters.knownAt || picture.now };
    return new URL(addressOf(page, pinned), location.href).href;
  };
  return [copyButton("Copy link", link), saveButtons(picture, exported)];
}

/** A field for what the database knew at a time. */
function knownAt(parameters, change) {
  const field = html("input", {
    type: "text",
    id: "known-at",
    size: 22,
    spellcheck: "false",
    placeholder: "now",
    value: parameters.knownAt ?? "",
    title: "What the database knew at a time such as 2026-11-21T00:35:30Z",
  });
  field.addEventListener("change", () => change({ knownAt: field.value.trim() }));
  return field;
}

/** A choice of values, with its label. */
function select(id, name, values, chosen, text, choose) {
  const all = values.includes(chosen) ? values : [...values, chosen];
  const field = html(
    "select",
    { id },
    all.map((value) => html("option", { value, selected: value === chosen }, text(value))),
  );
  field.addEventListener("change", () => choose(field.value));
  return [html("label", { for: id }, name), field];
}

/** How far the search goes, and in what form it is shown. */
export function limits(parameters, change) {
  return html(
    "div",
    { class: "controls" },
    select("depth", "steps", DEPTHS, parameters.depth ?? "", (value) => value || "all", (depth) => change({ depth })),
    select("boxes", "boxes", BUDGETS, parameters.boxes ?? "80", (value) => value, (boxes) => change({ boxes })),
    select("limit", "elements", LIMITS, parameters.limit ?? DEFAULT_LIMIT, number, (limit) => change({ limit })),
    html("label", { for: "known-at" }, "known at"),
    knownAt(parameters, change),
    html(
      "button",
      {
        type: "button",
        "aria-pressed": parameters.view === "table" ? "true" : "false",
        on: { click: () => change({ view: parameters.view === "table" ? "" : "table" }) },
      },
      "Table (t)",
    ),
  );
}

/** The question that the parameters of a page ask. */
export function question(parameters) {
  const asNumber = (text) => (text ? Number(text) : undefined);
  return {
    id: parameters.id,
    direction: parameters.dir,
    depth: asNumber(parameters.depth),
    limit: asNumber(parameters.limit),
    budget: asNumber(parameters.boxes),
    open: parameters.open,
    asOf: parameters.asOf,
    knownAt: parameters.knownAt,
    against: parameters.against,
  };
}

/** Listens to the keys of a page with a picture and a track of versions. */
export function listen(page, signal, timeline, change, parameters) {
  page.addEventListener(
    "key",
    ({ detail: event }) => {
      if (event.key === "[") timeline.step(-1);
      else if (event.key === "]") timeline.step(1);
      else if (event.key === "<") timeline.stepKnown(-1);
      else if (event.key === ">") timeline.stepKnown(1);
      else if (event.key === "t") change({ view: parameters.view === "table" ? "" : "table" });
    },
    { signal },
  );
}

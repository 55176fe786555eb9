// What a query took, as bars: by step, by level of a plan, and by shard, each with its share.

import { html, number, svg } from "./text.js";

const COUNTS = [
  ["frontier", "arrived"],
  ["edges", "edges"],
  ["messages", "messages"],
  ["cacheHits", "in memory"],
  ["cacheMisses", "read"],
];

export function drawProfile(profile) {
  const most = Math.max(profile.millis, ...profile.steps.map((step) => step.millis), 0.001);
  const heads = ["Step, level, shard", "Time", "ms", "Results", ...COUNTS.map(([, name]) => name)];
  const rows = profile.steps.flatMap((step) => [
    row("group", step.name, "step", 0, step.millis, 0, most, step.results, {}),
    ...step.levels.flatMap((level) => levelRows(level, step, most)),
  ]);
  return html(
    "div",
    { class: "scroll" },
    html("p", { class: "note" }, "Bars of steps and levels: how long each took. Of shards: when it worked (full) and waited (pale) since the plan began."),
    html(
      "table",
      { class: "profile" },
      html("thead", {}, html("tr", {}, heads.map((head, at) => html("th", { scope: "col", class: at > 1 ? "count" : null }, head)))),
      html("tbody", {}, rows),
    ),
  );
}

function levelRows(level, step, most) {
  if (level.frontier === undefined) return [row("", level.name, "level", 0, level.millis, 0, most, undefined, {}, 1)];
  return [
    row("", level.name, "level", 0, level.millis, 0, most, undefined, level, 1),
    ...level.shards.map((shard) =>
      shard.workMillis === undefined
        ? html("tr", {}, html("th", { scope: "row", class: "indented twice" }, shard.name), html("td", { colspan: 8 }, shard.text))
        : row("", shard.name, "shard", shard.fromMillis, shard.workMillis, shard.waitMillis, most, undefined, {}, 2),
    ),
  ];
}

function row(group, name, kind, from, millis, wait, most, results, counts, depth = 0) {
  const percent = (value) => `${Math.min(100, (100 * value) / most)}%`;
  return html(
    "tr",
    { class: group || null },
    html("th", { scope: "row", class: `name ${["", "indented", "indented twice"][depth]}` }, name),
    html(
      "td",
      { class: "track-cell" },
      svg(
        "svg",
        { class: `span ${kind}`, role: "img", "aria-label": `${millis.toFixed(3)} ms${wait ? `, waited ${wait.toFixed(3)} ms` : ""}` },
        svg("rect", { class: "least", x: percent(from), width: 2, y: 3, height: 12 }),
        svg("rect", { x: percent(from), width: percent(millis), y: 3, height: 12, rx: 2 }),
        wait ? svg("rect", { class: "wait", x: percent(from + millis), width: percent(wait), y: 3, height: 12, rx: 2 }) : null,
      ),
    ),
    html("td", { class: "count" }, millis.toFixed(3)),
    html("td", { class: "count" }, results === undefined ? "" : number(results)),
    COUNTS.map(([key]) => html("td", { class: "count" }, counts[key] === undefined ? "" : number(counts[key]))),
  );
}

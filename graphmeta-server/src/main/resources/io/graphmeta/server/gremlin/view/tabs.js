// The pages that tell of one element, as tabs, and figures in large letters.

import { addressOf } from "./address.js";
import { html, number } from "./text.js";

/**
 * Tabs for an element with a label. `current` is the one that is shown; the time of one page is
 * that of the next.
 */
export function tabs(id, label, current, parameters) {
  const times = { asOf: parameters.asOf, knownAt: parameters.knownAt };
  const all = [];
  if (label === "job") all.push(["job", "The job", addressOf("job", { id, ...times })]);
  all.push(["backward", "What it rests on", addressOf("lineage", { id, ...times })]);
  all.push(["forward", "What rests on it", addressOf("lineage", { id, dir: "forward", ...times })]);
  if (label === "file") all.push(["impact", "Who is affected", addressOf("impact", { id, ...times })]);
  if (label === "job" || label === "process") {
    all.push(["runs", "Compare with another run", addressOf("runs", { a: id, ...times })]);
  }
  return html(
    "nav",
    { class: "tabs", "aria-label": "Pages of this element" },
    all.map(([name, title, href]) => html("a", { href, "aria-current": name === current ? "page" : null }, title)),
  );
}

/** Numbers in large letters, each with its name; what is null is left out. */
export function figures(entries) {
  return html(
    "dl",
    { class: "figures" },
    entries
      .filter(([value]) => value !== null && value !== undefined && value !== "")
      .map(([value, name, title]) =>
        html("div", { title }, html("dt", {}, name), html("dd", {}, typeof value === "number" ? number(value) : value)),
      ),
  );
}

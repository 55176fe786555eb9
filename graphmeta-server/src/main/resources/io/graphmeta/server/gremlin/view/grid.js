// A table that is sorted by a click on a head, with bars on a scale of powers of ten.

import { logPercent } from "./amounts.js";
import { html, number, svg } from "./text.js";

const PAGE = 50;

/**
 * The table.
 *
 * A column has a `name`, a `key` of the row, perhaps `show(row)` for a cell that is more than its
 * value, `bar` for a number with a bar, and `fixed` if rows are not sorted by it. `sorted` is the key that rows are sorted by, with a
 * minus before it for the greatest first; `sort(key)` is told of another one. Ids of the page begin
 * with `name`.
 */
export function grid({ caption, columns, rows, sorted, sort, name = "sort" }) {
  const down = sorted.startsWith("-");
  const key = down ? sorted.slice(1) : sorted;
  const order = [...rows].sort((a, b) => compare(a[key] ?? 0, b[key] ?? 0) * (down ? -1 : 1));
  const most = Object.fromEntries(
    columns.filter((column) => column.bar).map((column) => [column.key, rows.reduce((top, row) => Math.max(top, row[column.key] ?? 0), 0)]),
  );
  const heads = columns.map((column) =>
    column.fixed ? html("th", { scope: "col" }, column.name) : html(
      "th",
      {
        scope: "col",
        class: column.bar || column.count ? "count" : null,
        "aria-sort": column.key === key ? (down ? "descending" : "ascending") : null,
      },
      html(
        "button",
        {
          type: "button",
          class: "link",
          id: `${name}-${column.key}`,
          on: { click: () => sort(nextSort(column, key, down)) },
        },
        column.name,
        column.key === key ? (down ? " ▼" : " ▲") : "",
      ),
    ),
  );
  const body = html("tbody", {});
  const more = html("button", { type: "button" }, "More");
  let shown = 0;
  const grow = () => {
    body.append(...order.slice(shown, shown + PAGE).map((row) => html("tr", {}, columns.map((column, at) => cell(column, row, most, at)))));
    shown += PAGE;
    more.hidden = shown >= order.length;
    more.textContent = `More (${number(Math.max(0, order.length - shown))})`;
  };
  more.addEventListener("click", grow);
  grow();
  return html(
    "div",
    { class: "scroll" },
    html("table", { class: "grid" }, caption ? html("caption", {}, caption) : null, html("thead", {}, html("tr", {}, heads)), body),
    more,
  );
}

function nextSort(column, key, down) {
  if (column.key === key) return down ? column.key : `-${column.key}`;
  return column.bar || column.count ? `-${column.key}` : column.key;
}

function compare(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

function cell(column, row, most, at) {
  const value = row[column.key];
  const shown = column.show ? column.show(row) : typeof value === "number" ? number(value) : (value ?? "");
  if (at === 0) return html("th", { scope: "row", class: "name" }, shown);
  if (!column.bar) return html("td", { class: column.count ? "count" : "name" }, shown);
  const bar = svg(
    "svg",
    { class: "log", "aria-hidden": "true" },
    svg("rect", { width: `${logPercent(value ?? 0, most[column.key])}%`, height: "100%", rx: 2 }),
  );
  return html("td", { class: "count" }, html("span", { class: "barred" }, html("span", {}, shown), bar));
}

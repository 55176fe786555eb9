// Shows the page that the address names, and listens to what all pages have: search, help, keys.

import { go, state } from "./address.js";
import { Refused } from "./ask.js";
import { showGremlin } from "./gremlin.js";
import { showImpact } from "./impact.js";
import { showJob } from "./job.js";
import { showLineage } from "./lineage.js";
import { showPlacement } from "./placement.js";
import { showRuns } from "./runs.js";
import { showSearch } from "./search.js";
import { announce, html } from "./text.js";

const page = document.getElementById("page");
const field = document.getElementById("text");
const help = document.getElementById("help");
let underWay = new AbortController();

async function show() {
  underWay.abort();
  underWay = new AbortController();
  const { signal } = underWay;
  const { page: name, parameters } = state();
  const pages = { "": showSearch, search: showSearch, lineage: showLineage, impact: showImpact, job: showJob, runs: showRuns, gremlin: showGremlin, placement: showPlacement };
  page.setAttribute("aria-busy", "true");
  const focused = page.contains(document.activeElement) ? document.activeElement.id : "";
  try {
    const shown = pages[name];
    if (!shown) throw new Refused(`There is no page of this name.`, 404);
    await shown(page, parameters, signal);
    // What was pressed is there again after the page is drawn anew, and keeps the keyboard.
    if (focused && !page.contains(document.activeElement)) document.getElementById(focused)?.focus();
  } catch (fault) {
    if (fault.name === "AbortError" || signal.aborted) return;
    refuse(fault);
  }
  if (!signal.aborted) settled();
}

/** Notes which state is shown. */
function settled() {
  page.removeAttribute("aria-busy");
  page.dataset.shown = location.hash;
}

function refuse(fault) {
  const retry = html("button", { type: "button", on: { click: show } }, "Try again");
  page.replaceChildren(
    html("h1", {}, "This cannot be shown"),
    html("div", { class: "fault", role: "alert" }, html("p", {}, fault.message), retry),
  );
  settled();
  if (!(fault instanceof Refused)) console.error(fault);
}

document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  go("search", { text: field.value.trim() });
});

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  page.focus();
});

const KEYS = [
  ["/", "search"],
  ["Tab", "from part to part; in a picture to its start"],
  ["← →", "in a picture: along the lines, to where data came from or went to"],
  ["↑ ↓", "in a picture: to the box above or below"],
  ["Enter", "what is known of a box"],
  ["o", "open a box of many, or close it again"],
  ["[ ]", "one change of the file back or forward in time"],
  ["< >", "what the database knew before or after"],
  ["t", "picture or table"],
  ["Ctrl Enter", "run a query"],
  ["Esc", "close what is open"],
  ["?", "these keys"],
];

function showHelp() {
  const rows = KEYS.map(([key, meaning]) =>
    html("div", {}, html("dt", {}, html("kbd", {}, key)), html("dd", {}, meaning)),
  );
  help.replaceChildren(
    html("h2", { id: "help-title" }, "Keys"),
    html("dl", { class: "keys" }, rows),
    html("button", { type: "button", autofocus: true, on: { click: () => help.close() } }, "Close"),
  );
  help.showModal();
}

document.getElementById("keys").addEventListener("click", showHelp);

addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "/") {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "?") {
    event.preventDefault();
    showHelp();
  } else {
    page.dispatchEvent(new CustomEvent("key", { detail: event }));
  }
});

addEventListener("hashchange", show);
announce("");
show();

// Beside the picture: what is known of a box, and below it the question to be asked elsewhere.

import { addressOf } from "./address.js";
import { ask } from "./ask.js";
import { copyButton, html, moment, number, visible } from "./text.js";

const PAGE = 20;
const PAUSE_MILLIS = 250;

/** What a page asked, as Gremlin and as command line, to copy. */
export function questions(answer, command) {
  const gremlin = (answer.gremlin ?? []).join("\n");
  const parts = [
    html("h3", {}, "As Gremlin"),
    html("pre", { tabindex: 0 }, visible(gremlin).replaceAll("\\n", "\n")),
    copyButton("Copy Gremlin", () => gremlin),
  ];
  if (command) {
    parts.push(
      html("h3", {}, "As command line"),
      html("pre", { tabindex: 0 }, visible(command)),
      copyButton("Copy command", () => command),
    );
  }
  return html("details", { class: "questions" }, html("summary", {}, "This question elsewhere"), parts);
}

/** What is known of a box. `actions` open and close it. */
export function describe(box, parameters, actions) {
  const first = box.members[0];
  const [title, ...facts] = box.description;
  return html(
    "section",
    { class: "panel", "aria-label": "Selected box" },
    html(
      "div",
      { class: "panel-head" },
      html("h2", {}, title),
      html("button", { type: "button", "aria-label": "Close", on: { click: actions.close } }, "×"),
    ),
    html("ul", { class: "facts" }, facts.map((fact) => html("li", {}, fact))),
    html("div", { class: "buttons" }, opening(box, parameters, actions)),
    box.count === 1 ? single(first, parameters, actions.signal) : members(box, parameters, actions),
  );
}

function opening(box, parameters, actions) {
  const buttons = [];
  if (box.count > 1 && box.count <= 100) {
    buttons.push(html("button", { type: "button", on: { click: () => actions.open(box.key) } }, "Open the box (o)"));
  }
  if (box.built) {
    const name = `Show how it was built: ${number(box.built)} more (o)`;
    buttons.push(html("button", { type: "button", on: { click: () => actions.open(box.key) } }, name));
  }
  if ((parameters.open ?? []).length > 0) {
    buttons.push(html("button", { type: "button", on: { click: actions.closeAll } }, "Close all boxes"));
  }
  return buttons;
}

const LINEAGE = new Set(["file", "process", "job"]);

function ways(member, parameters) {
  if (!LINEAGE.has(member.label)) return null;
  const kept = { knownAt: parameters.knownAt };
  const version = member.label === "file" && member.from ? { asOf: member.from } : {};
  return html(
    "span",
    { class: "ways" },
    html("a", { href: addressOf("lineage", { id: member.id, ...version, ...kept }) }, "rests on"),
    " · ",
    html(
      "a",
      { href: addressOf("lineage", { id: member.id, dir: "forward", ...version, ...kept }) },
      "what rests on it",
    ),
  );
}

function single(member, parameters, signal) {
  if (!member.id) return null;
  const place = html("div", { class: "properties" }, html("p", { class: "note" }, "…"));
  const times = { asOf: parameters.dir === "forward" ? "" : parameters.asOf, knownAt: parameters.knownAt };
  ask("element", { id: member.id, ...times }, signal)
    .then((answer) => place.replaceChildren(properties(answer)))
    .catch((fault) => {
      if (fault.name !== "AbortError") place.replaceChildren(html("p", { class: "note" }, fault.message));
    });
  return html("div", {}, ways(member, parameters), place);
}

function properties(answer) {
  const entries = Object.entries(answer.properties ?? {});
  const shown = entries.map(([key, value]) => {
    const text = Array.isArray(value) && value.length === 1 ? value[0] : JSON.stringify(value);
    return html("div", {}, html("dt", {}, key), html("dd", {}, String(text)));
  });
  return html("dl", { class: "pairs" }, html("div", {}, html("dt", {}, "id"), html("dd", {}, answer.text)), shown);
}

/** A list of many, filtered and in pages; the server has those that did not come with the picture. */
function members(box, parameters, actions) {
  const filter = html("input", { type: "search", id: "filter", "aria-label": "Filter", placeholder: "Filter", spellcheck: "false" });
  const list = html("ol", { class: "members" });
  const note = html("p", { class: "note", role: "status" });
  const more = html("button", { type: "button" }, "More");
  const whole = box.members.length === box.count;
  let shown = 0;
  let asking = new AbortController();
  actions.signal.addEventListener("abort", () => asking.abort());
  const page = async (offset) => {
    const wanted = filter.value.toLowerCase();
    if (whole || !actions.lineage) {
      const found = box.members.filter((member) => member.text.toLowerCase().includes(wanted));
      return { found: found.length, members: found.slice(offset, offset + PAGE) };
    }
    asking.abort();
    asking = new AbortController();
    const question = { ...actions.lineage, key: box.key, filter: filter.value, offset, count: PAGE };
    return ask("members", question, asking.signal);
  };
  const grow = async () => {
    const offset = shown;
    try {
      const { found, members } = await page(offset);
      if (offset === 0) list.replaceChildren();
      list.append(...members.map((member) => item(member, parameters)));
      shown = offset + members.length;
      const known = whole || actions.lineage ? "" : ` of the first ${number(box.members.length)}`;
      note.textContent = `${number(shown)} of ${number(found)} shown${known}; ${number(box.count)} in all`;
      more.hidden = shown >= found;
    } catch (fault) {
      if (fault.name !== "AbortError") note.textContent = fault.message;
    }
  };
  let waiting;
  filter.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      shown = 0;
      grow();
    }, whole ? 0 : PAUSE_MILLIS);
  });
  more.addEventListener("click", grow);
  grow();
  return html("div", {}, filter, note, list, more);
}

function item(member, parameters) {
  return html(
    "li",
    {},
    html("span", { class: "name" }, member.text),
    html("span", { class: "dim" }, " ", member.from ? moment(member.from) : "", member.fate && member.fate !== "current" ? ` ${member.fate} since` : ""),
    html("br"),
    ways(member, parameters),
  );
}

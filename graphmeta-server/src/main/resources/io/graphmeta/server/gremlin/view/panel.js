// Beside the picture: what is known of a box, and below it the question to be asked elsewhere.

import { addressOf } from "./address.js";
import { ask } from "./ask.js";
import { copyButton, html, moment, number, visible } from "./text.js";

const PAGE = 20;

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
    box.count === 1 ? single(first, parameters, actions.signal) : members(box, parameters),
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

/** A list of many, filtered and in pages. */
function members(box, parameters) {
  const filter = html("input", { type: "search", "aria-label": "Filter", placeholder: "Filter", spellcheck: "false" });
  const list = html("ol", { class: "members" });
  const note = html("p", { class: "note", role: "status" });
  const more = html("button", { type: "button" }, "More");
  let shown = PAGE;
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const found = box.members.filter((member) => member.text.toLowerCase().includes(wanted));
    const known = box.members.length < box.count ? ` of the first ${number(box.members.length)}` : "";
    note.textContent = `${number(Math.min(shown, found.length))} of ${number(found.length)} shown${known}; ${number(box.count)} in all`;
    more.hidden = shown >= found.length;
    list.replaceChildren(
      ...found.slice(0, shown).map((member) =>
        html(
          "li",
          {},
          html("span", { class: "name" }, member.text),
          html("span", { class: "dim" }, " ", member.from ? moment(member.from) : "", member.fate && member.fate !== "current" ? ` ${member.fate} since` : ""),
          html("br"),
          ways(member, parameters),
        ),
      ),
    );
  };
  filter.addEventListener("input", () => {
    shown = PAGE;
    draw();
  });
  more.addEventListener("click", () => {
    shown += PAGE;
    draw();
  });
  draw();
  return html("div", {}, filter, note, list, more);
}

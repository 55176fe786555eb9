// Two runs side by side: inputs, programs and parameters in which they differ, and one picture of both.

import { addressOf, go, state } from "./address.js";
import { iso, span } from "./amounts.js";
import { ask } from "./ask.js";
import { questions } from "./panel.js";
import { drawStage, exports, limits, listen, summary } from "./stage.js";
import { announce, html, moment, number, plainTime, show, visible } from "./text.js";
import { markWords } from "./words.js";

const ASPECTS = [
  ["input", "Inputs"],
  ["executable", "Programs"],
  ["parameter", "Parameters"],
];
const DEPTH = "3";
const ROWS = 100;
const SIGNS = { added: ["+", "of the second alone"], removed: ["−", "of the first alone"], changed: ["≠", "differs"] };

export async function showRuns(page, parameters, signal) {
  document.title = "Two runs · GraphMeta";
  const change = (changes) => go("runs", { ...state().parameters, ...changes });
  const known = await ask("search", { asOf: parameters.asOf, knownAt: parameters.knownAt, limit: 200 }, signal);
  const form = choose(known.hits ?? [], parameters, change);
  if (!parameters.a || !parameters.b) {
    show(
      page,
      html("h1", {}, "Two runs"),
      html("p", { class: "note" }, "In which inputs, programs and parameters do two jobs, or two processes, differ?"),
      form,
    );
    document.getElementById(parameters.a ? "run-b" : "run-a").focus();
    return;
  }
  const asNumber = (text) => (text ? Number(text) : undefined);
  const answer = await ask(
    "runs",
    {
      a: idOf(parameters.a),
      b: idOf(parameters.b),
      asOf: parameters.asOf,
      knownAt: parameters.knownAt,
      depth: asNumber(parameters.depth),
      limit: asNumber(parameters.limit),
      budget: asNumber(parameters.boxes),
      open: parameters.open,
    },
    signal,
  );
  const picture = answer.picture;
  picture.now = answer.now;
  const told = tell(answer.differences);
  show(
    page,
    html("h1", {}, "Two runs"),
    form,
    html("p", { class: "compared" }, told),
    answer.differencesPartial ? html("p", { class: "partial", role: "alert" }, "Partial: not all differences are told. The command below tells all.") : null,
    sideBySide(answer, parameters),
    html("h2", { class: "apart" }, "What both rest on"),
    limits({ ...parameters, depth: parameters.depth || DEPTH }, change),
    summary({ ...picture, compared: false }, { ...parameters, depth: parameters.depth || DEPTH }),
    drawStage(picture, { ...parameters, id: `${parameters.a} ${parameters.b}` }, change, signal),
    html("div", { class: "buttons" }, exports("runs", picture, parameters)),
    questions(answer, answer.command),
  );
  listen(page, signal, { step: () => {}, stepKnown: () => {} }, change, parameters);
  announce(told);
}

/** The number of a job is enough. */
function idOf(text) {
  return /^[0-9][0-9_.+[\]]*$/.test(text) ? `job:${text}` : text;
}

function choose(hits, parameters, change) {
  const options = hits
    .filter((hit) => hit.label === "job")
    .map((hit) => html("option", { value: hit.id }, [hit.name, hit.user, hit.start ? plainTime(hit.start) : ""].filter((part) => part).join(", ")));
  const field = (name, title) => {
    const input = html("input", { type: "text", id: `run-${name}`, list: "jobs", size: 30, spellcheck: "false", autocomplete: "off", placeholder: "number of a job, or id" });
    input.value = parameters[name] ?? "";
    return [html("label", { for: `run-${name}` }, title), input];
  };
  const form = html(
    "form",
    { class: "controls" },
    field("a", "first"),
    html("button", { type: "button", id: "swap", title: "Exchange the two", "aria-label": "Exchange the two" }, "⇄"),
    field("b", "second"),
    html("button", { type: "submit" }, "Compare"),
    html("datalist", { id: "jobs" }, options),
  );
  const value = (name) => form.querySelector(`#run-${name}`).value.trim();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change({ a: value("a"), b: value("b"), open: [] });
  });
  form.querySelector("#swap").addEventListener("click", () => change({ a: value("b"), b: value("a"), open: [] }));
  return form;
}

function tell(differences) {
  if (differences.length === 0) return "No difference is on record: the same inputs, programs and parameters.";
  return ASPECTS.map(([aspect, name]) => [name, differences.filter((each) => each.aspect === aspect).length])
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${number(count)} differ`)
    .join(" · ");
}

function sideBySide(answer, parameters) {
  const times = { asOf: parameters.asOf, knownAt: parameters.knownAt };
  const groups = ASPECTS.map(([aspect, name]) => {
    const rows = answer.differences.filter((each) => each.aspect === aspect);
    return rows.length ? [html("tr", { class: "group" }, html("th", { scope: "rowgroup", colspan: 4 }, html("strong", {}, name))), page(rows, 0, parameters)] : null;
  });
  return html(
    "div",
    { class: "scroll" },
    html(
      "table",
      { class: "sides" },
      html(
        "thead",
        {},
        html("tr", {}, html("th", { scope: "col" }, html("span", { class: "unseen" }, "Change")), html("th", { scope: "col" }, "What"), side(answer.a, "− ", times), side(answer.b, "+ ", times)),
      ),
      html("tbody", {}, groups),
    ),
  );
}

/** Some of the rows, and a button for more: thousands at once would keep the page from answering. */
function page(rows, from, parameters) {
  const some = rows.slice(from, from + ROWS).map((row) => difference(row, parameters));
  const left = rows.length - from - ROWS;
  if (left <= 0) return some;
  const more = html("tr", {}, html("td", { colspan: 4 }, html("button", { type: "button", on: { click: () => grow() } }, `More (${number(left)})`)));
  const grow = () => {
    const next = page(rows, from + ROWS, parameters);
    more.replaceWith(...next);
    next[0].querySelector("a")?.focus();
  };
  return [...some, more];
}

function side(run, sign, times) {
  if (!run) return html("th", { scope: "col" }, "");
  const page = run.label === "job" ? "job" : "lineage";
  const facts = [(run.users ?? []).join(", "), run.state, run.startMicros && run.endMicros ? span(run.endMicros - run.startMicros) : ""];
  return html(
    "th",
    { scope: "col", class: "side" },
    html("div", {}, html("span", { class: "sign" }, sign), html("a", { href: addressOf(page, { id: run.id, ...times }) }, run.text), " ", run.label === "job" ? (run.name ?? "") : ""),
    html("div", { class: "dim" }, facts.filter((part) => part).join(" · "), run.startMicros ? [" · ", moment(iso(run.startMicros))] : ""),
  );
}

function difference(row, parameters) {
  const [sign, meaning] = SIGNS[row.change];
  const [before, after] =
    typeof row.before === "string" && typeof row.after === "string"
      ? markWords(row.before, row.after)
      : [value(row, row.before, parameters), value(row, row.after, parameters)];
  const what = row.aspect === "parameter" ? [row.text || "the job", row.key === "commandLine" ? "" : html("div", { class: "dim" }, row.key)] : row.text;
  return html(
    "tr",
    {},
    html("td", { class: `sign ${row.change}`, title: meaning }, sign, html("span", { class: "unseen" }, ` ${meaning}`)),
    html("th", { scope: "row", class: "name" }, what, row.doubts ? html("div", { class: "dim" }, `? ${row.doubts.join("; ")}`) : ""),
    html("td", { class: "name words" }, row.change === "added" ? nothing() : before),
    html("td", { class: "name words" }, row.change === "removed" ? nothing() : after),
  );
}

function nothing() {
  return html("span", { class: "dim" }, "—");
}

function value(row, side, parameters) {
  if (typeof side === "string") return side;
  if (!Array.isArray(side)) return row.aspect === "input" || row.aspect === "executable" ? "used" : "";
  return side.map((version) => {
    const initial = version.version === "initial";
    const file = row.id.replace(/^exe:/, "");
    const href = addressOf("lineage", { id: file, asOf: initial ? "" : version.version, knownAt: parameters.knownAt });
    return html(
      "div",
      {},
      initial ? "what was there before the record" : ["version ", html("a", { href }, plainTime(version.version))],
      version.writer ? html("span", { class: "dim" }, ` by ${visible(version.writer)}`) : "",
    );
  });
}

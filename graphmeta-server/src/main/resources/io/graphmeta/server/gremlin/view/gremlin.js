// A query in Gremlin, as of any time, that only reads; its results as table, graph or JSON, or what it takes.

import { addressOf, go, state } from "./address.js";
import { ask } from "./ask.js";
import { questions } from "./panel.js";
import { drawProfile } from "./profile.js";
import { choiceOf, jsonButton, saveButtons, tableButton } from "./save.js";
import { drawStage } from "./stage.js";
import { announce, copyButton, html, number, plainTime, show } from "./text.js";

const EXAMPLES = [
  ["Jobs that failed", "g.V().has('job', 'state', within('FAILED', 'TIMEOUT')).elementMap('name', 'state', 'start')"],
  ["Who ran how many jobs", "g.V().hasLabel('user').project('user', 'jobs').by('name').by(out('ran').count())"],
  ["Paths from users to files", "g.V().hasLabel('user').out('ran').out('contains').out('wrote').path().limit(30)"],
  ["What there is, by label", "g.V().groupCount().by(label)"],
];
const FORMS = [
  ["", "Table"],
  ["graph", "Graph"],
  ["json", "JSON"],
  ["profile", "Profile"],
];
const LIMITS = ["100", "500", "2000", "10000"];

export async function showGremlin(page, parameters, signal) {
  document.title = "Gremlin · GraphMeta";
  const change = (changes) => go("gremlin", { ...state().parameters, ...changes });
  const form = draw(parameters, change);
  if (!parameters.q) {
    show(page, html("h1", {}, "Gremlin"), form, examples());
    document.getElementById("query").focus();
    return;
  }
  const profile = parameters.form === "profile";
  let answer;
  try {
    answer = await ask(
      "gremlin",
      {
        gremlin: parameters.q,
        asOf: parameters.asOf,
        knownAt: parameters.knownAt,
        limit: parameters.limit ? Number(parameters.limit) : undefined,
        profile: profile ? "yes" : "no",
      },
      signal,
    );
  } catch (fault) {
    if (fault.name === "AbortError" || signal.aborted) throw fault;
    show(page, html("h1", {}, "Gremlin"), form, html("div", { class: "fault words", role: "alert" }, fault.message), examples());
    return;
  }
  const told = profile ? `${answer.profile.millis.toFixed(1)} ms in all` : count(answer);
  show(
    page,
    html("h1", {}, "Gremlin"),
    form,
    answer.partial ? html("p", { class: "partial", role: "alert" }, `Partial: the first ${number(answer.results.length)} results. Ask for more, or narrow the query.`) : null,
    html("p", { class: "note", role: "status" }, told),
    result(answer, parameters, change, signal),
    html("div", { class: "buttons" }, copyButton("Copy link", () => new URL(addressOf("gremlin", parameters), location.href).href), saves(answer, parameters)),
    questions(answer, answer.command),
  );
  announce(told);
}

/** What is seen as a file. */
function saves(answer, parameters) {
  if (parameters.form === "profile") return null;
  if (parameters.form === "graph") return answer.picture ? saveButtons(answer.picture) : null;
  return choiceOf([tableButton("results.csv", () => cells(answer.results)), jsonButton("results.json", answer.results)]);
}

function count(answer) {
  return answer.results.length === 1 ? "1 result" : `${number(answer.results.length)} results`;
}

function draw(parameters, change) {
  const query = html("textarea", { id: "query", rows: 3, spellcheck: "false", autocomplete: "off", "aria-label": "Query in Gremlin", placeholder: "g.V().hasLabel('job').limit(10)" });
  query.value = parameters.q ?? "";
  const time = (id, name, value) => {
    const field = html("input", { type: "text", id, size: 27, spellcheck: "false", placeholder: "now" });
    field.value = value ?? "";
    return [html("label", { for: id }, name), field];
  };
  const limit = html(
    "select",
    { id: "limit" },
    LIMITS.map((value) => html("option", { value, selected: value === (parameters.limit ?? "500") }, number(value))),
  );
  const form = html(
    "form",
    { class: "gremlin" },
    query,
    html(
      "div",
      { class: "controls" },
      html("button", { type: "submit", class: "main", title: "Ctrl+Enter" }, "Run"),
      time("as-of", "as of", parameters.asOf),
      time("known-at", "known at", parameters.knownAt),
      html("label", { for: "limit" }, "results"),
      limit,
      html(
        "span",
        { class: "choice", role: "group", "aria-label": "Form of the answer" },
        FORMS.map(([value, name]) =>
          html("button", { type: "button", id: `form-${value || "table"}`, "aria-pressed": (parameters.form ?? "") === value ? "true" : "false", on: { click: () => run({ form: value }) } }, name),
        ),
      ),
      html("span", { class: "note" }, "It only reads."),
    ),
  );
  const run = (changes = {}) =>
    change({
      q: query.value.trim(),
      asOf: form.querySelector("#as-of").value.trim(),
      knownAt: form.querySelector("#known-at").value.trim(),
      limit: limit.value === "500" ? "" : limit.value,
      open: [],
      ...changes,
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  return form;
}

function examples() {
  return html(
    "section",
    { "aria-label": "Examples" },
    html("h2", {}, "Examples"),
    html(
      "ul",
      { class: "plain examples" },
      EXAMPLES.map(([name, q]) => html("li", {}, html("a", { href: addressOf("gremlin", { q, form: q.includes("path()") ? "graph" : "" }) }, name), html("code", {}, q))),
    ),
  );
}

function result(answer, parameters, change, signal) {
  if (parameters.form === "profile") return drawProfile(answer.profile);
  if (parameters.form === "json") return html("pre", { tabindex: 0, class: "json" }, JSON.stringify(answer.results, null, 2));
  if (parameters.form === "graph") {
    if (!answer.picture) return html("p", { class: "note" }, "There is no vertex among the results. Edges and paths are drawn too, such as those of outE() and path().");
    return [
      answer.picture.partial ? html("p", { class: "partial" }, "Partial: only the first vertices and edges are drawn.") : null,
      drawStage(answer.picture, { ...parameters, id: parameters.q, view: "" }, change, signal),
    ].filter((part) => part);
  }
  return answer.results.length ? table(answer.results, parameters) : html("p", { class: "note" }, "The query is answered by nothing.");
}

function columnsOf(rows) {
  return [...new Set(rows.flatMap((each) => Object.keys(each)))];
}

function cells(results) {
  const rows = results.map(row);
  const columns = columnsOf(rows);
  return [columns, ...rows.map((each) => columns.map((column) => (typeof each[column] === "string" ? each[column] : textOf(each[column] ?? ""))))];
}

function table(results, parameters) {
  const rows = results.map(row);
  const columns = columnsOf(rows);
  return html(
    "div",
    { class: "scroll" },
    html(
      "table",
      {},
      html("thead", {}, html("tr", {}, columns.map((column) => html("th", { scope: "col" }, column)))),
      html(
        "tbody",
        {},
        rows.map((each, at) => html("tr", {}, columns.map((column) => cell(each[column], column, results[at], parameters)))),
      ),
    ),
  );
}

/** An element is a row with its properties, a map one with its keys, anything else one of one column. */
function row(result) {
  if (result === null || typeof result !== "object" || Array.isArray(result)) return { result };
  if (result.type === "vertex") return { id: result.text, label: result.label, ...result.properties };
  if (result.type === "edge") return { id: result.text, label: result.label, from: result.from, to: result.to, ...result.properties };
  if (result.type === "property") return { key: result.key, value: result.value };
  if (result.type === "path") return Object.fromEntries(result.objects.map((each, at) => [String(at + 1), each]));
  return result;
}

function cell(value, column, result, parameters) {
  if (value === undefined || value === null) return html("td", {}, "");
  if (typeof value === "number") return html("td", { class: "count" }, number(value));
  const element = column === "id" && result?.type === "vertex" ? result : value?.type === "vertex" ? value : null;
  const text = textOf(value);
  return html("td", { class: "name" }, element?.id && PAGES[element.label] ? html("a", { href: addressOf(PAGES[element.label], { id: element.id, asOf: parameters.asOf, knownAt: parameters.knownAt }) }, text) : text);
}

const PAGES = { job: "job", file: "lineage", process: "lineage" };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function textOf(value) {
  if (typeof value === "string") return TIME.test(value) ? plainTime(value) : value;
  if (value?.type === "vertex") return value.text;
  if (value?.type === "edge") return `${value.from} –${value.label}→ ${value.to}`;
  if (Array.isArray(value) && value.length === 1) return textOf(value[0]);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// A job: what accounting says, its processes on a time line, what they read and wrote.

import { addressOf, go, state } from "./address.js";
import { axisStep, bytes, iso, span } from "./amounts.js";
import { ask } from "./ask.js";
import { grid } from "./grid.js";
import { questions } from "./panel.js";
import { figures, tabs } from "./tabs.js";
import { announce, copyButton, html, moment, number, show, svg, visible } from "./text.js";

const OPEN_AT_FIRST = 8;
const FILES_AT_FIRST = 12;
const ROWS = 60;

export async function showJob(page, parameters, signal) {
  if (!parameters.id) {
    go("search", {}, true);
    return;
  }
  const change = (changes) => go("job", { ...state().parameters, ...changes });
  document.title = `${visible(parameters.id)} · GraphMeta`;
  document.getElementById("text").value = parameters.id;
  const times = { asOf: parameters.asOf, knownAt: parameters.knownAt };
  const job = await ask("job", { id: parameters.id, ...times }, signal);
  const sizes = parameters.by === "process" ? byProcess(job, parameters, change, times) : byFile(job, parameters, change, times);
  show(
    page,
    html("h1", { class: "name" }, `Job ${job.text} `, job.name ?? ""),
    tabs(parameters.id, "job", "job", parameters),
    figures([
      [stateOf(job.state), "state"],
      [(job.users ?? []).join(", "), "user"],
      [between(job.startMicros, job.endMicros), "run time"],
      [between(job.submitMicros, job.startMicros), "waited before"],
      [job.nodes, "nodes"],
      [job.processCount, "processes"],
      [job.fileCount, "files"],
      [bytes(job.readBytes), "read"],
      [bytes(job.writtenBytes), "written"],
    ]),
    partial(job),
    facts(job),
    timeline(job, times),
    html(
      "section",
      { "aria-label": "Bytes and operations" },
      html("h2", {}, "Bytes and operations"),
      html(
        "div",
        { class: "controls" },
        html("span", { class: "choice", role: "group", "aria-label": "Added up by" }, by("", "By file"), by("process", "By process")),
        html("span", { class: "note" }, "Bars on a scale of powers of ten. Mean size: bytes for each operation."),
      ),
      sizes,
    ),
    html("div", { class: "buttons" }, copyButton("Copy link", () => link(job, parameters))),
    questions(job, job.command),
  );
  announce(`Job ${job.text}, ${number(job.processCount)} processes`);

  function by(value, name) {
    const pressed = (parameters.by ?? "") === value ? "true" : "false";
    return html("button", { type: "button", id: `by-${value || "file"}`, "aria-pressed": pressed, on: { click: () => change({ by: value, sort: "" }) } }, name);
  }
}

function link(job, parameters) {
  const pinned = { ...parameters, asOf: parameters.asOf || job.now, knownAt: parameters.knownAt || job.now };
  return new URL(addressOf("job", pinned), location.href).href;
}

const GOOD = new Set(["COMPLETED", "RUNNING", "PENDING"]);

function stateOf(name) {
  if (!name) return null;
  return GOOD.has(name) ? name : html("span", { class: "bad" }, `✕ ${name}`);
}

function between(from, to) {
  return from && to && to >= from ? span(to - from) : null;
}

function partial(job) {
  const parts = [];
  if (job.processesPartial) parts.push(`only the first ${number(job.processesPartial)} processes are told`);
  if (job.accessesPartial) parts.push(`only the first ${number(job.accessesPartial)} accesses are told, so sums are too low`);
  return parts.length ? html("p", { class: "partial", role: "alert" }, `Partial: ${parts.join("; ")}. The command below tells more.`) : null;
}

function facts(job) {
  return html(
    "dl",
    { class: "pairs facts-of-job" },
    job.facts.map((fact) =>
      html("div", {}, html("dt", {}, fact.name), html("dd", {}, fact.isTime ? moment(fact.value) : String(fact.value))),
    ),
  );
}

/** Rows for processes, each with rows for its files that can be opened. */
function timeline(job, times) {
  const processes = job.processes.filter((process) => process.startMicros);
  if (processes.length === 0) return html("p", { class: "note" }, "No process of this job is on record. Load its Darshan logs with graphmeta load darshan.");
  const from = Math.min(...processes.map((process) => process.startMicros));
  const ends = processes.flatMap((process) => [process.endMicros ?? process.startMicros, ...process.accesses.map((access) => access.endMicros ?? 0)]);
  const to = Math.max(...ends, from + 1);
  const scale = (micros) => Math.min(100, Math.max(0, (100 * (micros - from)) / (to - from)));
  const body = html("tbody", {});
  const more = html("button", { type: "button" });
  let shown = 0;
  const grow = () => {
    const next = processes.slice(shown, shown + ROWS);
    next.forEach((process) => body.append(...rows(process, scale, processes.length <= OPEN_AT_FIRST && process.accessCount <= FILES_AT_FIRST, times)));
    shown += next.length;
    more.hidden = shown >= processes.length;
    more.textContent = `More processes (${number(processes.length - shown)})`;
  };
  more.addEventListener("click", grow);
  grow();
  const heads = ["Process, and its files", axis(from, to), "Began (UTC), and took", "Bytes"];
  return html(
    "section",
    { "aria-label": "Time line" },
    html("h2", {}, "Time line"),
    html(
      "p",
      { class: "note" },
      "Of a file, a bar goes from the first to the last access. The record tells no more: not when between them bytes were moved. ",
      key("read", "R read"),
      key("wrote", "W written"),
    ),
    html(
      "div",
      { class: "scroll" },
      html(
        "table",
        { class: "spans" },
        html("thead", {}, html("tr", {}, heads.map((head) => html("th", { scope: "col" }, head)))),
        body,
      ),
      more,
    ),
  );
}

function key(name, text) {
  return html("span", { class: "key" }, svg("svg", { class: `swatch ${name}`, "aria-hidden": "true" }, svg("rect", { width: "100%", height: "100%", rx: 2 })), text);
}

function axis(from, to) {
  const step = axisStep(to - from, 6);
  const ticks = [];
  for (let at = 0; at <= to - from; at += step) {
    const x = `${(100 * at) / (to - from)}%`;
    ticks.push(svg("line", { x1: x, x2: x, y1: 15, y2: 20 }));
    if (at < (to - from) * 0.94) ticks.push(svg("text", { x, y: 11 }, at === 0 ? "0" : `+${span(at)}`));
  }
  return svg("svg", { class: "axis", role: "img", "aria-label": `${span(to - from)} from ${iso(from)}` }, ticks);
}

function rows(process, scale, open, times) {
  const files = process.accesses.map((access) => fileRow(access, scale, times));
  if (process.accessCount > process.accesses.length) {
    const rest = number(process.accessCount - process.accesses.length);
    files.push(html("tr", {}, html("td", { class: "indented", colspan: 4 }, `… and ${rest} more accesses; see the table below`)));
  }
  const toggle = html(
    "button",
    { type: "button", class: "toggle", "aria-expanded": open ? "true" : "false", disabled: files.length === 0 },
    "",
  );
  toggle.setAttribute("aria-label", `Files of ${process.text}`);
  const turn = (opened) => {
    toggle.setAttribute("aria-expanded", opened ? "true" : "false");
    toggle.textContent = files.length === 0 ? "" : opened ? "▾" : "▸";
    files.forEach((row) => (row.hidden = !opened));
  };
  toggle.addEventListener("click", () => turn(toggle.getAttribute("aria-expanded") !== "true"));
  turn(open);
  const told = [process.ranks > 1 ? `${number(process.ranks)} ranks` : "", process.incomplete ? "? its log is incomplete" : ""].filter((part) => part);
  return [
    html(
      "tr",
      { class: "group" },
      html(
        "th",
        { scope: "row", class: "name" },
        toggle,
        html("a", { href: addressOf("lineage", { id: process.id, ...times }), title: process.commandLine }, process.text),
        told.length ? html("span", { class: "dim" }, ` ${told.join(", ")}`) : "",
      ),
      html("td", { class: "track-cell" }, bar("process", process, scale, process.text)),
      html("td", { class: "when" }, range(process)),
      html("td", { class: "count" }, bytes(process.readBytes + process.writtenBytes)),
    ),
    ...files,
  ];
}

function fileRow(access, scale, times) {
  const name = access.wrote ? "wrote" : "read";
  return html(
    "tr",
    {},
    html("td", { class: "indented name" }, html("span", { class: `mark ${name}`, title: access.wrote ? "written" : "read" }, access.wrote ? "W" : "R"), " ", html("a", { href: addressOf("lineage", { id: access.file, ...times }) }, access.text)),
    html("td", { class: "track-cell" }, bar(name, access, scale, access.text)),
    html("td", { class: "when" }, range(access)),
    html("td", { class: "count" }, bytes(access.bytes)),
  );
}

function range({ startMicros, endMicros }) {
  if (!startMicros) return "no time on record";
  if (!endMicros) return [moment(iso(startMicros)), " – no end on record"];
  return [moment(iso(startMicros)), ` for ${span(endMicros - startMicros)}`];
}

function bar(name, { startMicros, endMicros }, scale, text) {
  if (!startMicros) return "";
  const x = scale(startMicros);
  const width = Math.max(0, scale(endMicros ?? startMicros) - x);
  return svg(
    "svg",
    { class: `span ${name}${endMicros ? "" : " open"}`, "aria-hidden": "true" },
    svg("title", {}, text),
    // What is shorter than a pixel is still seen.
    svg("rect", { class: "least", x: `${x}%`, width: 3, y: 3, height: 12 }),
    svg("rect", { x: `${x}%`, width: `${width}%`, y: 3, height: 12, rx: 2 }),
  );
}

const SIZES = [
  { name: "Read", key: "readBytes", bar: true, show: (row) => bytes(row.readBytes) },
  { name: "Written", key: "writtenBytes", bar: true, show: (row) => bytes(row.writtenBytes) },
  { name: "Operations", key: "operations", bar: true },
  { name: "Mean size", key: "mean", bar: true, show: (row) => (row.operations ? bytes(row.mean) : "") },
];

function withMean(row) {
  const all = row.readBytes + row.writtenBytes;
  return { ...row, all, mean: row.operations ? all / row.operations : 0 };
}

function byFile(job, parameters, change, times) {
  const more = job.fileCount > job.files.length ? `; the ${number(job.files.length)} with the most bytes of ${number(job.fileCount)}` : "";
  return grid({
    caption: `Files${more}`,
    rows: job.files.map(withMean),
    sorted: parameters.sort || "-all",
    sort: (sort) => change({ sort }),
    columns: [
      { name: "File", key: "text", show: (row) => html("a", { href: addressOf("lineage", { id: row.id, ...times }) }, row.text) },
      { name: "Processes", key: "processes", count: true },
      ...SIZES,
    ],
  });
}

function byProcess(job, parameters, change, times) {
  return grid({
    caption: "Processes",
    rows: job.processes.map(withMean),
    sorted: parameters.sort || "-all",
    sort: (sort) => change({ sort }),
    columns: [
      {
        name: "Process",
        key: "text",
        show: (row) => [html("a", { href: addressOf("lineage", { id: row.id, ...times }) }, row.text), html("div", { class: "dim" }, row.commandLine ?? "")],
      },
      { name: "Files", key: "files", count: true },
      ...SIZES,
    ],
  });
}

// Who is affected by one version of a file: users, jobs, and what these wrote.

import { addressOf, go, state } from "./address.js";
import { ask } from "./ask.js";
import { questions } from "./panel.js";
import { drawStage, exports, limits, listen, question, summary } from "./stage.js";
import { figures, tabs } from "./tabs.js";
import { askHistory, drawTimeline } from "./timeline.js";
import { announce, html, moment, number, show, visible } from "./text.js";

const FILES = 3;

export async function showImpact(page, parameters, signal) {
  if (!parameters.id) {
    go("search", {}, true);
    return;
  }
  const change = (changes, inPlace = false) => go("impact", { ...state().parameters, ...changes }, inPlace);
  document.title = `Affected by ${visible(parameters.id)} · GraphMeta`;
  document.getElementById("text").value = parameters.id;
  const asked = { ...question(parameters), direction: "forward", against: undefined };
  const [answered, told] = await Promise.allSettled([
    ask("impact", asked, signal),
    askHistory(parameters, signal),
  ]);
  if (signal.aborted) return;
  const history = told.status === "fulfilled" ? told.value : {};
  const timeline = drawTimeline(
    history,
    parameters,
    (asOf) => change({ asOf, open: [] }),
    null,
    (knownAt) => change({ knownAt, open: [] }),
  );
  if (answered.status === "rejected") {
    if (!timeline.isUseful) throw answered.reason;
    show(
      page,
      html("h1", { class: "name" }, visible(parameters.id)),
      tabs(parameters.id, "file", "impact", parameters),
      timeline.root,
      html("div", { class: "fault", role: "alert" }, answered.reason.message),
    );
    listen(page, signal, timeline, change, parameters);
    return;
  }
  const picture = answered.value;
  picture.question = asked;
  const affected = picture.affected;
  const sentence = tell(affected);
  show(
    page,
    html("h1", { class: "name" }, visible(parameters.id)),
    tabs(parameters.id, "file", "impact", parameters),
    timeline.root,
    figures([
      [affected.users ?? 0, "users"],
      [affected.jobs ?? 0, "jobs"],
      [affected.processes ?? 0, "processes"],
      [affected.files ?? 0, "versions written"],
      [affected.currentFiles ?? 0, "of them current", "The newest of their file to this day: what somebody may still use"],
    ]),
    html("p", { class: "compared" }, sentence),
    limits(parameters, change),
    summary(picture, parameters),
    drawStage(picture, parameters, change, signal),
    affected.rows.length > 0 ? list(affected, parameters) : null,
    html("div", { class: "buttons" }, exports("impact", picture, parameters, asked)),
    questions(picture, picture.command),
  );
  listen(page, signal, timeline, change, parameters);
  announce(sentence);
}

function tell(affected) {
  if (affected.rows.length === 0) return "No program on record has met this version: nobody is affected.";
  return affected.currentFiles
    ? "Programs met this version, and what they wrote is still there."
    : "Programs met this version, but nothing that they wrote is the newest of its file any more.";
}

function list(affected, parameters) {
  const heads = ["User", "Job", "Programs that met it, or what it led to", "First (UTC)", "Versions written", "Current"];
  let user = null;
  const rows = affected.rows.map((row) => {
    const same = row.user === user;
    user = row.user;
    return html(
      "tr",
      { class: same ? null : "group" },
      html("th", { scope: "row", class: same ? "repeated" : "name" }, row.user ?? "no user on record"),
      html("td", { class: "name" }, job(row, parameters)),
      html("td", { class: "name" }, programs(row.programs)),
      html("td", {}, moment(row.first)),
      html("td", { class: "name" }, files(row, parameters)),
      html("td", { class: "count" }, number(row.currentFiles)),
    );
  });
  return html(
    "div",
    { class: "scroll" },
    affected.moreJobs ? html("p", { class: "partial" }, `Partial: ${number(affected.moreJobs)} more jobs. Take fewer steps.`) : null,
    html(
      "table",
      {},
      html("caption", {}, "By user and job"),
      html("thead", {}, html("tr", {}, heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, rows),
    ),
  );
}

function job(row, parameters) {
  if (!row.job) return "no job on record";
  const href = addressOf("job", { id: row.job, knownAt: parameters.knownAt });
  return [html("a", { href }, row.text), row.name && row.name !== row.text ? ` ${row.name}` : ""];
}

function programs(counts) {
  return Object.entries(counts ?? {})
    .map(([name, count]) => (count > 1 ? `${number(count)} × ${name}` : name))
    .join(", ");
}

function files(row, parameters) {
  const link = (file) =>
    html(
      "li",
      {},
      html("a", { href: addressOf("impact", { id: file.id, asOf: file.from, knownAt: parameters.knownAt }) }, file.text),
      file.fate === "current" ? "" : html("span", { class: "dim" }, ` ${file.fate} since`),
      file.doubts ? html("span", { class: "dim", title: file.doubts.join("; ") }, " ?") : "",
    );
  const first = row.files.slice(0, FILES).map(link);
  const rest = row.files.slice(FILES);
  const unseen = row.fileCount - row.files.length;
  return [
    html("ul", { class: "plain" }, first),
    rest.length > 0
      ? html(
          "details",
          {},
          html("summary", {}, `${number(row.fileCount - FILES)} more`),
          html("ul", { class: "plain" }, rest.map(link), unseen > 0 ? html("li", {}, `… and ${number(unseen)} more`) : null),
        )
      : null,
  ];
}

// Finds elements; without a text, the newest jobs.

import { addressOf, go } from "./address.js";
import { ask } from "./ask.js";
import { questions } from "./panel.js";
import { announce, html, moment, show, visible } from "./text.js";

export async function showSearch(page, parameters, signal) {
  const text = parameters.text ?? "";
  document.getElementById("text").value = text;
  const answer = await ask("search", { text }, signal);
  const hits = answer.hits ?? [];
  const exact = hits.filter((hit) => hit.exact && hasLineage(hit));
  if (text && exact.length === 1 && !parameters.list) {
    go(pageOf(exact[0]), { id: exact[0].id }, true);
    return;
  }
  document.title = text ? `${visible(text)} · GraphMeta` : "GraphMeta";
  const title = text ? `${hits.length} found` : "Newest jobs";
  show(
    page,
    html("h1", {}, title),
    answer.note ? html("p", { class: "note" }, `Words were not searched: ${answer.note}`) : null,
    hits.length ? table(hits) : html("p", { class: "note" }, nothing(text)),
    questions(answer, ""),
  );
  announce(title);
}

function nothing(text) {
  return text
    ? "Nothing has this id, and no word of a name, path or command line is like that."
    : "There are no jobs yet. Load logs or accounting with graphmeta load.";
}

function pageOf(hit) {
  return hit.label === "job" ? "job" : "lineage";
}

function hasLineage(hit) {
  return ["file", "job", "process"].includes(hit.label);
}

function table(hits) {
  const rows = hits.map((hit) =>
    html(
      "tr",
      {},
      html("td", {}, hit.label),
      html("td", { class: "name" }, link(hit)),
      html("td", { class: "name" }, hit.name === hit.text ? "" : (hit.name ?? "")),
      html("td", {}, hit.user ?? ""),
      html("td", {}, hit.state ?? ""),
      html("td", {}, hit.start ? moment(hit.start) : ""),
    ),
  );
  const heads = ["Kind", "Id", "Name", "User", "State", "Start (UTC)"];
  return html(
    "div",
    { class: "scroll" },
    html(
      "table",
      {},
      html("thead", {}, html("tr", {}, heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, rows),
    ),
  );
}

function link(hit) {
  return hasLineage(hit)
    ? html("a", { href: addressOf(pageOf(hit), { id: hit.id }) }, hit.text)
    : hit.text;
}

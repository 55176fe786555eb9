// Where the graph lies: shards, virtual nodes, and the vertices with the most edges.

import { addressOf, go, state } from "./address.js";
import { bytes, logPercent } from "./amounts.js";
import { ask } from "./ask.js";
import { grid } from "./grid.js";
import { questions } from "./panel.js";
import { figures } from "./tabs.js";
import { announce, html, number, show, svg } from "./text.js";

const LONGER = 60;
const MOST_SQUARES = 64;
const UNEVEN = 1.5;

export async function showPlacement(page, parameters, signal) {
  document.title = "Placement · GraphMeta";
  const change = (changes) => go("placement", { ...state().parameters, ...changes });
  const asked = { id: parameters.id, asOf: parameters.asOf, knownAt: parameters.knownAt, seconds: parameters.seconds ? Number(parameters.seconds) : undefined };
  const answer = await ask("placement", asked, signal);
  const whole = !parameters.id;
  const count = Math.max(0, ...answer.shards.map((shard) => shard.shard + 1), ...answer.vertices.flatMap((vertex) => shardsOf(vertex)));
  const longer = html("button", { type: "button", on: { click: () => change({ seconds: String(LONGER) }) } }, `Count for up to ${LONGER} seconds`);
  show(
    page,
    html("h1", {}, "Placement"),
    one(parameters, change),
    answer.unfinished
      ? html(
          "div",
          { class: "fault", role: "alert" },
          html("p", {}, html("strong", {}, `Nothing is told: counting was not done within ${number(answer.seconds)} seconds. `), "Every row of the graph is read for it."),
          html("p", { class: "dim" }, answer.unfinished),
          longer,
          html("p", {}, "Of one vertex the placement is told at once: name it above."),
        )
      : null,
    whole && answer.graph ? overall(answer, parameters, change) : null,
    answer.vertices.length ? vertices(answer, count, parameters, change) : null,
    questions(answer, answer.command),
  );
  announce(whole ? `${number(answer.shards.length)} shards` : "Placement of one vertex");
}

function shardsOf(vertex) {
  return [...(vertex.out ?? []), ...(vertex.in ?? [])].map((partition) => partition.shard + 1).concat(vertex.home + 1);
}

function one(parameters, change) {
  const field = html("input", { type: "text", id: "vertex", size: 44, spellcheck: "false", placeholder: "the whole graph" });
  field.value = parameters.id ?? "";
  const form = html("form", { class: "controls" }, html("label", { for: "vertex" }, "of the vertex"), field, html("button", { type: "submit" }, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change({ id: field.value.trim(), sort: "" });
  });
  return form;
}

function overall(answer, parameters, change) {
  const { graph } = answer;
  const entries = (row) => row.outEntries + row.inEntries;
  const shards = answer.shards.map((shard) => ({ ...shard, entries: entries(shard), name: `shard ${shard.shard}` }));
  const away = shards.filter((shard) => shard.away);
  return [
    figures([
      [graph.shards, "shards"],
      [graph.virtualNodes, "virtual nodes"],
      [graph.vertices, "vertices"],
      [entries(graph), "entries of edges", "An edge has two: where it leaves and where it arrives"],
      [bytes(graph.bytes), "before compression"],
      [graph.entriesImbalance.toFixed(2), "fullest shard over the mean", "1 is even"],
      [graph.placement, "strategy"],
    ]),
    html("p", { class: "compared" }, verdict(graph)),
    away.length ? html("p", { class: "partial", role: "alert" }, `Partial: ${away.map((shard) => `${shard.name} does not answer (${shard.away})`).join("; ")}.`) : null,
    html("h2", { class: "apart" }, "Shards"),
    grid({
      caption: "Bars on a scale of powers of ten",
      name: "shard-sort",
      rows: shards,
      sorted: parameters.shardSort || "shard",
      sort: (shardSort) => change({ shardSort }),
      columns: [
        { name: "Shard", key: "shard", show: (row) => row.name },
        { name: "Vertices", key: "vertices", bar: true },
        { name: "Entries out", key: "outEntries", bar: true },
        { name: "Entries in", key: "inEntries", bar: true },
        { name: "Bytes", key: "bytes", bar: true, show: (row) => bytes(row.bytes) },
        { name: "Kept rows", key: "keptRows", bar: true },
      ],
    }),
    virtualNodes(answer),
  ];
}

function verdict(graph) {
  if (graph.shards === 1) return "There is one shard: everything lies on it.";
  return graph.entriesImbalance <= UNEVEN && graph.bytesImbalance <= UNEVEN
    ? "The shards are about equally full."
    : `The shards are not equally full: the fullest has ${graph.bytesImbalance.toFixed(1)} times the mean of bytes.`;
}

/** A square for each virtual node, row by row as they are numbered; the fuller the stronger its colour. */
function virtualNodes(answer) {
  const nodes = answer.virtualNodes.map((node) => ({ ...node, entries: node.outEntries + node.inEntries }));
  if (nodes.length === 0) return null;
  const most = Math.max(1, ...nodes.map((node) => node.entries));
  const size = 11;
  const columns = Math.min(64, nodes.length);
  const squares = nodes.map((node) =>
    svg(
      "rect",
      {
        class: "node",
        x: (node.virtualNode % columns) * size,
        y: Math.floor(node.virtualNode / columns) * size,
        width: size - 2,
        height: size - 2,
        "fill-opacity": (0.08 + (0.92 * logPercent(node.entries, most)) / 100).toFixed(2),
      },
      svg("title", {}, `virtual node ${node.virtualNode}, shard ${node.shard}: ${number(node.vertices)} vertices, ${number(node.entries)} entries, ${bytes(node.bytes)}`),
    ),
  );
  const fullest = [...nodes].sort((a, b) => b.entries - a.entries).slice(0, 10);
  const rows = Math.ceil(nodes.length / columns);
  return [
    html("h2", { class: "apart" }, "Virtual nodes"),
    html("p", { class: "note" }, "A square for each virtual node, by its number from left to right; the stronger its colour, the more entries of edges, on a scale of powers of ten."),
    svg("svg", { class: "nodes", width: columns * size, height: rows * size, viewBox: `0 0 ${columns * size} ${rows * size}`, role: "img", "aria-label": `${number(nodes.length)} virtual nodes; the fullest are in the table below` }, squares),
    html(
      "details",
      {},
      html("summary", {}, "The ten fullest"),
      html(
        "table",
        {},
        html("thead", {}, html("tr", {}, ["Virtual node", "Shard", "Vertices", "Entries", "Bytes"].map((head) => html("th", { scope: "col", class: "count" }, head)))),
        html("tbody", {}, fullest.map((node) => html("tr", {}, [node.virtualNode, node.shard, node.vertices, node.entries].map((value) => html("td", { class: "count" }, number(value))), html("td", { class: "count" }, bytes(node.bytes))))),
      ),
    ),
  ];
}

function vertices(answer, count, parameters, change) {
  const rows = answer.vertices.map((vertex) => ({ ...vertex, most: Math.max(vertex.outEntries, vertex.inEntries) }));
  return [
    html("h2", { class: "apart" }, parameters.id ? "The vertex" : "Vertices with the most edges"),
    html("p", { class: "note" }, count > 1 ? "A square for each shard: ◆ the home of the vertex; the stronger its colour, the more of its entries of that direction lie there." : "There is one shard, and all partitions lie on it."),
    grid({
      caption: "",
      rows,
      sorted: parameters.sort || "-most",
      sort: (sort) => change({ sort }),
      columns: [
        { name: "Vertex", key: "text", show: (row) => [link(row, parameters), html("span", { class: "dim" }, ` ${row.label}`)] },
        { name: "Home", key: "home", count: true },
        { name: "Virtual node", key: "virtualNode", count: true },
        { name: "Entries out", key: "outEntries", bar: true },
        { name: "where they lie", key: "outShards", fixed: true, show: (row) => squares(row.out ?? [], row.home, count) },
        { name: "Entries in", key: "inEntries", bar: true },
        { name: "where they lie", key: "inShards", fixed: true, show: (row) => squares(row.in ?? [], row.home, count) },
      ],
    }),
  ];
}

const PAGES = { job: "job", file: "lineage", process: "lineage" };

function link(vertex, parameters) {
  const page = PAGES[vertex.label];
  return vertex.id && page ? html("a", { href: addressOf(page, { id: vertex.id, asOf: parameters.asOf, knownAt: parameters.knownAt }) }, vertex.text) : vertex.text;
}

/** How many entries of a direction lie on which shard. */
function squares(partitions, home, count) {
  const entries = new Map();
  for (const partition of partitions) entries.set(partition.shard, (entries.get(partition.shard) ?? 0) + partition.entries);
  const told = [...entries].sort(([a], [b]) => a - b).map(([shard, number]) => `shard ${shard}: ${number.toLocaleString("en")}`).join(", ");
  if (count > MOST_SQUARES) return html("span", { class: "dim" }, `${partitions.length} partitions; ${told}`);
  const most = Math.max(1, ...entries.values());
  const size = 14;
  const parts = [];
  for (let shard = 0; shard < count; shard++) {
    const share = logPercent(entries.get(shard) ?? 0, most) / 100;
    parts.push(
      svg("rect", { class: "node", x: shard * size + 1, y: 1, width: size - 2, height: size - 2, "fill-opacity": share.toFixed(2) }),
      shard === home ? svg("path", { class: "home", d: `M${shard * size + size / 2} 3l4 4l-4 4l-4 -4z` }) : null,
    );
  }
  return html(
    "div",
    { title: told },
    svg("svg", { class: "nodes", width: count * size, height: size, viewBox: `0 0 ${count * size} ${size}`, role: "img", "aria-label": told }, parts.filter((part) => part)),
    html("div", { class: "dim small" }, partitions.length > 1 ? `${partitions.length} partitions` : ""),
  );
}

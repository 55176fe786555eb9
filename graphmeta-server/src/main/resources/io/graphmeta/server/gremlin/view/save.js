// Files of what a page shows: pictures as SVG and PNG, lineages in the forms of other tools.

import { ask, Refused } from "./ask.js";
import { drawPicture, drawTable } from "./picture.js";
import { announce, html, svg } from "./text.js";

const FORMS = [
  ["dot", "DOT", "lineage.dot", "text/vnd.graphviz", "For Graphviz"],
  ["mermaid", "Mermaid", "lineage.mmd", "text/plain", "For Markdown, as on GitLab and GitHub"],
  ["prov-json", "PROV-JSON", "lineage.prov.json", "application/json", "Provenance in the form of the W3C"],
  ["ro-crate", "RO-Crate", "ro-crate-metadata.json", "application/ld+json", "The metadata file of a data publication"],
  ["csv", "CSV", "lineage.csv", "text/csv", "A row for each element, for spreadsheets"],
];

/** Most pixels of a side of a picture, and of the whole, that browsers draw. */
const MOST_SIDE = 16000;
const MOST_PIXELS = 1.2e8;

const PARTIAL = "PARTIAL: a limit ended the search, elements are missing.";
const PARTIAL_HEIGHT = 24;

/**
 * Buttons to save a picture. With `question`, also the lineage that it shows, which then holds all
 * elements and not boxes.
 */
export function saveButtons(picture, question) {
  const buttons = [button("SVG", "The picture as it is", () => saveSvg(picture)), button("PNG", "The picture in pixels, twice as large", () => savePng(picture)), tableButton("lineage-table.csv", () => [...cellsOf(drawTable(picture, () => {})), ...(picture.partial ? [[PARTIAL]] : [])])];
  if (question) {
    for (const [form, name, file, type, title] of FORMS) {
      buttons.push(
        button(name, `${title}; all elements, not folded`, async () => {
          const answer = await ask("export", { ...question, form });
          save(file, type, answer.text);
        }),
      );
    }
  }
  return choiceOf(buttons);
}

function button(name, title, action) {
  const node = html("button", { type: "button", id: `save-${name.toLowerCase()}`, title }, name);
  node.addEventListener("click", async () => {
    node.disabled = true;
    try {
      await action();
      announce(`${name} saved`);
    } catch (fault) {
      if (!(fault instanceof Refused)) console.error(fault);
      node.closest(".saves").after(html("p", { class: "fault", role: "alert" }, fault.message));
    }
    node.disabled = false;
  });
  return node;
}

/** A button to save rows of cells, the heads first, for spreadsheets. */
export function tableButton(file, cells) {
  return button("Table", "The table as CSV, for spreadsheets", () => save(file, "text/csv", csv(cells())));
}

/** A button to save results as JSON. */
export function jsonButton(file, value) {
  return button("JSON", "The results as JSON", () => save(file, "application/json", JSON.stringify(value, null, 2)));
}

/** Buttons side by side. */
export function choiceOf(buttons) {
  return html("span", { class: "choice saves", role: "group", "aria-label": "Save as" }, html("span", { class: "note" }, "Save as"), buttons);
}

function cellsOf(table) {
  return Array.from(table.rows, (row) => Array.from(row.cells, (cell) => cell.textContent));
}

/** By RFC 4180, with an apostrophe before what a spreadsheet would run. */
function csv(rows) {
  const cell = (value) => {
    const text = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map((value) => cell(String(value))).join(",")}\r\n`).join("");
}

/** Lets the browser save a file. */
function save(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** The picture by itself, with its style sheet. */
export async function svgText(picture) {
  const style = await (await fetch("picture.css")).text();
  const { root } = drawPicture(picture, { select: () => {}, open: () => {} });
  if (picture.partial) {
    // By itself, a picture has no page around it to say so.
    root.setAttribute("height", picture.height + PARTIAL_HEIGHT);
    root.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height + PARTIAL_HEIGHT}`);
    root.querySelector(".ground").setAttribute("height", picture.height + PARTIAL_HEIGHT);
    root.append(svg("text", { class: "detail partial", x: 16, y: picture.height + 14 }, PARTIAL));
  }
  root.querySelectorAll("[tabindex]").forEach((each) => each.removeAttribute("tabindex"));
  const sheet = document.createElementNS("http://www.w3.org/2000/svg", "style");
  sheet.append(style);
  root.prepend(sheet);
  return new XMLSerializer().serializeToString(root);
}

async function saveSvg(picture) {
  save("lineage.svg", "image/svg+xml", await svgText(picture));
}

async function savePng(picture) {
  const scale = Math.min(2, MOST_SIDE / picture.width, MOST_SIDE / picture.height, Math.sqrt(MOST_PIXELS / (picture.width * picture.height)));
  if (scale < 0.5) throw new Refused("The picture is too large for a PNG in which its names can be read. Take fewer boxes, or SVG.", 0);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svgText(picture))}`;
  await image.decode();
  const canvas = html("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Refused("The browser could not make a PNG of this size. Take fewer boxes, or SVG.", 0);
  save("lineage.png", "image/png", blob);
}

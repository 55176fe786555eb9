// Draws what comes with positions: boxes, lines, an overview. The same shapes as the server's SVG.

import { html, number, svg } from "./text.js";

const INDENT = 10;
const FIRST_BASE = 16;
const LINE_HEIGHT = 14;
const STACK = 3;

/** The picture as SVG. `actions.select` is told of the box that is chosen, `actions.open` to open. */
export function drawPicture(picture, actions) {
  const boxes = picture.boxes ?? [];
  const lines = picture.lines ?? [];
  const paths = lines.map((line) => drawLine(line));
  const heads = lines.map((line) => (line.back ? drawHead(line, boxes[line.to]) : null));
  const shapes = boxes.map((box, index) => drawBox(box, index));
  const kept = (line) => line.presence === "kept";
  const order = lines.map((line, index) => index).sort((a, b) => kept(lines[b]) - kept(lines[a]));
  const root = svg(
    "svg",
    {
      class: "picture",
      width: picture.width,
      height: picture.height,
      viewBox: `0 0 ${picture.width} ${picture.height}`,
      role: "group",
      "aria-label": `${picture.caption}. ${number(picture.elements)} elements in ${number(boxes.length)} boxes.`,
    },
    svg("rect", { class: "ground", width: picture.width, height: picture.height }),
    order.map((index) => paths[index]),
    heads,
    shapes,
  );
  const ways = waysOf(boxes.length, lines);
  let current = Math.max(0, boxes.findIndex((box) => box.start));
  shapes[current]?.setAttribute("tabindex", "0");

  const light = (index) => {
    const lit = index === null ? null : reached(index, ways);
    root.classList.toggle("lighting", lit !== null);
    shapes.forEach((shape, at) => shape.classList.toggle("lit", lit?.boxes.has(at) ?? false));
    paths.forEach((path, at) => path.classList.toggle("lit", lit?.lines.has(at) ?? false));
  };
  const focus = (index) => {
    shapes[current].setAttribute("tabindex", "-1");
    current = index;
    shapes[current].setAttribute("tabindex", "0");
    shapes[current].focus();
    shapes[current].scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  shapes.forEach((shape, index) => {
    shape.addEventListener("pointerenter", () => light(index));
    shape.addEventListener("pointerleave", () => light(null));
    shape.addEventListener("focus", () => light(index));
    shape.addEventListener("blur", () => light(null));
    shape.addEventListener("click", () => {
      focus(index);
      actions.select(index);
    });
    shape.addEventListener("dblclick", () => actions.open(boxes[index].key));
    shape.addEventListener("keydown", (event) => {
      const to = neighbour(event.key, index, boxes, ways);
      if (to !== null) {
        event.preventDefault();
        event.stopPropagation();
        focus(to);
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        actions.select(index);
      } else if (event.key === "o") {
        event.stopPropagation();
        actions.open(boxes[index].key);
      }
    });
  });
  return { root, focus, shapes, select: (index) => mark(shapes, index) };
}

function mark(shapes, selected) {
  shapes.forEach((shape, index) => shape.classList.toggle("selected", index === selected));
}

function isFile(box) {
  return box.kind !== "process" && box.kind !== "job";
}

function drawBox(box, index) {
  const radius = isFile(box) ? 7 : 1;
  const faces = [];
  for (let i = box.count > 1 ? 2 : 0; i >= 0; i--) {
    faces.push(
      svg("rect", {
        class: i ? "face below" : "face",
        x: box.x + i * STACK,
        y: box.y + i * STACK,
        width: box.width,
        height: box.height,
        rx: radius,
      }),
    );
  }
  if (!isFile(box)) {
    faces.push(svg("rect", { class: "bar", x: box.x, y: box.y, width: 4, height: box.height }));
  }
  const x = box.x + INDENT;
  const base = box.y + FIRST_BASE;
  const details = (box.details ?? []).map((detail, line) =>
    svg("text", { class: "detail", x, y: base + (line + 1) * LINE_HEIGHT }, detail),
  );
  const signs = box.signs
    ? svg("text", { class: "signs", x: box.x + box.width - 7, y: base }, box.signs)
    : null;
  return svg(
    "g",
    {
      class: `box ${box.kind} ${box.presence}${box.start ? " start" : ""}`,
      tabindex: -1,
      role: "button",
      "aria-label": `${box.kind}: ${box.description.join("; ")}`,
      "data-box": index,
      "data-key": box.key,
    },
    svg("title", {}, box.description.join("\n")),
    faces,
    svg("text", { class: "name", x, y: base }, box.title),
    details,
    signs,
  );
}

function drawLine(line) {
  return svg("path", {
    class: `line from-${line.source} ${line.style} ${line.presence}${line.back ? " back" : ""}`,
    d: line.path ?? "",
    "stroke-width": line.width,
  });
}

function drawHead(line, to) {
  const x = to.x + to.width;
  const y = to.y + Math.floor(to.height / 2);
  return svg("path", { class: `head ${line.presence}`, d: `M${x} ${y}l8 -4v8z` });
}

/** For each box its lines to the left and to the right, by the box at their other end. */
function waysOf(count, lines) {
  const ways = Array.from({ length: count }, () => ({ left: [], right: [] }));
  lines.forEach((line, index) => {
    ways[line.from].right.push({ box: line.to, line: index });
    ways[line.to].left.push({ box: line.from, line: index });
  });
  return ways;
}

/** All ways that lead to a box, and all that lead from it. */
function reached(start, ways) {
  const boxes = new Set([start]);
  const lines = new Set();
  for (const side of ["left", "right"]) {
    const met = new Set([start]);
    const next = [start];
    while (next.length) {
      for (const way of ways[next.pop()][side]) {
        lines.add(way.line);
        boxes.add(way.box);
        if (!met.has(way.box)) {
          met.add(way.box);
          next.push(way.box);
        }
      }
    }
  }
  return { boxes, lines };
}

/** The box that an arrow key leads to; null if to none. */
function neighbour(key, index, boxes, ways) {
  const here = boxes[index];
  const middle = here.y + here.height / 2;
  const nearest = (candidates) => {
    let best = null;
    let least = Infinity;
    for (const each of candidates) {
      const distance = Math.abs(boxes[each].y + boxes[each].height / 2 - middle);
      if (distance < least) [best, least] = [each, distance];
    }
    return best;
  };
  if (key === "ArrowLeft") return nearest(ways[index].left.map((way) => way.box));
  if (key === "ArrowRight") return nearest(ways[index].right.map((way) => way.box));
  const column = boxes.map((box, at) => at).filter((at) => at !== index && boxes[at].x === here.x);
  if (key === "ArrowUp") return nearest(column.filter((at) => boxes[at].y < here.y));
  if (key === "ArrowDown") return nearest(column.filter((at) => boxes[at].y > here.y));
  return null;
}

/** The whole in small, with a frame around what is seen; a click goes there. */
export function drawOverview(picture, scroller) {
  const most = 260;
  const scale = Math.min(most / picture.width, 110 / picture.height);
  const frame = svg("rect", { class: "frame", rx: 2 });
  const root = svg(
    "svg",
    {
      class: "picture overview",
      width: Math.ceil(picture.width * scale),
      height: Math.ceil(picture.height * scale),
      viewBox: `0 0 ${picture.width} ${picture.height}`,
      "aria-hidden": "true",
    },
    svg("rect", { class: "ground", width: picture.width, height: picture.height }),
    (picture.boxes ?? []).map((box) =>
      svg(
        "g",
        { class: `box ${box.kind} ${box.presence}${box.start ? " start" : ""}` },
        svg("rect", { class: "face", x: box.x, y: box.y, width: box.width, height: box.height }),
      ),
    ),
    frame,
  );
  const follow = () => {
    const all = scroller.scrollWidth <= scroller.clientWidth + 1 && scroller.scrollHeight <= scroller.clientHeight + 1;
    root.classList.toggle("unneeded", all);
    frame.setAttribute("x", scroller.scrollLeft);
    frame.setAttribute("y", scroller.scrollTop);
    frame.setAttribute("width", Math.min(scroller.clientWidth, picture.width));
    frame.setAttribute("height", Math.min(scroller.clientHeight, picture.height));
  };
  const jump = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const area = root.getBoundingClientRect();
    scroller.scrollLeft = (event.clientX - area.left) / scale - scroller.clientWidth / 2;
    scroller.scrollTop = (event.clientY - area.top) / scale - scroller.clientHeight / 2;
  };
  root.addEventListener("pointerdown", jump);
  root.addEventListener("pointermove", jump);
  scroller.addEventListener("scroll", follow, { passive: true });
  new ResizeObserver(follow).observe(scroller);
  return root;
}

/** The picture as a table: a row for each box. */
export function drawTable(picture, select) {
  const boxes = picture.boxes ?? [];
  const names = (index, side) =>
    (picture.lines ?? [])
      .filter((line) => line[side === "left" ? "to" : "from"] === index)
      .map((line) => `${boxes[line[side === "left" ? "from" : "to"]].title} (${line.relation})`)
      .join(", ");
  const heads = ["Kind", "Name", "Count", "Place, or jobs and users", "Times (UTC)", "Data from", "Data to"];
  if (picture.compared) heads.splice(1, 0, "Change");
  const rows = boxes.map((box, index) => {
    const cells = [
      html("td", {}, box.kind),
      html(
        "th",
        { scope: "row", class: "name" },
        html("button", { type: "button", class: "link", on: { click: () => select(index) } }, box.title),
      ),
      html("td", { class: "count" }, number(box.count)),
      html("td", { class: "name" }, box.details?.[0] ?? ""),
      html("td", {}, box.details?.[1] ?? ""),
      html("td", { class: "name" }, names(index, "left")),
      html("td", { class: "name" }, names(index, "right")),
    ];
    if (picture.compared) cells.splice(1, 0, html("td", { class: box.presence }, picture.presences?.[box.presence] ?? box.presence));
    return html("tr", {}, cells);
  });
  return html(
    "table",
    {},
    html("caption", {}, picture.caption),
    html("thead", {}, html("tr", {}, heads.map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, rows),
  );
}

/** What the signs and forms of a picture mean. */
export function drawLegend(picture) {
  const used = (picture.signs ?? []).filter(([sign]) =>
    (picture.boxes ?? []).some((box) => box.signs?.includes(sign)),
  );
  const parts = picture.legend ?? [
    "Round: versions of files",
    "With a bar: processes",
    "Dotted: programs that were run",
    "Dashed: renamed, continued, printed",
    ...used.map(([sign, meaning]) => `${sign} ${picture.presences?.[meaning] ?? meaning}`),
  ];
  return html("p", { class: "legend" }, parts.map((part) => html("span", {}, part)));
}

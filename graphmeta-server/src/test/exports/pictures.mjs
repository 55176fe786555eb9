// Reads lineage.dot and lineage.mermaid of each case with Graphviz and Mermaid, and writes what these found in
// them into pictures.json: the lines that stand in each node, and the links with their words.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { Graphviz } from '@hpcc-js/wasm-graphviz';

const { window } = new JSDOM('<!DOCTYPE html><body></body>');
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false, maxEdges: 100000, maxTextSize: 10000000 });
const graphviz = await Graphviz.load();

function dot(text) {
  const keys = new Map(JSON.parse(graphviz.layout(text, 'dot_json', 'dot')).objects?.map((each) => [each.name, each.element]));
  const picture = new window.DOMParser().parseFromString(graphviz.layout(text, 'svg', 'dot'), 'image/svg+xml');
  const drawn = (each) => [...each.querySelectorAll('text')].map((line) => line.textContent.replaceAll('\u00a0', ' '));
  const name = (each) => each.querySelector('title').textContent;
  const nodes = {};
  for (const each of picture.querySelectorAll('g.node')) nodes[name(each)] = { lines: drawn(each), key: keys.get(name(each)) };
  const links = [...picture.querySelectorAll('g.edge')].map((each) => [...name(each).split('->'), drawn(each).join('\n')]);
  return { nodes, links };
}

// What a browser would show of text that Mermaid hands to it: ﬂ° and ¶ß are how it keeps #NUMBER; meanwhile.
function shown(text) {
  const html = text.replaceAll('ﬂ°°', '&#').replaceAll('ﬂ°', '&').replaceAll('¶ß', ';');
  const holder = window.document.createElement('div');
  return html.split(/<br\s*\/?>/).map((line) => {
    holder.innerHTML = line;
    return holder.childElementCount === 0 ? holder.textContent.replaceAll('\u00a0', ' ') : 'HTML: ' + line;
  });
}

async function flowchart(text) {
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
  const nodes = {};
  for (const [name, vertex] of diagram.db.getVertices()) nodes[name] = { lines: shown(vertex.text ?? '') };
  const links = diagram.db.getEdges().map((each) => [each.start, each.end, shown(each.text).join('\n')]);
  return { nodes, links };
}

async function attempt(read) {
  try {
    return await read();
  } catch (error) {
    return { error: String(error) };
  }
}

for (const name of readdirSync(process.argv[2])) {
  const directory = join(process.argv[2], name);
  const file = (suffix) => readFileSync(join(directory, 'lineage.' + suffix), 'utf8');
  const found = {
    dot: await attempt(() => dot(file('dot'))),
    mermaid: await attempt(() => flowchart(file('mermaid'))),
  };
  writeFileSync(join(directory, 'pictures.json'), JSON.stringify(found));
}

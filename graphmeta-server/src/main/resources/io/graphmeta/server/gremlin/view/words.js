// Two texts side by side, with the words marked in which they differ.

import { html } from "./text.js";

const MOST_WORDS = 400;

/** Both texts as lists of nodes; what only one of them has is marked. */
export function markWords(before, after) {
  const a = before.split(/(\s+)/);
  const b = after.split(/(\s+)/);
  const [inA, inB] = a.length + b.length > 2 * MOST_WORDS ? [new Set(), new Set()] : common(a, b);
  return [marked(a, inA, "gone"), marked(b, inB, "new")];
}

/** The places of a longest common subsequence in both lists. */
function common(a, b) {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] =
        a[i] === b[j]
          ? best[(i + 1) * width + j + 1] + 1
          : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const inA = new Set();
  const inB = new Set();
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA.add(i++);
      inB.add(j++);
    } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) i++;
    else j++;
  }
  return [inA, inB];
}

function marked(words, shared, kind) {
  return words.map((word, at) =>
    shared.has(at) || !word.trim() ? word : html(kind === "gone" ? "del" : "ins", { class: kind }, word),
  );
}

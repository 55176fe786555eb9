// What an element rests on, or what rests on it, at any time.

import { addressOf, go, state } from "./address.js";
import { ask } from "./ask.js";
import { questions } from "./panel.js";
import { drawStage, earlier, exports, limits, listen, question, summary } from "./stage.js";
import { tabs } from "./tabs.js";
import { askHistory, drawTimeline } from "./timeline.js";
import { announce, html, number, show, visible } from "./text.js";

export async function showLineage(page, parameters, signal) {
  if (!parameters.id) {
    go("search", {}, true);
    return;
  }
  const change = (changes, inPlace = false) => {
    const { parameters: now } = state();
    go("lineage", { ...now, ...changes }, inPlace);
  };
  document.title = `${visible(parameters.id)} · GraphMeta`;
  document.getElementById("text").value = parameters.id;
  const asked = question(parameters);
  const [answered, told] = await Promise.allSettled([
    ask("lineage", { ...asked, earlier: earlier(parameters) }, signal),
    askHistory(parameters, signal),
  ]);
  if (signal.aborted) return;
  const history = told.status === "fulfilled" ? told.value : {};
  const timeline = drawTimeline(
    history,
    parameters,
    (asOf) => change({ asOf, against: "", open: [] }, false),
    (against) => change({ against, open: [] }),
    (knownAt) => change({ knownAt, open: [] }),
  );
  if (answered.status === "rejected" && !timeline.isUseful) throw answered.reason;
  const label = timeline.isUseful ? "file" : answered.value?.label;
  const head = [
    html("h1", { class: "name" }, visible(parameters.id)),
    tabs(parameters.id, label, parameters.dir || "backward", parameters),
    limits(parameters, change),
    timeline.root,
  ];
  if (answered.status === "rejected") {
    const fault = html("div", { class: "fault", role: "alert" }, answered.reason.message);
    show(page, head, fault);
    listen(page, signal, timeline, change, parameters);
    return;
  }
  const picture = answered.value;
  picture.question = asked;
  show(
    page,
    head,
    summary(picture, parameters),
    drawStage(picture, parameters, change, signal),
    html("div", { class: "buttons" }, exports("lineage", picture, parameters, parameters.against ? null : asked)),
    questions(picture, picture.command),
  );
  listen(page, signal, timeline, change, parameters);
  announce(`${number(picture.elements)} elements in ${number(picture.boxes.length)} boxes`);
}

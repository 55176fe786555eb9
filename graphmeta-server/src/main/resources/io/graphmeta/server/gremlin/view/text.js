// Builds the page. Whatever comes from the graph becomes text here, and never anything else.

const SVG = "http://www.w3.org/2000/svg";
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text in which every character can be seen, as the server writes it. */
export function visible(text) {
  return String(text).replace(
    HIDDEN,
    (hidden) => SHORT[hidden] ?? "\\u" + hidden.codePointAt(0).toString(16).padStart(4, "0"),
  );
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return node;
}

/** An element of HTML. */
export function html(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An element of SVG. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Shows nodes in place of what was there; what is absent is left out. */
export function show(place, ...nodes) {
  place.replaceChildren(...nodes.flat(Infinity).filter((node) => node));
}

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in UTC to the second, with the local time where one points at it. */
export function moment(iso) {
  if (!iso || iso === "initial") return html("span", {}, iso ? "before the record" : "");
  return html(
    "time",
    { datetime: iso, title: `${iso}\nhere: ${LOCAL.format(new Date(iso))}` },
    plainTime(iso),
  );
}

/** Date and time without what only programs need. */
export function plainTime(iso) {
  return iso.replace("T", " ").replace(/(\.\d+)?Z$/, "");
}

/** A number with its thousands apart. */
export function number(value) {
  return Number(value).toLocaleString("en");
}

/** Tells those who cannot see the page what has changed. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/** A button that copies a text, or shows it to be copied where the browser forbids that. */
export function copyButton(name, textOf) {
  const button = html("button", { type: "button" }, name);
  button.addEventListener("click", async () => {
    const text = textOf();
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied");
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = name), 1500);
    } catch {
      const field = html("input", { class: "copied", readonly: true, "aria-label": name });
      field.value = text;
      button.after(field);
      field.select();
    }
  });
  return button;
}

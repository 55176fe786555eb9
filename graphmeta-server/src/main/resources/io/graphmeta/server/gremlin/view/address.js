// The whole state of a page stands in its address after #, which browsers send to no server. So a
// page can be reloaded, gone back to and sent to others.

/** The state that the address tells: the page, and its parameters; those of LISTS are lists. */
export function state() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const given = new URLSearchParams(query);
  const parameters = {};
  for (const [name, value] of given) {
    if (LISTS.has(name)) (parameters[name] ??= []).push(value);
    else parameters[name] = value;
  }
  return { page: path, parameters };
}

const LISTS = new Set(["open"]);

/** The address of a state. What is empty is left out. */
export function addressOf(page, parameters) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== "" && each !== null && each !== undefined) given.append(name, each);
    }
  }
  const query = given.toString();
  return `#/${page}${query ? "?" + query : ""}`;
}

/** Goes to a state, with a step back to this one; or in place of this one. */
export function go(page, parameters, inPlace = false) {
  const address = addressOf(page, parameters);
  if (address === location.hash) return;
  if (inPlace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = address;
  }
}

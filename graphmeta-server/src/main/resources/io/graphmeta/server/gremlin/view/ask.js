// Asks the server. Names stand in the body, so that no proxy writes them down.

/** Why a question was not answered. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The answer to a question. When the signal ends it, the server stops too. */
export async function ask(name, question, signal) {
  const given = Object.entries(question).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  let response;
  try {
    response = await fetch(`api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(Object.fromEntries(given)),
      cache: "no-store",
      signal,
    });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refused("The server does not answer. Is it running, and this machine connected?", 0);
  }
  let answer;
  try {
    answer = await response.json();
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refused(`The server answered with ${response.status} and no reason.`, response.status);
  }
  if (!response.ok) throw new Refused(answer.message ?? "Refused", response.status);
  return answer;
}

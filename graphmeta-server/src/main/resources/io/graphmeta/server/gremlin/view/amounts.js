// Amounts for people: bytes in powers of 1,000, spans of time, moments to the microsecond.

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/** Bytes to three digits. */
export function bytes(count) {
  let left = count;
  let unit = 0;
  while (left >= 999.5 && unit < UNITS.length - 1) {
    left /= 1000;
    unit++;
  }
  const digits = unit === 0 || left >= 99.95 ? 0 : left >= 9.995 ? 1 : 2;
  return `${left.toFixed(digits)} ${UNITS[unit]}`;
}

/** A span of time. */
export function span(micros) {
  const seconds = micros / 1e6;
  if (micros === 0) return "0 s";
  if (seconds < 0.001) return `${Math.round(micros)} µs`;
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 1)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor(whole / 3600) % 24} h`;
}

/** A moment in the form of all times of answers. */
export function iso(micros) {
  const seconds = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1e6).padStart(6, "0")}Z`;
}

/** Where a value lies between 0 and the greatest, as percent, on a scale of powers of ten. */
export function logPercent(value, most) {
  return most > 0 ? (100 * Math.log10(1 + value)) / Math.log10(1 + most) : 0;
}

/** Steps of 1, 2 and 5 for an axis of so many microseconds. */
export function axisStep(micros, most) {
  let step = 1;
  for (let i = 0; micros / step > most; i++) step *= [2, 2.5, 2][i % 3];
  return step;
}

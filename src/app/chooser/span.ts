/** Rows or columns, one after the other. */
export interface Span {
  readonly from: number;
  readonly count: number;
}

/** A span as a field has it: '0 to 4', or '7' for one alone. */
export function spanText({ from, count }: Span): string {
  return count === 1 ? String(from) : `${from} to ${from + count - 1}`;
}

/** What a field says; a sentence where it is no span of at most `most` within `extent`. */
export function readSpan(text: string, extent: number, max: number): Span | string {
  const found = /^\s*(\d{1,9})\s*(?:(?:to|-|–|\s)\s*(\d{1,9})\s*)?$/.exec(text);
  const expected = `expected numbers from 0 to ${extent - 1}, such as ${spanText({ from: 0, count: Math.min(5, extent) })}`;
  const seen = text.trim() === '' ? 'nothing' : text.trim().slice(0, 40);
  if (!found) return `Found ${seen}, ${expected}.`;
  const from = Number(found[1]);
  const to = Number(found[2] ?? found[1]);
  if (to < from || to >= extent) return `Found ${seen}, ${expected}.`;
  const count = to - from + 1;
  return count > max ? `Found ${count}, expected at most ${max}.` : { from, count };
}

/** What is said, by what it is of. */
export type Saying = readonly [of: string, text: string];

/** Sentences of one wording that are kept: those that differ in numbers alone are of one. */
const KEPT = 2;

/**
 * What a place says, as it is on the page: some sentences of each wording, to compare with a file beside the place. Read a
 * change as a reader of the page would, and accept it with `-u`. Sentences that differ in these names alone are of one wording.
 */
export function wordings(said: Iterable<Saying>, names: readonly string[] = []): string {
  const sorted = names.toSorted((a, b) => b.length - a.length);
  const met = new Map<string, Set<string>>();
  for (const [of, text] of said) {
    const line = `${of}: ${text.replaceAll('\n', '\n  ')}`;
    const unnamed = sorted.reduce((rest, name) => rest.replaceAll(name, '#'), line);
    const wording = unnamed.replaceAll(/\d[\d.\u202f]*|“.*?”/g, '#');
    const kept = met.get(wording) ?? new Set();
    if (kept.size < KEPT) kept.add(line);
    met.set(wording, kept);
  }
  return `${[...met.values()].flatMap((kept) => [...kept]).join('\n')}\n`;
}

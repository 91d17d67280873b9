/** A text, and what it is about. */
export type Statement = readonly [of: string, text: string];

/** Number of texts saved of one wording: texts that differ in numbers alone have one wording. */
const KEPT = 2;

/**
 * The texts of a page as they appear: some of each wording, to compare with a file next to the page. Read a change as a
 * reader of the page would, and accept it with `-u`. Texts that differ in these names alone have one wording.
 */
export function wordings(output: Iterable<Statement>, names: readonly string[] = []): string {
  const sorted = names.toSorted((a, b) => b.length - a.length);
  const met = new Map<string, Set<string>>();
  for (const [of, text] of output) {
    const line = `${of}: ${text.replaceAll('\n', '\n  ')}`;
    const unnamed = sorted.reduce((rest, name) => rest.replaceAll(name, '#'), line);
    const wording = unnamed.replaceAll(/\d[\d.\u202f]*|“.*?”/g, '#');
    const kept = met.get(wording) ?? new Set();
    if (kept.size < KEPT) kept.add(line);
    met.set(wording, kept);
  }
  return `${[...met.values()].flatMap((kept) => [...kept]).join('\n')}\n`;
}

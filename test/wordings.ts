// Snapshots of a page's texts: a few examples of each wording, in which only numbers, quotes and names vary.

/** A text, and what it is about. */
export type Statement = readonly [topic: string, text: string];

/** Number of examples of each wording; texts that differ only in numbers have the same wording. */
const EXAMPLES = 2;

/**
 * Returns two examples of each wording of a page's texts, to compare with a snapshot next to the page. Read a changed
 * snapshot as a user of the page would, and accept it with `-u`. Texts that differ only in `names` have the same wording.
 */
export function wordings(output: Iterable<Statement>, names: readonly string[] = []): string {
  const sorted = names.toSorted((a, b) => b.length - a.length);
  const byWording = new Map<string, Set<string>>();
  for (const [topic, text] of output) {
    const line = `${topic}: ${text.replaceAll('\n', '\n  ')}`;
    const unnamed = sorted.reduce((rest, name) => rest.replaceAll(name, '#'), line);
    const wording = unnamed.replaceAll(/\d[\d.\u202f]*|“.*?”/g, '#');
    const examples = byWording.get(wording) ?? new Set();
    if (examples.size < EXAMPLES) examples.add(line);
    byWording.set(wording, examples);
  }
  return `${[...byWording.values()].flatMap((examples) => [...examples]).join('\n')}\n`;
}

/** The guides of docs/reading, a table of the sections of each paper, and the page of related work. */
const texts: Readonly<Record<string, string>> = import.meta.glob(
  ['../../../docs/reading/*.md', '../../../docs/related-work.md'],
  { query: '?raw', import: 'default', eager: true },
);

/** A guide for display. */
export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Links to other docs do not work here. */
const TO_DOCS = / ?\(\[[^\]]*\]\(\.[^)]*\)\)/g;

export const GUIDES: readonly Guide[] = Object.entries(texts).map(([path, text]) => ({
  path,
  title: /^# (.*)$/m.exec(text)?.[1] ?? '',
  rows: text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((row) =>
      row
        .replaceAll(TO_DOCS, '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
}));

/** The guide to related work. */
export const RELATED = GUIDES.filter(({ path }) => path.endsWith('related-work.md'));

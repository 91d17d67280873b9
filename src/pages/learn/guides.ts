/** The reading guides of docs/reading, docs/related-work.md and docs/claims.md as Markdown, by path. */
const texts: Readonly<Record<string, string>> = import.meta.glob(
  ['../../../docs/reading/*.md', '../../../docs/related-work.md', '../../../docs/claims.md'],
  { query: '?raw', import: 'default', eager: true },
);

/** A reading guide: a table with a row for each section of a paper, its contents and where the application shows it. */
export interface Guide {
  readonly path: string;
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Links to other files of docs/, which do not work on the page: they are left out. */
const TO_DOCS = / ?\(\[[^\]]*\]\(\.[^)]*\)\)/g;

const ALL: readonly Guide[] = Object.entries(texts).map(([path, text]) => ({
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

const isClaims = ({ path }: Guide): boolean => path.endsWith('/claims.md');

/** The claims of the papers: of each the paper and section, the claim, whether it holds here, and where to see it. */
export const CLAIMS = ALL.filter(isClaims).flatMap(({ rows }) => rows);

/** All reading guides. */
export const GUIDES = ALL.filter((guide) => !isClaims(guide));

/** The guide to related work, as a list of one. */
export const RELATED = GUIDES.filter(({ path }) => path.endsWith('related-work.md'));

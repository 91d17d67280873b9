import { parseGlossary, type Term } from './glossary.ts';
import { type Lesson } from './lesson.ts';
import { parseLesson } from './parse.ts';

/** The texts of all lessons, also those of labs, by path; built into the page. */
const texts: Readonly<Record<string, string>> = import.meta.glob(['./texts/*.md', '../labs/*/lessons/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const files = Object.entries(texts).map(([path, text]) => ({ file: path.slice(path.lastIndexOf('/') + 1), text }));

/** The lessons in order. A malformed text throws here; the tests prevent such a text. */
export const lessons: readonly Lesson[] = files
  .filter(({ file }) => /^\d+-/.test(file))
  .map(({ file, text }) => parseLesson(file, text))
  .sort((a, b) => a.order - b.order);

/** The glossary of the lessons. */
export const glossary: ReadonlyMap<string, Term> = new Map(
  files.filter(({ file }) => file === 'glossary.md').flatMap(({ file, text }) => [...parseGlossary(file, text)]),
);

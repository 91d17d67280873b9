import { type Lesson, LessonError } from './lesson.ts';
import { parseLesson } from './parse.ts';

/** The texts of all lessons, also those of labs, by path; built into the page. */
const texts: Readonly<Record<string, string>> = import.meta.glob(['./texts/*.md', '../../labs/*/lessons/*.md'], {
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

/** A term of the glossary. */
interface Term {
  readonly meaning: string;
  /** other words by which the term is found; '' for none */
  readonly also: string;
}

/** Terms with their meanings: '## term', optionally 'also: other words', and a paragraph. Throws LessonError. */
export function parseGlossary(file: string, text: string): ReadonlyMap<string, Term> {
  const terms = new Map<string, Term>();
  const [, ...parts] = `\n${text}`.split(/\n## /);
  for (const part of parts) {
    const [, term, also = '', rest] = /^([^\n]*)\n+(?:also: ([^\n]+)\n)?(.*)$/s.exec(`${part}\n`) ?? [];
    const meaning = rest.trim().replaceAll('\n', ' ');
    if (meaning === '') throw new LessonError(`${file}: found nothing below '${term}', expected what it means`);
    if (terms.has(term.trim())) throw new LessonError(`${file}: found '${term}' twice, expected it once`);
    terms.set(term.trim(), { meaning, also });
  }
  return terms;
}

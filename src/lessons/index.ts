import { type Lesson } from './lesson.ts';
import { parseGlossary, parseLesson } from './parse.ts';

/** Every text of the folder, verbatim; built into the page. */
const texts: Readonly<Record<string, string>> = import.meta.glob('./texts/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The lessons in order. A malformed text fails the tests, and would throw here. */
export const lessons: readonly Lesson[] = Object.entries(texts)
  .filter(([path]) => /\/\d+-[^/]+$/.test(path))
  .map(([path, text]) => parseLesson(path.replace('./texts/', ''), text))
  .sort((a, b) => a.order - b.order);

/** The glossary of the lessons. */
export const glossary: ReadonlyMap<string, string> = parseGlossary('glossary.md', texts['./texts/glossary.md'] ?? '');

import { LessonError } from './lesson.ts';

/** A term of the glossary. */
export interface Term {
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

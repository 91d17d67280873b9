import type { ProgressState } from './progress.ts';
import type { Lesson } from './lesson.ts';

const COLUMNS = ['lesson', 'question', 'format', 'answer', 'right', 'ever right', 'tries', 'idea'] as const;

/**
 * What was answered, as a table that every spreadsheet opens (CSV, RFC 4180): a line for each question of these lessons,
 * also of those that nobody has answered. `idea` is the misconception that the last answer fits.
 */
export function resultsCsv(lessons: readonly Lesson[], progress: ProgressState): string {
  const lines = lessons.flatMap((lesson) =>
    lesson.blocks.flatMap((block) => {
      if (block.kind !== 'prediction') return [];
      const given = progress[lesson.id]?.answers[block.key];
      const format = /[?&]fmt=([^&]*)/.exec(block.figure.address)?.[1] ?? '';
      const answered = given
        ? [given.answer, given.right ? 'yes' : 'no', given.solved ? 'yes' : 'no', given.tries, given.idea ?? '']
        : ['', '', '', 0, ''];
      return [[lesson.title, block.key, format, ...answered]];
    }),
  );
  return [COLUMNS, ...lines].map((line) => `${line.map(cellText).join(',')}\r\n`).join('');
}

/** Quoted where it has to be; what a spreadsheet would take for a formula stands behind an apostrophe. */
function cellText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

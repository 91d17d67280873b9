import { csvLine } from '../core/reports/csv-line.ts';
import type { ProgressState } from './progress.ts';
import type { Lesson } from './lesson.ts';
import { formatOfAddress } from './figure-address.ts';

const COLUMNS = ['lesson', 'question', 'format', 'answer', 'right', 'ever right', 'tries', 'idea'] as const;

/** A person's answers as CSV, a line per question. Column 'idea': the misconception that the last answer matches. */
export function answersCsv(lessons: readonly Lesson[], progress: ProgressState): string {
  const lines = lessons.flatMap((lesson) =>
    lesson.blocks.flatMap((block) => {
      if (block.kind !== 'prediction') return [];
      const last = progress[lesson.id]?.answers[block.key];
      const format = formatOfAddress(block.figure.address);
      const fields = last
        ? [last.answer, last.right ? 'yes' : 'no', last.solved ? 'yes' : 'no', last.tries, last.idea ?? '']
        : ['', '', '', 0, ''];
      return [[lesson.title, block.key, format, ...fields]];
    }),
  );
  return [COLUMNS, ...lines].map(csvLine).join('');
}

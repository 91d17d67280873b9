import type { Lesson } from '../../lessons/lesson.ts';
import { answersCsv } from '../../lessons/answers-csv.ts';
import type { ProgressState } from '../../lessons/progress.ts';
import { saveText } from '../../kit/browser/save-blob.ts';

/** Downloads the answers to these lessons. Nothing is sent anywhere. */
export function saveResults(name: string, lessons: readonly Lesson[], progress: ProgressState): void {
  saveText(name, answersCsv(lessons, progress), 'text/csv');
}

import { type AnyListedFormat, isProvided } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { wordChoice, wordsChoice } from '../../../kit/browser/choices.ts';

/** The choices of Compare's chart, which are in the address: what it shows, which formats, and what else. */
export const CHART_FIELDS = {
  /** what it shows; '': bytes of a matrix, tokens per second of a model */
  picture: wordChoice(['', 'size', 'speed'], ''),
  formats: wordsChoice(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  /** drawn besides formats: published figures, and dense in fewer bits */
  beside: wordsChoice(['published', 'quantised'], ['published', 'quantised']),
} as const;

/** Whether a format is in the chart: it is chosen, or the person wrote it. */
export function isChosen(format: Pick<AnyListedFormat, 'id' | 'group'>, chosen: readonly string[]): boolean {
  return isProvided(format) || chosen.includes(format.id);
}

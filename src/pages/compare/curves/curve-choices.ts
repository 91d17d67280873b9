import { type AnyListedFormat, isUserWritten } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { wordChoice, wordsChoice } from '../../../kit/browser/choices.ts';

/** The user's choices for the chart of the page Compare, stored in the address. */
export const CHART_FIELDS = {
  /** the figures of the chart; '': bytes of a matrix, tokens per second of a model */
  picture: wordChoice(['', 'size', 'speed'], ''),
  formats: wordsChoice(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  /** drawn besides formats: published figures, and dense in fewer bits */
  beside: wordsChoice(['published', 'quantised'], ['published', 'quantised']),
} as const;

/** Whether the chart shows a format: if it is chosen or, with `isUserWritten`, written by the user. */
export function isChosen(format: Pick<AnyListedFormat, 'id' | 'group'>, chosen: readonly string[]): boolean {
  return isUserWritten(format) || chosen.includes(format.id);
}

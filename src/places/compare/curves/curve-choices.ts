import { type AnyListedFormat, isProvided } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { wordChoice, wordsChoice } from '../../../kit/browser/choices.ts';

/** What is chosen for the chart; in the address. */
export const CHART_FIELDS = {
  /** what it shows; '': bytes of a matrix, tokens per second of a model */
  picture: wordChoice(['', 'size', 'speed'], ''),
  formats: wordsChoice(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  beside: wordsChoice(['published', 'quantised'], ['published', 'quantised']),
} as const;

/** Whether a format is in the charts. An address lists formats that everybody has; what a person wrote was asked for. */
export function isChosen(format: Pick<AnyListedFormat, 'id' | 'group'>, chosen: readonly string[]): boolean {
  return isProvided(format) || chosen.includes(format.id);
}

import { largest, smallest } from '../core/number/statistics.ts';
import { threeDigits } from '../core/story/words.ts';
import twell from './twell/tables.json';
import prefill from './whole-prefill.json';
import { PUBLISHED_GAINS } from './model-gains.ts';

/** How many times as fast as dense a whole model processes many tokens if its activations are in a format. */
export interface WholeGain {
  /** by this page, on one model and device */
  readonly measured: { readonly gain: number; readonly model: string; readonly tokens: number; readonly on: string };
  /** what the TwELL paper prints for its models; null for a format of which it prints nothing */
  readonly published: {
    readonly min: number;
    readonly max: number;
    readonly paper: string;
    readonly url: string;
    readonly place: string;
    readonly on: string;
  } | null;
}

/** The gain for one of the TwELL paper's models in a format of activations; null for other models and formats. */
export function wholeGain(model: string, format: string): WholeGain | null {
  const points = PUBLISHED_GAINS.flatMap((group) => group.points);
  const [dense, ...others] = prefill.rows;
  const row = others.find((one) => one.format === format);
  // The format of all points of the paper that has the measured model.
  const paperFormat = points.find(({ name }) => name === prefill.model)?.format;
  if (!row || !points.some((one) => one.name === model && one.format === paperFormat)) return null;
  const gains = points.filter((one) => one.format === format).map((one) => one.gainOfModel);
  const { place, on } = twell.tables.scales;
  return {
    measured: { gain: dense.ms / row.ms, model: prefill.model, tokens: prefill.tokens, on: prefill.on },
    published:
      gains.length === 0
        ? null
        : {
            min: smallest(gains),
            max: largest(gains),
            paper: twell.paper,
            url: twell.url,
            place: place.replace(/;.*/, ''),
            on,
          },
  };
}

/** The gain as a cell of a table. */
export function wholeGainText({ measured, published }: WholeGain): string {
  const printed = published ? `; published: ${threeDigits(published.min)} to ${threeDigits(published.max)}` : '';
  return `Stores activations. Whole prefill, measured: ${threeDigits(measured.gain)} times as fast${printed}.`;
}

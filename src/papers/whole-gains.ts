import { largest, smallest } from '../core/number/statistics.ts';
import { threeDigits } from '../core/story/words.ts';
import twell from './twell/tables.json';
import prefill from './whole-prefill.json';
import { WORTH } from './worth.ts';

/** How many times as fast as dense a whole model reads many tokens, with its activations in a format. */
export interface WholeGain {
  /** by this page; `model`, and the device, are those that it was measured on */
  readonly measured: { readonly gain: number; readonly model: string; readonly tokens: number; readonly on: string };
  /** what its paper prints of all its models; null of a format that it prints nothing of */
  readonly published: {
    readonly min: number;
    readonly max: number;
    readonly paper: string;
    readonly url: string;
    readonly place: string;
    readonly on: string;
  } | null;
}

/** Of a model of a paper in a format of activations; null of other models, and in other formats. */
export function wholeGain(model: string, format: string): WholeGain | null {
  const points = WORTH.flatMap((group) => group.points);
  const [dense, ...others] = prefill.rows;
  const row = others.find((one) => one.format === format);
  // The models of the paper whose sizes were measured.
  const family = points.find(({ name }) => name === prefill.model)?.format;
  if (!row || !points.some((one) => one.name === model && one.format === family)) return null;
  const gains = points.filter((one) => one.format === format).map((one) => one.model);
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

/** A gain in one line of a table. */
export function wholeGainText({ measured, published }: WholeGain): string {
  const printed = published ? `; published: ${threeDigits(published.min)} to ${threeDigits(published.max)}` : '';
  return `Stores activations. Whole prefill, measured: ${threeDigits(measured.gain)} times as fast${printed}.`;
}

import { largest, smallest } from '../core/number/statistics.ts';
import { threeDigits } from '../core/text/words.ts';
import twell from './twell/tables.json';
import prefill from './whole-prefill.json';
import { PUBLISHED_GAINS } from './model-gains.ts';

/** How many times as fast as dense the prefill of a whole model is with its activations in a sparse format. */
export interface PrefillGain {
  /** with this application, on one model; `on`: the device */
  readonly measured: {
    readonly gain: number;
    readonly model: string;
    readonly tokens: number;
    readonly device: string;
  };
  /** smallest and largest gain in the TwELL paper; `place`: the table; null if the paper prints none for the format */
  readonly published: {
    readonly min: number;
    readonly max: number;
    readonly paper: string;
    readonly url: string;
    readonly place: string;
    readonly on: string;
  } | null;
}

/** The gain for a model of the TwELL paper; one of them was measured; null for other models and formats. */
export function prefillGain(model: string, format: string): PrefillGain | null {
  const points = PUBLISHED_GAINS.flatMap((group) => group.points);
  const [dense, ...others] = prefill.rows;
  const row = others.find((sparse) => sparse.format === format);
  // The models of the paper have a published gain in the format in which the measured model has one.
  const paperFormat = points.find(({ name }) => name === prefill.model)?.format;
  if (!row || !points.some((point) => point.name === model && point.format === paperFormat)) return null;
  const gains = points.filter((point) => point.format === format).map((point) => point.gainOfModel);
  const { place, on } = twell.tables.scales;
  return {
    measured: { gain: dense.ms / row.ms, model: prefill.model, tokens: prefill.tokens, device: prefill.on },
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

/** The gain as text for a table cell. */
export function prefillGainText({ measured, published }: PrefillGain): string {
  const printed = published ? `; published: ${threeDigits(published.min)} to ${threeDigits(published.max)}` : '';
  return `Stores activations. Whole prefill, measured: ${threeDigits(measured.gain)} times as fast${printed}.`;
}

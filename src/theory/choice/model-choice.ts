import type { Placement } from '../../core/format.ts';
import { quantile } from '../../core/number/statistics.ts';
import { isAlike } from '../alike-params.ts';
import type { TokenRest } from '../models/token-speeds.ts';
import { DENSE_BYTES_PER_WEIGHT } from '../models/model-bytes.ts';
import { embeddingWeights, type Fusion, matricesOf, type ModelShape } from '../models/model-shape.ts';
import type { ChoiceMatrix, ModelChoice, Totals } from './format-choice.ts';
import type { TimedFormat } from './predicted-times.ts';

/* The matrices of a model as input of `chooseFormats`, the times of a device, and the choice as a table. */

/** Times of a device: those that were recorded, or were measured in this browser. */
export interface ChoiceDevice {
  readonly name: string;
  readonly times: readonly TimedFormat[];
  /** measured times of whole tokens besides their matrices; empty if there are none */
  readonly rests: readonly TokenRest[];
}

/** How a model is pruned and stored, apart from the formats. */
export interface ChoiceSettings {
  readonly fusion: Fusion;
  /** lm_head stays dense */
  readonly keepHead: boolean;
  /** above 0 and at most 1 */
  readonly density: number;
  readonly placement: Placement;
}

/** The matrices that tokens are multiplied with, in that order; routers stay dense. */
export function choiceMatrices(model: ModelShape, settings: ChoiceSettings): readonly ChoiceMatrix[] {
  const { fusion, keepHead, density, placement } = settings;
  return matricesOf(model, fusion).map(({ names, rows, cols, count, active }) => {
    const keptDense = (keepHead && names.includes('lm_head')) || names.includes('router');
    return {
      name: names.join(' + '),
      rows,
      cols,
      count,
      active,
      density: keptDense ? 1 : density,
      placement,
      keptDense,
    };
  });
}

/** Bytes of the tables that are only looked up: the embedding and learned positions, in f16. */
export function lookupBytes(model: ModelShape): number {
  return embeddingWeights(model) * DENSE_BYTES_PER_WEIGHT;
}

/**
 * The time of a whole token: its matrices, and what each layer needs besides, which depends on the formats of its
 * matrices (their kernels start and end differently); null if any is unknown.
 */
export function tokenTime({ time, choices }: ModelChoice, layers: number, { rests }: ChoiceDevice): Totals['time'] {
  if (!time || rests.length === 0) return null;
  const inFormat = choices.filter(({ matrix }) => !matrix.keptDense);
  let [sum, count] = [0, 0];
  for (const { matrix, chosenOption } of inFormat) {
    const { format, params } = chosenOption.candidate;
    const alike = rests.filter((rest) => rest.format === format.id && isAlike(rest.params, params));
    const nsPerLayer = (alike.length > 0 ? alike : rests).map((rest) => rest.nsPerLayer);
    sum += quantile(nsPerLayer, 0.5) * matrix.active;
    count += matrix.active;
  }
  const restNs = count === 0 ? 0 : (layers * sum) / count;
  // The rest is measured, so only the time of the matrices has a spread.
  return { ns: time.ns + restNs, spread: (time.ns * time.spread) / (time.ns + restNs) };
}

/** The column names of `choiceRows`. */
export const CHOICE_COLUMNS = [
  'matrix',
  'rows',
  'columns',
  'count',
  'density',
  'format',
  'bytes',
  'bytes are exact',
  'predicted ns',
  'spread',
  'time is',
  'runner-up',
  'bytes of runner-up',
  'ns of runner-up',
] as const;

/** A choice as rows for a table, CSV or JSON, a row for each matrix; null where something is unknown. */
export function choiceRows({
  choices,
}: Pick<ModelChoice, 'choices'>): readonly (readonly (string | number | null)[])[] {
  return choices.map(({ matrix: { name, rows, cols, count, density }, chosenOption, runnerUp }) => [
    name,
    rows,
    cols,
    count,
    density,
    chosenOption.candidate.title,
    Math.round(chosenOption.bytes),
    chosenOption.isExact ? 'yes' : 'no',
    chosenOption.time && Math.round(chosenOption.time.ns),
    chosenOption.time && Number(chosenOption.time.spread.toPrecision(2)),
    chosenOption.time?.from ?? null,
    runnerUp?.candidate.title ?? null,
    runnerUp && Math.round(runnerUp.bytes),
    runnerUp?.time ? Math.round(runnerUp.time.ns) : null,
  ]);
}

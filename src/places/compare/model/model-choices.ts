import { MODEL_BOUNDS } from '../../../core/bounds/bounds.ts';
import { seen } from '../../../core/errors.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import { oversized, unsuited } from '../../../core/kernel/kernel.ts';
import { SPMV } from '../../../core/operations/index.ts';
import { KNOWN_MODELS, type MatrixName, type ModelShape } from '../../../theory/models/model-shape.ts';
import { paramFields } from '../../../state/index.ts';
import { type Device, isBound } from '../../../state/devices/device.ts';
import type { Reads } from './model-view.ts';
import { type ChoiceField, type ChoiceFields, flagChoice, numberChoice, oneOf } from '../../../kit/browser/choices.ts';

/** A person's choices for a model; the format's parameters are those of the document. */
export interface ModelChoices {
  readonly model: ModelShape;
  readonly density: number;
  /** id of a format */
  readonly format: string;
  /** q, k, v as one matrix, gate and up as one */
  readonly fused: boolean;
  /** lm_head is pruned as well */
  readonly head: boolean;
  /** a typed read speed, 10^9 bytes per second, in addresses from before it was in the device's id */
  readonly reads: number;
  /** rows of activations: 1 while a model generates, more while it reads a prompt */
  readonly tokens: number;
}

/** The range of densities, and the step. */
export const DENSITIES = { min: 0.01, max: 1, step: 0.01 } as const;

/** The read speed for predictions, of a device of which only bounds are known; null for others. */
export function boundReads(device: Device): Reads | null {
  const { roofs, name } = device;
  return isBound(device) && roofs ? { GBps: roofs.readGBps, from: 'published', device: name } : null;
}

const MOST_TOKENS = 4096;

/** Formats in which a model can be stored here: for weights, with a closed-form size, and a kernel for one token. */
export function modelFormats(formats: readonly AnyListedFormat[]): readonly AnyListedFormat[] {
  return formats.filter((format) => reasonAgainst(format) === null);
}

/** Why a format is not offered, in words that follow its name or names; null if it is. */
function reasonAgainst(format: AnyListedFormat): string | null {
  if (!isForWeights(format)) return 'made for activations';
  if (!format.expectedEffectiveDensity) return 'size known only after encoding';
  return format.kernels.some(({ operation }) => operation === SPMV.id) ? null : 'no kernel for one token';
}

/** The formats left out and why, in one sentence; null if there are none. */
export function leftOutWords(formats: readonly AnyListedFormat[]): string | null {
  const byReason = new Map<string, string[]>();
  for (const format of formats) {
    const reason = reasonAgainst(format);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), format.title]);
  }
  if (byReason.size === 0) return null;
  const parts = [...byReason].map(([reason, titles]) => `${titles.join(' and ')} (${reason})`);
  return `Missing here: ${parts.join('; ')}.`;
}

/** Activations only exist in bf16. */
function isForWeights({ params }: AnyListedFormat): boolean {
  const valueType = paramFields(params).find(([name]) => name === 'valueType')?.[1];
  return valueType?.kind !== 'choice' || valueType.options.some(({ value }) => value !== 'bf16');
}

/** Whether a format has a kernel for an operation with these parameters and this many tokens. */
export function computes(
  format: AnyListedFormat,
  operation: string,
  params: Readonly<Record<string, unknown>>,
  tokens: number,
): boolean {
  return format.kernels.some(
    (kernel) =>
      kernel.operation === operation && unsuited(kernel, params) === null && oversized(kernel, { tokens }) === null,
  );
}

/** The fields in the address; `first` is the default format. */
export function modelFields(formats: readonly AnyListedFormat[], first: string): ChoiceFields<ModelChoices> {
  return {
    model: MODEL_CHOICE,
    density: numberChoice(DENSITIES.min, DENSITIES.max, 0.5),
    format: oneOf(
      modelFormats(formats).map(({ id }) => id),
      first,
    ),
    fused: flagChoice(false),
    head: flagChoice(false),
    reads: numberChoice(1, 100_000, 1000),
    tokens: numberChoice(1, MOST_TOKENS, 1, true),
  };
}

const BIASES: readonly MatrixName[] = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'];

/**
 * A listed model by its name, or any other by its sizes, so that a link needs no file and no server:
 * 'hidden-intermediate-layers-heads-kvHeads-headDim-vocabulary', then '-tied' and '-ungated' if so, '-positions1024'
 * for learned positions, each matrix with a bias after a '+', and the name after a ':'.
 */
export const MODEL_CHOICE: ChoiceField<ModelShape> = {
  default: KNOWN_MODELS[0],
  read(text) {
    return KNOWN_MODELS.find(({ name }) => name === text) ?? ownModel(text);
  },
  write(model) {
    if (KNOWN_MODELS.includes(model)) return model.name;
    const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, tied, gated, positions, biases, name } =
      model;
    const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary].join('-');
    const flags = `${tied ? '-tied' : ''}${gated ? '' : '-ungated'}${positions === 0 ? '' : `-positions${positions}`}`;
    return `${sizes}${flags}${biases.map((bias) => `+${bias}`).join('')}:${name.slice(0, MODEL_BOUNDS.name)}`;
  },
  expected: `one of ${KNOWN_MODELS.map(({ name }) => name).join(', ')}, or seven sizes with a name`,
};

function ownModel(text: string): ModelShape | null {
  const found = /^(\d{1,8}(?:-\d{1,8}){6})(-tied)?(-ungated)?(?:-positions(\d{1,8}))?((?:\+[a-z]+)*):(.+)$/su.exec(
    text,
  );
  if (!found) return null;
  const [, sizesText, tied, ungated, positionsText = '0', biasText, name] = found;
  const sizes = sizesText.split('-').map(Number);
  const biases = BIASES.filter((bias) => biasText.split('+').includes(bias));
  const positions = Number(positionsText);
  const areSizes = sizes.every((size) => size >= 1 && size <= MODEL_BOUNDS.size) && positions <= MODEL_BOUNDS.size;
  const [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary] = sizes;
  const areHeads = heads % kvHeads === 0 && heads * headDim <= MODEL_BOUNDS.size;
  const areBiases = biasText === '' || biases.length === biasText.split('+').length - 1;
  if (!areSizes || !areHeads || !areBiases || name.length > MODEL_BOUNDS.name) return null;
  return {
    name: seen(name),
    hidden,
    intermediate,
    layers,
    heads,
    kvHeads,
    headDim,
    vocabulary,
    gated: ungated === undefined,
    positions,
    tied: tied !== undefined,
    biases,
  };
}

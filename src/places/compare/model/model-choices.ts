import type { AnyListedFormat } from '../../../core/format.ts';
import { oversized, unsuited } from '../../../core/kernel/kernel.ts';
import { SPMV } from '../../../core/operations/index.ts';
import { KNOWN_MODELS, type ModelShape } from '../../../theory/models/model-shape.ts';
import { modelOfSizes, sizesText } from '../../../theory/models/model-sizes.ts';
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
export function isForWeights({ params }: AnyListedFormat): boolean {
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

/** A listed model by its name, or any other by its sizes. */
export const MODEL_CHOICE: ChoiceField<ModelShape> = {
  default: KNOWN_MODELS[0],
  read(text) {
    return KNOWN_MODELS.find(({ name }) => name === text) ?? modelOfSizes(text);
  },
  write(model) {
    return KNOWN_MODELS.includes(model) ? model.name : sizesText(model);
  },
  expected: `one of ${KNOWN_MODELS.map(({ name }) => name).join(', ')}, or seven sizes with a name`,
};

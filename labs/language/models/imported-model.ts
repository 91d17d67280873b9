// The description of an imported model, and how it is read from the JSON in which a browser saves it.

import { MODEL_BOUNDS } from '../../../src/core/bounds/bounds.ts';
import {
  aBoolean,
  aCount,
  aReportText,
  check,
  describe,
  listOf,
  nullable,
  objectOf,
  oneOf,
  optional,
  readAs,
} from '../../../src/core/bounds/shapes.ts';
import { ReadError } from '../../../src/core/errors.ts';
import { chainRejection } from '../decoders/chain/rejection.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';

/** An imported model: the user opened it from files or from an address. */
export interface ImportedModel {
  /** begins with IMPORTED_ID_PREFIX (theory/imported.ts) */
  readonly id: string;
  readonly config: DecoderConfig;
  /** 'this computer', or its address */
  readonly from: string;
  readonly files: readonly string[];
  /** of all files */
  readonly bytes: number;
  /** why it cannot run on a GPU, so that the CPU decodes it; null if it can */
  readonly notOnGpu: string | null;
  /** whether it is saved in this browser with its files, until it is removed */
  readonly isKept: boolean;
}

/** Maximum lengths of lists in a saved description: matrices with a bias, eos tokens, files. */
const MAX_BIASES = 8;
const MAX_EOS = 64;
const MAX_FILES = 1000;

const sizeSchema = check(
  `a whole number from 1 to ${MODEL_BOUNDS.size}`,
  (v) => Number.isInteger(v) && Number(v) >= 1 && Number(v) <= MODEL_BOUNDS.size,
);
const positiveSchema = check('a positive number', (v) => typeof v === 'number' && v > 0 && Number.isFinite(v));

const configSchema = objectOf<DecoderConfig>({
  name: aReportText,
  hidden: sizeSchema,
  intermediate: sizeSchema,
  layers: sizeSchema,
  heads: sizeSchema,
  kvHeads: sizeSchema,
  headDim: sizeSchema,
  vocabulary: sizeSchema,
  gated: aBoolean,
  positions: aCount,
  tied: aBoolean,
  biases: listOf(oneOf('q', 'k', 'v', 'o', 'gate', 'up', 'down', 'lm_head'), MAX_BIASES, 'biases'),
  norm: optional(oneOf('rms', 'layer')),
  normEps: positiveSchema,
  activation: oneOf('silu', 'relu', 'gelu'),
  activationName: optional(aReportText), // as config.json names it, if another is computed
  rotary: objectOf<DecoderConfig['rotary']>({
    theta: positiveSchema,
    pairing: oneOf('halves', 'neighbours'),
    scaling: nullable(
      objectOf<NonNullable<DecoderConfig['rotary']['scaling']>>({
        factor: positiveSchema,
        lowFrequency: positiveSchema,
        highFrequency: positiveSchema,
        originalContext: sizeSchema,
      }),
    ),
  }),
  context: sizeSchema,
  window: optional(sizeSchema),
  bos: nullable(aCount),
  eos: listOf(aCount, MAX_EOS, 'tokens that end a text'),
});

const modelSchema = objectOf<ImportedModel>({
  id: aReportText,
  config: configSchema,
  from: aReportText,
  files: listOf(aReportText, MAX_FILES, 'files'),
  bytes: aCount,
  notOnGpu: nullable(aReportText),
  isKept: aBoolean,
});

/**
 * The model saved under `id`, from its description in JSON. The description is validated in full, since another version of
 * the page, or any other program, may have written it. Throws ReadError with the position, found and expected.
 */
export function readSavedModel(id: string, json: string): ImportedModel {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ReadError('kept.json: found no JSON, expected the saved description of the model.');
  }
  const model = readAs('kept.json', value, () => {
    modelSchema(value, null);
    return value as ImportedModel;
  });
  if (model.id !== id) throw new ReadError(`kept.json, id: found ${describe(model.id)}, expected ${describe(id)}.`);
  const { heads, kvHeads } = model.config;
  if (heads % kvHeads !== 0) {
    throw new ReadError(`kept.json, config.kvHeads: found ${kvHeads}, expected a divisor of the ${heads} heads.`);
  }
  // Kernels may support more than when the model was saved.
  return { ...model, isKept: true, notOnGpu: chainRejection(model.config) };
}

/** Like `readSavedModel`, or the reason why the description cannot be read. */
export function savedModelOrProblem(id: string, json: string): ImportedModel | string {
  try {
    return readSavedModel(id, json);
  } catch (error) {
    if (error instanceof ReadError) return error.message;
    throw error;
  }
}

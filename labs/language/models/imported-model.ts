// The description of an imported model, and its note: the JSON in which a browser saves this description.

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
  /** begins with BROUGHT */
  readonly id: string;
  readonly config: DecoderConfig;
  /** 'this computer', or its address */
  readonly from: string;
  readonly files: readonly string[];
  /** of all files */
  readonly bytes: number;
  /** why it cannot run on a GPU, so that the CPU decodes it; null if it can */
  readonly notOnGpu: string | null;
  /** whether its files are stored in this browser, until they are removed */
  readonly isKept: boolean;
}

/** Maximum lengths of lists in a note: matrices with a bias, eos tokens, files. */
const MAX_BIASES = 8;
const MAX_EOS = 64;
const MAX_FILES = 1000;

const aSize = check(
  `a whole number from 1 to ${MODEL_BOUNDS.size}`,
  (v) => Number.isInteger(v) && Number(v) >= 1 && Number(v) <= MODEL_BOUNDS.size,
);
const aPositive = check('a positive number', (v) => typeof v === 'number' && v > 0 && Number.isFinite(v));

const aConfig = objectOf<DecoderConfig>({
  name: aReportText,
  hidden: aSize,
  intermediate: aSize,
  layers: aSize,
  heads: aSize,
  kvHeads: aSize,
  headDim: aSize,
  vocabulary: aSize,
  gated: aBoolean,
  positions: aCount,
  tied: aBoolean,
  biases: listOf(oneOf('q', 'k', 'v', 'o', 'gate', 'up', 'down', 'lm_head'), MAX_BIASES, 'biases'),
  norm: optional(oneOf('rms', 'layer')),
  normEps: aPositive,
  activation: oneOf('silu', 'relu', 'gelu'),
  activationName: optional(aReportText), // as config.json names it, if another is computed
  rotary: objectOf<DecoderConfig['rotary']>({
    theta: aPositive,
    pairing: oneOf('halves', 'neighbours'),
    scaling: nullable(
      objectOf<NonNullable<DecoderConfig['rotary']['scaling']>>({
        factor: aPositive,
        lowFrequency: aPositive,
        highFrequency: aPositive,
        originalContext: aSize,
      }),
    ),
  }),
  context: aSize,
  window: optional(aSize),
  bos: nullable(aCount),
  eos: listOf(aCount, MAX_EOS, 'tokens that end a text'),
});

const aNote = objectOf<ImportedModel>({
  id: aReportText,
  config: aConfig,
  from: aReportText,
  files: listOf(aReportText, MAX_FILES, 'files'),
  bytes: aCount,
  notOnGpu: nullable(aReportText),
  isKept: aBoolean,
});

/**
 * The model saved under `id`, from its note. The note is validated in full, since another version of the page, or any
 * other program, may have written it. Throws ReadError with the position, found and expected.
 */
export function readNote(id: string, note: string): ImportedModel {
  let value: unknown;
  try {
    value = JSON.parse(note);
  } catch {
    throw new ReadError('kept.json: found no JSON, expected what was noted of the model.');
  }
  const about = readAs('kept.json', value, () => {
    aNote(value, null);
    return value as ImportedModel;
  });
  if (about.id !== id) throw new ReadError(`kept.json, id: found ${describe(about.id)}, expected ${describe(id)}.`);
  const { heads, kvHeads } = about.config;
  if (heads % kvHeads !== 0) {
    throw new ReadError(`kept.json, config.kvHeads: found ${kvHeads}, expected a divisor of the ${heads} heads.`);
  }
  // Kernels may support more than when the model was saved.
  return { ...about, isKept: true, notOnGpu: chainRejection(about.config) };
}

/** Like `readNote`, or the reason why the note cannot be read. */
export function noteOrProblem(id: string, note: string): ImportedModel | string {
  try {
    return readNote(id, note);
  } catch (error) {
    if (error instanceof ReadError) return error.message;
    throw error;
  }
}

// Reads config.json, which describes the architecture and the sizes of a model.

import { MODEL_BOUNDS } from '../../../../src/core/bounds/bounds.ts';
import { clip, quotedValue } from '../../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../../src/core/errors.ts';
import { isSparseRelu, readModelConfig } from '../../../../src/theory/models/model-config.ts';
import { type ModelShape, weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { type DecoderConfig, MAX_WEIGHTS, type RotaryScaling } from '../decoder.ts';

/** Values of `model_type` that can be decoded; those with learned positions also have layer norms. */
const FAMILIES = ['llama', 'llama_sparse_relu', 'mistral', 'qwen2', 'opt', 'gpt2'];
const LEARNED_POSITIONS = ['opt', 'gpt2'];

/** The defaults of transformers for missing fields of a config.json. */
const DEFAULTS = {
  rms_norm_eps: 1e-6,
  layer_norm_epsilon: 1e-5,
  rope_theta: 10_000,
  max_position_embeddings: 2048,
} as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses the config.json of a decoder: Llama, SparseLM (`llama_sparse_relu`), Mistral, Qwen2, OPT or GPT-2. Rotary
 * positions may be written as `rope_theta` with `rope_scaling`, or as `rope_parameters`. `name`: the name of the file
 * in errors, and of the model if the file has none.
 *
 * Throws ReadError with the field, found and expected: where `readModelConfig` does, and for models that the decoders
 * here cannot compute. O(text).
 */
export function readDecoderConfig(text: string, name: string): DecoderConfig {
  const shape = readModelConfig(text, name);
  const fields = JSON.parse(text) as Fields;
  const file: ConfigFile = { name, fields };
  const { model_type: family } = fields;
  if (fields.text_config) throw wrong(file, 'text_config', 'none: a language model without images or sound');
  if (typeof family !== 'string' || !FAMILIES.includes(family)) {
    throw wrong(file, 'model_type', `one of ${FAMILIES.join(', ')}`);
  }
  rejectQuantised(file);
  if (weightsOf(shape) > MAX_WEIGHTS) {
    throw new ReadError(`${name}: found a model of ${weightsOf(shape)} weights, expected at most ${MAX_WEIGHTS}`);
  }
  if (LEARNED_POSITIONS.includes(family)) {
    if (isSparseRelu(fields)) throw wrong(file, 'sparsity_gated_mlp', `nothing in a model of ${family}`);
    return learnedConfig(file, family, shape);
  }
  if (shape.headDim % 2 !== 0) {
    throw new ReadError(
      `${name}, head_dim: found ${shape.headDim}, expected an even number, whose columns turn in pairs`,
    );
  }
  const context = hasField(file, 'max_position_embeddings')
    ? wholeNumber(file, 'max_position_embeddings', 1, MODEL_BOUNDS.size)
    : DEFAULTS.max_position_embeddings;
  const window = windowOf(file, context);
  return {
    ...shape,
    ...(window !== null && { window }),
    normEps: hasField(file, 'rms_norm_eps') ? positive(file, 'rms_norm_eps') : DEFAULTS.rms_norm_eps,
    ...gateOf(file),
    rotary: rotaryOf(file),
    context,
    ...specialTokensOf(file, shape),
  };
}

/** The configuration of OPT or GPT-2: layer norms, learned positions and no gate. */
function learnedConfig(file: ConfigFile, family: string, shape: ModelShape): DecoderConfig {
  const isGpt = family === 'gpt2';
  // Fields that change the computation, each with the only supported value.
  const supported: Readonly<Record<string, boolean>> = isGpt
    ? { scale_attn_weights: true, scale_attn_by_inverse_layer_idx: false }
    : { do_layer_norm_before: true, _remove_final_layer_norm: false, layer_norm_elementwise_affine: true };
  for (const [field, expected] of Object.entries(supported)) {
    if (hasField(file, field) && file.fields[field] !== expected) throw wrong(file, field, String(expected));
  }
  if (!isGpt && !shape.biases.includes('q')) throw wrong(file, 'enable_bias', 'true');
  const context = wholeNumber(file, isGpt ? 'n_positions' : 'max_position_embeddings', 1, MODEL_BOUNDS.size);
  return {
    ...shape,
    norm: 'layer',
    normEps:
      isGpt && hasField(file, 'layer_norm_epsilon')
        ? positive(file, 'layer_norm_epsilon')
        : DEFAULTS.layer_norm_epsilon,
    activation: activationOf(
      file,
      'activation_function',
      { relu: 'relu', ...(isGpt && { gelu_new: 'gelu', gelu_pytorch_tanh: 'gelu' }) },
      isGpt ? 'gelu_new' : 'relu',
    ),
    // Not used: positions are learned.
    rotary: { theta: DEFAULTS.rope_theta, pairing: 'halves', scaling: null },
    context,
    ...specialTokensOf(file, shape),
  };
}

function specialTokensOf(file: ConfigFile, { vocabulary }: ModelShape): Pick<DecoderConfig, 'bos' | 'eos'> {
  return {
    bos: hasField(file, 'bos_token_id') ? wholeNumber(file, 'bos_token_id', 0, vocabulary - 1) : null,
    eos: endTokensOf(file, vocabulary),
  };
}

interface ConfigFile {
  /** its name in errors */
  readonly name: string;
  readonly fields: Fields;
}

function hasField({ fields }: ConfigFile, field: string): boolean {
  return fields[field] !== undefined && fields[field] !== null;
}

function wrong({ name, fields }: ConfigFile, field: string, expected: string): ReadError {
  return new ReadError(`${name}, ${field}: found ${quotedValue(fields[field])}, expected ${expected}`);
}

function positive(file: ConfigFile, field: string): number {
  const value = file.fields[field];
  if (typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw wrong(file, field, 'a positive number');
}

/** A field's number: below 1, a base or factor would make rotary frequencies larger than 1, in the end infinite. */
function atLeastOne(file: ConfigFile, field: string): number {
  const value = file.fields[field];
  if (typeof value === 'number' && value >= 1 && value < Number.POSITIVE_INFINITY) return value;
  throw wrong(file, field, 'a number from 1');
}

function wholeNumber(file: ConfigFile, field: string, min: number, max: number): number {
  const value = file.fields[field];
  if (isWhole(value, min, max)) return value;
  throw wrong(file, field, `a whole number from ${min} to ${max}`);
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

const ACTIVATIONS = { silu: 'silu', relu: 'relu', swish: 'silu' } as const;

/** The activation in a field. `names`: the supported ones by their names in transformers; `byDefault`: if absent. */
function activationOf(
  file: ConfigFile,
  field: string,
  names: Readonly<Record<string, DecoderConfig['activation']>>,
  byDefault: string,
): DecoderConfig['activation'] {
  const value = file.fields[field] ?? byDefault;
  if (typeof value === 'string' && Object.hasOwn(names, value)) return names[value];
  const expected = Object.keys(names).filter((name) => name !== 'swish');
  throw wrong(file, field, expected.slice(0, 2).join(' or '));
}

/** The activation of the gate: `hidden_act`, but ReLU in SparseLM, whose code ignores the field. */
function gateOf(file: ConfigFile): Pick<DecoderConfig, 'activation' | 'activationName'> {
  if (!isSparseRelu(file.fields)) return { activation: activationOf(file, 'hidden_act', ACTIVATIONS, 'silu') };
  const named = file.fields.hidden_act ?? 'relu';
  if (typeof named !== 'string') throw wrong(file, 'hidden_act', 'the name of an activation');
  return { activation: 'relu', ...(named !== 'relu' && { activationName: clip(named) }) };
}

/** The ids of tokens that end a text: a number or a list in the file; empty without the field. */
function endTokensOf(file: ConfigFile, vocabulary: number): readonly number[] {
  if (!hasField(file, 'eos_token_id')) return [];
  const { eos_token_id: found } = file.fields;
  const ids: readonly unknown[] = Array.isArray(found) ? found : [found];
  if (ids.length <= MODEL_BOUNDS.name && ids.every((id) => isWhole(id, 0, vocabulary - 1))) return ids;
  throw wrong(file, 'eos_token_id', `ids of tokens from 0 to ${vocabulary - 1}`);
}

function rotaryOf(file: ConfigFile): DecoderConfig['rotary'] {
  const field = hasField(file, 'rope_parameters') ? 'rope_parameters' : 'rope_scaling';
  const value = file.fields[field];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (hasField(file, field) && !isObject) throw wrong(file, field, 'an object');
  const rope: ConfigFile = { name: `${file.name}, ${field}`, fields: isObject ? (value as Fields) : {} };
  const holder = hasField(rope, 'rope_theta') ? rope : file;
  for (const partial of [file, rope]) {
    if (hasField(partial, 'partial_rotary_factor') && partial.fields.partial_rotary_factor !== 1) {
      throw wrong(partial, 'partial_rotary_factor', '1: every column of a head turns');
    }
  }
  return {
    theta: hasField(holder, 'rope_theta') ? atLeastOne(holder, 'rope_theta') : DEFAULTS.rope_theta,
    // transformers permutes the rows of q and k when it converts a model, so that in its files halves rotate together.
    pairing: 'halves',
    scaling: scalingOf(rope),
  };
}

function scalingOf(rope: ConfigFile): RotaryScaling | null {
  // `type` is the name before transformers 4.45.
  const field = hasField(rope, 'rope_type') ? 'rope_type' : 'type';
  const type = rope.fields[field];
  if (!hasField(rope, field) || type === 'default') {
    if (hasField(rope, 'factor')) throw wrong(rope, field, 'llama3, since there is a factor');
    return null;
  }
  if (type !== 'llama3') throw wrong(rope, field, 'default or llama3');
  const scaling = {
    factor: atLeastOne(rope, 'factor'),
    lowFrequency: positive(rope, 'low_freq_factor'),
    highFrequency: positive(rope, 'high_freq_factor'),
    originalContext: wholeNumber(rope, 'original_max_position_embeddings', 1, MODEL_BOUNDS.size),
  };
  if (scaling.highFrequency > scaling.lowFrequency) return scaling;
  throw wrong(rope, 'high_freq_factor', `more than low_freq_factor, ${scaling.lowFrequency}`);
}

/** The sliding window, in tokens; null: none. Qwen2 may have the field without using it. */
function windowOf(file: ConfigFile, context: number): number | null {
  if (!hasField(file, 'sliding_window')) return null;
  const { model_type: family, use_sliding_window: isUsed } = file.fields;
  if (family === 'qwen2' && isUsed !== true) return null;
  const window = wholeNumber(file, 'sliding_window', 1, MODEL_BOUNDS.size);
  if (window >= context) return null;
  if (family === 'mistral') return window;
  throw wrong(file, 'sliding_window', `none, or at least the context of ${context} tokens`);
}

/** Throws ReadError for quantised weights. Those that compressed-tensors only stores sparse read like dense ones. */
function rejectQuantised(file: ConfigFile): void {
  // The second name is an older one, used by compressed-tensors only.
  for (const field of ['quantization_config', 'compression_config']) {
    if (!hasField(file, field)) continue;
    const value = file.fields[field];
    const { quant_method: method = null, config_groups: groups } = (typeof value === 'object' ? value : {}) as Fields;
    const isSparse = method === 'compressed-tensors' || (method === null && field === 'compression_config');
    if (!isSparse || Object.keys(groups ?? {}).length > 0) {
      throw wrong(file, field, 'weights in f32, f16 or bf16, dense or stored sparse');
    }
  }
}

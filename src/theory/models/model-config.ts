import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { ReadError } from '../../core/errors.ts';
import type { MatrixName, ModelShape } from './model-shape.ts';

/**
 * What config.json may leave out in these families, by its model_type: the defaults of the library that writes it
 * (transformers, configuration_*.py).
 */
const FAMILY_DEFAULTS: Readonly<Record<string, Readonly<Record<string, number | boolean>>>> = {
  gemma: { head_dim: 256, tie_word_embeddings: true },
  gemma2: { head_dim: 256, tie_word_embeddings: true },
  gemma3_text: {
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 256,
    vocab_size: 262_208,
    tie_word_embeddings: true,
  },
  qwen3: { head_dim: 128 },
};

/** Families whose q, k and v have a bias without a word about it. */
const QKV_BIAS_FAMILIES: ReadonlySet<string> = new Set(['qwen2']);

/** Fields that tell of experts. */
const EXPERTS = ['num_local_experts', 'num_experts', 'n_routed_experts'];

type Fields = Readonly<Record<string, unknown>>;

/**
 * The shape that a config.json of the Llama, Mistral, Qwen2, Qwen3 or Gemma families tells of, or of any model that has
 * the same fields. `name` stands in its place and in errors.
 *
 * Throws ReadError with the field, found and expected.
 */
export function readModelConfig(text: string, name: string): ModelShape {
  checkBound(name, text.length, MODEL_BOUNDS.length, 'characters', ReadError);
  const whole = fieldsOf(parsed(text, name));
  if (!whole) throw new ReadError(`${name}: found no object, expected the fields of a config.json in { }`);
  // A model that also sees or hears has its language part inside.
  const inner = fieldsOf(whole.text_config);
  const type = typeOf(inner ?? whole);
  const written: Fields = inner ? { ...shared(whole), ...inner } : whole;
  const fields: Fields = {
    ...(Object.hasOwn(FAMILY_DEFAULTS, type) ? FAMILY_DEFAULTS[type] : {}),
    ...withoutNull(written),
  };
  refuseExperts(fields, name);
  const hidden = size(fields, 'hidden_size', name);
  const heads = size(fields, 'num_attention_heads', name);
  const kvHeads = 'num_key_value_heads' in fields ? size(fields, 'num_key_value_heads', name) : heads;
  if (heads % kvHeads !== 0) {
    throw new ReadError(
      `${name}, num_key_value_heads: found ${kvHeads}, expected a divisor of the ${heads} attention heads`,
    );
  }
  return {
    name: nameOf(whole, name),
    hidden,
    intermediate: size(fields, 'intermediate_size', name),
    layers: size(fields, 'num_hidden_layers', name),
    heads,
    kvHeads,
    headDim: 'head_dim' in fields ? size(fields, 'head_dim', name) : headDimOf(hidden, heads, name),
    vocabulary: size(fields, 'vocab_size', name),
    tied: flag(fields, 'tie_word_embeddings', name),
    biases: biasesOf(fields, type, name),
  };
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const shown = text.trim().slice(0, 24);
    throw new ReadError(`${name}: found ${shown === '' ? 'an empty file' : `'${shown}'`}, expected JSON`);
  }
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** What stands outside of the language part, and is meant for it as well. */
function shared({ tie_word_embeddings: tied }: Fields): Fields {
  return tied === undefined ? {} : { tie_word_embeddings: tied };
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function typeOf({ model_type: type }: Fields): string {
  return typeof type === 'string' ? type : '';
}

/** The name that the file gives its model, without the organisation and its folder; else that of the file. */
function nameOf({ _name_or_path: given }: Fields, name: string): string {
  const last = typeof given === 'string' ? given.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, '') : '';
  return last === '' ? name : last.slice(0, 60);
}

function refuseExperts(fields: Fields, name: string): void {
  for (const field of EXPERTS) {
    const experts = fields[field];
    if (typeof experts === 'number' && experts > 1) {
      throw new ReadError(
        `${name}, ${field}: found ${experts} experts, expected a model in which every token meets every matrix`,
      );
    }
  }
}

function size(fields: Fields, field: string, name: string): number {
  const found = fields[field];
  if (typeof found === 'number' && Number.isInteger(found) && found >= 1 && found <= MODEL_BOUNDS.size) return found;
  const words = found === undefined ? 'nothing' : JSON.stringify(found).slice(0, 40);
  throw new ReadError(`${name}, ${field}: found ${words}, expected a whole number from 1 to ${MODEL_BOUNDS.size}`);
}

function flag(fields: Fields, field: string, name: string): boolean {
  const found = fields[field];
  if (found === undefined || typeof found === 'boolean') return found === true;
  throw new ReadError(`${name}, ${field}: found ${JSON.stringify(found).slice(0, 40)}, expected true or false`);
}

function headDimOf(hidden: number, heads: number, name: string): number {
  if (hidden % heads === 0) return hidden / heads;
  throw new ReadError(
    `${name}, head_dim: found nothing, expected it, since ${hidden} is no multiple of ${heads} heads`,
  );
}

function biasesOf(fields: Fields, type: string, name: string): readonly MatrixName[] {
  const biases: MatrixName[] = [];
  if (flag(fields, 'attention_bias', name)) biases.push('q', 'k', 'v', 'o');
  else if (QKV_BIAS_FAMILIES.has(type)) biases.push('q', 'k', 'v');
  if (flag(fields, 'mlp_bias', name)) biases.push('gate', 'up', 'down');
  return biases;
}

import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { quotedValue } from '../../core/bounds/quote.ts';
import { ReadError, withVisibleSigns } from '../../core/errors.ts';
import {
  type Experts,
  type LatentAttention,
  type MatrixName,
  type ModelShape,
  QKV,
  UNGATED_MATRICES,
} from './model-shape.ts';

/* Reads the config.json of a language model of a known family into the sizes of its matrices (`ModelShape`). */

/** How the config.json of a family differs from Llama's. */
interface Family {
  /** fields that config.json may omit, with the defaults of the transformers library (configuration_*.py) */
  readonly defaults?: Readonly<Record<string, number | boolean>>;
  /** the family's names for fields of Llama */
  readonly names?: Readonly<Record<string, string>>;
  /** the inner size over hidden_size, if config.json omits it */
  readonly innerFactor?: number;
  /** the feed-forward block has no gate */
  readonly ungated?: true;
  /** the field with the number of learned positions, and how many rows more the table of positions has */
  readonly positions?: { readonly field: string; readonly extraRows: number };
  /** matrices with a bias that no field mentions */
  readonly biases?: readonly MatrixName[];
  /** for a mixture of experts */
  readonly experts?: ExpertFields;
  /** keys and values are computed from a low-rank latent, as in DeepSeek-V2 */
  readonly latent?: true;
}

/** A family's names for the fields of its experts. */
interface ExpertFields {
  readonly count: (typeof EXPERTS)[number];
  readonly active: string;
  readonly width: string;
  /** the field with the number of experts that every token uses, or with the width of all these together */
  readonly shared?: { readonly count: string } | { readonly width: string };
  /** the field with the number of first layers without experts */
  readonly dense?: string;
  /** fields that may make later layers dense, with the values for which they do not */
  readonly uniformLayerValues?: (layers: number) => Readonly<Record<string, readonly unknown[]>>;
}

const DEEPSEEK: Family = {
  latent: true,
  experts: {
    count: 'n_routed_experts',
    active: 'num_experts_per_tok',
    width: 'moe_intermediate_size',
    shared: { count: 'n_shared_experts' },
    dense: 'first_k_dense_replace',
    uniformLayerValues: () => ({ moe_layer_freq: [1] }),
  },
};

const QWEN_EXPERTS = {
  count: 'num_experts',
  active: 'num_experts_per_tok',
  width: 'moe_intermediate_size',
  uniformLayerValues: () => ({ decoder_sparse_step: [1], mlp_only_layers: [[]] }),
} as const;

/** The supported families, by their model_type: decoders whose matrices are all known. */
const FAMILIES: Readonly<Record<string, Family>> = {
  llama: {},
  // SparseLM, the models of TwELL's authors.
  llama_sparse_relu: {},
  mistral: {},
  qwen2: { biases: QKV },
  qwen3: { defaults: { head_dim: 128 } },
  gemma: { defaults: { head_dim: 256, tie_word_embeddings: true } },
  gemma2: { defaults: { head_dim: 256, tie_word_embeddings: true } },
  gemma3_text: {
    defaults: {
      num_attention_heads: 8,
      num_key_value_heads: 4,
      head_dim: 256,
      vocab_size: 262_208,
      tie_word_embeddings: true,
    },
  },
  mixtral: { experts: { count: 'num_local_experts', active: 'num_experts_per_tok', width: 'intermediate_size' } },
  // Its shared experts have a gate of one row a layer, which is not counted.
  qwen2_moe: { biases: QKV, experts: { ...QWEN_EXPERTS, shared: { width: 'shared_expert_intermediate_size' } } },
  qwen3_moe: { defaults: { head_dim: 128 }, experts: QWEN_EXPERTS },
  olmoe: { experts: { count: 'num_experts', active: 'num_experts_per_tok', width: 'intermediate_size' } },
  deepseek_v2: DEEPSEEK,
  deepseek_v3: DEEPSEEK,
  ernie4_5_moe: {
    defaults: { tie_word_embeddings: true },
    experts: {
      count: 'moe_num_experts',
      active: 'moe_k',
      width: 'moe_intermediate_size',
      shared: { count: 'moe_num_shared_experts' },
      dense: 'moe_layer_start_index',
      uniformLayerValues: (layers) => ({ moe_layer_interval: [1], moe_layer_end_index: [-1, layers - 1] }),
    },
  },
  phi3: {},
  olmo: {},
  olmo2: {},
  granite: {},
  opt: {
    defaults: { tie_word_embeddings: true, enable_bias: true },
    names: { intermediate_size: 'ffn_dim' },
    ungated: true,
    // The first two rows are never used: positions count from 2.
    positions: { field: 'max_position_embeddings', extraRows: 2 },
    biases: UNGATED_MATRICES,
  },
  gpt2: {
    defaults: { tie_word_embeddings: true },
    names: {
      hidden_size: 'n_embd',
      intermediate_size: 'n_inner',
      num_hidden_layers: 'n_layer',
      num_attention_heads: 'n_head',
    },
    innerFactor: 4,
    ungated: true,
    positions: { field: 'n_positions', extraRows: 0 },
    biases: UNGATED_MATRICES,
  },
};

/** Fields that indicate experts. */
const EXPERTS = ['num_local_experts', 'num_experts', 'n_routed_experts', 'moe_num_experts'] as const;

/** The separators of folders on all systems. */
const SLASHES = ['/', '\\'];

/** Fields of SparseLM alone: whether the feed-forward block has a gate, and a size that replaces intermediate_size. */
const GATED = 'sparsity_gated_mlp';
const NEW_INNER = 'sparsity_new_intermediate_size';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether the feed-forward block of a config.json is a SparseLM block, whose published code uses ReLU even if
 * `hidden_act` differs (SparseMLP in custom_models/sparse_models.py).
 */
export function isSparseRelu(fields: Fields): boolean {
  return fields.model_type === 'llama_sparse_relu' || (fields[GATED] ?? null) !== null;
}

/**
 * The shape that a config.json describes, for a model of one of FAMILIES. `name` is used in errors, and as the name of
 * a model without a name. Throws ReadError with the field, what was found and what was expected.
 */
export function readModelConfig(text: string, name: string): ModelShape {
  checkBound(name, text.length, MODEL_BOUNDS.length, 'characters', ReadError);
  const allFields = fieldsOf(parseJson(text, name));
  if (!allFields) throw new ReadError(`${name}: found no object, expected the fields of a config.json in { }`);
  // A model for images or sound has the fields of its language model in a nested object.
  const textConfig = fieldsOf(allFields.text_config);
  const writtenFields = withoutNull(textConfig ? { ...tiedFields(allFields), ...textConfig } : allFields);
  const family = familyOf(writtenFields, name);
  rejectExperts(writtenFields, name, family);
  const file: ConfigFile = { name, fields: { ...family.defaults, ...writtenFields }, names: family.names ?? {} };
  const hidden = size(file, 'hidden_size');
  const heads = size(file, 'num_attention_heads');
  const kvHeads = has(file, 'num_key_value_heads') ? size(file, 'num_key_value_heads') : heads;
  if (heads % kvHeads !== 0) {
    throw new ReadError(
      `${name}, num_key_value_heads: found ${kvHeads}, expected a divisor of the ${heads} attention heads`,
    );
  }
  const embeddingWidth = has(file, 'word_embed_proj_dim') ? size(file, 'word_embed_proj_dim') : hidden;
  if (embeddingWidth !== hidden) {
    throw new ReadError(`${name}, word_embed_proj_dim: found ${embeddingWidth}, expected hidden_size, ${hidden}`);
  }
  const latent = family.latent ? latentOf(file) : null;
  const headDim = latent
    ? size(file, 'qk_nope_head_dim') + latent.rope
    : has(file, 'head_dim')
      ? size(file, 'head_dim')
      : headDimOf(hidden, heads, name);
  const columns = heads * (headDim + (latent?.value ?? 0));
  checkBound(`${name}, num_attention_heads`, columns, MODEL_BOUNDS.size, 'columns in all heads', ReadError);
  const layers = size(file, 'num_hidden_layers');
  const experts = family.experts ? expertsOf(file, family.experts, layers) : null;
  const { positions } = family;
  return {
    name: nameOf(allFields, name),
    hidden,
    intermediate:
      family.innerFactor && !has(file, 'intermediate_size')
        ? family.innerFactor * hidden
        : size(file, has(file, NEW_INNER) ? NEW_INNER : 'intermediate_size'),
    layers,
    heads,
    kvHeads,
    headDim,
    vocabulary: size(file, 'vocab_size'),
    gated: family.ungated !== true && (!has(file, GATED) || flag(file, GATED)),
    positions: positions ? size(file, positions.field) + positions.extraRows : 0,
    tied: flag(file, 'tie_word_embeddings'),
    biases: biasesOf(file, family),
    ...(experts && { experts }),
    ...(latent && { latent }),
  };
}

/** The experts of a mixture-of-experts model. Throws ReadError if layers after the first ones may be dense. */
function expertsOf(file: ConfigFile, { uniformLayerValues, ...named }: ExpertFields, layers: number): Experts {
  const { name, fields } = file;
  for (const [field, values] of Object.entries(uniformLayerValues?.(layers) ?? {})) {
    const found = fields[field];
    if (found === undefined || values.some((value) => JSON.stringify(value) === JSON.stringify(found))) continue;
    throw new ReadError(
      `${name}, ${field}: found ${quotedValue(found)}, expected ${values.map((value) => JSON.stringify(value)).join(' or ')}: only the first layers may be dense`,
    );
  }
  const count = size(file, named.count);
  const active = size(file, named.active);
  if (active > count) {
    throw new ReadError(`${name}, ${named.active}: found ${active}, expected at most the ${count} experts`);
  }
  const width = size(file, named.width);
  const dense = named.dense === undefined ? 0 : size(file, named.dense, 0);
  if (dense >= layers) {
    throw new ReadError(`${name}, ${named.dense}: found ${dense}, expected fewer than the ${layers} layers`);
  }
  return { count, active, width, shared: sharedOf(file, named, width), dense };
}

/** The width of all shared experts together; 0 without any. */
function sharedOf(file: ConfigFile, { shared }: ExpertFields, width: number): number {
  if (shared === undefined) return 0;
  const field = 'count' in shared ? shared.count : shared.width;
  if (!has(file, field)) return 0;
  const total = size(file, field, 0) * ('count' in shared ? width : 1);
  checkBound(`${file.name}, ${field}`, total, MODEL_BOUNDS.size, 'neurons of shared experts', ReadError);
  return total;
}

function latentOf(file: ConfigFile): LatentAttention {
  return {
    q: has(file, 'q_lora_rank') ? size(file, 'q_lora_rank') : 0,
    kv: size(file, 'kv_lora_rank'),
    rope: size(file, 'qk_rope_head_dim'),
    value: size(file, 'v_head_dim'),
  };
}

/** A config.json whose fields are looked up by Llama's names. */
interface ConfigFile {
  /** the file's name in errors */
  readonly name: string;
  readonly fields: Fields;
  /** the file's names for some of Llama's fields */
  readonly names: Readonly<Record<string, string>>;
}

function has({ fields, names }: ConfigFile, field: string): boolean {
  return Object.hasOwn(fields, names[field] ?? field);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const start = text.trim().slice(0, 24);
    throw new ReadError(`${name}: found ${start === '' ? 'nothing' : `'${start}'`}, expected JSON`);
  }
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** Fields outside of text_config that also apply to the language model. */
function tiedFields({ tie_word_embeddings: tied }: Fields): Fields {
  return tied === undefined ? {} : { tie_word_embeddings: tied };
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function familyOf({ model_type: type }: Fields, name: string): Family {
  // Without a model_type, fields are read by Llama's names.
  if (type === undefined) return FAMILIES.llama;
  if (typeof type === 'string' && Object.hasOwn(FAMILIES, type)) return FAMILIES[type];
  throw new ReadError(
    `${name}, model_type: found ${quotedValue(type)}, expected one of ${Object.keys(FAMILIES).join(', ')}`,
  );
}

/** The model's name from the file, without organisation and folder; else the name of the file. */
function nameOf({ _name_or_path: nameOrPath }: Fields, name: string): string {
  const path = typeof nameOrPath === 'string' ? nameOrPath : '';
  let end = path.length;
  while (end > 0 && SLASHES.includes(path[end - 1])) end--;
  const start = 1 + Math.max(...SLASHES.map((slash) => path.lastIndexOf(slash, end - 1))); // bounded: two kinds of slash
  return start < end ? withVisibleSigns(path.slice(start, Math.min(end, start + MODEL_BOUNDS.name))) : name;
}

/** Throws ReadError for experts in a field that the family does not have. */
function rejectExperts(fields: Fields, name: string, family: Family): void {
  for (const field of EXPERTS) {
    const experts = fields[field];
    if (experts === undefined || field === family.experts?.count) continue;
    if (typeof experts !== 'number' || !(experts >= 0)) {
      throw new ReadError(`${name}, ${field}: found ${quotedValue(experts)}, expected a number of experts`);
    }
    if (experts > 1) {
      throw new ReadError(
        `${name}, ${field}: found ${experts} experts, expected ${family.experts?.count ?? 'a model without experts'}`,
      );
    }
  }
}

/** The whole number in a field, at least `min`. Throws ReadError. */
function size({ name, fields, names }: ConfigFile, field: string, min = 1): number {
  const fileField = names[field] ?? field;
  const found = fields[fileField];
  if (typeof found === 'number' && Number.isInteger(found) && found >= min && found <= MODEL_BOUNDS.size) return found;
  throw new ReadError(
    `${name}, ${fileField}: found ${quotedValue(found)}, expected a whole number from ${min} to ${MODEL_BOUNDS.size}`,
  );
}

function flag({ name, fields }: ConfigFile, field: string): boolean {
  const found = fields[field];
  if (found === undefined || typeof found === 'boolean') return found === true;
  throw new ReadError(`${name}, ${field}: found ${quotedValue(found)}, expected true or false`);
}

function headDimOf(hidden: number, heads: number, name: string): number {
  if (hidden % heads === 0) return hidden / heads;
  throw new ReadError(
    `${name}, head_dim: found nothing, expected it, since ${hidden} is no multiple of ${heads} heads`,
  );
}

function biasesOf(file: ConfigFile, { biases = [], ungated }: Family): readonly MatrixName[] {
  // OPT has a field for models without biases.
  if (has(file, 'enable_bias') && !flag(file, 'enable_bias')) return [];
  if (ungated) return biases;
  const attention: readonly MatrixName[] = flag(file, 'attention_bias') ? [...QKV, 'o'] : biases;
  return [...attention, ...(flag(file, 'mlp_bias') ? (['gate', 'up', 'down'] as const) : [])];
}

import { type BlockMatrix, blockMatrices, blockMatrixShape, type DecoderConfig } from '../decoder.ts';

/** A tensor of a model, by its purpose. */
export type ModelTensor = { readonly of: 'embedding' } | { readonly of: 'head' } | InnerTensor;

type InnerTensor =
  | { readonly of: 'positions' | 'finalNorm' | 'finalNormBias' }
  | {
      readonly of: 'attentionNorm' | 'attentionNormBias' | 'feedForwardNorm' | 'feedForwardNormBias';
      readonly layer: number;
    }
  | { readonly of: 'weight' | 'bias'; readonly layer: number; readonly matrix: BlockMatrix };

/** The location of a part in a file, and its conversion. */
export interface StoredTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** computes the part from the cells of the tensor, row by row; absent: they are the part */
  readonly take?: (cells: Float32Array) => Float32Array;
}

/** How the files of a family name and arrange tensors; a name goes on with '.weight' or '.bias'. */
interface Layout {
  /** name of the embedding, which identifies the layout */
  readonly embedding: string;
  /** possible prefixes of all names except that of the head */
  readonly prefixes: readonly string[];
  readonly head: string;
  readonly positions: string;
  /** rows of the table of positions before that of the first token, which no token uses */
  readonly unusedPositions?: number;
  readonly finalNorm: string;
  /** what precedes the number of a block, and in it norms and matrices */
  readonly block: string;
  readonly attentionNorm: string;
  readonly feedForwardNorm: string;
  readonly matrices: Readonly<Partial<Record<BlockMatrix, string>>>;
  /** q, k and v in one, in models with learned positions */
  readonly qkv?: string;
  /** matrices are inputs x outputs */
  readonly isTransposed?: boolean;
  /** further tensors in files of the family, which follow from the others */
  readonly spare?: RegExp;
}

/** All parts of a model, in the order in which a token uses them. */
export function modelTensors(config: DecoderConfig): readonly ModelTensor[] {
  const isLayer = config.norm === 'layer';
  const parts: ModelTensor[] = [{ of: 'embedding' }];
  if (config.positions > 0) parts.push({ of: 'positions' });
  for (let layer = 0; layer < config.layers; layer++) {
    parts.push({ of: 'attentionNorm', layer }, { of: 'feedForwardNorm', layer });
    if (isLayer) parts.push({ of: 'attentionNormBias', layer }, { of: 'feedForwardNormBias', layer });
    for (const matrix of blockMatrices(config)) parts.push({ of: 'weight', layer, matrix });
    for (const matrix of blockMatrices(config)) {
      if (config.biases.includes(matrix)) parts.push({ of: 'bias', layer, matrix });
    }
  }
  parts.push({ of: 'finalNorm' });
  if (isLayer) parts.push({ of: 'finalNormBias' });
  if (!config.tied) parts.push({ of: 'head' });
  return parts;
}

/** A part's name, independent of files: that of transformers for Llama, also for parts of other families. */
export function tensorName(part: ModelTensor): string {
  if (part.of === 'head') return `${LLAMA.head}.weight`;
  return `model.${part.of === 'embedding' ? `${LLAMA.embedding}.weight` : nameIn(LLAMA, part)}`;
}

function nameIn(layout: Layout, part: InnerTensor): string {
  if (part.of === 'positions') return `${layout.positions}.weight`;
  const ending = /bias$/i.test(part.of) ? 'bias' : 'weight';
  if ('matrix' in part) return `${layout.block}${part.layer}.${layout.matrices[part.matrix] ?? ''}.${ending}`;
  const norm = part.of.replace('Bias', '') as 'finalNorm' | 'attentionNorm' | 'feedForwardNorm';
  return `${'layer' in part ? `${layout.block}${part.layer}.` : ''}${layout[norm]}.${ending}`;
}

/** The shape of a part. */
export function tensorShape(config: DecoderConfig, part: ModelTensor): readonly number[] {
  const { hidden, vocabulary, context } = config;
  if (part.of === 'embedding' || part.of === 'head') return [vocabulary, hidden];
  if (part.of === 'positions') return [context, hidden];
  if (part.of !== 'weight' && part.of !== 'bias') return [hidden];
  const shape = blockMatrixShape(config, part.matrix);
  return part.of === 'weight' ? shape : [shape[0]];
}

/** Llama, Mistral and Qwen2 as transformers stores them. */
const LLAMA: Layout = {
  embedding: 'embed_tokens',
  prefixes: ['model.', ''],
  head: 'lm_head',
  positions: 'embed_positions',
  finalNorm: 'norm',
  block: 'layers.',
  attentionNorm: 'input_layernorm',
  feedForwardNorm: 'post_attention_layernorm',
  matrices: {
    q: 'self_attn.q_proj',
    k: 'self_attn.k_proj',
    v: 'self_attn.v_proj',
    o: 'self_attn.o_proj',
    gate: 'mlp.gate_proj',
    up: 'mlp.up_proj',
    down: 'mlp.down_proj',
  },
  // A table that follows from the configuration; older versions of transformers wrote it.
  spare: /\.rotary_emb\.inv_freq$/,
};

const LAYOUTS: readonly Layout[] = [
  LLAMA,
  // OPT as transformers stores it.
  {
    embedding: 'embed_tokens',
    prefixes: ['model.decoder.', 'decoder.'],
    head: 'lm_head',
    positions: 'embed_positions',
    unusedPositions: 2,
    finalNorm: 'final_layer_norm',
    block: 'layers.',
    attentionNorm: 'self_attn_layer_norm',
    feedForwardNorm: 'final_layer_norm',
    matrices: {
      q: 'self_attn.q_proj',
      k: 'self_attn.k_proj',
      v: 'self_attn.v_proj',
      o: 'self_attn.out_proj',
      up: 'fc1',
      down: 'fc2',
    },
  },
  // GPT-2 as transformers stores it.
  {
    embedding: 'wte',
    prefixes: ['transformer.', ''],
    head: 'lm_head',
    positions: 'wpe',
    finalNorm: 'ln_f',
    block: 'h.',
    attentionNorm: 'ln_1',
    feedForwardNorm: 'ln_2',
    matrices: { o: 'attn.c_proj', up: 'mlp.c_fc', down: 'mlp.c_proj' },
    qkv: 'attn.c_attn',
    isTransposed: true,
    // Masks, which older versions of transformers wrote.
    spare: /\.attn\.(masked_)?bias$/,
  },
  // GGUF, as llama.cpp writes Llama, Mistral, Qwen2 and GPT-2.
  {
    embedding: 'token_embd',
    prefixes: [''],
    head: 'output',
    positions: 'position_embd',
    finalNorm: 'output_norm',
    block: 'blk.',
    attentionNorm: 'attn_norm',
    feedForwardNorm: 'ffn_norm',
    matrices: {
      q: 'attn_q',
      k: 'attn_k',
      v: 'attn_v',
      o: 'attn_output',
      gate: 'ffn_gate',
      up: 'ffn_up',
      down: 'ffn_down',
    },
    qkv: 'attn_qkv',
  },
];

function innerPart(layout: Layout, config: DecoderConfig, part: InnerTensor): StoredTensor {
  const { hidden, positions, context } = config;
  const name = nameIn(layout, part);
  const shape = tensorShape(config, part);
  const { unusedPositions = 0, qkv, isTransposed = false } = layout;
  if (part.of === 'positions') {
    const take = (cells: Float32Array) => cells.slice(unusedPositions * hidden, (unusedPositions + context) * hidden);
    return { name, shape: [positions, hidden], take };
  }
  if (!('matrix' in part)) return { name, shape };
  const indexInQkv = ['q', 'k', 'v'].indexOf(part.matrix);
  const isFused = qkv !== undefined && positions > 0 && indexInQkv >= 0;
  if (isFused) {
    const one = `${layout.block}${part.layer}.${qkv}.${part.of}`;
    if (part.of === 'weight' && isTransposed) {
      const take = (cells: Float32Array) => transposedColumns(cells, hidden, 3 * hidden, indexInQkv * hidden, hidden);
      return { name: one, shape: [hidden, 3 * hidden], take };
    }
    const length = part.of === 'weight' ? hidden * hidden : hidden;
    const take = (cells: Float32Array) => cells.slice(indexInQkv * length, (indexInQkv + 1) * length);
    return { name: one, shape: [3 * hidden, ...shape.slice(1)], take };
  }
  if (!isTransposed || part.of === 'bias') return { name, shape };
  const [outputs, inputs] = shape;
  return { name, shape: [inputs, outputs], take: (cells) => transposedColumns(cells, inputs, outputs, 0, outputs) };
}

/** The locations of a model's parts, and the other known tensors. */
export interface FileLayout {
  stored(config: DecoderConfig, part: ModelTensor): StoredTensor;
  isSpare(name: string): boolean;
}

/** The layout of a file with these tensor names; that of Llama by default. */
export function findLayout(names: ReadonlySet<string>): FileLayout {
  for (const layout of LAYOUTS) {
    const prefix = layout.prefixes.find((one) => names.has(`${one}${layout.embedding}.weight`));
    if (prefix !== undefined) return foundLayout(layout, prefix);
  }
  return foundLayout(LLAMA, LLAMA.prefixes[0]);
}

function foundLayout(layout: Layout, prefix: string): FileLayout {
  return {
    stored(config, part) {
      if (part.of === 'head') return { name: `${layout.head}.weight`, shape: tensorShape(config, part) };
      if (part.of === 'embedding')
        return { name: `${prefix}${layout.embedding}.weight`, shape: tensorShape(config, part) };
      const stored = innerPart(layout, config, part);
      return { ...stored, name: prefix + stored.name };
    },
    // A copy of a tied embedding is spare.
    isSpare: (name) => name === `${layout.head}.weight` || layout.spare?.test(name) === true,
  };
}

/** `count` columns of a matrix, from `first` on, as the rows of another. */
function transposedColumns(
  cells: Float32Array,
  rows: number,
  cols: number,
  first: number,
  count: number,
): Float32Array {
  const to = new Float32Array(rows * count);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < count; c++) to[c * rows + r] = cells[r * cols + first + c];
  }
  return to;
}

// The names and shapes that the tensors of a model have in files of each kind.

import { type BlockMatrix, blockMatrices, blockMatrixShape, type DecoderConfig } from '../decoder.ts';

/** A tensor of a model, by its role. */
export type ModelTensor = { readonly role: 'embedding' } | { readonly role: 'head' } | InnerTensor;

type InnerTensor =
  | { readonly role: 'positions' | 'finalNorm' | 'finalNormBias' }
  | {
      readonly role: 'attentionNorm' | 'attentionNormBias' | 'feedForwardNorm' | 'feedForwardNormBias';
      readonly layer: number;
    }
  | { readonly role: 'weight' | 'bias'; readonly layer: number; readonly matrix: BlockMatrix };

/** The tensor of a file that contains a model's tensor, and how to extract it. */
export interface StoredTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** computes the model's tensor from the file's, both row-major; absent: they are equal */
  readonly convert?: (cells: Float32Array) => Float32Array;
}

/** How the files of a model family name and arrange tensors; '.weight' or '.bias' follows each name. */
interface Layout {
  /** name of the embedding, which identifies the layout */
  readonly embedding: string;
  /** possible prefixes of all names except the name of the head */
  readonly prefixes: readonly string[];
  readonly head: string;
  readonly positions: string;
  /** rows of the table of positions before the row of position 0 */
  readonly unusedPositions?: number;
  readonly finalNorm: string;
  /** the text before the number of a block */
  readonly block: string;
  readonly attentionNorm: string;
  readonly feedForwardNorm: string;
  readonly matrices: Readonly<Partial<Record<BlockMatrix, string>>>;
  /** a tensor with q, k and v, in models with learned positions */
  readonly qkv?: string;
  /** matrices are inputs x outputs */
  readonly isTransposed?: boolean;
  /** names of further tensors in files of the family, which a model does not need */
  readonly spare?: RegExp;
}

/** All tensors of a model, in the order in which a token uses them. */
export function modelTensors(config: DecoderConfig): readonly ModelTensor[] {
  const hasLayerNorms = config.norm === 'layer';
  const tensors: ModelTensor[] = [{ role: 'embedding' }];
  if (config.positions > 0) tensors.push({ role: 'positions' });
  for (let layer = 0; layer < config.layers; layer++) {
    tensors.push({ role: 'attentionNorm', layer }, { role: 'feedForwardNorm', layer });
    if (hasLayerNorms) tensors.push({ role: 'attentionNormBias', layer }, { role: 'feedForwardNormBias', layer });
    for (const matrix of blockMatrices(config)) tensors.push({ role: 'weight', layer, matrix });
    for (const matrix of blockMatrices(config)) {
      if (config.biases.includes(matrix)) tensors.push({ role: 'bias', layer, matrix });
    }
  }
  tensors.push({ role: 'finalNorm' });
  if (hasLayerNorms) tensors.push({ role: 'finalNormBias' });
  if (!config.tied) tensors.push({ role: 'head' });
  return tensors;
}

/** The name of a tensor, the same for all families: its name in transformers for Llama. */
export function tensorName(tensor: ModelTensor): string {
  if (tensor.role === 'head') return `${LLAMA.head}.weight`;
  return `model.${tensor.role === 'embedding' ? `${LLAMA.embedding}.weight` : nameIn(LLAMA, tensor)}`;
}

function nameIn(layout: Layout, tensor: InnerTensor): string {
  if (tensor.role === 'positions') return `${layout.positions}.weight`;
  const ending = /bias$/i.test(tensor.role) ? 'bias' : 'weight';
  if ('matrix' in tensor) return `${layout.block}${tensor.layer}.${layout.matrices[tensor.matrix] ?? ''}.${ending}`;
  const norm = tensor.role.replace('Bias', '') as 'finalNorm' | 'attentionNorm' | 'feedForwardNorm';
  return `${'layer' in tensor ? `${layout.block}${tensor.layer}.` : ''}${layout[norm]}.${ending}`;
}

/** The shape of a model's tensor. */
export function tensorShape(config: DecoderConfig, tensor: ModelTensor): readonly number[] {
  const { hidden, vocabulary, context } = config;
  if (tensor.role === 'embedding' || tensor.role === 'head') return [vocabulary, hidden];
  if (tensor.role === 'positions') return [context, hidden];
  if (tensor.role !== 'weight' && tensor.role !== 'bias') return [hidden];
  const shape = blockMatrixShape(config, tensor.matrix);
  return tensor.role === 'weight' ? shape : [shape[0]];
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

/** The tensor of a file with this layout that contains a model's tensor; its name has no prefix yet. */
function innerTensor(layout: Layout, config: DecoderConfig, tensor: InnerTensor): StoredTensor {
  const { hidden, positions, context } = config;
  const name = nameIn(layout, tensor);
  const shape = tensorShape(config, tensor);
  const { unusedPositions = 0, qkv, isTransposed = false } = layout;
  if (tensor.role === 'positions') {
    const convert = (cells: Float32Array) =>
      cells.slice(unusedPositions * hidden, (unusedPositions + context) * hidden);
    return { name, shape: [positions, hidden], convert };
  }
  if (!('matrix' in tensor)) return { name, shape };
  const indexInQkv = ['q', 'k', 'v'].indexOf(tensor.matrix);
  // q, k and v may be parts of one tensor, which only models with learned positions have.
  const isFused = qkv !== undefined && positions > 0 && indexInQkv >= 0;
  if (isFused) {
    const fusedName = `${layout.block}${tensor.layer}.${qkv}.${tensor.role}`;
    if (tensor.role === 'weight' && isTransposed) {
      const convert = (cells: Float32Array) =>
        transposedColumns(cells, hidden, 3 * hidden, indexInQkv * hidden, hidden);
      return { name: fusedName, shape: [hidden, 3 * hidden], convert };
    }
    const length = tensor.role === 'weight' ? hidden * hidden : hidden;
    const convert = (cells: Float32Array) => cells.slice(indexInQkv * length, (indexInQkv + 1) * length);
    return { name: fusedName, shape: [3 * hidden, ...shape.slice(1)], convert };
  }
  if (!isTransposed || tensor.role === 'bias') return { name, shape };
  const [outputs, inputs] = shape;
  return { name, shape: [inputs, outputs], convert: (cells) => transposedColumns(cells, inputs, outputs, 0, outputs) };
}

/** Finds the tensors of a model in a file. */
export interface FileLayout {
  stored(config: DecoderConfig, tensor: ModelTensor): StoredTensor;
  /** whether files of the family may have this tensor in addition */
  isSpare(name: string): boolean;
}

/** The layout of a file with these tensor names; by default the layout of Llama. */
export function findLayout(names: ReadonlySet<string>): FileLayout {
  for (const layout of LAYOUTS) {
    const prefix = layout.prefixes.find((before) => names.has(`${before}${layout.embedding}.weight`));
    if (prefix !== undefined) return fileLayout(layout, prefix);
  }
  return fileLayout(LLAMA, LLAMA.prefixes[0]);
}

function fileLayout(layout: Layout, prefix: string): FileLayout {
  return {
    stored(config, tensor) {
      if (tensor.role === 'head') return { name: `${layout.head}.weight`, shape: tensorShape(config, tensor) };
      if (tensor.role === 'embedding')
        return { name: `${prefix}${layout.embedding}.weight`, shape: tensorShape(config, tensor) };
      const stored = innerTensor(layout, config, tensor);
      return { ...stored, name: prefix + stored.name };
    },
    // The head of a tied model is a copy of the embedding.
    isSpare: (name) => name === `${layout.head}.weight` || layout.spare?.test(name) === true,
  };
}

/** `count` columns of a row-major matrix, from `first` on, as the rows of another. */
function transposedColumns(
  cells: Float32Array,
  rows: number,
  cols: number,
  first: number,
  count: number,
): Float32Array {
  const transposed = new Float32Array(rows * count);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < count; c++) transposed[c * rows + r] = cells[r * cols + first + c];
  }
  return transposed;
}

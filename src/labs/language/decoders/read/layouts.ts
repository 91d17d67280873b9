import { type BlockMatrix, blockMatrices, blockMatrixShape, type DecoderConfig } from '../decoder.ts';

/** A tensor of a model, by its purpose. */
export type Part = { readonly of: 'embedding' } | { readonly of: 'head' } | InnerPart;

type InnerPart =
  | { readonly of: 'positions' | 'finalNorm' | 'finalNormBias' }
  | {
      readonly of: 'attentionNorm' | 'attentionNormBias' | 'feedForwardNorm' | 'feedForwardNormBias';
      readonly layer: number;
    }
  | { readonly of: 'weight' | 'bias'; readonly layer: number; readonly matrix: BlockMatrix };

/** The location of a part in a file, and its conversion. */
export interface StoredPart {
  readonly name: string;
  readonly shape: readonly number[];
  /** computes the part from the cells of the tensor, row by row; absent: they are the part */
  readonly take?: (cells: Float32Array) => Float32Array;
}

/** How the files of a family name and arrange tensors. */
interface Layout {
  /** name of the embedding, which identifies the layout */
  readonly embedding: string;
  /** possible prefixes of all names except that of the head */
  readonly prefixes: readonly string[];
  readonly head: string;
  part(config: DecoderConfig, part: InnerPart): StoredPart;
  /** further tensors in files of the family, which follow from the others */
  readonly spare?: RegExp;
}

/** All parts of a model, in the order in which a token uses them. */
export function partsOf(config: DecoderConfig): readonly Part[] {
  const isLayer = config.norm === 'layer';
  const parts: Part[] = [{ of: 'embedding' }];
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
export function partName(part: Part): string {
  switch (part.of) {
    case 'embedding':
      return 'model.embed_tokens.weight';
    case 'positions':
      return 'model.embed_positions.weight';
    case 'head':
      return 'lm_head.weight';
    case 'finalNorm':
    case 'finalNormBias':
      return `model.norm.${part.of === 'finalNorm' ? 'weight' : 'bias'}`;
    case 'attentionNorm':
    case 'attentionNormBias':
      return `model.layers.${part.layer}.input_layernorm.${part.of === 'attentionNorm' ? 'weight' : 'bias'}`;
    case 'feedForwardNorm':
    case 'feedForwardNormBias':
      return `model.layers.${part.layer}.post_attention_layernorm.${part.of === 'feedForwardNorm' ? 'weight' : 'bias'}`;
    default:
      return `model.layers.${part.layer}.${FOLDERS[part.matrix]}.${part.matrix}_proj.${part.of}`;
  }
}

const FOLDERS: Readonly<Record<BlockMatrix, 'self_attn' | 'mlp'>> = {
  q: 'self_attn',
  k: 'self_attn',
  v: 'self_attn',
  o: 'self_attn',
  gate: 'mlp',
  up: 'mlp',
  down: 'mlp',
};

/** The shape of a part. */
export function partShape(config: DecoderConfig, part: Part): readonly number[] {
  const { hidden, vocabulary, context } = config;
  if (part.of === 'embedding' || part.of === 'head') return [vocabulary, hidden];
  if (part.of === 'positions') return [context, hidden];
  if (part.of !== 'weight' && part.of !== 'bias') return [hidden];
  const shape = blockMatrixShape(config, part.matrix);
  return part.of === 'weight' ? shape : [shape[0]];
}

/** Llama, Mistral and Qwen2 as transformers stores them. */
const LLAMA: Layout = {
  embedding: 'embed_tokens.weight',
  prefixes: ['model.', ''],
  head: 'lm_head.weight',
  part: (config, part) => ({ name: partName(part).replace(/^model\./, ''), shape: partShape(config, part) }),
  // A table that follows from the configuration; older versions of transformers wrote it.
  spare: /\.rotary_emb\.inv_freq$/,
};

/** Rows before that of the first token in OPT's table of positions. */
const OPT_UNUSED = 2;

const OPT_MATRICES: Readonly<Partial<Record<BlockMatrix, string>>> = {
  q: 'self_attn.q_proj',
  k: 'self_attn.k_proj',
  v: 'self_attn.v_proj',
  o: 'self_attn.out_proj',
  up: 'fc1',
  down: 'fc2',
};

/** OPT as transformers stores it; the first rows of its positions, which no token uses, are dropped. */
const OPT: Layout = {
  embedding: 'embed_tokens.weight',
  prefixes: ['model.decoder.', 'decoder.'],
  head: 'lm_head.weight',
  part(config, part) {
    const shape = partShape(config, part);
    const ending = part.of === 'weight' || !/bias/i.test(part.of) ? 'weight' : 'bias';
    switch (part.of) {
      case 'positions':
        return {
          name: 'embed_positions.weight',
          shape: [config.positions, config.hidden],
          take: (cells) => rowsFrom(cells, config.hidden, OPT_UNUSED, config.context),
        };
      case 'finalNorm':
      case 'finalNormBias':
        return { name: `final_layer_norm.${ending}`, shape };
      case 'attentionNorm':
      case 'attentionNormBias':
        return { name: `layers.${part.layer}.self_attn_layer_norm.${ending}`, shape };
      case 'feedForwardNorm':
      case 'feedForwardNormBias':
        return { name: `layers.${part.layer}.final_layer_norm.${ending}`, shape };
      case 'weight':
      case 'bias':
        return { name: `layers.${part.layer}.${OPT_MATRICES[part.matrix] ?? ''}.${part.of}`, shape };
    }
  },
};

/** GPT-2 as transformers stores it: matrices are transposed (inputs x outputs), and q, k and v are one. */
const GPT2: Layout = {
  embedding: 'wte.weight',
  prefixes: ['transformer.', ''],
  head: 'lm_head.weight',
  // Masks, which older versions of transformers wrote.
  spare: /\.attn\.(masked_)?bias$/,
  part(config, part) {
    const { hidden } = config;
    const shape = partShape(config, part);
    switch (part.of) {
      case 'positions':
        return {
          name: 'wpe.weight',
          shape: [config.positions, hidden],
          take: (cells) => rowsFrom(cells, hidden, 0, config.context),
        };
      case 'finalNorm':
      case 'finalNormBias':
        return { name: `ln_f.${part.of === 'finalNorm' ? 'weight' : 'bias'}`, shape };
      case 'attentionNorm':
      case 'attentionNormBias':
        return { name: `h.${part.layer}.ln_1.${part.of === 'attentionNorm' ? 'weight' : 'bias'}`, shape };
      case 'feedForwardNorm':
      case 'feedForwardNormBias':
        return { name: `h.${part.layer}.ln_2.${part.of === 'feedForwardNorm' ? 'weight' : 'bias'}`, shape };
      case 'weight':
      case 'bias':
        return gpt2Matrix(config, part, shape);
    }
  },
};

function gpt2Matrix(
  { hidden, intermediate }: DecoderConfig,
  part: Extract<Part, { matrix: BlockMatrix }>,
  shape: readonly number[],
): StoredPart {
  const at = `h.${part.layer}`;
  const third = ['q', 'k', 'v'].indexOf(part.matrix);
  if (third >= 0 && part.of === 'weight') {
    return {
      name: `${at}.attn.c_attn.weight`,
      shape: [hidden, 3 * hidden],
      take: (cells) => turned(cells, hidden, 3 * hidden, third * hidden, hidden),
    };
  }
  if (third >= 0) {
    return {
      name: `${at}.attn.c_attn.bias`,
      shape: [3 * hidden],
      take: (cells) => cells.slice(third * hidden, (third + 1) * hidden),
    };
  }
  const name = { o: 'attn.c_proj', up: 'mlp.c_fc', down: 'mlp.c_proj' }[part.matrix as 'o' | 'up' | 'down'];
  if (part.of === 'bias') return { name: `${at}.${name}.bias`, shape };
  const [outputs, inputs] = part.matrix === 'up' ? [intermediate, hidden] : shape;
  return {
    name: `${at}.${name}.weight`,
    shape: [inputs, outputs],
    take: (cells) => turned(cells, inputs, outputs, 0, outputs),
  };
}

const GGUF_MATRICES: Readonly<Record<BlockMatrix, string>> = {
  q: 'attn_q',
  k: 'attn_k',
  v: 'attn_v',
  o: 'attn_output',
  gate: 'ffn_gate',
  up: 'ffn_up',
  down: 'ffn_down',
};

/** GGUF, as llama.cpp writes Llama, Mistral and Qwen2; in GPT-2, q, k and v are one matrix. */
const GGUF: Layout = {
  embedding: 'token_embd.weight',
  prefixes: [''],
  head: 'output.weight',
  part(config, part) {
    const { hidden } = config;
    const shape = partShape(config, part);
    const ending = part.of === 'weight' || !/bias/i.test(part.of) ? 'weight' : 'bias';
    switch (part.of) {
      case 'positions':
        return {
          name: 'position_embd.weight',
          shape: [config.positions, hidden],
          take: (cells) => rowsFrom(cells, hidden, 0, config.context),
        };
      case 'finalNorm':
      case 'finalNormBias':
        return { name: `output_norm.${ending}`, shape };
      case 'attentionNorm':
      case 'attentionNormBias':
        return { name: `blk.${part.layer}.attn_norm.${ending}`, shape };
      case 'feedForwardNorm':
      case 'feedForwardNormBias':
        return { name: `blk.${part.layer}.ffn_norm.${ending}`, shape };
      case 'weight':
      case 'bias':
        return ggufMatrix(config, part, shape);
    }
  },
};

function ggufMatrix(
  config: DecoderConfig,
  part: Extract<Part, { matrix: BlockMatrix }>,
  shape: readonly number[],
): StoredPart {
  const { hidden } = config;
  const third = ['q', 'k', 'v'].indexOf(part.matrix);
  if (config.positions > 0 && third >= 0) {
    const length = part.of === 'weight' ? hidden * hidden : hidden;
    return {
      name: `blk.${part.layer}.attn_qkv.${part.of}`,
      shape: part.of === 'weight' ? [3 * hidden, hidden] : [3 * hidden],
      take: (cells) => cells.slice(third * length, (third + 1) * length),
    };
  }
  return { name: `blk.${part.layer}.${GGUF_MATRICES[part.matrix]}.${part.of}`, shape };
}

const LAYOUTS: readonly Layout[] = [LLAMA, OPT, GPT2, GGUF];

/** The locations of a model's parts, and the other known tensors. */
export interface FoundLayout {
  stored(config: DecoderConfig, part: Part): StoredPart;
  isSpare(name: string): boolean;
}

/** The layout of a file with these tensor names; that of Llama by default. */
export function findLayout(names: ReadonlySet<string>): FoundLayout {
  for (const layout of LAYOUTS) {
    const prefix = layout.prefixes.find((one) => names.has(one + layout.embedding));
    if (prefix !== undefined) return foundLayout(layout, prefix);
  }
  return foundLayout(LLAMA, LLAMA.prefixes[0]);
}

function foundLayout(layout: Layout, prefix: string): FoundLayout {
  return {
    stored(config, part) {
      if (part.of === 'head') return { name: layout.head, shape: partShape(config, part) };
      if (part.of === 'embedding') return { name: prefix + layout.embedding, shape: partShape(config, part) };
      const stored = layout.part(config, part);
      return { ...stored, name: prefix + stored.name };
    },
    // A copy of a tied embedding is spare.
    isSpare: (name) => name === layout.head || layout.spare?.test(name) === true,
  };
}

function rowsFrom(cells: Float32Array, cols: number, first: number, rows: number): Float32Array {
  return cells.slice(first * cols, (first + rows) * cols);
}

/** `count` columns of a matrix, from `first` on, as the rows of another. */
function turned(cells: Float32Array, rows: number, cols: number, first: number, count: number): Float32Array {
  const to = new Float32Array(rows * count);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < count; c++) to[c * rows + r] = cells[r * cols + first + c];
  }
  return to;
}

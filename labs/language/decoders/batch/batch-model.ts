import {
  activated,
  blockMatrices,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  checkToken,
  type DecoderConfig,
  type DecoderWeights,
  firstVisible,
  isRotary,
  type MatrixInput,
} from '../decoder.ts';
import { type PackedNumbers, packedOf, widenedPart } from '../packed-numbers.ts';
import { TOKEN_GROUP, openProducts, type Products } from '../../../../src/core/wasm/product.ts';
import { rotaryTable } from '../rotary.ts';

/** A matrix in memory with a column for each of `tokens`: row r of token t is at `offset` + r * width + t. */
export interface Columns {
  readonly memory: Float32Array;
  readonly offset: number;
  readonly rows: number;
  readonly width: number;
  readonly tokens: number;
}

/** The number of columns of a product for this many tokens: the next multiple of TOKEN_GROUP. */
const paddedTokens = (tokens: number): number => TOKEN_GROUP * Math.ceil(tokens / TOKEN_GROUP);

/** Tokens whose attention is computed at once. */
const ATTENTION_TOKENS = 64;
/** Tokens whose logits are computed at once. */
const LOGIT_TOKENS = 32;
/** Maximum f32 numbers in memory, most of them weights: measuring larger models this way is too slow. */
const MAX_FLOATS = 2 ** 28;

/**
 * A model on the CPU that works on many tokens at a time: all of one text, or the next one of several texts. Each token
 * is a column. Weights are f32, and so is the arithmetic, except for the sums of norms, angles and softmax in f64. In
 * products out = a x, `aRow`, `aCol`, `xRow` and `outRow` are strides: distances between neighbouring rows or columns.
 */
export class BatchModel {
  readonly config: DecoderConfig;
  /** maximum number of columns, a multiple of 8 */
  readonly width: number;
  /** maximum number of texts that are written at once */
  readonly texts: number;
  readonly #products: Products;
  // The offsets of matrices in the memory of `#products`, as numbers of f32. A matrix of activations has `width` columns.
  /** by block: the weights of each matrix, row after row */
  readonly #matricesAt: readonly Readonly<Record<BlockMatrix, number>>[];
  /** the weights of lm_head */
  readonly #head: number;
  readonly #residual: number;
  /** the normalised residual stream, from which q, k and v, gate and up, and the logits are computed */
  readonly #normed: number;
  readonly #query: number;
  readonly #key: number;
  readonly #value: number;
  /** the output of attention, from which o is computed */
  readonly #attended: number;
  /** the output of gate (of up in a model without gate), later the hidden neurons, from which down is computed */
  readonly #gate: number;
  readonly #up: number;
  /** the output of o or down, before it is added to the residual stream */
  readonly #projected: number;
  /** for a whole text: scores of keys (rows) and queries (columns) of one head, later their weights */
  readonly #scores: number;
  /** logits of LOGIT_TOKENS tokens */
  readonly #logits: number;
  /** for texts that are written: keys, then values, by text, layer, position and column */
  readonly #cache: number;
  /** for texts that are written: the rotated queries that share a key, one per column; later their output */
  readonly #rotated: number;
  /** for texts that are written: scores of visible positions (rows) for these queries, later their weights */
  readonly #attention: number;
  /** cosine and sine by position and pair of columns (rotary.ts) */
  readonly #rotations: Float64Array;
  readonly #sums: Float64Array;
  readonly #max: Float64Array;
  #blocks: BlockWeights[] = [];
  #embedding: PackedNumbers = new Float32Array();
  #finalNorm: Float32Array = new Float32Array();
  #finalNormBias: Float32Array | undefined;
  /** learned positions */
  #positions: Float32Array | undefined;

  /**
   * `texts`: maximum number of texts that are written token by token, whose keys and values the model stores. Throws
   * RangeError for a model that is too large.
   */
  constructor(config: DecoderConfig, tokens: number, texts = 0) {
    this.config = config;
    const { hidden, intermediate, heads, kvHeads, headDim, vocabulary, layers, context } = config;
    this.width = paddedTokens(Math.max(1, tokens));
    this.texts = Math.min(texts, tokens);
    let floats = 0;
    const reserve = (length: number): number => {
      floats += length;
      return floats - length;
    };
    this.#matricesAt = Array.from({ length: layers }, () => {
      const offsets: Partial<Record<BlockMatrix, number>> = {};
      for (const name of blockMatrices(config)) {
        const [rows, cols] = blockMatrixShape(config, name);
        offsets[name] = reserve(rows * cols);
      }
      return offsets as Record<BlockMatrix, number>;
    });
    this.#head = reserve(vocabulary * hidden);
    const reserveColumns = (rows: number): number => reserve(rows * this.width);
    this.#residual = reserveColumns(hidden);
    this.#normed = reserveColumns(hidden);
    this.#query = reserveColumns(heads * headDim);
    this.#key = reserveColumns(kvHeads * headDim);
    this.#value = reserveColumns(kvHeads * headDim);
    this.#attended = reserveColumns(heads * headDim);
    this.#gate = reserveColumns(intermediate);
    this.#up = reserveColumns(intermediate);
    this.#projected = reserveColumns(hidden);
    this.#scores = reserveColumns(this.width);
    this.#logits = reserve(vocabulary * Math.min(LOGIT_TOKENS, this.width));
    const groupWidth = paddedTokens(heads / kvHeads);
    this.#cache = reserve(2 * this.texts * layers * context * kvHeads * headDim);
    this.#rotated = reserve(headDim * groupWidth);
    this.#attention = reserve(this.texts > 0 ? context * groupWidth : 0);
    if (floats > MAX_FLOATS) {
      throw new RangeError(`model: found ${floats} numbers to store, expected at most ${MAX_FLOATS} on the CPU`);
    }
    this.#products = openProducts(floats, Math.max(hidden, intermediate, heads * headDim, this.width, context));
    this.#rotations = rotaryTable(config, context);
    this.#sums = new Float64Array(Math.max(this.width, heads));
    this.#max = new Float64Array(this.width);
  }

  /** Copies the weights of a whole model. */
  setWeights(weights: DecoderWeights): void {
    this.#embedding = packedOf(weights, 'embedding');
    this.#finalNorm = weights.finalNorm;
    this.#finalNormBias = weights.finalNormBias;
    this.#positions = weights.positions;
    this.#products.memory.set(weights.head, this.#head);
    for (const [layer, block] of weights.blocks.entries()) this.setBlock(layer, block);
  }

  setBlock(layer: number, block: BlockWeights): void {
    this.#blocks[layer] = block;
    for (const name of blockMatrices(this.config))
      this.#products.memory.set(block.matrices[name], this.#matricesAt[layer][name]);
  }

  /** The residual stream: a caller may save it and write it back. */
  stream(tokens: number): Columns {
    const { memory } = this.#products;
    return { memory, offset: this.#residual, rows: this.config.hidden, width: this.width, tokens };
  }

  /**
   * Begins a pass with the embeddings of `ids` at `positions`; default: the positions of one text from its beginning.
   * Throws RangeError for an id outside the vocabulary.
   */
  embed(ids: ArrayLike<number>, positions?: readonly number[]): void {
    const { hidden } = this.config;
    const { memory } = this.#products;
    if (ids.length > this.width) throw new RangeError(`tokens: found ${ids.length}, expected at most ${this.width}`);
    memory.fill(0, this.#residual, this.#residual + hidden * this.width);
    for (let t = 0; t < ids.length; t++) {
      const id = ids[t];
      checkToken(id, this.config);
      const embedding = widenedPart(this.#embedding, id * hidden, (id + 1) * hidden);
      for (let r = 0; r < hidden; r++) memory[this.#residual + r * this.width + t] = embedding[r];
      if (!this.#positions) continue;
      const row = (positions?.[t] ?? t) * hidden;
      for (let r = 0; r < hidden; r++) memory[this.#residual + r * this.width + t] += this.#positions[row + r];
    }
  }

  /** Passes one text through a block, with its tokens in order from position 0. */
  throughBlock(layer: number, tokens: number): void {
    this.#throughBlock(layer, tokens, undefined, () => this.#rotateAndAttend(tokens));
  }

  /**
   * Reports the inputs of a block's matrices for one text. The residual stream is then the stream after attention, not
   * after the block.
   */
  inputsOfBlock(layer: number, tokens: number, onInput: (name: MatrixInput, numbers: Columns) => void): void {
    this.#throughBlock(layer, tokens, onInput, () => this.#rotateAndAttend(tokens));
  }

  #rotateAndAttend(tokens: number): void {
    if (isRotary(this.config)) {
      this.#rotateText(this.#query, this.config.heads, tokens);
      this.#rotateText(this.#key, this.config.kvHeads, tokens);
    }
    this.#attendText(tokens);
  }

  /** Rotated keys, and values, of the text that last went through a block; valid until the next block. */
  keysAndValues(tokens: number): { readonly keys: Columns; readonly values: Columns } {
    const { memory } = this.#products;
    const { kvHeads, headDim } = this.config;
    const numbers = { memory, rows: kvHeads * headDim, width: this.width, tokens };
    return { keys: { ...numbers, offset: this.#key }, values: { ...numbers, offset: this.#value } };
  }

  /** Passes the next token of several texts through a block: column t is at positions[t] of text texts[t]. */
  nextThroughBlock(layer: number, positions: readonly number[], texts: readonly number[]): void {
    this.#throughBlock(layer, positions.length, undefined, () => {
      for (let t = 0; t < positions.length; t++) this.#attendNext(layer, t, positions[t], texts[t]);
    });
  }

  #throughBlock(
    layer: number,
    tokens: number,
    onInput: ((name: MatrixInput, numbers: Columns) => void) | undefined,
    attend: () => void,
  ): void {
    const { hidden, intermediate, heads, headDim, gated, activation } = this.config;
    const block = this.#blocks[layer];
    const columns = paddedTokens(tokens);
    const { memory } = this.#products;
    const report = (name: MatrixInput, offset: number, rows: number): void =>
      onInput?.(name, { memory, offset, rows, width: this.width, tokens });

    this.#norm(block.attentionNorm, columns, block.normBiases?.attention);
    report('q', this.#normed, hidden);
    this.#multiply(layer, 'q', this.#normed, this.#query, columns);
    this.#multiply(layer, 'k', this.#normed, this.#key, columns);
    this.#multiply(layer, 'v', this.#normed, this.#value, columns);
    attend();
    report('o', this.#attended, heads * headDim);
    this.#multiply(layer, 'o', this.#attended, this.#projected, columns);
    this.#add(columns);

    this.#norm(block.feedForwardNorm, columns, block.normBiases?.feedForward);
    report('gate', this.#normed, hidden);
    this.#multiply(layer, gated ? 'gate' : 'up', this.#normed, this.#gate, columns);
    if (gated) this.#multiply(layer, 'up', this.#normed, this.#up, columns);
    for (let r = 0; r < intermediate; r++) {
      const gate = this.#gate + r * this.width;
      const up = this.#up + r * this.width;
      for (let t = 0; t < columns; t++) {
        const neuron = activated(activation, memory[gate + t]);
        memory[gate + t] = gated ? neuron * memory[up + t] : neuron;
      }
    }
    report('down', this.#gate, intermediate);
    // All requested inputs have been reported now.
    if (onInput) return;
    this.#multiply(layer, 'down', this.#gate, this.#projected, columns);
    this.#add(columns);
  }

  /**
   * Logits after every token of the pass: `visit` receives a batch at a time, from token `first` on; the logit of id i
   * for token t is number i of column t - first.
   */
  logits(tokens: number, visit: (numbers: Columns, first: number) => void): void {
    const { hidden, vocabulary } = this.config;
    const { memory } = this.#products;
    this.#norm(this.#finalNorm, paddedTokens(tokens), this.#finalNormBias);
    const width = Math.min(LOGIT_TOKENS, this.width);
    for (let first = 0; first < tokens; first += width) {
      const count = Math.min(width, tokens - first);
      this.#products.multiply({
        out: this.#logits,
        a: this.#head,
        x: this.#normed + first,
        rows: vocabulary,
        cols: hidden,
        tokens: paddedTokens(count),
        aRow: hidden,
        aCol: 1,
        xRow: this.width,
        outRow: width,
      });
      visit({ memory, offset: this.#logits, rows: vocabulary, width, tokens: count }, first);
    }
  }

  /** Writes the norm of the stream times `weight` to `normed`. */
  #norm(weight: Float32Array, columns: number, bias?: Float32Array): void {
    const { hidden, normEps } = this.config;
    const { memory } = this.#products;
    if (bias) return this.#layerNorm(weight, bias, columns);
    const sums = this.#sums.fill(0, 0, columns);
    for (let r = 0; r < hidden; r++) {
      const row = this.#residual + r * this.width;
      for (let t = 0; t < columns; t++) sums[t] += memory[row + t] * memory[row + t];
    }
    for (let t = 0; t < columns; t++) sums[t] = 1 / Math.sqrt(sums[t] / hidden + normEps);
    for (let r = 0; r < hidden; r++) {
      const source = this.#residual + r * this.width;
      const target = this.#normed + r * this.width;
      const w = weight[r];
      for (let t = 0; t < columns; t++) memory[target + t] = memory[source + t] * sums[t] * w;
    }
  }

  /** As `#norm` for a layer norm: of the difference from the mean, with a bias. */
  #layerNorm(weight: Float32Array, bias: Float32Array, columns: number): void {
    const { hidden, normEps } = this.config;
    const { memory } = this.#products;
    for (let t = 0; t < columns; t++) {
      let mean = 0;
      for (let r = 0; r < hidden; r++) mean += memory[this.#residual + r * this.width + t];
      mean /= hidden;
      let squares = 0;
      for (let r = 0; r < hidden; r++) squares += (memory[this.#residual + r * this.width + t] - mean) ** 2;
      const factor = 1 / Math.sqrt(squares / hidden + normEps);
      for (let r = 0; r < hidden; r++) {
        const index = r * this.width + t;
        memory[this.#normed + index] = (memory[this.#residual + index] - mean) * factor * weight[r] + bias[r];
      }
    }
  }

  /** Multiplies a matrix of a block by the columns at offset `x`, adds its bias, and writes the result to offset `out`. */
  #multiply(layer: number, name: BlockMatrix, x: number, out: number, columns: number): void {
    const [rows, cols] = blockMatrixShape(this.config, name);
    const a = this.#matricesAt[layer][name];
    const { width } = this;
    this.#products.multiply({
      out,
      a,
      x,
      rows,
      cols,
      tokens: columns,
      aRow: cols,
      aCol: 1,
      xRow: width,
      outRow: width,
    });
    const bias = this.#blocks[layer].biases[name];
    if (!bias) return;
    const { memory } = this.#products;
    for (let r = 0; r < rows; r++) {
      for (let t = 0, offset = out + r * width; t < columns; t++) memory[offset + t] += bias[r];
    }
  }

  /** Adds the output of o or down to the residual stream. */
  #add(columns: number): void {
    const { memory } = this.#products;
    for (let r = 0; r < this.config.hidden; r++) {
      const target = this.#residual + r * this.width;
      const source = this.#projected + r * this.width;
      for (let t = 0; t < columns; t++) memory[target + t] += memory[source + t];
    }
  }

  /** Rotates the pairs of every head of the queries or keys at `offset`, for a whole text (rotary positions). */
  #rotateText(offset: number, heads: number, tokens: number): void {
    const { headDim, rotary } = this.config;
    const { memory } = this.#products;
    const halfDim = headDim / 2;
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < halfDim; i++) {
        const firstColumn = rotary.pairing === 'halves' ? i : 2 * i;
        const secondColumn = rotary.pairing === 'halves' ? i + halfDim : 2 * i + 1;
        const firstRow = offset + (head * headDim + firstColumn) * this.width;
        const secondRow = offset + (head * headDim + secondColumn) * this.width;
        for (let t = 0, tableIndex = 2 * i; t < tokens; t++, tableIndex += headDim) {
          const x = memory[firstRow + t];
          const y = memory[secondRow + t];
          const cos = this.#rotations[tableIndex];
          const sin = this.#rotations[tableIndex + 1];
          memory[firstRow + t] = x * cos - y * sin;
          memory[secondRow + t] = x * sin + y * cos;
        }
      }
    }
  }

  /** Computes the attention of every token of a text to the tokens up to itself. */
  #attendText(tokens: number): void {
    const { heads, kvHeads, headDim, window = Number.POSITIVE_INFINITY } = this.config;
    const { width } = this;
    const { memory } = this.#products;
    const columns = paddedTokens(tokens);
    const scale = 1 / Math.sqrt(headDim);
    const sums = this.#sums;
    const max = this.#max;
    for (let head = 0; head < heads; head++) {
      const kvOffset = Math.floor((head * kvHeads) / heads) * headDim * width;
      const headOffset = head * headDim * width;
      const scores = this.#scores;
      for (let first = 0; first < columns; first += ATTENTION_TOKENS) {
        const end = Math.min(columns, first + ATTENTION_TOKENS);
        // scores[s, t] = k[., s] . q[., t]
        this.#products.multiply({
          out: scores + first,
          a: this.#key + kvOffset,
          x: this.#query + headOffset + first,
          rows: end,
          cols: headDim,
          tokens: end - first,
          aRow: 1,
          aCol: width,
          xRow: width,
          outRow: width,
        });
        // The largest visible score of each token, for softmax.
        max.fill(Number.NEGATIVE_INFINITY, first, end);
        sums.fill(0, first, end);
        for (let s = 0; s < end; s++) {
          const visibleEnd = Math.min(end, s + window);
          for (let t = Math.max(s, first), row = scores + s * width; t < visibleEnd; t++)
            if (memory[row + t] > max[t]) max[t] = memory[row + t];
        }
        // exp(score - max) replaces each score; dividing by the sum comes last.
        for (let s = 0; s < end; s++) {
          const row = scores + s * width;
          const source = Math.max(s, first);
          const visibleEnd = Math.max(first, Math.min(end, s + window));
          // A token attends neither to later tokens nor to tokens before its window.
          memory.fill(0, row + first, row + source);
          memory.fill(0, row + visibleEnd, row + end);
          for (let t = source; t < visibleEnd; t++) {
            const weight = Math.exp((memory[row + t] - max[t]) * scale);
            memory[row + t] = weight;
            sums[t] += weight;
          }
        }
        // attended[., t] = the sum over s of value[., s] * weight[s, t]
        this.#products.multiply({
          out: this.#attended + headOffset + first,
          a: this.#value + kvOffset,
          x: scores + first,
          rows: headDim,
          cols: end,
          tokens: end - first,
          aRow: width,
          aCol: 1,
          xRow: width,
          outRow: width,
        });
      }
      for (let c = 0; c < headDim; c++) {
        for (let t = 0, row = this.#attended + headOffset + c * width; t < columns; t++) memory[row + t] /= sums[t];
      }
    }
  }

  /**
   * Computes the attention of the token in column `t`, which is at `position` of text number `text`, and appends its key
   * and value to the cache of this text.
   */
  #attendNext(layer: number, t: number, position: number, text: number): void {
    const { heads, kvHeads, headDim, context, layers, rotary } = this.config;
    const { memory } = this.#products;
    const { width } = this;
    const halfDim = headDim / 2;
    const kvDim = kvHeads * headDim;
    const keys = this.#cache + 2 * (text * layers + layer) * context * kvDim;
    const values = keys + context * kvDim;
    const group = heads / kvHeads;
    const columns = paddedTokens(group);
    const hasRotation = isRotary(this.config);
    /** Rotates the pairs of the head at `source`, and writes its number c to `target` + c * `step`. */
    const rotate = (source: number, target: number, step: number): void => {
      for (let i = 0; i < halfDim; i++) {
        const firstColumn = rotary.pairing === 'halves' ? i : 2 * i;
        const secondColumn = rotary.pairing === 'halves' ? i + halfDim : 2 * i + 1;
        const x = memory[source + firstColumn * width + t];
        const y = memory[source + secondColumn * width + t];
        const cos = hasRotation ? this.#rotations[position * headDim + 2 * i] : 1;
        const sin = hasRotation ? this.#rotations[position * headDim + 2 * i + 1] : 0;
        memory[target + firstColumn * step] = x * cos - y * sin;
        memory[target + secondColumn * step] = x * sin + y * cos;
      }
    };
    const first = firstVisible(this.config, position);
    const visibleCount = position + 1 - first;
    const scale = 1 / Math.sqrt(headDim);
    for (let c = 0; c < kvDim; c++) memory[values + position * kvDim + c] = memory[this.#value + c * width + t];
    for (let kv = 0; kv < kvHeads; kv++) {
      rotate(this.#key + kv * headDim * width, keys + position * kvDim + kv * headDim, 1);
      // The heads that share a key are the columns of a product.
      for (let j = 0; j < group; j++)
        rotate(this.#query + (kv * group + j) * headDim * width, this.#rotated + j, columns);
      this.#products.multiply({
        out: this.#attention,
        a: keys + first * kvDim + kv * headDim,
        x: this.#rotated,
        rows: visibleCount,
        cols: headDim,
        tokens: columns,
        aRow: kvDim,
        aCol: 1,
        xRow: columns,
        outRow: columns,
      });
      for (let j = 0; j < group; j++) {
        let max = Number.NEGATIVE_INFINITY;
        for (let s = 0, offset = this.#attention + j; s < visibleCount; s++, offset += columns)
          if (memory[offset] > max) max = memory[offset];
        let sum = 0;
        for (let s = 0, offset = this.#attention + j; s < visibleCount; s++, offset += columns) {
          const weight = Math.exp((memory[offset] - max) * scale);
          memory[offset] = weight;
          sum += weight;
        }
        this.#sums[j] = sum;
      }
      this.#products.multiply({
        out: this.#rotated,
        a: values + first * kvDim + kv * headDim,
        x: this.#attention,
        rows: headDim,
        cols: visibleCount,
        tokens: columns,
        aRow: 1,
        aCol: kvDim,
        xRow: columns,
        outRow: columns,
      });
      for (let j = 0; j < group; j++) {
        const target = this.#attended + (kv * group + j) * headDim * width + t;
        for (let c = 0; c < headDim; c++)
          memory[target + c * width] = memory[this.#rotated + c * columns + j] / this.#sums[j];
      }
    }
  }
}

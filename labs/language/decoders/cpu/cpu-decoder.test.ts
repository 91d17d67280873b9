// The decoder on the CPU, compared with the oracle (an independent decoder in f64).

import { describe, expect, it } from 'vitest';
import {
  allOf,
  OTHER_CONFIGS,
  randomIds,
  randomWeights,
  relativeError,
  TINY_CONFIGS,
  tinyConfig,
} from '../../test/decoders.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import { denseMatrix, type Matrix } from '../../../../src/core/matrix/index.ts';
import { threadPace } from '../../../../src/core/pace.ts';
import { formats } from '../../../../src/formats/registry.ts';
import { type AnyFormat, defaultParams } from '../../../../src/core/format.ts';
import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape, type BlockWeights, type OnInput } from '../decoder.ts';
import { oracleLogits } from '../oracle/oracle.ts';
import { cpuDecoder } from './cpu-decoder.ts';
import { denseProduct } from './dense-product.ts';

const ALL_CONFIGS = [...TINY_CONFIGS, ...OTHER_CONFIGS];
const CONFIG = tinyConfig();
const WEIGHTS = randomWeights(CONFIG, 1);
function exactParams(format: AnyFormat): Record<string, unknown> {
  return { ...defaultParams<Record<string, unknown>>(format.params), valueType: 'f32' };
}

function matrixOf(name: BlockMatrix, matrices: BlockWeights['matrices']): Matrix {
  return denseMatrix(...blockMatrixShape(CONFIG, name), matrices[name]);
}

/** The formats that store values in f32 and support matrices without zeros. */
const F32_FORMATS = formats.filter((format) => {
  const { valueType } = format.params;
  const options = valueType && 'options' in valueType ? valueType.options : [];
  return (
    options.some(({ value }: { readonly value: unknown }) => value === 'f32') &&
    BLOCK_MATRICES.every((name) => format.admits(matrixOf(name, WEIGHTS.blocks[0].matrices), exactParams(format)).ok)
  );
});

const GREEDY = { temperature: 0, seed: 0 };

describe('the decoder on the CPU', () => {
  it.each(ALL_CONFIGS)('agrees with the oracle: $name', async (config) => {
    const weights = randomWeights(config, 2);
    const ids = randomIds(config, 40, 3);
    const logits = await cpuDecoder(config, weights).feed(ids);
    expect(relativeError(logits, oracleLogits(config, weights, ids))).toBeLessThan(1e-5);
  });

  it.each(ALL_CONFIGS)('computes the same bits for several tokens at once: $name', async (config) => {
    const weights = randomWeights(config, 4);
    const ids = randomIds(config, 37, 5);
    const atOnce = await cpuDecoder(config, weights).feed(ids);
    const decoder = cpuDecoder(config, weights);
    for (const [position, id] of ids.entries()) {
      const logits = await decoder.feed([id]);
      expect(logits).toEqual(atOnce.subarray(position * config.vocabulary, (position + 1) * config.vocabulary));
    }
    expect(decoder.length).toBe(37);
  });

  it('rewind forgets all later tokens', async () => {
    const decoder = cpuDecoder(CONFIG, WEIGHTS);
    await decoder.feed([5, 6, 7, 8, 9]);
    decoder.rewind(2);
    expect(decoder.length).toBe(2);
    const logits = await decoder.feed([20, 21]);
    const expected = await cpuDecoder(CONFIG, WEIGHTS).feed([5, 6, 20, 21]);
    expect(logits).toEqual(expected.subarray(2 * CONFIG.vocabulary));
    expect(() => decoder.rewind(5)).toThrow(
      new RangeError('rewind: found 5, expected a whole number up to the 4 tokens fed'),
    );
  });

  it.each(F32_FORMATS)('changes nothing at density 1 through the products of $id', async (format) => {
    const encoded = WEIGHTS.blocks.map(
      ({ matrices }) =>
        new Map(
          BLOCK_MATRICES.map((name) => [name, format.encode(matrixOf(name, matrices), exactParams(format)) as unknown]),
        ),
    );
    const products = (layer: number, name: BlockMatrix) => (x: Float32Array, y: Float32Array) =>
      format.multiply(encoded[layer].get(name), x, y);
    const ids = randomIds(CONFIG, 20, 6);
    const logits = await cpuDecoder(CONFIG, WEIGHTS, { products }).feed(ids);
    expect(logits).toEqual(await cpuDecoder(CONFIG, WEIGHTS).feed(ids));
  });

  it('passes the same inputs of matrices to its observer as the oracle', async () => {
    const inputs = new Map<string, Float32Array>();
    const onInput: OnInput<Float32Array> = (layer, input, x, position) => {
      inputs.set(`${layer} ${input} ${position}`, x.slice());
    };
    const ids = randomIds(CONFIG, 6, 7);
    await cpuDecoder(CONFIG, WEIGHTS, { onInput }).feed(ids);
    let compared = 0;
    oracleLogits(CONFIG, WEIGHTS, ids, (layer, input, x, position) => {
      expect(relativeError(inputs.get(`${layer} ${input} ${position}`) ?? [], x)).toBeLessThan(1e-5);
      compared++;
    });
    expect(compared).toBe(inputs.size);
    expect(compared).toBe(CONFIG.layers * 4 * ids.length);
  });

  it('writes the most probable tokens at temperature 0', async () => {
    const decoder = cpuDecoder({ ...CONFIG, eos: [] }, WEIGHTS);
    const written = await allOf(decoder.write(3, 8, GREEDY));
    expect(written.length).toBe(8);
    const logits = oracleLogits(CONFIG, WEIGHTS, [3, ...written]);
    for (const [position, id] of written.entries()) {
      const row = logits.subarray(position * CONFIG.vocabulary, (position + 1) * CONFIG.vocabulary);
      expect(row.indexOf(Math.max(...row))).toBe(id);
    }
    // The last one was drawn, not fed.
    expect(decoder.length).toBe(8);
  });

  it('stops writing after eos, and at the end of the context', async () => {
    const free = await allOf(cpuDecoder({ ...CONFIG, eos: [] }, WEIGHTS).write(3, 8, GREEDY));
    const end = free.findIndex((id, i) => i > 0 && !free.slice(0, i).includes(id));
    const ended = await allOf(cpuDecoder({ ...CONFIG, eos: [free[end]] }, WEIGHTS).write(3, 8, GREEDY));
    expect(ended).toEqual(free.slice(0, end + 1));
    const short = await allOf(cpuDecoder({ ...CONFIG, eos: [], context: 5 }, WEIGHTS).write(3, 8, GREEDY));
    expect(short).toEqual(free.slice(0, 5));
  });

  it('rejects ids outside the vocabulary, and more tokens than the context', async () => {
    const decoder = cpuDecoder({ ...CONFIG, context: 4 }, WEIGHTS);
    const rejection = new RangeError('token 53: expected a whole number below 53');
    await expect(decoder.feed([53])).rejects.toThrow(rejection);
    expect(() => oracleLogits(CONFIG, WEIGHTS, [53])).toThrow(rejection);
    await decoder.feed([1, 2]);
    await expect(decoder.feed([1, 2, 3])).rejects.toThrow(
      new RangeError('found 5 tokens, expected at most the context of 4'),
    );
    expect(decoder.length).toBe(2);
  });

  it('rejects a second feed before the first has ended', async () => {
    const decoder = cpuDecoder(CONFIG, WEIGHTS);
    const first = decoder.feed([1, 2, 3]);
    await expect(decoder.feed([4])).rejects.toThrow('found tokens being fed, expected the last feed to have ended');
    expect((await first).length).toBe(3 * CONFIG.vocabulary);
  });

  it('stops when its job is cancelled or it is destroyed, and the sequence is unchanged', async () => {
    const job = { cancelled: false };
    let calls = 0;
    const onInput = () => {
      if (++calls === 60) job.cancelled = true;
    };
    const decoder = cpuDecoder(CONFIG, WEIGHTS, { job, onInput });
    await decoder.feed([1, 2]);
    await expect(decoder.feed(randomIds(CONFIG, 30, 8))).rejects.toThrow(CancelledError);
    expect(decoder.length).toBe(2);
    job.cancelled = false;
    const feeding = decoder.feed([3]);
    decoder.destroy();
    await expect(feeding).rejects.toThrow(CancelledError);
    await expect(decoder.feed([3])).rejects.toThrow(CancelledError);
  });

  it('lets other tasks of its thread run meanwhile', async () => {
    const config = tinyConfig({ hidden: 128, intermediate: 512, heads: 4, headDim: 32, context: 256 });
    const feeding = cpuDecoder(config, randomWeights(config, 9)).feed(randomIds(config, 256, 10));
    let isOver = false;
    void feeding.then(() => {
      isOver = true;
    });
    let pauses = 0;
    while (!isOver) {
      await threadPace.pause();
      pauses++;
    }
    expect(pauses).toBeGreaterThan(5);
  });
});

describe('the dense product', () => {
  it('computes the same bits for any number of tokens at once', () => {
    const [rows, cols, tokens] = [11, 13, 7];
    const config = tinyConfig({ hidden: cols, vocabulary: rows });
    const w = randomWeights(config, 11).head;
    const x = randomWeights(config, 12).head.subarray(0, tokens * cols);
    const allRows = new Float32Array(tokens * rows);
    denseProduct(w, rows, cols, x, allRows, tokens);
    const expected = Float32Array.from(allRows, (_, i) => {
      const [row, token] = [i % rows, Math.floor(i / rows)];
      let sum = 0;
      for (let c = 0; c < cols; c++) sum += w[row * cols + c] * x[token * cols + c];
      return sum;
    });
    expect(allRows).toEqual(expected);
    const inTwoSlices = new Float32Array(tokens * rows);
    denseProduct(w, rows, cols, x, inTwoSlices, tokens, 0, 5);
    denseProduct(w, rows, cols, x, inTwoSlices, tokens, 5, rows);
    expect(inTwoSlices).toEqual(expected);
  });
});

// Pruning of whole models by magnitude, Wanda and N:M, and rounding to a value type.

import { describe, expect, test } from 'vitest';
import { randomWeights, tinyConfig } from '../../test/decoders.ts';
import { finish, type Steps } from '../../../../src/core/job.ts';
import { denseMatrix, toDense } from '../../../../src/core/matrix/index.ts';
import { i8Scale, roundToF16 } from '../../../../src/core/number/index.ts';
import { pruneByMagnitude, pruneByWandaSteps } from '../../../../src/generate/prune.ts';
import { formatById } from '../../../../src/formats/registry.ts';
import { defaultParams } from '../../../../src/core/format.ts';
import {
  BLOCK_MATRICES,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  type DecoderWeights,
} from '../decoder.ts';
import { evenDensities, type ModelPruning, type Recipe, recipeKey, type StoredType } from './recipe.ts';
import { type Calibration, type InputNorms, pruneAndRoundSteps } from './prune-and-round.ts';

const config = tinyConfig({ hidden: 32, intermediate: 64, headDim: 16 });
const weights = randomWeights(config, 1);
// Weights that f16 represents, as in a file of f16.
for (const { matrices } of weights.blocks) {
  for (const name of BLOCK_MATRICES) matrices[name].forEach((cell, i) => (matrices[name][i] = roundToF16(cell)));
}
// Zeros of both signs are weights too.
weights.blocks[0].matrices.q.set([0, -0], 5);

/** Norms that differ by layer, matrix and column, and a log of the requests. */
function fakeCalibration(log: string[] = []): Calibration {
  return {
    *norms(layer, block): Steps<InputNorms> {
      yield { what: 'Measuring', done: 0, total: 1 };
      log.push(`norms ${layer} ${block === weights.blocks[layer] ? 'unpruned' : 'pruned'}`);
      const norms: Partial<Record<BlockMatrix, Float32Array>> = {};
      for (const [kind, name] of BLOCK_MATRICES.entries()) {
        const [, cols] = blockMatrixShape(config, name);
        norms[name] = Float32Array.from({ length: cols }, (_, c) => 0.2 + ((c * 7 + kind + 3 * layer) % 11));
      }
      return norms as InputNorms;
    },
    *advance(layer: number, block: BlockWeights): Steps<void> {
      yield { what: 'Moving on', done: 0, total: 1 };
      log.push(`advance ${layer} ${block === weights.blocks[layer] ? 'unpruned' : 'pruned'}`);
    },
  };
}

/** The model of `weights`, pruned and rounded. */
function prunedModel(pruning: ModelPruning, valueType: StoredType = 'f16'): DecoderWeights {
  return finish(pruneAndRoundSteps(config, weights, { pruning, valueType }, fakeCalibration()));
}

/** Every matrix with its rows and columns. */
function matricesOf(model: DecoderWeights): { name: BlockMatrix; layer: number; cols: number; cells: Float32Array }[] {
  return model.blocks.flatMap((block, layer) =>
    BLOCK_MATRICES.map((name) => ({
      name,
      layer,
      cols: blockMatrixShape(config, name)[1],
      cells: block.matrices[name],
    })),
  );
}

const bitsOf = (cells: Float32Array): Uint32Array => new Uint32Array(cells.buffer, cells.byteOffset, cells.length);
const nonZeros = (cells: Float32Array): number => cells.reduce((sum, cell) => sum + (cell === 0 ? 0 : 1), 0);

describe('a whole model pruned', () => {
  test.each<ModelPruning>([
    { way: 'none' },
    { way: 'magnitude', density: 1 },
    { way: 'rows', density: 1 },
    { way: 'wanda', density: 1 },
    { way: 'random', density: 1, seed: 3 },
    { way: 'n-of-m', kept: 4, group: 4, by: 'magnitude' },
    { way: 'n-of-m', kept: 4, group: 4, by: 'wanda' },
  ])('density 1 changes nothing bit for bit: $way', (pruning) => {
    for (const { cells, layer, name } of matricesOf(prunedModel(pruning))) {
      expect(bitsOf(cells)).toEqual(bitsOf(weights.blocks[layer].matrices[name]));
    }
  });

  test('weights outside of the blocks’ matrices are shared, and the original weights stay unchanged', () => {
    const originalCells = weights.blocks[1].matrices.down.slice();
    const roundedModel = prunedModel({ way: 'magnitude', density: 0.3 }, 'i4');
    expect(roundedModel.embedding).toBe(weights.embedding);
    expect(roundedModel.head).toBe(weights.head);
    expect(roundedModel.blocks[1].feedForwardNorm).toBe(weights.blocks[1].feedForwardNorm);
    expect(weights.blocks[1].matrices.down).toEqual(originalCells);
    expect(roundedModel.blocks[1].matrices.down).not.toEqual(originalCells);
  });

  test.each([
    [2, 4],
    [4, 8],
    [6, 8],
    [14, 16],
  ])('%i:%i leaves as many weights in every group, by magnitude and by Wanda', (keptPerGroup, group) => {
    for (const method of ['magnitude', 'wanda'] as const) {
      for (const { cells } of matricesOf(prunedModel({ way: 'n-of-m', kept: keptPerGroup, group, by: method }))) {
        for (let start = 0; start < cells.length; start += group)
          expect(nonZeros(cells.subarray(start, start + group))).toBe(keptPerGroup);
      }
    }
  });

  test('N:M by Wanda keeps the largest products with the norms, not the largest weights', () => {
    const norms = finish(fakeCalibration().norms(0, weights.blocks[0]));
    const cells = prunedModel({ way: 'n-of-m', kept: 2, group: 4, by: 'wanda' }).blocks[0].matrices.gate;
    const unpruned = weights.blocks[0].matrices.gate;
    for (let start = 0; start < cells.length; start += 4) {
      const score = (i: number): number => Math.abs(unpruned[start + i]) * norms.gate[(start + i) % config.hidden];
      const bestCells = [0, 1, 2, 3].toSorted((a, b) => score(b) - score(a)).slice(0, 2);
      for (let i = 0; i < 4; i++) expect(cells[start + i]).toBe(bestCells.includes(i) ? unpruned[start + i] : 0);
    }
    expect(cells).not.toEqual(
      prunedModel({ way: 'n-of-m', kept: 2, group: 4, by: 'magnitude' }).blocks[0].matrices.gate,
    );
  });

  test('every row has the density by rows and by Wanda, and every matrix by magnitude and at random', () => {
    for (const method of ['rows', 'wanda'] as const) {
      for (const { cells, cols } of matricesOf(prunedModel({ way: method, density: 0.3 }))) {
        for (let start = 0; start < cells.length; start += cols) {
          expect(nonZeros(cells.subarray(start, start + cols))).toBe(Math.round(0.3 * cols));
        }
      }
    }
    const random = prunedModel({ way: 'random', density: 0.3, seed: 5 });
    for (const model of [prunedModel({ way: 'magnitude', density: 0.3 }), random]) {
      for (const { cells } of matricesOf(model)) expect(nonZeros(cells)).toBe(Math.round(0.3 * cells.length));
    }
    // No two matrices of one shape lose the same cells.
    const zerosOf = (cells: Float32Array): string => cells.map((cell) => (cell === 0 ? 0 : 1)).join('');
    const { gate, up } = random.blocks[0].matrices;
    expect(zerosOf(gate)).not.toBe(zerosOf(up));
  });

  test('pruning by magnitude and by Wanda equals pruning each matrix alone', () => {
    const cols = config.intermediate;
    const down = denseMatrix(config.hidden, cols, weights.blocks[1].matrices.down);
    expect(prunedModel({ way: 'magnitude', density: 0.4 }).blocks[1].matrices.down).toEqual(
      toDense(pruneByMagnitude(down, 0.4)),
    );
    const norms = finish(fakeCalibration().norms(1, weights.blocks[1]));
    expect(prunedModel({ way: 'wanda', density: 0.4 }).blocks[1].matrices.down).toEqual(
      toDense(finish(pruneByWandaSteps(down, 0.4, norms.down))),
    );
  });

  test('Wanda measures the inputs of a block after all earlier blocks were pruned', () => {
    const log: string[] = [];
    const recipe: Recipe = { pruning: { way: 'wanda', density: 0.5 }, valueType: 'f16' };
    finish(pruneAndRoundSteps(config, weights, recipe, fakeCalibration(log)));
    expect(log).toEqual(['norms 0 unpruned', 'advance 0 pruned', 'norms 1 unpruned']);
    expect(() => finish(pruneAndRoundSteps(config, weights, recipe))).toThrow('found no texts');
  });

  test('densities can differ by layer and kind', () => {
    const density = evenDensities(0.5, config.layers).map((layer, i) => ({ ...layer, down: i === 0 ? 1 : 0.25 }));
    const pruning: ModelPruning = { way: 'rows', density };
    const model = prunedModel(pruning);
    const down = config.hidden * config.intermediate;
    expect(nonZeros(model.blocks[0].matrices.down)).toBe(down);
    expect(nonZeros(model.blocks[1].matrices.down)).toBe(down / 4);
    expect(nonZeros(model.blocks[1].matrices.up)).toBe(down / 2);
    expect(recipeKey({ pruning, valueType: 'i4' })).not.toBe(
      recipeKey({ pruning: { way: 'rows', density: density.toReversed() }, valueType: 'i4' }),
    );
    expect(() => prunedModel({ way: 'rows', density: density.slice(1) })).toThrow('found 1 layers, expected 2');
    expect(() => prunedModel({ way: 'rows', density: 1.5 })).toThrow('density: found 1.5');
  });

  test('rounded values equal those that the dense format stores', () => {
    const dense = formatById('dense');
    for (const valueType of ['f16', 'i8', 'i4'] as const) {
      const params = { ...defaultParams(dense.params), valueType };
      for (const { cells, cols, layer, name } of matricesOf(prunedModel({ way: 'none' }, valueType))) {
        const unpruned = denseMatrix(cells.length / cols, cols, weights.blocks[layer].matrices[name]);
        // A zero has no sign where only non-zeros are decoded.
        expect(cells.map((cell) => cell + 0)).toEqual(toDense(dense.decode(dense.encode(unpruned, params))));
      }
    }
  });

  test('weights are quantised after pruning, with scales of the remaining weights', () => {
    const prunedCells = prunedModel({ way: 'rows', density: 0.5 }).blocks[0].matrices.up;
    const roundedModel = prunedModel({ way: 'rows', density: 0.5 }, 'i8').blocks[0].matrices.up;
    for (let start = 0; start < prunedCells.length; start += config.hidden) {
      const row = prunedCells.subarray(start, start + config.hidden);
      const scale = i8Scale(row, row.length);
      for (let c = 0; c < row.length; c++) {
        if (row[c] === 0) expect(roundedModel[start + c]).toBe(0);
        expect(Math.abs(roundedModel[start + c] - row[c])).toBeLessThanOrEqual((scale / 2) * (1 + 1e-5));
      }
    }
  });

  test('the same recipe returns the same bits', () => {
    for (const pruning of [
      { way: 'random', density: 0.4, seed: 9 },
      { way: 'wanda', density: 0.4 },
    ] as const) {
      const [a, b] = [prunedModel(pruning, 'i4'), prunedModel(pruning, 'i4')];
      expect(matricesOf(a).map(({ cells }) => bitsOf(cells))).toEqual(matricesOf(b).map(({ cells }) => bitsOf(cells)));
    }
    const otherSeed = prunedModel({ way: 'random', density: 0.4, seed: 10 });
    expect(otherSeed.blocks[0].matrices.q).not.toEqual(
      prunedModel({ way: 'random', density: 0.4, seed: 9 }).blocks[0].matrices.q,
    );
  });

  test('weights that cannot be stored are reported', () => {
    const { q } = weights.blocks[0].matrices;
    const brokenWeights = {
      ...weights,
      blocks: [{ ...weights.blocks[0], matrices: { ...weights.blocks[0].matrices, q: q.slice() } }, weights.blocks[1]],
    };
    brokenWeights.blocks[0].matrices.q[config.hidden + 3] = Number.NaN;
    const recipe: Recipe = { pruning: { way: 'none' }, valueType: 'i8' };
    expect(() => finish(pruneAndRoundSteps(config, brokenWeights, recipe))).toThrow('found NaN at row 1, column 3');
  });
});

test.each([
  ['f16', 70_000, '70000'],
  ['f16', -65_520, '-65520'],
  ['i4', 600_000, '600000'],
] as const)('%s rejects a weight of %d, which it would make infinite', (valueType, value, printed) => {
  const { matrices } = weights.blocks[0];
  const originalCells = matrices.q[33];
  matrices.q[33] = value;
  expect(() => prunedModel({ way: 'none' }, valueType)).toThrow(
    `weights: found ${printed} at row 1, column 1, expected values that ${valueType} can represent`,
  );
  matrices.q[33] = originalCells;
});

// The kernels that a chain (a decoder on the GPU) chooses for its matrices.

import { describe, expect, it } from 'vitest';
import { type EncodedMatrix, resolvedParams } from '../../../../src/core/format.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { denseMatrix } from '../../../../src/core/matrix/index.ts';
import { formatById } from '../../../../src/formats/registry.ts';
import { exampleDevice } from '../../../../src/gpu/index.ts';
import { chainMatrix, manyKernels } from './kernels.ts';
import { withConstantSizes } from './chain-plans.ts';

const facts = exampleDevice();
const matrix = denseMatrix(16, 16, new Float32Array(256).fill(1));

/** A format that also has kernels which round x to f16. */
const format = formatById('macko');
const kernels = format.kernels as readonly KernelSpec<EncodedMatrix>[];
const encoded: EncodedMatrix = format.encode(matrix, resolvedParams(format.params, {}, matrix));
const rounding = kernels.filter(({ id }) => /(?:spmv|gemm).*_x16$/.test(id));

describe('kernels of a chain', () => {
  it('do not include kernels that round x to f16', () => {
    const { oneToken, several } = chainMatrix(encoded, kernels, facts);
    expect(rounding.length).toBeGreaterThan(1);
    expect(rounding.map(({ id }) => id)).not.toContain(oneToken.spec.id);
    expect(rounding.map(({ id }) => id)).not.toContain(several?.spec.id);
  });

  it('include, for many tokens, each tile size of the matrix product', () => {
    const dense = formatById('dense');
    const tall = denseMatrix(4096, 4, new Float32Array(4096 * 4).fill(1));
    const stored: EncodedMatrix = dense.encode(tall, resolvedParams(dense.params, {}, tall));
    const tiles = manyKernels(stored, dense.kernels, facts).map(({ spec, chosen }) => [spec.id, chosen?.['tile rows']]);
    expect(tiles.slice(0, 2)).toEqual([128, 64].map((rows) => ['dense/gemm', rows]));
    expect(tiles).toContainEqual(['dense/gemm_split', undefined]);
  });

  it('have their sizes as constants in their text if the uniform contains only single words', () => {
    const cells = new Float32Array(256).map((_, i) => i % 2);
    const half = denseMatrix(16, 16, cells);
    const codes = (id: string): readonly [before: string, after: string] => {
      const chainFormat = formatById(id);
      const stored: EncodedMatrix = chainFormat.encode(half, resolvedParams(chainFormat.params, {}, half));
      const plan = chainMatrix(stored, chainFormat.kernels, facts).oneToken.spec.plan(stored, facts, {});
      const text = ({ passes }: typeof plan): string =>
        passes.flatMap(({ files }) => files.map((f) => f.code)).join('\n');
      return [text(plan), text(withConstantSizes(plan))];
    };
    const written = 'var<uniform> bound_params: Params; const params = Params(16u';
    for (const id of ['dense', 'csr', 'macko', 'bitmask', 'slidesparse']) {
      const [before, after] = codes(id);
      expect(after, id).toContain(written);
      expect(after.replaceAll(/bound_params: Params; const params = .*?;/g, 'params: Params;'), id).toBe(before);
    }
    const [before, after] = codes('ec-csr');
    expect(after).toBe(before);
  });
});

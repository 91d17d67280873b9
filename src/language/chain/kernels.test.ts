import { describe, expect, it } from 'vitest';
import { type EncodedMatrix, resolvedParams } from '../../core/format.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { formatById } from '../../formats/registry.ts';
import { standInDevice } from '../../gpu/index.ts';
import { chainMatrix, logitsBound } from './kernels.ts';
import { LOGITS_BOUND, ROUNDED_BOUND } from './kept-logits.ts';

const facts = standInDevice();
const matrix = denseMatrix(16, 16, new Float32Array(256).fill(1));

/** A format that has kernels with x in f16, and kernels for several tokens that round it. */
const format = formatById('macko');
const kernels = format.kernels as readonly KernelSpec<EncodedMatrix>[];
const encoded: EncodedMatrix = format.encode(matrix, resolvedParams(format.params, {}, matrix));
const rounding = kernels.filter(({ id }) => /(?:spmv|gemm).*_x16$/.test(id));

describe('kernels of a chain', () => {
  it('keep what they multiply as it is, unless somebody asks for others', () => {
    const { one, several } = chainMatrix(encoded, kernels, facts);
    expect(rounding.length).toBeGreaterThan(1);
    expect(rounding.map(({ id }) => id)).not.toContain(one.spec.id);
    expect(rounding.map(({ id }) => id)).not.toContain(several?.spec.id);
    expect(logitsBound(one, encoded, facts)).toBe(LOGITS_BOUND);
  });

  it.each(rounding.map((spec) => [spec.id, spec] as const))('%s stands in one that asks for it', (id, spec) => {
    const asked = spec.operation === 'spmv' ? { one: id } : { several: spec };
    const { one, several } = chainMatrix(encoded, kernels, facts, asked);
    const found = spec.operation === 'spmv' ? one : several;
    expect(found?.spec).toBe(spec);
    expect(logitsBound({ spec }, encoded, facts)).toBe(ROUNDED_BOUND);
  });

  it('that are asked for and are not there, or cannot run, are refused with the reason', () => {
    expect(() => chainMatrix(encoded, kernels, facts, { one: 'macko/other' })).toThrow(
      "spmv: found 'macko/other', expected one of macko/spmv",
    );
    expect(() => chainMatrix(encoded, kernels, facts, { several: kernels[0] })).toThrow(
      `${kernels[0].id}: found a kernel of 'spmv', expected one of 'gemm'`,
    );
    const needy = { ...kernels[0], features: ['chromium-of-tomorrow'] };
    expect(() => chainMatrix(encoded, kernels, facts, { one: needy })).toThrow(
      `${needy.id}: needs 'chromium-of-tomorrow'`,
    );
  });
});

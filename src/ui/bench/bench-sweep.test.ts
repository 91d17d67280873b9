import { describe, expect, it } from 'vitest';
import type { AnyFormat } from '../../core/format.ts';
import { formats } from '../../formats/registry.ts';
import { defaultDocument } from '../../state/index.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { createBenchForm, REFERENCE_FORMAT, withOperation } from './bench-form.ts';
import { SWEEP_DENSITIES, sweepChoice, sweepOffers, toSweep } from './bench-sweep.ts';
import type { StageShape } from './sweep-offer.ts';

const doc = defaultDocument({ ...CATALOG, formats });
const form = createBenchForm(formats).getState();
const stage: StageShape = { rows: 5, cols: 32, source: { kind: 'example', id: 'a' } };

/** Registered formats with kernels for gemm that they may not have yet. */
const withGemm: readonly AnyFormat[] = formats.map((f) =>
  f.id === REFERENCE_FORMAT || f.id === 'slidesparse'
    ? { ...f, kernels: [...f.kernels, { ...f.kernels[0], id: `${f.id}/gemm_fake`, operation: 'gemm' }] }
    : { ...f, kernels: f.kernels.filter((k) => k.operation === 'spmv') },
);

describe('sweepOffers(form, formats, device)', () => {
  it('are density, and every choice of the formats that run', () => {
    const ids = sweepOffers({ ...form, formats: ['macko'] }, formats, null, stage).map((o) => o.id);
    expect(ids).toEqual(['density', 'param macko deltaBits', 'param macko valueType']);
  });
  it('are also the sizes of the operation', () => {
    const offers = sweepOffers({ ...withOperation(form, 'gemm'), formats: [] }, withGemm, null, stage);
    expect(offers.map((o) => [o.id, o.action])).toEqual([
      ['density', 'Run at 7 densities'],
      ['size tokens', 'Run at 8 values of tokens'],
    ]);
  });
  it('leave out formats without a kernel of the operation', () => {
    const ids = sweepOffers(withOperation(form, 'gemm'), withGemm, null, stage).map((o) => o.id);
    expect(ids).toContain('param slidesparse halfGroup');
    expect(ids.filter((id) => id.startsWith('param macko'))).toEqual([]);
  });
  it('fall back to density where the chosen one is not there', () => {
    const chosen = { ...form, sweep: { of: 'size', name: 'tokens' } as const };
    expect(sweepChoice(chosen, sweepOffers(chosen, formats, null, stage)).id).toBe('density');
    const gemm = withOperation(chosen, 'gemm');
    expect(sweepChoice(gemm, sweepOffers(gemm, withGemm, null, stage)).id).toBe('size tokens');
  });
});

describe('toSweep(form, choice, doc, formats, device, stage)', () => {
  it('takes the shape of the matrix on the stage for densities', () => {
    const { request, axis } = toSweep(form, { of: 'density' }, doc, formats, null, stage);
    expect(request.workload).toMatchObject({ kind: 'generated', spec: { pattern: 'uniform', rows: 5, cols: 32 } });
    expect(axis).toEqual({ of: 'density', values: SWEEP_DENSITIES });
  });
  it('takes the generated spec as it is, with the densities that its pattern has', () => {
    const spec = { pattern: 'n-of-m', rows: 8, cols: 8, density: 0.5, seed: 3, options: { m: 4 } };
    const { request, axis } = toSweep(
      { ...form, workload: 'generated', spec },
      { of: 'density' },
      doc,
      formats,
      null,
      stage,
    );
    expect(request.workload).toEqual({ kind: 'generated', spec });
    expect(axis?.values).toEqual([0.25, 0.5, 0.75, 1]);
  });
  it('runs sizes on the workload of the form', () => {
    const gemm = withOperation(form, 'gemm');
    const { request, axis } = toSweep(gemm, { of: 'size', name: 'tokens' }, doc, withGemm, null, stage);
    expect(request).toMatchObject({ operation: 'gemm', workload: { kind: 'stage' } });
    expect(axis).toEqual({ of: 'size', name: 'tokens', values: [1, 4, 16, 64, 256, 1024, 4096, 8192] });
  });
  it('puts every value of a parameter beside the reference in one run', () => {
    const choice = { of: 'param', format: 'macko', name: 'deltaBits' } as const;
    const { request, axis } = toSweep(form, choice, doc, formats, null, stage);
    expect(axis).toBeNull();
    expect(request.workload).toEqual({ kind: 'stage' });
    expect(request.entries.map((e) => [e.format, e.params.deltaBits])).toEqual([
      [REFERENCE_FORMAT, undefined],
      ['macko', 1],
      ['macko', 2],
      ['macko', 4],
      ['macko', 8],
    ]);
  });
  it('gives every sliding pattern a matrix that it can hold', () => {
    const choice = { of: 'param', format: 'slidesparse', name: 'halfGroup' } as const;
    const { request } = toSweep(form, choice, doc, formats, null, stage);
    expect(request.entries).toHaveLength(1 + 7);
    expect(request.workload).toMatchObject({
      kind: 'generated',
      spec: { pattern: 'n-of-m', rows: 5, cols: 32, density: 0.5, options: { m: 4 } },
    });
    const pruned: StageShape = {
      ...stage,
      source: { kind: 'pruned', base: { kind: 'example', id: 'a' }, pruning: { way: 'n-of-m', kept: 2, group: 4 } },
    };
    expect(toSweep(form, choice, doc, formats, null, pruned).request.workload).toEqual({ kind: 'stage' });
  });
});

import { describe, expect, it } from 'vitest';
import type { AnyFormat } from '../../../core/format.ts';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { type BenchForm, type BenchSetup, type OpenMatrixShape, withOperation } from '../../../state/bench-form.ts';
import { createBenchForm } from '../../../state/bench-form-store.ts';
import { SWEEP_DENSITIES, chosenSweep, sweepOffers, toSweep } from './bench-sweep.ts';

const doc = defaultDocument({ ...CATALOG, formats });
const form = createBenchForm(formats).getState();
const stage: OpenMatrixShape = { rows: 5, cols: 32, source: { kind: 'example', id: 'a' } };
const setupOf = (benchForm: BenchForm, others: Partial<BenchSetup> = {}): BenchSetup => ({
  form: benchForm,
  params: doc.params,
  formats,
  device: null,
  openMatrix: stage,
  ...others,
});

/** Registered formats, extended by kernels for gemm that they may not have yet. */
const withGemm: readonly AnyFormat[] = formats.map((f) =>
  f.id === REFERENCE_FORMAT || f.id === 'slidesparse'
    ? { ...f, kernels: [...f.kernels, { ...f.kernels[0], id: `${f.id}/gemm_fake`, operation: 'gemm' }] }
    : { ...f, kernels: f.kernels.filter((k) => k.operation === 'spmv') },
);

describe('sweeps over shapes', () => {
  const model: OpenMatrixShape = {
    rows: 1024,
    cols: 4096,
    density: 0.3,
    source: {
      kind: 'pruned',
      base: { kind: 'model', model: 'llama-3.1-8b' },
      pruning: { way: 'magnitude', density: 0.3 },
    },
  };
  it('there is a sweep over the shapes of the open model, and one over the 31 of a paper', () => {
    const offers = sweepOffers(setupOf(form, { openMatrix: model })).filter(({ id }) => id.startsWith('shape'));
    expect(offers.map(({ label, action }) => [label, action])).toEqual([
      ['shapes of Llama-3.1-8B', 'Run at 5 shapes'],
      ['31 shapes of the MACKO paper', 'Run at 31 shapes'],
    ]);
  });
  it('run A and B on generated matrices of every shape, at the current density', () => {
    const pair = ['macko', 'dense'].map((format) => ({ format, params: doc.params[format] }));
    const { request, axis } = toSweep(setupOf(form, { openMatrix: model, pair }), { of: 'shape', set: 'model' });
    expect(request.workload).toMatchObject({ kind: 'generated', spec: { pattern: 'uniform', density: 0.3 } });
    const values = axis?.of === 'shape' ? axis.values : [];
    expect(values.map(({ rows, cols }) => `${rows}x${cols}`)).toContain('4096x14336');
    for (const { entries, distinctRows, cols } of values) {
      expect(entries.map(({ format }) => format)).toEqual(['dense', 'macko']);
      expect((distinctRows ?? 0) * cols).toBeLessThan(2 ** 25);
    }
  });
});

describe('sweepOffers(setup)', () => {
  it('the offers are density, the shapes of a paper, and every parameter of the formats that run', () => {
    const ids = sweepOffers(setupOf({ ...form, formats: ['macko'] })).map((o) => o.id);
    expect(ids).toEqual(['density', 'shape paper', 'param macko deltaBits', 'param macko valueType']);
  });
  it('the offers include the sizes of the operation', () => {
    const offers = sweepOffers(setupOf({ ...withOperation(form, 'gemm'), formats: [] }, { formats: withGemm }));
    expect(offers.map((o) => [o.id, o.action])).toEqual([
      ['density', 'Run at 7 densities'],
      ['shape paper', 'Run at 31 shapes'],
      ['size tokens', 'Run at 8 values of tokens'],
    ]);
  });
  it('the offers leave out formats without a kernel of the operation', () => {
    const ids = sweepOffers(setupOf(withOperation(form, 'gemm'), { formats: withGemm })).map((o) => o.id);
    expect(ids).toContain('param slidesparse halfGroup');
    expect(ids.filter((id) => id.startsWith('param macko'))).toEqual([]);
  });
  it('the choice falls back to density if the chosen sweep is not available', () => {
    const chosen = { ...form, sweep: { of: 'size', name: 'tokens' } as const };
    expect(chosenSweep(chosen, sweepOffers(setupOf(chosen))).id).toBe('density');
    const gemm = withOperation(chosen, 'gemm');
    expect(chosenSweep(gemm, sweepOffers(setupOf(gemm, { formats: withGemm }))).id).toBe('size tokens');
  });
});

describe('toSweep(setup, choice)', () => {
  it('uses the shape of the matrix on the stage for densities', () => {
    const { request, axis } = toSweep(setupOf(form), { of: 'density' });
    expect(request.workload).toMatchObject({ kind: 'generated', spec: { pattern: 'uniform', rows: 5, cols: 32 } });
    expect(axis).toEqual({ of: 'density', values: SWEEP_DENSITIES });
  });
  it('uses the generated spec unchanged, with the densities of its pattern', () => {
    const spec = { pattern: 'n-of-m', rows: 8, cols: 8, density: 0.5, seed: 3, options: { m: 4 } };
    const { request, axis } = toSweep(setupOf({ ...form, workload: 'generated', spec }), { of: 'density' });
    expect([request.workload, axis?.values]).toEqual([{ kind: 'generated', spec }, [0.25, 0.5, 0.75, 1]]);
  });
  it('runs sizes on the workload of the form', () => {
    const gemm = withOperation(form, 'gemm');
    const { request, axis } = toSweep(setupOf(gemm, { formats: withGemm }), { of: 'size', name: 'tokens' });
    expect(request).toMatchObject({ operation: 'gemm', workload: { kind: 'stage' } });
    expect(axis).toEqual({ of: 'size', name: 'tokens', values: [1, 4, 16, 64, 256, 1024, 4096, 8192] });
  });
  it('runs every value of a parameter with the reference in one run', () => {
    const choice = { of: 'param', format: 'macko', name: 'deltaBits' } as const;
    const { request, axis } = toSweep(setupOf(form), choice);
    expect([axis, request.workload]).toEqual([null, { kind: 'stage' }]);
    expect(request.entries.map((e) => [e.format, e.params.deltaBits])).toEqual([
      [REFERENCE_FORMAT, undefined],
      ['macko', 1],
      ['macko', 2],
      ['macko', 4],
      ['macko', 8],
    ]);
  });
  it('every value of SlideSparse’s pattern runs on a matrix that all of them can store', () => {
    const choice = { of: 'param', format: 'slidesparse', name: 'halfGroup' } as const;
    const { request } = toSweep(setupOf(form), choice);
    expect(request.entries).toHaveLength(1 + 7);
    expect(request.workload).toMatchObject({
      kind: 'generated',
      spec: { pattern: 'n-of-m', rows: 5, cols: 32, density: 0.5, options: { m: 4 } },
    });
    const pruned: OpenMatrixShape = {
      ...stage,
      source: { kind: 'pruned', base: { kind: 'example', id: 'a' }, pruning: { way: 'n-of-m', kept: 2, group: 4 } },
    };
    expect(toSweep(setupOf(form, { openMatrix: pruned }), choice).request.workload).toEqual({ kind: 'stage' });
  });
});

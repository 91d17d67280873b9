import { describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { type BenchForm, type BenchSetup, type OpenMatrixShape, withOperation } from '../../../state/bench-form.ts';
import { createBenchForm } from '../../../state/bench-form-store.ts';
import { SWEEP_MEANS, chosenSweep, sweepOffers, toSweep } from './bench-sweep.ts';
import { sparsityText, ACTIVATION_OPERATIONS } from '../../../kit/report/operation-words.ts';

const doc = defaultDocument({ ...CATALOG, formats });
const form = withOperation(createBenchForm(formats).getState(), 'gate');
const PAPER_MATRIX: OpenMatrixShape = { rows: 2048, cols: 5632, source: { kind: 'example', id: 'a' } };
const setupOf = (setupForm: BenchForm, others: Partial<BenchSetup> = {}): BenchSetup => ({
  form: setupForm,
  params: doc.params,
  formats,
  device: null,
  openMatrix: PAPER_MATRIX,
  ...others,
});
const choice = { of: 'non-zeros' } as const;

it('sparsityText gives the non-zeros per token for operations on activations, else the density', () => {
  const workload = {
    rows: 4,
    cols: 60,
    nnz: 120,
    density: 0.5,
    source: 'a',
    seed: 1,
    memory: 'cold',
    rounds: 3,
  } as const;
  for (const operation of ['forward', 'backward', 'sampled-product', 'fill']) {
    expect(ACTIVATION_OPERATIONS).toContain(operation);
    expect(sparsityText({ operation, ...workload })).toBe('30 non-zeros per token');
  }
  expect(sparsityText({ operation: 'spmv', ...workload })).toBe('50\u202f% left');
});

describe('the sweep over non-zeros per token', () => {
  it('is listed first for a block, and for no other operation, if the matrix has enough columns for its means', () => {
    const ids = (operation: string, stage: OpenMatrixShape): readonly string[] =>
      sweepOffers(setupOf(withOperation(form, operation), { openMatrix: stage })).map((o) => o.id);
    for (const operation of ['gate', 'up-down', 'forward', 'backward', 'sampled-product'])
      expect(ids(operation, PAPER_MATRIX)[0]).toBe('non-zeros');
    for (const operation of ['spmv', 'down', 'gemm', 'backward-stored'])
      expect(ids(operation, PAPER_MATRIX)).not.toContain('non-zeros');
    // By default at least 16 of 22 columns are alive, so that only one mean remains.
    expect(ids('gate', { ...PAPER_MATRIX, cols: 22 })).not.toContain('non-zeros');
    const spmv = withOperation({ ...form, sweep: choice }, 'spmv');
    expect(chosenSweep(spmv, sweepOffers(setupOf(spmv))).id).toBe('density');
  });
  it('runs every stage at every mean, on tokens of equal density, with each compression', () => {
    const { request, axis } = toSweep(setupOf(form), choice);
    expect(request.workload).toMatchObject({
      kind: 'generated',
      spec: { pattern: 'activations', rows: 2048, cols: 5632, options: { tokenSkew: 0, positionDecay: 0 } },
    });
    if (axis?.of !== 'non-zeros') throw new Error('found no axis of non-zeros');
    expect(axis.values).toEqual(SWEEP_MEANS);
    const operations = ['gate', 'up-down', 'forward', 'backward', 'sampled-product'];
    expect(axis.parts.map((s) => s.operation)).toEqual(operations);
    for (const { operation, entries } of axis.parts) {
      const able = formats.filter((f) => f.kernels.some((k) => k.operation === operation)).map((f) => f.id);
      expect([...new Set(entries.map((e) => e.format))]).toEqual(able);
      const twell = entries.filter((e) => e.format === 'twell');
      const isTraining = operations.indexOf(operation) > 2;
      expect(twell.map((e) => e.params.compression)).toEqual(isTraining ? [] : [2, 4, 8]);
      expect(new Set(twell.map((e) => e.params.layout))).toEqual(new Set(isTraining ? [] : ['packed']));
      const hybrid = entries.filter((e) => e.format === 'hybrid');
      expect(hybrid.map((e) => e.params.rowSlots)).toEqual(operation === 'gate' ? [] : [4, 32, 128, 256, 512]);
      if (isTraining) expect(able).toEqual(expect.arrayContaining(['dense', 'hybrid']));
    }
  });
  it("keeps a generator's own activations, and the means that its living neurons reach", () => {
    const spec = { pattern: 'activations', rows: 64, cols: 512, density: 0.1, seed: 7, options: { dead: 0.5 } };
    const generatedForm = { ...form, workload: 'generated' as const, spec };
    const { request, axis } = toSweep(setupOf(generatedForm), choice);
    expect(request.workload).toEqual({ kind: 'generated', spec });
    expect(axis).toMatchObject({ values: [8, 16, 30, 60, 120, 240] });
  });
  it('runs only the chosen kernels of each stage', () => {
    const chosen = { ...form, variants: 'chosen' as const, kernels: ['dense/gate', 'twell/gate', 'dense/forward'] };
    const { axis } = toSweep(setupOf(chosen), choice);
    if (axis?.of !== 'non-zeros') throw new Error('found no axis of non-zeros');
    const kernels = axis.parts.map(({ entries }) => [...new Set(entries.flatMap((e) => e.kernels))]);
    expect(kernels).toEqual([['dense/gate', 'twell/gate'], ['dense/forward']]);
  });
});

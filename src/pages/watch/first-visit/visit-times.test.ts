import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { modelReport } from '../../../../test/model-reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formats } from '../../../formats/registry.ts';
import { defaultChoice, defaultDocument } from '../../../state/index.ts';
import { visitFacts } from './visit-facts.ts';
import { overtakenAt, timedShares, timesAt } from './visit-times.ts';

const facts = visitFacts(
  {
    ...defaultDocument({ ...CATALOG, formats }),
    format: 'macko',
    formatB: defaultChoice({ formats }, 'dense'),
    source: {
      kind: 'pruned',
      base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
      pruning: { way: 'magnitude', density: 0.5 },
    },
  },
  formats,
  32,
);
if (!facts) throw new Error('found no facts, expected some of a pruned matrix of a model');

const report = modelReport(4096, 14336, 0.5, [30.068, 23.9]);
const changed = (workload: Partial<BenchReport['workload']>, from = report): BenchReport => ({
  ...from,
  workload: { ...from.workload, memory: 'cold', ...workload },
});
const timesOf = (reports: readonly BenchReport[], left?: number) => timesAt(timedShares(reports, facts), facts, left);

describe('the times of the first visit', () => {
  it('come from one report of both formats, on a matrix of this shape and density', () => {
    const matching = changed({});
    expect(timesOf([changed({ density: 0.51, nnz: 29_947_331 }), matching])).toMatchObject({
      report: matching,
      b: 30_068,
      a: 23_900,
      isComputed: false,
    });
    expect(timesOf([changed({ rows: 4095 }), changed({ memory: 'warm' })])).toBeNull();
  });

  it('the times of the first visit are marked if they come from a software adapter', () => {
    const software = { ...changed({}), environment: { ...report.environment, isFallback: true } };
    expect(timesOf([software])).toMatchObject({ report: software, isSoftware: true });
    expect(timesOf([changed({})])).toMatchObject({ isSoftware: false });
  });

  it('never come from a CPU, since the headline is about a GPU', () => {
    const rows = report.rows.map((row) => ({ ...row, where: 'cpu' as const }));
    expect(timesOf([{ ...changed({}), rows }])).toBeNull();
  });

  const two = [
    changed({ density: 0.4, nnz: 23_488_102 }, modelReport(4096, 14336, 0.4, [30, 20])),
    changed({ density: 0.8, nnz: 46_976_205 }, modelReport(4096, 14336, 0.8, [30, 36])),
  ];

  it('are computed if not measured: on the line between two, and beyond them by the bytes read', () => {
    expect(timesOf(two, 0.6)).toMatchObject({ a: 28_000, b: 30_000, isComputed: true });
    expect(timesOf(two, 0.4)).toMatchObject({ a: 20_000, isComputed: false });
    const rate = two[1].readBandwidthGBps ?? Number.NaN;
    expect(timesOf(two, 1)?.a).toBeCloseTo(36_000 + (facts.bytesAt(1) - facts.bytesAt(0.8)) / rate, 6);
    const unknown = { ...two[0], readBandwidthGBps: null };
    expect(timesOf([unknown], 0.2)?.a).toBeCloseTo((20_000 * facts.bytesAt(0.2)) / facts.bytesAt(0.4), 6);
  });

  it('lead to the density from which A is slower', () => {
    expect(overtakenAt(timedShares(two, facts), facts)).toEqual({ b: 0.66, unpruned: null });
    expect(overtakenAt([], facts)).toEqual({ b: null, unpruned: null });
  });
});

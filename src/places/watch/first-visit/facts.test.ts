import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { modelReport } from '../../../../test/model-reports.ts';
import { csrMatrix } from '../../../core/matrix/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { namedArrays } from '../../../core/format.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { type AppDocument, defaultDocument, defaultStored } from '../../../state/index.ts';
import { visitFacts, visitTimes } from './facts.ts';
import { placesOf } from './picture.ts';

const usual = defaultDocument({ ...CATALOG, formats });
const DOC: AppDocument = {
  ...usual,
  format: 'macko',
  against: defaultStored({ formats }, 'dense'),
  source: {
    kind: 'pruned',
    base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
    pruning: { way: 'magnitude', density: 0.5 },
  },
  window: { row: 11, col: 3169, rows: 5, cols: 32 },
};
const facts = visitFacts(DOC, formats, 32);
if (!facts) throw new Error('found no facts, expected some of a pruned matrix of a model');

describe('what the first visit says', () => {
  it('counts the bytes of the whole matrix in closed form, within 0.1 % of the recorded encoding', () => {
    expect(facts.shape).toEqual({ rows: 4096, cols: 14336 });
    expect(facts.b.bytes).toBe(4096 * 14336 * 2);
    // What the kernel moved of the recorded matrix, without x and y.
    const recorded = 73_474_344 - 2 * 14_336 - 4 * 4096;
    expect(Math.abs(facts.a.bytes / recorded - 1)).toBeLessThan(0.001);
    expect(facts.leftBytes).toBe(4096 * 14336);
    expect(facts.unpruned).toMatchObject({ bits: 4, bytes: (4096 * 14336 * 4.5) / 8 });
  });

  it('shows the places of the weights, with stored zeros on the way, as the encoder stores them', () => {
    const { entries, a } = facts;
    const cols = 32;
    const row = csrMatrix({
      rows: 1,
      cols,
      indptr: Uint32Array.of(0, entries.length),
      indices: Uint32Array.from(entries, ({ column }) => column),
      data: Float32Array.from(entries, ({ value }) => value),
    });
    const macko = formatById('macko');
    const encoded = macko.encode(row, a.params);
    const { buffer } = namedArrays(encoded).get('deltas') ?? new Uint8Array();
    const deltas = new Uint8Array(buffer);
    const places = placesOf(facts, entries);
    const stored = places.map((_, i) => (deltas[i >> 1] >> (4 * (i & 1))) & 15);
    expect(places.map(({ note }) => note)).toEqual(stored);
    const zeros = places.filter(({ isZero }) => isZero);
    expect(zeros.map(({ note }) => note)).toEqual([15]);
    expect(places).toHaveLength(entries.length + 1);
    expect(a.format.headline?.each?.says(a.params)).toBe('how many columns are skipped before it, 4 bits');
  });

  it('says nothing of a matrix that is not pruned, or of no model', () => {
    expect(visitFacts(usual, formats, 32)).toBeNull();
    expect(visitFacts({ ...DOC, source: { kind: 'model', model: 'llama-3.1-8b' } }, formats, 32)).toBeNull();
    expect(visitFacts({ ...DOC, against: null }, formats, 32)).toBeNull();
  });
});

describe('the times of the first visit', () => {
  const report = modelReport(4096, 14336, 0.5, [30.068, 23.9]);
  const changed = (workload: Partial<BenchReport['workload']>): BenchReport => ({
    ...report,
    workload: { ...report.workload, memory: 'cold', ...workload },
  });

  it('are of both formats in one report, on a matrix of this shape with as many weights left', () => {
    const right = changed({});
    expect(visitTimes([changed({ density: 0.51, nnz: 29_947_331 }), right], facts)).toMatchObject({
      report: right,
      b: 30_068,
      a: 23_900,
    });
    expect(visitTimes([changed({ rows: 4095 }), changed({ memory: 'warm' })], facts)).toBeNull();
  });

  it('say so where they are those of a software adapter', () => {
    const software = { ...changed({}), environment: { ...report.environment, isFallback: true } };
    expect(visitTimes([software], facts)).toMatchObject({ report: software, isSoftware: true });
    expect(visitTimes([changed({})], facts)).toMatchObject({ isSoftware: false });
  });

  it('are never those of a CPU, whose sentence would be about a GPU', () => {
    const rows = report.rows.map((row) => ({ ...row, where: 'cpu' as const }));
    expect(visitTimes([{ ...changed({}), rows }], facts)).toBeNull();
  });
});

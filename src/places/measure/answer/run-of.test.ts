import { describe, expect, it } from 'vitest';
import { SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formats } from '../../../formats/registry.ts';
import type { BenchRun } from '../../../state/index.ts';
import { newestRunOf, type SentenceQuery } from './RunBar.tsx';
import type { FormatQuery } from '../../../kit/report/matrix-times.ts';

const query = (format: string, params: FormatQuery['params'] = { valueType: 'f16' }): FormatQuery => ({
  format,
  params,
  spec: formats.find(({ id }) => id === format)?.params ?? {},
});

/** The sentence 'uniform of 256 × 256, MACKO against dense f16, one token', or another one. */
const sentence = (
  other: Partial<SentenceQuery> = {},
  matrix: Partial<SentenceQuery['summary']> = {},
): SentenceQuery => ({
  summary: {
    name: 'uniform 256 × 256',
    source: { kind: 'generated', spec: { pattern: 'uniform', rows: 256, cols: 256, density: 0.25, seed: 1 } },
    rows: 256,
    cols: 256,
    nnz: 16_384,
    ...matrix,
  },
  asked: { tokens: 1 },
  queryA: query('macko'),
  queryB: query('dense'),
  ...other,
});

const report = (workload: Partial<BenchReport['workload']> = {}): BenchReport => ({
  ...SOFTWARE_REPORT,
  workload: {
    ...SOFTWARE_REPORT.workload,
    operation: 'spmv',
    source: 'uniform, density 0.25, seed 1',
    rows: 256,
    cols: 256,
    nnz: 16_384,
    density: 0.25,
    memory: 'cold',
    ...workload,
  },
});

const run = (id: number, reports: readonly BenchReport[], origin: BenchRun['origin'] = 'measured'): BenchRun => ({
  id,
  name: `run ${id}`,
  origin,
  reports,
});

const idOf = (runs: readonly BenchRun[], of: SentenceQuery): number | null => newestRunOf(runs, of)?.run.id ?? null;

describe('newestRunOf(runs, sentence)', () => {
  it('is a run on this matrix in these formats, by the name of the matrix or by its spec', () => {
    expect(idOf([run(1, [report()])], sentence())).toBe(1);
    expect(idOf([run(1, [report({ source: 'uniform 256 × 256' })])], sentence())).toBe(1);
  });

  it('is never a run on another matrix: of another name, shape or count', () => {
    const runs = [run(1, [report()])];
    expect(idOf(runs, sentence({}, { name: 'arrow', source: { kind: 'example', id: 'arrow' } }))).toBeNull();
    expect(idOf(runs, sentence({}, { rows: 255 }))).toBeNull();
    expect(idOf(runs, sentence({}, { cols: 255 }))).toBeNull();
    expect(idOf(runs, sentence({}, { nnz: 16_383 }))).toBeNull();
  });

  it('is never a run that lacks one of the formats, or has it with other parameters or other tokens', () => {
    const runs = [run(1, [report()])];
    expect(idOf(runs, sentence({ queryA: query('ec-csr', {}) }))).toBeNull();
    expect(idOf(runs, sentence({ queryB: query('csr') }))).toBeNull();
    expect(idOf(runs, sentence({ queryA: query('macko', { valueType: 'f32' }) }))).toBeNull();
    expect(idOf(runs, sentence({ asked: { tokens: 2 } }))).toBeNull();
    expect(idOf(runs, sentence({ queryB: null }))).toBe(1);
  });

  it('counts a format that was refused, and no draft of one', () => {
    const [dense, macko] = SOFTWARE_REPORT.rows;
    const refused = { kernel: '', format: 'macko', params: { valueType: 'f16' }, reason: 'no room' };
    expect(idOf([run(1, [{ ...report(), rows: [dense], refused: [refused] }])], sentence())).toBe(1);
    const draft = { ...macko, draft: { of: macko.kernel, name: 'mine', version: 1 } };
    expect(idOf([run(1, [{ ...report(), rows: [dense, draft] }])], sentence())).toBeNull();
  });

  it('is the newest one, and of a sweep its report of this matrix; what was imported or recorded is no run here', () => {
    const elsewhere = report({ rows: 512 });
    const sweep = run(2, [elsewhere, report(), report({ nnz: 99 })]);
    const runs = [run(3, [elsewhere]), run(9, [report()], 'imported'), sweep, run(1, [report()])];
    expect(newestRunOf(runs, sentence())).toEqual({ run: sweep, report: sweep.reports[1] });
  });

  it('is of stand-in weights although their non-zeros are only estimated', () => {
    expect(idOf([run(1, [report({ nnz: 16_400 })])], sentence({}, { sampledRows: 64 }))).toBe(1);
    expect(idOf([run(1, [report({ nnz: 17_000 })])], sentence({}, { sampledRows: 64 }))).toBeNull();
  });
});

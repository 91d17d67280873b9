import { describe, expect, it } from 'vitest';
import { formats } from '../../../formats/catalog.ts';
import { defaultParams } from '../../../core/format.ts';
import type { EncodingState, FormatParams } from '../../../state/index.ts';
import type { EncodingSummary } from '../../../engine/matrix/types.ts';
import type { FormatVerdict } from '../../../engine/matrix/verdicts.ts';
import { ledger } from '../../../core/encoded/ledger.ts';
import type { BenchReport } from '../../../core/report.ts';
import { REPORT } from '../../../../test/fake-engine.ts';
import { REPORT as CARD_REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { answerWords } from './comparison-words.ts';
import { comparisonFigures, comparisonJson } from './comparison-files.ts';
import { comparisonSvg } from './comparison-svg.ts';
import { changedText, detailText, formatRows, measuredRows, sortedRows } from './format-rows.ts';

const MATRIX = { name: 'a', rows: 64, cols: 64, nnz: 1000 };
const [dense, csr, ...others] = formats;
const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));

function ready(format: string, bytes: number | null): EncodingState {
  const bits = { values: (bytes ?? 0) * 8, indices: 0, metadata: 0, padding: 0 };
  const entry = { array: 'data', dtype: 'u8', length: 1, bytes: bytes ?? 0, bits };
  const summary = {
    format,
    params: params[format],
    admission:
      bytes === null
        ? { ok: false, reason: 'It is full.', remedy: null, prune: { kept: 6, group: 8 } }
        : { ok: true, notes: [] },
    ledger: bytes === null ? null : ledger([entry], 8192 * 8),
    violations: [],
    encodeMs: 1.5,
    miniature: null,
    digest: {},
  } as unknown as EncodingSummary;
  return { kind: 'ready', params: params[format], summary };
}

const verdict = (more: Partial<FormatVerdict>): FormatVerdict => ({
  why: 'It is so.',
  size: 'open',
  best: null,
  marks: [],
  onceHeld: null,
  notes: [],
  ...more,
});

const [third, fourth] = others;
const rows = formatRows({
  formats: [dense, csr, third, fourth],
  params,
  encodings: {
    [dense.id]: ready(dense.id, 8192),
    [csr.id]: ready(csr.id, 6000),
    [third.id]: ready(third.id, null),
    [fourth.id]: { kind: 'waiting', params: params[fourth.id] },
  },
  verdicts: {
    [csr.id]: verdict({ best: { params: { ...params[csr.id], indexBits: 16 }, bytes: 4000 } }),
    [third.id]: verdict({ why: '3 groups are too full.', size: 'refused', onceHeld: 7000 }),
  },
  best: {},
  measured: new Map(),
});

describe('the rows of formats', () => {
  it('offer parameters that take less, by name', () => {
    expect(rows[1].better).toMatchObject({ label: 'index bits 16', bytes: 4000 });
    expect(rows[0].better).toBeNull();
  });

  it('say of a refused format what statistics say, and what it would take', () => {
    expect(rows[2]).toMatchObject({
      state: 'refused',
      reason: '3 groups are too full.',
      why: null,
      expectedBytes: 7000,
      prune: { kept: 6, group: 8 },
    });
  });

  it('are sorted with what is not known behind, and what is refused last', () => {
    const ids = (descending: boolean): readonly string[] =>
      sortedRows(rows, 'bytes', descending, 1000).map((r) => r.format.id);
    expect(ids(false)).toEqual([csr.id, dense.id, fourth.id, third.id]);
    expect(ids(true)).toEqual([dense.id, csr.id, fourth.id, third.id]);
  });

  it('name parameters in a few words', () => {
    expect(detailText(csr, { ...params[csr.id], indexBits: 16 })).toBe('f16 · 16\u00a0bit');
    expect(detailText(csr, params[csr.id]), 'of no matrix').toBe('f16 · index\u00a0bits\u00a0auto');
    const search = formats.find(({ effort }) => effort > 10) ?? csr;
    expect(detailText(search, params[search.id])).toBe('f16');
    expect(changedText(csr, params[csr.id], { ...params[csr.id], indexBits: 16 })).toBe('index bits 16');
  });
});

describe('the answer', () => {
  const text = (of: Parameters<typeof answerWords>[0]): string =>
    answerWords(of, MATRIX)
      .map((word) => word.text)
      .join('');

  it('counts while formats are encoded, and then says which is the smallest', () => {
    expect(text(rows)).toBe('Encoding this 64 × 64 matrix: 3 of 4 formats done.');
    expect(text(rows.slice(0, 3))).toBe(
      `CSR holds this 64 × 64 matrix in 6\u202f000\u202fB, 73.2\u202f% of dense; dense needs 37\u202f% more. ${third.title} cannot hold it as it is.`,
    );
    const held = (bytes: number): typeof rows => rows.slice(0, 2).map((row) => ({ ...row, bytes }));
    expect(text([rows[0], ...held(9000).slice(1)])).toBe(
      'dense holds this 64 × 64 matrix in 8\u202f192\u202fB; CSR needs 9.9\u202f% more.',
    );
    expect(text(held(0))).toBe('dense holds this 64 × 64 matrix in 0\u202fB.');
    expect(text(rows.slice(2, 3))).toBe(`No format holds this 64 × 64 matrix. ${third.title} cannot hold it as it is.`);
  });
});

describe('the answer, measured without a GPU', () => {
  it('says that the speed is that of one CPU thread, and nothing about a GPU', () => {
    const row = { ...REPORT.rows[0], where: 'cpu' as const };
    const speed = { ratio: 1.83, p10: 1.8, p90: 1.9 };
    const timed = rows.slice(0, 2).map((one) => ({ ...one, measured: { row, speed, ofRead: null } }));
    const said = answerWords(timed, MATRIX)
      .map((word) => word.text)
      .join('');
    expect(said).toContain(
      'is the fastest on one thread of the CPU, in TypeScript, at 1.83× the speed of dense; dense needs 37\u202f% more. This says nothing about a GPU.',
    );
  });
});

describe('what was measured', () => {
  it('is of this matrix and of these parameters', () => {
    const [row] = REPORT.rows;
    const own = { [row.format]: row.params as FormatParams };
    const { rows, cols, nnz, source: name } = REPORT.workload;
    const matrix = { rows, cols, nnz, name };
    const found = measuredRows([REPORT], matrix, REPORT.workload.operation, own);
    expect(found.get(row.format)?.row).toBe(row);
    expect(measuredRows([REPORT], { ...matrix, nnz: 1 }, REPORT.workload.operation, own).size).toBe(0);
    const changed = { [row.format]: { ...row.params, valueType: 'other' } as FormatParams };
    expect(measuredRows([REPORT], matrix, REPORT.workload.operation, changed).get(row.format)).toBeUndefined();
  });

  it('is found for the same generated matrix, which a workload names by its spec', () => {
    const [row] = REPORT.rows;
    const { rows, cols, nnz, operation } = REPORT.workload;
    const report = { ...REPORT, workload: { ...REPORT.workload, source: 'uniform, density 0.25, seed 1' } };
    const found = (seed: number) =>
      measuredRows(
        [report],
        {
          rows,
          cols,
          nnz,
          name: `uniform ${rows} × ${cols}`,
          source: { kind: 'generated', spec: { pattern: 'uniform', rows, cols, density: 0.25, seed } },
        },
        operation,
        {},
      ).get(row.format)?.row.format;
    expect(found(1)).toBe(row.format);
    expect(found(2)).toBeUndefined();
  });
});

describe('what a software adapter timed', () => {
  const [row] = TIMED_SOFTWARE_REPORT.rows;
  const own = { [row.format]: row.params as FormatParams };
  const { rows, cols, nnz, source: name } = CARD_REPORT.workload;
  const matrix = { rows, cols, nnz, name };
  const measured = (...reports: readonly BenchReport[]) =>
    measuredRows(reports, matrix, CARD_REPORT.workload.operation, own).get(row.format);
  it('is verified, and answers no question about speed', () => {
    expect(measured(TIMED_SOFTWARE_REPORT)).toMatchObject({
      row: { verified: { ok: true }, medianNs: null },
      speed: null,
      ofRead: null,
    });
  });
  it('does not hide an older run of a card', () => {
    expect(measured(TIMED_SOFTWARE_REPORT, CARD_REPORT)?.row.medianNs).toBe(row.medianNs);
  });
});

describe('files', () => {
  it('hold every row, as numbers and as a drawing', () => {
    const figures = comparisonFigures(rows, MATRIX);
    expect(figures.rows).toHaveLength(4);
    for (const { cells, values } of figures.rows) {
      expect(cells).toHaveLength(figures.head.length - 1);
      expect(values).toHaveLength(figures.head.length);
    }
    const json: unknown = JSON.parse(comparisonJson(rows, MATRIX, null));
    expect(json).toMatchObject({
      matrix: MATRIX,
      formats: [{ bytes: 8192 }, { bytes: 6000 }, { bytes: null }, { bytes: null }],
    });
    const svg = comparisonSvg(rows, MATRIX, 'a < b', () => '#123456');
    expect(svg).toContain('a &lt; b');
    expect(svg.match(/<rect/g)?.length).toBe(3);
  });
});

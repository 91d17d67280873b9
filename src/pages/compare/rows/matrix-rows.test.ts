import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { generate } from '../../../generate/generate.ts';
import { formats as registry } from '../../../formats/registry.ts';
import { formats, referenceFormat } from '../../../formats/catalog.ts';
import type { REPORT } from '../../../../test/fake-engine.ts';
import { REPORT as CARD_REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { EncodingSummary, MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { EncodingState, FormatParams, FormatChoice } from '../../../state/index.ts';
import { matrixRows, type MatrixRowsInput, partsOf } from './matrix-rows.ts';
import { measuredRows } from './measured-rows.ts';
import { sortedRows } from './table-rows.ts';
import { type StoredVariant, storedVariantOf, comparedVariants } from './stored-variants.ts';

const SHAPE = { rows: 64, cols: 96 };
const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const variants = comparedVariants(formats, params, [], SHAPE);
const matrix = generate({ pattern: 'uniform', ...SHAPE, density: 0.3, seed: 1 });
const summary = {
  ...SHAPE,
  nnz: matrix.nnz,
  density: 0.3,
  generation: 1,
  name: 'uniform',
  source: { kind: 'generated', spec: { pattern: 'uniform', ...SHAPE, density: 0.3, seed: 1 } },
} as unknown as MatrixSummary;

function encoded({ format: id, params: own }: FormatChoice): EncodingState {
  const format = registry.find((candidate) => candidate.id === id);
  if (!format) throw new Error(id);
  const support = format.admits(matrix, own);
  const ledger = support.ok ? format.storage(format.encode(matrix, own)) : null;
  const found = { format: id, params: own, support, ledger, violations: [], encodeMs: 1.5 };
  return { kind: 'ready', params: own, summary: found as unknown as EncodingSummary };
}

/** The best example for TwELL. */
const TWELL_EXAMPLE = formats.find(({ id }) => id === 'twell')?.bestExample.id ?? '';

const INPUT: MatrixRowsInput = {
  variants,
  summary,
  examples: [{ id: TWELL_EXAMPLE, title: '', url: '' }],
  encodingOf: encoded,
  verdictOf: () => null,
  bestOf: () => null,
  measurements: new Map(),
  verifications: new Map(),
  readGBps: 1000,
  dispatchNs: 0,
  tokens: 1,
};

const named = (id: string, detail = ''): ((variant: StoredVariant) => boolean) => {
  return (variant) => variant.format.id === id && variant.detail.includes(detail);
};

describe('ways to store a matrix', () => {
  it('the variants contain every format, some of them in several value types', () => {
    const detailsOf = (id: string): readonly string[] => variants.filter(named(id)).map(({ detail }) => detail);
    expect(detailsOf('dense')).toEqual(['f16', 'i8', 'i4']);
    expect([detailsOf('macko'), detailsOf('bsr')]).toEqual([['f16, 4-bit', 'i4, 4-bit'], ['f16, 4 × 4']]);
    expect([detailsOf('bitmask'), detailsOf('twell')]).toEqual([['f16', 'i4'], ['bf16']]);
    expect(new Set(variants.map(({ format }) => format.id)).size).toBe(formats.length);
  });

  it('the variants have the same keys for any choice of parameters, and include the chosen ones', () => {
    const i4 = { ...params.macko, valueType: 'i4' };
    const after = comparedVariants(formats, { ...params, macko: i4 }, [{ format: 'macko', params: i4 }], SHAPE);
    expect(after.map(({ key }) => key)).toEqual(variants.map(({ key }) => key));
    const f32 = { format: 'csr', params: { ...params.csr, valueType: 'f32' } };
    const more = comparedVariants(formats, params, [null, f32], SHAPE);
    expect(more.filter(named('csr')).map(({ detail }) => detail)).toEqual(['f16, 16-bit', 'f32, 16-bit']);
  });
});

describe('rows of a matrix', () => {
  const rows = matrixRows(INPUT);

  it('rows of a matrix have the bytes of the encoding, by purpose, and the least time to read them', () => {
    for (const row of rows.filter(({ state }) => state === 'known')) {
      const sum = (row.parts ?? []).reduce((all, { bytes }) => all + bytes, 0);
      expect(sum).toBeCloseTo(row.bytes ?? 0, 6);
      // Also counted: outputs in f32, and inputs in f16 of the columns that must at least contain a non-zero.
      const columns = Math.ceil(matrix.nnz / SHAPE.rows);
      expect(row.minNs).toBeCloseTo(((row.bytes ?? 0) + 4 * SHAPE.rows + 2 * columns) / 1000);
      expect([row.isExpected, row.measuredNs]).toEqual([false, null]);
    }
    const dense = rows.find(named('dense', 'f16'));
    // Zeros that dense stores do not count as values.
    expect(dense?.parts?.find(({ role }) => role === 'values')?.bytes).toBe(matrix.nnz * 2);
    expect(dense?.parts?.find(({ role }) => role === 'padding')?.bytes).toBe((64 * 96 - matrix.nnz) * 2);
  });

  it('rows of a matrix have a remedy for a matrix that a format cannot store', () => {
    const slidesparse = rows.find(named('slidesparse', 'f16'));
    expect(slidesparse).toMatchObject({ state: 'refused', remedy: { kind: 'prune', kept: 6, group: 8 }, minNs: null });
    expect(slidesparse?.why).toContain('6:8');
    expect(rows.find(named('twell'))).toMatchObject({ state: 'refused', remedy: { kind: 'open', id: TWELL_EXAMPLE } });
    const open = matrixRows({ ...INPUT, summary: { ...summary, source: { kind: 'example', id: TWELL_EXAMPLE } } });
    expect(open.find(named('twell'))?.remedy).toBeNull();
  });

  it('rows of a matrix are known from statistics before they are encoded, and wait before that', () => {
    const early = matrixRows({
      ...INPUT,
      encodingOf: () => undefined,
      verdictOf: (variant) => (variant.format.id === 'csr' ? { ...NO_VERDICT, size: 4000, why: 'So.' } : null),
    });
    expect(early.find(named('csr'))).toMatchObject({ state: 'known', bytes: 4000, parts: null, why: 'So.' });
    expect(early.find(named('macko'))).toMatchObject({ state: 'waiting', bytes: null });
  });

  it('rows of a matrix suggest parameters with fewer bytes, and none with more', () => {
    const suggestion = (bytes: number) =>
      matrixRows({ ...INPUT, bestOf: () => ({ params: { ...params.csr, indexBits: 32 }, bytes }) }).find(named('csr'))
        ?.bestParams ?? null;
    expect(suggestion(10)).toMatchObject({ label: 'index bits 32', bytes: 10, stored: { format: 'csr' } });
    expect(suggestion(1e6)).toBeNull();
  });

  it('rows of a matrix have the reason of a failed or cancelled encoding', () => {
    const failed = matrixRows({
      ...INPUT,
      encodingOf: ({ params }) => ({ kind: 'failed', params, reason: 'No.' }),
    });
    expect(failed[0]).toMatchObject({ state: 'failed', why: 'No.', bytes: null });
    const cancelled = matrixRows({ ...INPUT, encodingOf: ({ params }) => ({ kind: 'cancelled', params }) });
    expect(cancelled[0].why).toBe('Its encoding was cancelled.');
  });

  it('rows of a matrix are sorted by any column, with formats that cannot store the matrix last', () => {
    const bytes = sortedRows(rows, 'bytes', false).filter(({ state }) => state === 'known');
    expect(bytes.map((row) => row.bytes)).toEqual(bytes.map((row) => row.bytes ?? 0).toSorted((a, b) => a - b));
    for (const down of [false, true]) {
      const states = sortedRows(rows, 'bytes', down).map(({ state }) => state);
      expect(states.lastIndexOf('known')).toBeLessThan(states.indexOf('refused'));
    }
    const titles = sortedRows(rows, 'format', true)
      .filter(({ state }) => state === 'known')
      .map(({ format }) => format.title.toLowerCase());
    expect(titles).toEqual(titles.toSorted((a, b) => b.localeCompare(a)));
  });
});

const NO_VERDICT = { why: null, size: 'open' as const, best: null, bytesOncePruned: null, notes: [], marks: [] };

describe('random weights instead of a model’s', () => {
  const randomWeights = {
    ...summary,
    rows: 4096,
    cols: 14_336,
    density: 0.5,
    sampledRows: 73,
    source: {
      kind: 'pruned',
      base: { kind: 'model', model: 'llama-3.1-8b', layer: 0, matrix: 'down' },
      pruning: { way: 'magnitude', density: 0.5 },
    },
  } as unknown as MatrixSummary;
  const rows = matrixRows({
    ...INPUT,
    variants: comparedVariants(formats, params, [], randomWeights),
    summary: randomWeights,
    encodingOf: () => undefined,
  });

  it('random weights instead of a model’s are compared by closed forms, without being encoded', () => {
    const macko = rows.find(named('macko', 'f16'));
    expect(macko).toMatchObject({ state: 'known', isExpected: true });
    expect((macko?.bytes ?? 0) / 1e6).toBeCloseTo(73.4, 1);
    const parts = macko?.parts ?? [];
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeCloseTo(macko?.bytes ?? 0, -1);
    expect(macko?.why).toMatch(/^On average 1\.0 empty columns are expected between weights; 4 bits skip at most 15/);
  });

  it('random weights instead of a model’s have an open size if only encoding determines it, and a pruning if a format needs one', () => {
    expect(rows.find(named('ec-csr'))).toMatchObject({ state: 'open', bytes: null });
    expect(rows.find(named('slidesparse', 'f16'))).toMatchObject({
      state: 'refused',
      remedy: { kind: 'prune', kept: 6, group: 8 },
    });
  });
});

it('counts the bytes besides values by the format’s ledger', () => {
  const totalBits = { values: 800, indices: 80, metadata: 16, padding: 8 };
  expect(partsOf({ totalBits, totalBytes: 113, entries: [] }, 25, 16).map(({ role, bytes }) => [role, bytes])).toEqual([
    ['values', 50],
    ['indices', 10],
    ['metadata', 2],
    ['padding', 51],
  ]);
});

describe('times of a matrix', () => {
  const timesOf = (report: typeof REPORT, variant: StoredVariant, tokens = 1) => {
    const { source, rows, cols, nnz } = report.workload;
    const query = { rows, cols, nnz, density: 0.5, tokens, names: [source], isEstimated: false, isEven: false };
    return measuredRows([report], query, [variant], { a: variant, b: null }, null).get(variant.key);
  };
  const variantIn = (report: typeof REPORT): StoredVariant => {
    const [row] = report.rows;
    const format = formats.find(({ id }) => id === row.format) ?? referenceFormat;
    return storedVariantOf(
      format,
      { ...defaultParams<FormatParams>(format.params), ...(row.params as FormatParams) },
      report.workload,
    );
  };

  it('times of a matrix come from the fastest correct kernel of a run on it', () => {
    const variant = variantIn(CARD_REPORT);
    expect(timesOf(CARD_REPORT, variant)?.timedRow.row.medianNs).toBeGreaterThan(0);
    expect(timesOf(CARD_REPORT, variant, 2)).toBeUndefined();
  });

  it('times of a matrix come from a software adapter if the report is from one', () => {
    const found = timesOf(TIMED_SOFTWARE_REPORT, variantIn(TIMED_SOFTWARE_REPORT));
    expect(found?.timedRow.row.medianNs).toBe(TIMED_SOFTWARE_REPORT.rows[0].medianNs);
    expect([found?.timedRow.report.environment.isFallback, found?.readShare]).toEqual([true, null]);
  });

  it('times from another report than the times of format A are marked as of another run', () => {
    const only = (id: string, createdAt: string): typeof REPORT =>
      structuredClone({ ...CARD_REPORT, createdAt, rows: CARD_REPORT.rows.filter(({ format }) => format === id) });
    const [first, second] = [...new Set(CARD_REPORT.rows.map(({ format }) => format))];
    const reports = [only(first, '2026-01-01T00:00:00.000Z'), only(second, '2026-01-02T00:00:00.000Z')];
    const [a, other] = reports.map(variantIn);
    const { source, rows, cols, nnz } = CARD_REPORT.workload;
    const query = { rows, cols, nnz, density: 0.5, tokens: 1, names: [source], isEstimated: false, isEven: false };
    const found = measuredRows(reports, query, [a, other], { a, b: null }, null);
    expect([found.get(a.key)?.isOtherRun, found.get(other.key)?.isOtherRun]).toEqual([undefined, true]);
  });
});

it('the row of a format names the values that become infinite or 0', () => {
  const note = { says: '2 of 9 values are too large for f16 and are stored as infinity', details: 'more' };
  const encodingOf = (stored: FormatChoice): EncodingState => {
    const found = encoded(stored);
    if (found.kind !== 'ready' || !found.summary.support.ok) return found;
    return { ...found, summary: { ...found.summary, support: { ok: true, notes: [note] } } };
  };
  const row = matrixRows({ ...INPUT, encodingOf }).find(named('csr'));
  expect(row?.why).toBe(`${note.says}.`);
  expect(matrixRows(INPUT).find(named('csr'))?.why).toBeNull();
});

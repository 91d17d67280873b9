// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formats } from '../../../formats/catalog.ts';
import { SIMPLE_KERNEL } from '../../../kit/words/speed-of.ts';
import { matrixColumns } from './TableColumns.tsx';
import type { ComparedFormats, CompareRow } from './compare-row.ts';

afterEach(cleanup);

const [format] = formats;
const ROW = {
  format,
  stored: { params: {} },
  detail: '',
  measuredNs: 933_000,
  tokenNs: null,
  minNs: null,
  figures: null,
  state: 'known',
};
const timedIn = (report: BenchReport, row = report.rows[0]) => ({ measurement: { timedRow: { row, report } } });

/** The cell with a row's times, in a table of this level or with these rows. */
function cellOf(row: object, table: object = {}): HTMLElement {
  const defaults = { level: 'matrix', rows: [], f16Bytes: 1, tokens: 1, visibleDevice: {}, model: null };
  const compared = { ...defaults, ...table } as unknown as ComparedFormats;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  return renderInApp(<>{cell?.({ ...ROW, ...row } as unknown as CompareRow)}</>).container;
}
const textOf = (row: object, table: object = {}): string =>
  cellOf(row, table).textContent?.replaceAll('\u202f', ' ') ?? '';

it('the cell of times labels a time with its device, unless it is a graphics card', () => {
  for (const [report, text] of [
    [TIMED_SOFTWARE_REPORT, '933 µs, software'],
    [REPORT, '933 µs'],
  ] as const) {
    expect(textOf({ figures: timedIn(report) })).toBe(text);
    const mark = cellOf({ figures: timedIn(report) }).querySelector('.row-no-gpu');
    expect(mark === null).toBe(report === REPORT);
  }
});

it('the cell of times labels a time from another run than A’s and B’s, and no other', () => {
  const { measurement } = timedIn(REPORT);
  expect(textOf({ figures: { measurement: { ...measurement, isOtherRun: true } } })).toBe('933 µs, other run');
  expect(textOf({ figures: { measurement } })).toBe('933 µs');
});

it('the cell of times shows the matrices’ part of a whole token’s time, and omits it if it is from elsewhere', () => {
  const tokenNs = 1e9 / 411;
  const textWith = (times: object): string => textOf({ measuredNs: null, tokenNs, ...times }, { level: 'model' });
  expect(textWith({ matricesNs: 2_062_281 })).toBe('411 whole; matrices 485, 371 µs less');
  // Times of matrices alone, from elsewhere, are not a part: they are longer than the whole.
  expect(textWith({ measuredNs: 1e9 / 402 })).toBe('411 whole');
  for (const matricesNs of [1e9 / 402, tokenNs, -1, 0, Number.NaN]) expect(textWith({ matricesNs })).toBe('411 whole');
});

it('the cell of times labels those of simple kernels, for a matrix and for a model, and no others', () => {
  const simple = formats.flatMap(({ kernels }) => kernels.flatMap(({ id, isSimple }) => (isSimple ? [id] : [])));
  expect(simple).toContain('ell/spmv_scalar');
  for (const level of ['matrix', 'model'] as const) {
    for (const kernel of [...simple, 'ell/spmv_slices', 'dense/spmv_subgroup']) {
      const timed = { ...REPORT.rows[0], kernel };
      const model = level === 'matrix' ? null : { viewOf: () => ({ lines: [{ measurement: { stored: timed } }] }) };
      const figures = level === 'matrix' ? timedIn(REPORT, timed) : null;
      const format = formats.find(({ id }) => kernel.startsWith(`${id}/`));
      const text = textOf({ format, minNs: 29_800, figures }, { level, model });
      expect(text.length, kernel).toBeGreaterThan(3);
      expect(text.includes(SIMPLE_KERNEL), `${level}, ${kernel}`).toBe(simple.includes(kernel));
    }
  }
});

it('the cell of times shows a row’s least time only if rows differ: a kernel’s start is the same for all', () => {
  const textOfFirst = (...minTimes: readonly number[]): string => {
    const rows = minTimes.map((minNs) => ({ ...ROW, measuredNs: null, minNs }));
    return textOf(rows[0], { rows, visibleDevice: { device: {} } });
  };
  expect([textOfFirst(8000, 9000), textOfFirst(1430, 1430)]).toEqual(['at least 8.00 µs', '–']);
});

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
const ROW = { format, detail: '', measuredNs: 933_000, tokenNs: null, minNs: null, figures: null, state: 'known' };
const timedIn = (report: BenchReport, row = report.rows[0]) => ({ measured: { timed: { row, report } } });

/** The cell of a row that has its times, in a table of this level or with these rows. */
function cellOf(row: object, table: object = {}): HTMLElement {
  const usual = { level: 'matrix', rows: [], f16Bytes: 1, tokens: 1, shown: {}, model: null };
  const compared = { ...usual, ...table } as unknown as ComparedFormats;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  return renderInApp(<>{cell?.({ ...ROW, ...row } as unknown as CompareRow)}</>).container;
}
const textOf = (row: object, table: object = {}): string =>
  cellOf(row, table).textContent?.replaceAll('\u202f', ' ') ?? '';

it('says of a time what it was taken on, unless that is a card', () => {
  for (const [report, text] of [
    [TIMED_SOFTWARE_REPORT, '933 µs, software'],
    [REPORT, '933 µs'],
  ] as const) {
    expect(textOf({ figures: timedIn(report) })).toBe(text);
    const mark = cellOf({ figures: timedIn(report) }).querySelector('.row-no-card');
    expect(mark === null).toBe(report === REPORT);
  }
});

it('says that a time is of another run than those of A and B where it is, and only there', () => {
  const { measured } = timedIn(REPORT);
  expect(textOf({ figures: { measured: { ...measured, isApart: true } } })).toBe('933 µs, other run');
  expect(textOf({ figures: { measured } })).toBe('933 µs');
});

it('says of a whole token what its own matrices take, and the whole alone where that is no part of it', () => {
  const tokenNs = 1e9 / 411;
  const shown = (times: object): string => textOf({ measuredNs: null, tokenNs, ...times }, { level: 'model' });
  expect(shown({ matricesNs: 2_062_281 })).toBe('411 whole; matrices 485, 371 µs less');
  // Times of matrices that were taken alone, elsewhere, are no part of it: they were longer than the whole.
  expect(shown({ measuredNs: 1e9 / 402 })).toBe('411 whole');
  for (const matricesNs of [1e9 / 402, tokenNs, -1, 0, Number.NaN]) expect(shown({ matricesNs })).toBe('411 whole');
});

it('says of a time that its kernel is a simple one, of a matrix and of a model, and of no other', () => {
  const simple = formats.flatMap(({ kernels }) => kernels.flatMap(({ id, isSimple }) => (isSimple ? [id] : [])));
  expect(simple).toEqual(['ell/spmv_scalar']);
  for (const level of ['matrix', 'model'] as const) {
    for (const kernel of [...simple, 'ell/spmv_slices', 'dense/spmv_subgroup']) {
      const timed = { ...REPORT.rows[0], kernel };
      const model = level === 'matrix' ? null : { viewOf: () => ({ lines: [{ measured: { stored: timed } }] }) };
      const figures = level === 'matrix' ? timedIn(REPORT, timed) : null;
      const of = formats.find(({ id }) => kernel.startsWith(`${id}/`));
      const text = textOf({ format: of, minNs: 29_800, figures }, { level, model });
      expect(text.length, kernel).toBeGreaterThan(3);
      expect(text.includes(SIMPLE_KERNEL), `${level}, ${kernel}`).toBe(simple.includes(kernel));
    }
  }
});

it('says the least time of a row only where that is not the same for all: the start of a kernel is nothing of theirs', () => {
  const shown = (...all: readonly number[]): string => {
    const rows = all.map((minNs) => ({ ...ROW, measuredNs: null, minNs }));
    return textOf(rows[0], { rows, shown: { device: {} } });
  };
  expect([shown(8000, 9000), shown(1430, 1430)]).toEqual(['at least 8.00 µs', '–']);
});

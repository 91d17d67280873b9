// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formats } from '../../../formats/catalog.ts';
import { SIMPLE_KERNEL } from '../../../kit/words/timed-name.ts';
import { matrixColumns } from './Columns.tsx';
import type { ComparedFormats, CompareRow } from './compare-row.ts';

afterEach(cleanup);

it('says of a time what it was taken on, unless that is a card', () => {
  const compared = { level: 'matrix', rows: [], f16Bytes: 1, tokens: 1, shown: {} } as unknown as ComparedFormats;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const shown = (report: BenchReport): HTMLElement => {
    const [format] = formats;
    const measured = { row: report.rows[0], timed: { row: report.rows[0], report } };
    const row = { format, measuredNs: 933_000, wholeNs: null, minNs: null, figures: { measured }, state: 'known' };
    return renderInApp(<>{cell?.(row as unknown as CompareRow)}</>).container;
  };
  expect(shown(TIMED_SOFTWARE_REPORT).textContent?.replaceAll('\u202f', ' ')).toBe('933 µs, software');
  expect(shown(TIMED_SOFTWARE_REPORT).querySelector('.row-no-card')).not.toBeNull();
  expect(shown(REPORT).textContent?.replaceAll('\u202f', ' ')).toBe('933 µs');
  expect(shown(REPORT).querySelector('.row-no-card')).toBeNull();
});

it('says that a time is of another run than those of A and B where it is, and only there', () => {
  const compared = { level: 'matrix', rows: [], f16Bytes: 1, tokens: 1, shown: {} } as unknown as ComparedFormats;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const shown = (more: object): string => {
    const measured = { row: REPORT.rows[0], timed: { row: REPORT.rows[0], report: REPORT }, ...more };
    const row = { format: formats[0], measuredNs: 933_000, wholeNs: null, minNs: null, figures: { measured } };
    return (
      renderInApp(<>{cell?.(row as unknown as CompareRow)}</>).container.textContent?.replaceAll('\u202f', ' ') ?? ''
    );
  };
  expect(shown({ isApart: true })).toBe('933 µs, other run');
  expect(shown({})).toBe('933 µs');
});

it('says of a whole token what its own matrices take, and the whole alone where that is no part of it', () => {
  const compared = {
    level: 'model',
    rows: [],
    f16Bytes: 1,
    tokens: 1,
    shown: {},
    model: null,
  } as unknown as ComparedFormats;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const shown = (times: object): string => {
    const row = { format: formats[0], figures: null, minNs: null, measuredNs: null, state: 'known', ...times };
    return (
      renderInApp(<>{cell?.(row as unknown as CompareRow)}</>).container.textContent?.replaceAll('\u202f', ' ') ?? ''
    );
  };
  const wholeNs = 1e9 / 411;
  expect(shown({ wholeNs, partNs: 2_062_281 })).toBe('411 whole; matrices 485, 371 µs less');
  // Times of matrices that were taken alone, elsewhere, are no part of it: they were longer than the whole.
  expect(shown({ wholeNs, measuredNs: 1e9 / 402 })).toBe('411 whole');
  for (const partNs of [1e9 / 402, wholeNs, -1, 0, Number.NaN]) expect(shown({ wholeNs, partNs })).toBe('411 whole');
});

it('says of a time that its kernel is a simple one, of a matrix and of a model, and of no other', () => {
  const simple = formats.flatMap(({ kernels }) => kernels.flatMap(({ id, isSimple }) => (isSimple ? [id] : [])));
  expect(simple).toEqual(['ell/spmv_scalar']);
  for (const level of ['matrix', 'model'] as const) {
    for (const kernel of [...simple, 'ell/spmv_slices', 'dense/spmv_subgroup']) {
      const format = formats.find(({ id }) => kernel.startsWith(`${id}/`));
      const timed = { ...REPORT.rows[0], kernel };
      const model = level === 'matrix' ? null : { viewOf: () => ({ lines: [{ measured: { stored: timed } }] }) };
      const compared = { level, rows: [], f16Bytes: 1, tokens: 1, shown: {}, model } as unknown as ComparedFormats;
      const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
      const figures = level === 'matrix' ? { measured: { row: timed, timed: { row: timed, report: REPORT } } } : null;
      const row = { format, measuredNs: 933_000, wholeNs: null, minNs: 29_800, figures, detail: '', state: 'known' };
      const { container } = renderInApp(<>{cell?.(row as unknown as CompareRow)}</>);
      const text = container.textContent ?? '';
      cleanup();
      expect(text.length, kernel).toBeGreaterThan(3);
      expect(text.includes(SIMPLE_KERNEL), `${level}, ${kernel}`).toBe(simple.includes(kernel));
    }
  }
});

it('says the least time of a row only where that is not the same for all: the start of a kernel is nothing of theirs', () => {
  const [format] = formats;
  const row = (minNs: number) =>
    ({
      format,
      detail: '',
      state: 'known',
      figures: null,
      wholeNs: null,
      measuredNs: null,
      minNs,
    }) as unknown as CompareRow;
  const shown = (rows: readonly CompareRow[]): string => {
    const compared = {
      level: 'matrix',
      rows,
      f16Bytes: 1,
      tokens: 1,
      shown: { device: {} },
    } as unknown as ComparedFormats;
    const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
    return renderInApp(<>{cell?.(rows[0])}</>).container.textContent?.replaceAll('\u202f', ' ') ?? '';
  };
  expect(shown([row(8000), row(9000)])).toBe('at least 8.00 µs');
  expect(shown([row(1430), row(1430)])).toBe('–');
});

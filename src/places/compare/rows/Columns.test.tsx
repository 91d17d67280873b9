// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { REPORT, TIMED_SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { BenchReport } from '../../../core/report.ts';
import { formats } from '../../../formats/catalog.ts';
import { SIMPLE_KERNEL } from '../../../kit/words/timed-name.ts';
import { matrixColumns } from './Columns.tsx';
import type { Compared, CompareRow } from './compare-row.ts';

afterEach(cleanup);

it('says of a time what it was taken on, unless that is a card', () => {
  const compared = { level: 'matrix', f16Bytes: 1, tokens: 1, shown: {} } as unknown as Compared;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const shown = (report: BenchReport): HTMLElement => {
    const [format] = formats;
    const measured = { row: report.rows[0], timed: { row: report.rows[0], report } };
    const row = { format, measuredNs: 933_000, wholeNs: null, atMostNs: null, figures: { measured }, state: 'known' };
    return renderInApp(<>{cell?.(row as unknown as CompareRow)}</>).container;
  };
  expect(shown(TIMED_SOFTWARE_REPORT).textContent?.replaceAll('\u202f', ' ')).toBe('933 µs, software');
  expect(shown(TIMED_SOFTWARE_REPORT).querySelector('.row-no-card')).not.toBeNull();
  expect(shown(REPORT).textContent?.replaceAll('\u202f', ' ')).toBe('933 µs');
  expect(shown(REPORT).querySelector('.row-no-card')).toBeNull();
});

it('calls the time of a format with one simple kernel that, and no other', () => {
  const compared = { level: 'matrix', f16Bytes: 1, tokens: 1, shown: {} } as unknown as Compared;
  const cell = matrixColumns(compared, null).find(({ id }) => id === 'measured')?.cell;
  const textOf = (id: string): string | null => {
    const format = formats.find((known) => known.id === id);
    const row = {
      format,
      measuredNs: 933_000,
      wholeNs: null,
      atMostNs: 29_800,
      figures: null,
      detail: '',
      state: 'known',
    };
    const { container } = renderInApp(<>{cell?.(row as unknown as CompareRow)}</>);
    const text = container.textContent;
    cleanup();
    return text;
  };
  expect(formats.filter(({ hasSimpleKernel }) => hasSimpleKernel).map(({ id }) => id)).toEqual(['ell']);
  for (const { id, hasSimpleKernel } of formats) {
    const text = textOf(id);
    expect(text, id).toMatch(/^933/);
    if (hasSimpleKernel) expect(text).toContain(SIMPLE_KERNEL);
    else expect(text, id).not.toContain(SIMPLE_KERNEL);
  }
});

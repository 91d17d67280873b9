import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, test } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { KernelTable } from './KernelTable.tsx';
import {
  CSR_ROW,
  DENSE_ROW,
  gemmReport,
  MACKO_ROW,
  REPORT,
  SOFTWARE_REPORT,
  TIMED_SOFTWARE_REPORT,
} from '../../../../test/reports.ts';
import { TunedNumbers, tunedText } from './BenchFacts.tsx';

// @vitest-environment happy-dom
afterEach(cleanup);
const rowOf = (name: RegExp): HTMLElement => screen.getByRole('row', { name });

describe('KernelTable', () => {
  it('lists timed kernels from fast to slow with ratio, median and share of the read speed', () => {
    renderInApp(<KernelTable report={REPORT} />);
    const names = screen
      .getAllByRole('rowheader')
      .map((cell) => cell.textContent?.match(/^\S+?(?=subgroup|bitmask|ell)/)?.[0]);
    expect(names.slice(0, 3)).toEqual(['MACKO', 'dense', 'CSR']);
    const row = rowOf(/MACKO/);
    expect(row.textContent).toContain('1.78×');
    expect(row.textContent?.replace(/\u202f/g, ' ')).toContain('40.2 µs');
    expect(row.textContent?.replace(/\u202f/g, ' ')).toContain('68 %');
  });
  it('draws every sample of a kernel, and one mark for dense', () => {
    const { container } = renderInApp(<KernelTable report={REPORT} />);
    expect(within(rowOf(/MACKO/)).getByText(/from 1\.75× to 1\.81×/)).toBeTruthy();
    expect(container.querySelectorAll('circle.sample')).toHaveLength(2 * MACKO_ROW.samplesNs.length);
    expect(container.querySelectorAll('circle.median')).toHaveLength(3);
  });
  it('shows the first error of a wrong kernel, and no time', () => {
    renderInApp(<KernelTable report={REPORT} />);
    const row = rowOf(/ELL|ell/);
    expect(row.textContent).toContain('wrong in 12 of 12\u202f288 outputs, first in row 3: found 1.5, expected 1.25');
    expect(row.textContent).not.toContain('µs');
  });
  it('labels the time of a format with one simple kernel, and no other', () => {
    const timed = { ...CSR_ROW, format: 'ell', kernel: 'ell/spmv_scalar' };
    const wrong = REPORT.rows.filter(({ format }) => format !== 'ell');
    renderInApp(<KernelTable report={{ ...REPORT, rows: [...wrong, timed] }} />);
    expect(rowOf(/^ELL/).textContent).toContain('one simple kernel');
    for (const name of [/^MACKO/, /^dense/, /^CSR/]) expect(rowOf(name).textContent).not.toContain('simple kernel');
  });
  it('does not label a kernel without a time', () => {
    renderInApp(<KernelTable report={REPORT} />);
    expect(rowOf(/^ELL/).textContent).not.toContain('simple kernel');
  });
  it('keeps a rejected kernel in the list with the reason', () => {
    renderInApp(<KernelTable report={REPORT} />);
    expect(rowOf(/bitmask/).textContent).toContain('refused: needs 10 storage buffers, the device has 8');
  });
  it('lists kernels verified by a software adapter, without times until they are requested', () => {
    renderInApp(<KernelTable report={SOFTWARE_REPORT} />);
    expect(screen.queryByRole('columnheader', { name: 'speed against dense' })).toBeNull();
    expect(screen.queryByText(/µs/)).toBeNull();
    expect(screen.getAllByText('right')).toHaveLength(2);
    expect(screen.getAllByRole('cell', { name: /^3\.1.%$/ })).toHaveLength(2);
  });
  it('labels every figure that is not from a card, and removes its colour', () => {
    const onCpu = {
      ...REPORT,
      readBandwidthGBps: null,
      rows: REPORT.rows.map((row) => ({ ...row, where: 'cpu' as const })),
    };
    for (const [report, mark, figures] of [
      [TIMED_SOFTWARE_REPORT, 'software', 2],
      [onCpu, 'CPU', 1],
    ] as const) {
      const { container } = renderInApp(<KernelTable report={report} />);
      expect(screen.getByRole('columnheader', { name: `speed against dense, ${mark}` })).toBeTruthy();
      expect(within(rowOf(/MACKO/)).getByText(`1.78×, from 1.75× to 1.81×, ${mark}`)).toBeTruthy();
      expect(within(rowOf(/MACKO/)).getAllByText(mark)).toHaveLength(figures);
      const colors = [...container.querySelectorAll<SVGElement>('.strip g')].map(({ style }) => style.color);
      expect(new Set(colors).size).toBe(1);
      expect(colors[0]).not.toContain('--format-');
      cleanup();
    }
  });
  it('marks reads from a cache instead of showing a share', () => {
    const report = { ...REPORT, rows: REPORT.rows.map((row) => (row === MACKO_ROW ? { ...row, cached: true } : row)) };
    renderInApp(<KernelTable report={report} />);
    expect(rowOf(/MACKO/).textContent).toContain('cached');
  });
  it('shows multiply-adds per second, and names the nearer limit', () => {
    renderInApp(<KernelTable report={gemmReport(4096, 1.2)} />);
    const text = rowOf(/SlideSparse/).textContent?.replaceAll('\u202f', ' ');
    expect(text).toContain('15.6 TFMA/s');
    expect(text).toContain('52 %arithmetic');
    expect(screen.getByRole('columnheader', { name: 'of its limit' })).toBeTruthy();
  });
  it('shows how many outputs were compared if not all were', () => {
    const report = gemmReport(4096, 1.2);
    const rows = report.rows.map((row) => ({ ...row, samplesNs: [], medianNs: null, vsDense: null, GBps: null }));
    renderInApp(<KernelTable report={{ ...SOFTWARE_REPORT, workload: report.workload, rows }} />);
    expect(rowOf(/SlideSparse/).textContent?.replaceAll('\u202f', ' ')).toContain('16 777 21665 536 compared');
  });
  it('names outputs that are not rows, and outputs that were not compared', () => {
    const report = gemmReport(4096, 1.2);
    const verified = {
      ...report.rows[1].verified,
      ok: false,
      failures: [{ row: 70_000, found: 'unwritten', expected: 'any', bound: 'any' }] as const,
      failureCount: 2,
    };
    renderInApp(<KernelTable report={{ ...report, rows: [report.rows[0], { ...report.rows[1], verified }] }} />);
    expect(rowOf(/SlideSparse/).textContent?.replaceAll('\u202f', ' ')).toContain(
      'wrong in 2 of 16 777 216 outputs, 65 536 of them compared, first in output 70000: found unwritten, expected any number; not timed',
    );
  });
  it('marks a time of 0 ns as below the step of the clock, and does not draw it', () => {
    const zero = { ratio: 0, p10: 0, p90: 0, reference: DENSE_ROW.kernel };
    const none = DENSE_ROW.samplesNs.map(() => 0);
    const rows = [
      { ...MACKO_ROW, samplesNs: none, medianNs: 0, p10Ns: 0, p90Ns: 0, vsDense: zero },
      { ...CSR_ROW, samplesNs: CSR_ROW.samplesNs.with(3, 0) },
      { ...DENSE_ROW, samplesNs: DENSE_ROW.samplesNs.with(2, 0) },
    ];
    const { container } = renderInApp(<KernelTable report={{ ...REPORT, rows, refused: [] }} />);
    expect(container.innerHTML).not.toMatch(/NaN|Infinity/);
    const text = rowOf(/MACKO/).textContent?.replaceAll('\u202f', ' ');
    expect(text).toContain('not comparedbelow 328 nsthe clock’s step per run');
    expect(rowOf(/CSR/).textContent).toContain('1 of 8 below the clock’s step');
    expect(container.querySelectorAll('circle.sample')).toHaveLength(6);
    expect(container.querySelectorAll('circle.median')).toHaveLength(2);
  });
});

const start = { shares: 4096, lanes: 1024 };
const tuned = { chosen: { shares: 4224, lanes: 512 }, start, gain: 1.042, tried: 18, remembered: false };

test('shows the chosen settings and their gain', () => {
  expect(tunedText(tuned)).toBe('shares 4\u202f224, lanes 512: 1.04× the speed');
  expect(tunedText({ ...tuned, chosen: start, gain: 1 })).toBe('shares 4\u202f096, lanes 1\u202f024, as before');
});

const report = {
  ...REPORT,
  rows: [MACKO_ROW, { ...MACKO_ROW, kernel: 'macko/spmv_rows' }, CSR_ROW].map((row) => ({ ...row, tuned })),
};

test('names the kernels of a format with several kernels', () => {
  renderInApp(<TunedNumbers report={report} isImported={false} />);
  const names = screen.getAllByRole('term').map((term) => term.textContent);
  expect(names.toSorted()).toEqual(['CSR', 'MACKOspmv_rows', 'MACKOspmv_subgroup']);
});

test('deletes trials of this browser, and none from elsewhere', () => {
  const { unmount } = renderInApp(<TunedNumbers report={report} isImported={false} />);
  expect(screen.getByRole('button', { name: 'forget' })).toBeTruthy();
  unmount();
  renderInApp(<TunedNumbers report={report} isImported />);
  expect(screen.queryByRole('button', { name: 'forget' })).toBeNull();
});

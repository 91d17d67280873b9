import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { fullDeviceReports } from '../src/core/reports/recording.ts';
import { checkRecording } from '../src/core/reports/recording-check.ts';
import slideSparse from '../src/papers/slidesparse/tables.json';
import twell from '../src/papers/twell/tables.json';

// The times and ratios in README.md equal the shipped recording, and its comparisons with papers equal their tables.

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
/** The recording that comes with the page. */
const name = 'h200@2026-11-26.json';
const file = readFileSync(resolve(root, 'public/recordings', name), 'utf8');
const reports = fullDeviceReports(checkRecording(name, JSON.parse(file)));

/** Returns the last column of a product's row in the README's table: how many times as fast as dense it is. */
function tableFigure(product: string): number {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${product}`));
  return Number(row?.split('|').at(-2)?.trim());
}

/** Returns how many times as fast as dense a kernel was, by the printed times, in every report with both. */
function measured(operation: string, source: RegExp, rows: number, kernel: string): readonly number[] {
  return reports
    .filter(({ workload }) => workload.operation === operation && workload.rows === rows)
    .filter(({ workload }) => source.test(workload.source))
    .flatMap((report) => report.rows.filter((row) => row.kernel === kernel).map((row) => ratioOf(report, row)));
}

/** Returns the ratio of two times, rounded to three digits as printed; computed without the page's code. */
function ratioOf({ rows }: BenchReport, row: BenchRow): number {
  const dense =
    rows.find(({ kernel, params }) => kernel === row.vsDense?.reference && params.valueType === 'f16') ??
    rows.find(({ kernel }) => kernel === row.vsDense?.reference);
  return Number(dense?.medianNs?.toPrecision(3)) / Number(row.medianNs?.toPrecision(3));
}

describe('README.md', () => {
  it('states the ratio of the two times in each row of its table', () => {
    const rows = readme.split('\n').filter((line) => /^\| .*\| [\d.,]+ +\| [\d.,]+ +\| [\d.]+ +\|$/.test(line));
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const [dense, format, times] = row
        .split('|')
        .slice(-4, -1)
        .map((cell) => cell.trim().replace(',', ''));
      expect((Number(dense) / Number(format)).toFixed(2), row).toBe(times);
    }
  });

  it('states TwELL’s measured ratio, what it is relative to, and the ratios that its authors print', () => {
    const ratios = measured('forward', /^activations, density 0\.0053/, 2048, 'twell/forward_subgroup');
    expect(Math.max(...ratios).toFixed(2)).toBe(tableFigure('TwELL').toFixed(2));
    expect(readme).toContain(
      `TwELL’s ${tableFigure('TwELL')} is relative to our dense bf16 block, without tensor cores`,
    );
    const speeds = twell.tables.scales.rows.flatMap((row) => (row.l1 > 0 ? [1 + row.forwardChange / 100] : []));
    const range = [Math.min(...speeds), Math.max(...speeds)].map((speed) => speed.toFixed(2)).join(' to ');
    expect(range).toBe('1.17 to 1.21');
    expect(readme).toContain(
      `The authors compare with dense models on an H100’s tensor cores: they print ${range} for whole models with a gate`,
    );
    const ungated = twell.tables.gates.rows.find((row) => row.name === 'no gate, L1 2 × 10⁻⁵');
    expect(readme).toContain(`like our block, and ${(1 + (ungated?.forwardChange ?? 0) / 100).toFixed(2)} without (`);
  });

  it('states EC-SpMV’s measured ratio', () => {
    const ratios = measured('spmv', /^planted-blocks, density 0\.3,/, 8192, 'ec-csr/spmv_staged');
    expect(ratios.map((ratio) => ratio.toFixed(2))).toEqual([tableFigure('EC-SpMV').toFixed(2)]);
  });

  it('states SlideSparse’s measured ratio, what it is relative to, and the ratios that its authors print', () => {
    const ratios = measured('gemm', /./, 2048, 'slidesparse/gemm').map((ratio) => ratio.toFixed(2));
    expect(ratios).toEqual([tableFigure('SlideSparse').toFixed(2)]);
    const { prefill, decode } = slideSparse.tables;
    const is6of8 = ({ pattern }: { readonly pattern: string }): boolean => pattern === '6:8';
    const onB200 = ({ gpu }: { readonly gpu: string }): boolean => gpu === 'B200';
    const prefillRows = prefill.rows.filter((row) => is6of8(row) && !onB200(row));
    const others = [...prefill.rows.filter(onB200), ...decode.rows].filter(is6of8);
    const rangeOf = (rows: readonly { readonly min: number; readonly max: number }[]): string =>
      `${Math.min(...rows.map(({ min }) => min))} to ${Math.max(...rows.map(({ max }) => max))}`;
    expect([...new Set(prefillRows.map(({ gpu }) => gpu))]).toEqual(['A100', 'RTX 4090']);
    expect(readme).toContain(
      `its authors print for whole models in 6:8: ${rangeOf(prefillRows)} for reading a prompt on an A100 or an RTX 4090, and ${rangeOf(others)} for writing, or on a B200.`,
    );
    expect(readme).toContain('It is made for sparse tensor cores, which WebGPU does not support');
  });
});

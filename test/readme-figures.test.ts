import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseReports } from '../src/core/reports/report-check.ts';
import twell from '../src/papers/twell/tables.json';

/** What README.md says beside its times that are not for the same machine as those of the papers. */

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
const name = 'h200-large-tile-2026-11-22.json';
const reports = parseReports(name, readFileSync(resolve(root, 'docs/measurements', name), 'utf8'));

/** The figure of a product in the README's table. */
function tableFigure(product: string): number {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${product}`));
  return Number(row?.split('|')[2].trim());
}

/** How many times as fast as dense a kernel was, in every report of the operation that has it. */
function measured(operation: string, density: number, kernel: string): readonly number[] {
  return reports
    .filter((report) => report.workload.operation === operation && report.workload.rows === 2048)
    .filter((report) => Math.abs((report.workload.density ?? 0) - density) < 1e-3)
    .flatMap((report) =>
      report.rows.filter((row) => row.kernel === kernel).map((row) => row.vsDense?.ratio ?? Number.NaN),
    );
}

describe('README.md', () => {
  it('has TwELL’s time as it was measured, what it is measured against, and what the authors print', () => {
    expect(measured('forward', 30 / 5632, 'twell/forward_subgroup').map((ratio) => ratio.toFixed(2))).toContain(
      tableFigure('TwELL').toFixed(2),
    );
    const speeds = twell.tables.scales.rows.flatMap((row) => (row.l1 > 0 ? [1 + row.forwardChange / 100] : []));
    const range = [Math.min(...speeds), Math.max(...speeds)].map((speed) => speed.toFixed(2)).join(' to ');
    expect(range).toBe('1.17 to 1.21');
    expect(readme).toContain(`without tensor cores; its authors, whose dense models run on them, print ${range}`);
  });

  it('has SlideSparse’s time as it was measured, what it is measured against, and what the authors print', () => {
    const ratios = measured('gemm', 0.5, 'slidesparse/gemm').map((ratio) => ratio.toFixed(2));
    expect(ratios).toContain(tableFigure('SlideSparse').toFixed(2));
    // Section 5.3: prefill in 6:8, A100 1.29 to 1.34, RTX 4090 1.18 to 1.19.
    const speeds = [1.29, 1.34, 1.18, 1.19];
    expect(readme).toContain(
      `its authors print ${Math.min(...speeds)} to ${Math.max(...speeds)} for whole models in 6:8`,
    );
    expect(readme).toContain('WebGPU has no sparse tensor cores');
  });
});

/*
 * Checks that the fields of a report agree, since an imported file may contain any figures. Derived fields are computed
 * again.
 */

import { type Check, fault, type Path } from '../bounds/shapes.ts';
import { sharedRounds } from '../bench/shared-rounds.ts';
import { quantile } from '../number/statistics.ts';
import type { BenchReport, BenchRow, Verification, Workload } from '../report.ts';

/** The largest relative difference that counts as rounding. */
const ROUNDING = 1e-3;

/** Throws the fault of a report (with the path to its field) unless a figure equals the computed one up to rounding. */
function expectSame(found: number | null, expected: number, what: string, path: Path): void {
  if (found !== null && Math.abs(found - expected) <= ROUNDING * Math.abs(expected) + Number.MIN_VALUE) return;
  throw fault(path, `found ${found ?? 'null'}, expected ${Number(expected.toPrecision(5))}, ${what}`);
}

function expectAtMost(found: number, max: number, what: string, path: Path): void {
  if (found > max) throw fault(path, `found ${found}, expected at most ${max}, ${what}`);
}

function expectOrder(low: number, middle: number, high: number, to: Path, keys: readonly [string, string]): void {
  expectAtMost(low, middle, 'the median', { parent: to, key: keys[0] });
  expectAtMost(middle, high, 'what nine of ten rounds are below', { parent: to, key: keys[1] });
}

/** Fields of a row and its verification that a recording, the measurements that ship with the page, leaves out. */
type Unrecorded = 'failures' | 'failureCount' | 'samplesNs' | 'GBps';
type MaybeRecorded<T extends Verification | BenchRow> = Omit<T, Unrecorded> & Partial<Pick<T, Unrecorded & keyof T>>;

/** Checks the counts of a verification: 'ok' exactly if no output was wrong. A recording has fewer counts. */
export const consistentVerification: Check = (value, to) => {
  const { ok, outputs, compared = outputs, worstShare, failures, failureCount } = value as MaybeRecorded<Verification>;
  expectAtMost(compared, outputs, 'the outputs', { parent: to, key: 'compared' });
  if (failureCount === undefined || failures === undefined) return;
  expectAtMost(failureCount, outputs, 'the outputs', { parent: to, key: 'failureCount' });
  expectAtMost(failures.length, failureCount, 'the failures that were counted', { parent: to, key: 'failures' });
  if (ok && failureCount > 0)
    throw fault({ parent: to, key: 'failureCount' }, `found ${failureCount}, expected 0, since 'ok' is true`);
  if (ok) expectAtMost(worstShare, 1, "since 'ok' is true", { parent: to, key: 'worstShare' });
  if (!ok && failureCount === 0)
    throw fault({ parent: to, key: 'failureCount' }, "found 0, expected 1 or more, since 'ok' is false");
};

/** Checks that a workload's non-zeros fit its cells and its density. */
export const consistentWorkload: Check = (value, to) => {
  const { rows, cols, nnz, density } = value as Workload;
  expectAtMost(nnz, rows * cols, 'the cells', { parent: to, key: 'nnz' });
  // The density may be the requested one, which was rounded to a whole number of non-zeros.
  if (Math.abs(density * rows * cols - nnz) <= Math.max(1, ROUNDING * nnz)) return;
  expectSame(density, nnz / (rows * cols), 'the share of non-zeros', { parent: to, key: 'density' });
};

/** Checks that the times of a row are in order, and follow from its samples if it has some. */
export const consistentTimes: Check = (value, path) => {
  const medianPath: Path = { parent: path, key: 'medianNs' };
  const {
    verified,
    samplesNs = [],
    bytes,
    medianNs,
    p10Ns,
    p90Ns,
    GBps = null,
    vsDense,
  } = value as MaybeRecorded<BenchRow>;
  if (medianNs === null || p10Ns === null || p90Ns === null) {
    if (samplesNs.length > 0) throw fault(medianPath, `found null, expected the median of ${samplesNs.length} samples`);
    if (vsDense !== null) throw fault({ parent: path, key: 'vsDense' }, 'found a ratio, expected null without a time');
    for (const [key, found] of Object.entries({ medianNs, p10Ns, p90Ns, GBps })) {
      if (found !== null) throw fault({ parent: path, key }, `found ${found}, expected null, as one of its times is`);
    }
    return;
  }
  // Rows of a recording have no `ok`: all are right.
  if (verified.ok === false) throw fault(medianPath, "found a time, expected null: 'ok' is false");
  const rowPath = path as Path;
  if (samplesNs.length > 0) {
    expectSame(medianNs, quantile(samplesNs, 0.5), 'the median of its samples', medianPath);
    expectSame(p10Ns, quantile(samplesNs, 0.1), 'the p10 of its samples', { parent: rowPath, key: 'p10Ns' });
    expectSame(p90Ns, quantile(samplesNs, 0.9), 'the p90 of its samples', { parent: rowPath, key: 'p90Ns' });
  }
  expectOrder(p10Ns, medianNs, p90Ns, rowPath, ['p10Ns', 'medianNs']);
  if (GBps !== null && medianNs > 0)
    expectSame(GBps, bytes / medianNs, 'bytes over median', { parent: rowPath, key: 'GBps' });
  if (vsDense !== null) {
    expectOrder(vsDense.p10, vsDense.ratio, vsDense.p90, { parent: rowPath, key: 'vsDense' }, ['p10', 'ratio']);
  }
};

/** Checks each row's ratio to dense against the rounds in which both it and its reference kernel were timed. */
export function checkRatios({ rows }: BenchReport, path: Path | null): void {
  for (const [i, row] of rows.entries()) {
    const { vsDense, samplesNs } = row;
    if (vsDense === null || samplesNs.length === 0) continue;
    const to: Path = { parent: { parent: { parent: path, key: 'rows' }, key: i }, key: 'vsDense' };
    const rowsOfKernel = rows.filter(({ kernel, draft }) => kernel === vsDense.reference && draft === undefined);
    if (rowsOfKernel.length === 0) continue; // the report lacks the reference kernel
    const references = rowsOfKernel.filter(isReference);
    if (references.length === 0)
      throw fault({ parent: to, key: 'reference' }, 'found a kernel of another format, expected dense');
    const candidates = references.map((reference) => ratiosOf(reference, row)).filter((ratios) => ratios.length > 0);
    const agrees = (ratios: readonly number[]): boolean =>
      Math.abs(quantile(ratios, 0.5) / vsDense.ratio - 1) <= ROUNDING;
    // If the reference kernel has several rows, any may agree.
    const byRound = candidates.find(agrees) ?? candidates.at(0);
    if (byRound === undefined) throw fault(to, 'found a ratio, expected null: no round has both times');
    for (const [key, share] of [
      ['ratio', 0.5],
      ['p10', 0.1],
      ['p90', 0.9],
    ] as const) {
      expectSame(vsDense[key], quantile(byRound, share), `the ${key} of the rounds`, { parent: to, key });
    }
  }
}

/** Whether others are compared with a row: it is compared with its own format, unless a round took 0 ns. */
const isReference = ({ format, vsDense, samplesNs }: BenchRow): boolean =>
  vsDense?.reference.startsWith(`${format}/`) ?? samplesNs.includes(0);

function ratiosOf(reference: BenchRow, row: BenchRow): readonly number[] {
  const { a, b } = sharedRounds(reference, row);
  return a.includes(0) || b.includes(0) ? [] : b.map((ns, i) => a[i] / ns);
}

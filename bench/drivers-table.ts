// Formats the results of `bench/drivers.ts`: which kernels are correct on which devices.

import { largest } from '../src/core/number/statistics.ts';
import type { ExactPair } from '../test/exact-products.ts';
import type { KernelOutcome } from '../test/kernels-on-device.ts';

/** The verification of all kernels on one device (`bench/drivers.ts`). */
export interface DriverRun {
  /** how the adapter describes itself */
  readonly device: string;
  /** everything that the adapter has, or the WebGPU minimum */
  readonly limits: 'all' | 'minimum';
  /** lanes of a subgroup; 0 without them */
  readonly subgroups: number;
  readonly outcomes: readonly KernelOutcome[];
  /** kernels with exact integer sums, each compared bit for bit with another kernel */
  readonly exact: readonly ExactPair[];
}

/**
 * The results as text: a line per device, named A, B ..., a table of the correct kernels of each operation by device, then
 * comparisons bit for bit, and rejected and wrong kernels by reason.
 */
export function driversTable(runs: readonly DriverRun[]): string {
  const operations = [...new Set(runs.flatMap(({ outcomes }) => outcomes.map((outcome) => outcome.operation)))];
  const cells = [
    ['', ...runs.map((_, i) => String.fromCharCode(65 + i))],
    ...operations.map((operation) => [operation, ...runs.map((run) => rightCount(run, operation))]),
    ['all', ...runs.map((run) => rightCount(run, null))],
  ];
  const widths = cells[0].map((_, column) => largest(cells.map((row) => row[column].length)));
  const table = cells.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return [
    ...runs.map(describeRun),
    '',
    'right, of all',
    ...table,
    ...runs.flatMap(exactLines),
    ...runs.flatMap(problemLines),
  ].join('\n');
}

function describeRun({ device, limits, subgroups }: DriverRun, i: number): string {
  const lanes = subgroups === 0 ? 'no subgroups' : `subgroups of ${subgroups}`;
  return `${String.fromCharCode(65 + i)}  ${device}, ${limits === 'all' ? 'all its limits' : 'minimum limits'}, ${lanes}`;
}

/** 'N of M' kernels of an operation are correct; null: of all operations. */
function rightCount({ outcomes }: DriverRun, operation: string | null): string {
  const kernels = outcomes.filter((outcome) => operation === null || outcome.operation === operation);
  return `${kernels.filter(({ outcome }) => outcome === 'right').length} of ${kernels.length}`;
}

/** Outputs that are bit-identical to another kernel's, and outputs that are not. */
function exactLines({ exact }: DriverRun, i: number): readonly string[] {
  if (exact.length === 0) return [];
  const lines = exact.map(
    ({ kernel, reference, rows, cols, tokens, equal, unequal }) =>
      `   ${kernel} and ${reference}, ${rows} × ${cols}, ${tokens} tokens: ${equal} equal, ${unequal} unequal`,
  );
  return [`\n${String.fromCharCode(65 + i)}  bit for bit`, ...lines];
}

/** Rejected kernels by reason, and every wrong one. */
function problemLines({ outcomes }: DriverRun, i: number): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { kernel, outcome, reason } of outcomes) {
    if (outcome === 'right') continue;
    const text = `${outcome}: ${reason}`;
    byReason.set(text, [...(byReason.get(text) ?? []), kernel]);
  }
  return [...byReason].map(
    ([reason, kernels]) => `\n${String.fromCharCode(65 + i)}  ${reason}\n   ${kernels.join(', ')}`,
  );
}

// One step of training at the size of a real model: its parts, and the times of its parts.

import type { StorageLedger } from '../../../src/core/encoded/ledger.ts';
import { BACKWARD_STORED, FORWARD_STORING, UPDATE } from '../../../src/core/operations/index.ts';
import { smallest } from '../../../src/core/number/statistics.ts';
import type { BenchReport } from '../../../src/core/report.ts';

/** Sizes of the gated MLP whose training step is measured, from the TwELL paper’s 1.5B model, section 4.2. */
export interface StepShape {
  readonly tokens: number;
  readonly width: number;
  /** neurons */
  readonly hidden: number;
}

export const STEP_SHAPE: StepShape = { tokens: 2048, width: 2048, hidden: 5632 };

/** Mean non-zeros per token at which the step is measured, up to the mean of a model without L1 (section 4.2). */
export const STEP_NON_ZEROS: readonly number[] = [8, 30, 100, 300, 911];

/** Rounds in which each part is timed. */
export const STEP_ROUNDS = 20;

/** The parts of a training step, in order. Each is an operation with its own kernels and expected results. */
export const STEP_PARTS = [
  { id: 'forward', operation: FORWARD_STORING.id },
  { id: 'backward', operation: BACKWARD_STORED.id },
  { id: 'update', operation: UPDATE.id },
] as const;

type StepPart = (typeof STEP_PARTS)[number]['id'];

type Params = Readonly<Record<string, unknown>>;

/** A forward pass into arrays of the sparse format, whose sizes its parameters determine, and which rows overflowed. */
export interface Attempt {
  readonly params: Params;
  /** which rows overflowed, as a clause, '3 of 2048 rows overflow'; null: none */
  readonly overflow: string | null;
}

/**
 * The formats of a step, with parameters for which its forward pass did not overflow. Here and in recorded files, `reference`
 * is the dense format, and `sparse` the sparse one that is compared with it.
 */
export interface StepFormats {
  /** ids of the sparse format, and of the dense one */
  readonly format: string;
  readonly reference: string;
  /** in order; only the last one did not overflow */
  readonly attempts: readonly Attempt[];
  /** bytes that each format keeps for the backward pass; `sparseAtFirst`: the sparse one in its first attempt */
  readonly kept: { readonly reference: number; readonly sparse: number; readonly sparseAtFirst: number };
}

/** Time of one part, in ns. */
interface PartTime {
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
}

/** Times of a part, taken in the same rounds. */
export interface PartTimes {
  /** of the dense kernel */
  readonly reference: PartTime | null;
  /** of the sparse format; the update is of dense weights, and the same for both */
  readonly sparse: PartTime | null;
  /** speed relative to dense, the median of the ratios in each round; null without both times */
  readonly ratio: number | null;
  readonly rounds: number;
  /** every kernel was correct before, during and after its timing */
  readonly isRight: boolean;
  /** why dense or the sparse format has no time, as a clause; absent if both have one */
  readonly untimed?: string;
}

/** A training step at one mean of non-zeros. */
export interface StepPoint extends StepFormats {
  /** non-zeros per token, on average */
  readonly mean: number;
  /** the parts timed so far */
  readonly parts: Readonly<Partial<Record<StepPart, PartTimes>>>;
}

/** A training step at several means of non-zeros, on one device. */
export interface StepRun {
  /** the device, in words */
  readonly on: string;
  readonly shape: StepShape;
  readonly points: readonly StepPoint[];
}

/**
 * Bytes kept from the forward pass: positions once, and three arrays of values: hg = ReLU(x Wg), hu = x Wu and their
 * product h (section 3.5 of the TwELL paper). Kernels here keep hg in 2 bytes and hu in 4, as many bytes as three
 * arrays of 2, and compute h again. The ledger contains hg alone, its positions and one array of values, so the bytes
 * of values are added two more times. `dtype`: the type of stored values.
 */
export function keptBytes({ entries, totalBytes }: StorageLedger, dtype: string): number {
  const valueBytes = entries.reduce((sum, entry) => sum + (entry.dtype === dtype ? entry.bytes : 0), 0);
  return totalBytes + 2 * valueBytes;
}

/** The times in the report of a part. `format`: id of the sparse format, `reference`: of the dense one. */
export function timesOf({ rows }: BenchReport, format: string, reference: string): PartTimes {
  const timeOf = (id: string): PartTime | null => {
    const times = rows.flatMap(({ format: rowFormat, medianNs, p10Ns, p90Ns }) =>
      rowFormat === id && medianNs !== null && p10Ns !== null && p90Ns !== null ? [{ medianNs, p10Ns, p90Ns }] : [],
    );
    return times.toSorted((a, b) => a.medianNs - b.medianNs).at(0) ?? null;
  };
  const sparse = rows.filter((row) => row.format === format && row.vsDense !== null);
  const [fastest] = sparse.toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0));
  const denseTime = timeOf(reference);
  // The update is of dense weights: its report has rows of the dense format only.
  const isUpdate = rows.every((row) => row.format === reference);
  return {
    reference: denseTime,
    sparse: isUpdate ? denseTime : timeOf(format),
    ratio: fastest?.vsDense?.ratio ?? null,
    rounds: smallest(rows.map(({ samplesNs }) => samplesNs.length)),
    isRight: rows.length > 0 && rows.every(({ verified }) => verified.ok),
  };
}

/** Time of the whole step in ns: the sum of its parts; null while a part is missing. */
export function stepNs({ parts }: StepPoint, side: 'reference' | 'sparse'): number | null {
  let sum = 0;
  for (const { id } of STEP_PARTS) {
    const time = parts[id]?.[side];
    if (!time) return null;
    sum += time.medianNs;
  }
  return sum;
}

/** Speed of the sparse step relative to the dense step; null while a part is missing. */
export function stepRatio(point: StepPoint): number | null {
  const [dense, sparse] = [stepNs(point, 'reference'), stepNs(point, 'sparse')];
  return dense === null || sparse === null ? null : dense / sparse;
}

/** The range in which the sparse step stops being faster. */
interface StepCrossover {
  /** the largest mean at which it was measured faster, and the smallest at which it was not; null if there is none */
  readonly below: number | null;
  readonly from: number | null;
}

/** The measured means between which the sparse step changes from faster to slower. Points ascend in their mean. */
export function stepCrossover(points: readonly StepPoint[]): StepCrossover {
  const times = points.flatMap((point) => {
    const ratio = stepRatio(point);
    return ratio === null ? [] : [{ mean: point.mean, ratio }];
  });
  const first = times.findIndex(({ ratio }) => ratio <= 1);
  if (first < 0) return { below: times.at(-1)?.mean ?? null, from: null };
  return { below: times[first - 1]?.mean ?? null, from: times[first].mean };
}

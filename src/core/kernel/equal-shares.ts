import type { Choice, Chosen } from './choices.ts';
import type { WorkgroupNeeds } from './device-limits.ts';
import type { DeviceFacts } from './kernel.ts';

/** Entries that a lane processes in one step; a share that begins inside a row begins at a multiple of this number. */
export const LANE_ENTRIES = 8;
/** Words for the start of a share: its entry, its row, the columns of the row before the entry, 1 if inside the row. */
export const SHARE_WORDS = 4;

/** Default number of shares of all workgroups together: 128 workgroups of 32 subgroups. */
const SHARES = 4096;
/** Limits on the shares that a trial on the device compares. */
const MIN_SHARES = 64;
const MAX_SHARES = 32768;

/** The number of shares: a share is a run of entries for one subgroup, and all take about equal time. */
export interface ShareCounts {
  readonly workgroups: number;
  /** shares of a workgroup, one for each of its subgroups */
  readonly shares: number;
  /** lanes of a subgroup */
  readonly lanes: number;
}

/** A workgroup that stores x in its memory and multiplies shares with it. */
export interface StagedShares extends WorkgroupNeeds {
  readonly counts: ShareCounts;
  /** the overrides of shaders/common/staged.wgsl and shaders/common/staged_x.wgsl */
  readonly constants: Readonly<Record<string, number>>;
}

/** Maximum lanes of a workgroup, even if the device allows more. */
const MAX_LANES = 1024;
/** Words of x that a lane copies in one iteration, whose loads are in flight together. */
const COPIES = 4;

/** Lanes of the largest workgroup that the device runs. */
export function maxLanes({ limits }: Pick<DeviceFacts, 'limits'>): number {
  return Math.min(MAX_LANES, limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
}

/**
 * The choices of a trial on the device: the number of shares, and the lanes of a workgroup, which has one copy of x.
 */
export function shareChoices(device: DeviceFacts): readonly Choice[] {
  const maxWorkgroupLanes = maxLanes(device);
  const subgroupLanes = Math.max(1, device.subgroupMaxSize);
  const lanes = [maxWorkgroupLanes, (maxWorkgroupLanes * 3) / 4, maxWorkgroupLanes / 2].filter(
    (n) => n >= subgroupLanes && n % subgroupLanes === 0,
  );
  return [
    { kind: 'range', name: 'shares', start: SHARES, min: MIN_SHARES, max: MAX_SHARES },
    { kind: 'one-of', name: 'lanes', start: maxWorkgroupLanes, values: lanes },
  ];
}

/**
 * The workgroups of y = A x with x copied to workgroup memory. By default as many lanes as the device allows, since x
 * leaves memory for only one or two workgroups at a time, and few workgroups, so that each copy serves many rows.
 * Subgroups may turn out narrower than planned: then some have no share.
 */
export function stagedShares(
  cols: number,
  xType: 'f32' | 'f16',
  device: Pick<DeviceFacts, 'limits' | 'subgroupMaxSize'>,
  chosen: Chosen = {},
): StagedShares {
  const workgroupLanes = chosen.lanes ?? maxLanes(device);
  const lanes = Math.max(1, device.subgroupMaxSize);
  const shares = Math.max(1, Math.floor(workgroupLanes / lanes));
  const { memoryBytes, constants } = stagedX(cols, xType, workgroupLanes);
  return {
    lanes: workgroupLanes,
    memoryBytes: Math.max(memoryBytes, 4 * SHARE_WORDS * shares),
    counts: { workgroups: Math.max(1, Math.round((chosen.shares ?? SHARES) / shares)), shares, lanes },
    constants: { ...constants, SHARES: shares },
  };
}

/** A workgroup of `lanes` lanes that stores x in its memory, with the overrides of the shader that copies it there. */
export function stagedX(
  cols: number,
  xType: 'f32' | 'f16',
  lanes: number,
): WorkgroupNeeds & { readonly constants: Readonly<Record<string, number>> } {
  const words = Math.max(1, xType === 'f32' ? cols : Math.ceil(cols / 2));
  return {
    lanes,
    memoryBytes: 4 * words,
    constants: {
      WORKGROUP_SIZE: lanes,
      [xType === 'f32' ? 'COLS' : 'X_WORDS']: words,
      TURNS: Math.ceil(words / (COPIES * lanes)),
    },
  };
}

/**
 * The row starts, followed by the starts of the shares of y = A x, as shaders/common/staged.wgsl reads them: workgroups
 * get whole rows, and their subgroups runs of entries of about equal time. A run begins inside a row only if that
 * shortens the longest run by more than the cost, a step of a subgroup. `passedColumns`: how many columns of a row
 * its entries before `entry` span; formats that store column numbers need none.
 *
 * O(workgroups * shares * log rows), plus the cost of `passedColumns` for shares that begin inside a row.
 * Source: Merrill and Garland 2016 distribute rows and entries in the same way. Differs: a row stays in one workgroup,
 * and mostly in one subgroup.
 */
export function withEqualShares(
  indptr: Uint32Array,
  counts: ShareCounts,
  passedColumns: (row: number, entry: number) => number = () => 0,
): Uint32Array<ArrayBuffer> {
  const rows = indptr.length - 1;
  const words = new Uint32Array(rows + 1 + startWords(counts));
  words.set(indptr);
  let offset = rows + 1;
  const put = (row: number, entry: number): void => {
    const isInsideRow = entry > indptr[row];
    words.set([entry, row, isInsideRow ? passedColumns(row, entry) : 0, isInsideRow ? 1 : 0], offset);
    offset += SHARE_WORDS;
  };
  shareOut(indptr, counts, put);
  put(rows, indptr[rows]);
  return words;
}

/** Words for the starts of all shares, and the end of the last one. */
export function startWords({ workgroups, shares }: ShareCounts): number {
  return SHARE_WORDS * (workgroups * shares + 1);
}

/** The work of y = A x: an entry counts 1, and a row half a step of a subgroup in addition. */
export function workOf(indptr: Uint32Array, lanes: number): number {
  return indptr[indptr.length - 1] + ((indptr.length - 1) * LANE_ENTRIES * lanes) / 2;
}

/** Calls `put` with the row and the entry at which each share begins; entries as `indptr` counts them. */
export function shareOut(
  indptr: Uint32Array,
  { workgroups, shares, lanes }: ShareCounts,
  put: (row: number, entry: number) => void,
): void {
  const rows = indptr.length - 1;
  // The last step of a row is half empty on average.
  const step = LANE_ENTRIES * lanes;
  const work = new Work(indptr, step / 2);
  let row = 0;
  for (let w = 0; w < workgroups; w++) {
    const begin = work.before(row);
    const end = w === workgroups - 1 ? rows : work.nearestRow(begin + (work.before(rows) - begin) / (workgroups - w));
    let entry = indptr[row];
    put(row, entry);
    // The work before the current share, and the work of the longest share so far.
    let workBefore = begin;
    let longest = 0;
    for (let s = 1; s < shares; s++) {
      const splitAt = work.splitAt(
        workBefore + (work.before(end) - workBefore) / (shares - s + 1),
        step,
        workBefore + longest,
      );
      // Not before the start of this share.
      if (splitAt.row > row || splitAt.entry > entry) ({ row, entry } = splitAt);
      put(row, entry);
      const workAfter = work.before(row) + entry - indptr[row];
      longest = Math.max(longest, workAfter - workBefore);
      workBefore = workAfter;
    }
    row = end;
  }
}

/** Rows and their entries as amounts of work: an entry counts 1, and a row `rowCost` in addition. */
class Work {
  readonly #indptr: Uint32Array;
  readonly #rowCost: number;

  constructor(indptr: Uint32Array, rowCost: number) {
    this.#indptr = indptr;
    this.#rowCost = rowCost;
  }

  /** The work of all rows before this one. */
  before(row: number): number {
    return this.#indptr[row] + row * this.#rowCost;
  }

  /** The row before which there is about as much work; `rows` for all of it. */
  nearestRow(amount: number): number {
    const row = this.#rowAt(amount);
    const rows = this.#indptr.length - 1;
    return row < rows && this.before(row + 1) - amount < amount - this.before(row) ? row + 1 : row;
  }

  /**
   * Where a share ends, close to this amount of work: at the start of the nearest row if it is at most `slack` away; else
   * at the start of the next row if the share then ends at most at `longestEnd`, where a share as long as the longest so
   * far would end; else inside a row.
   */
  splitAt(amount: number, slack: number, longestEnd: number): { readonly row: number; readonly entry: number } {
    const row = this.#rowAt(amount);
    const nearest = this.nearestRow(amount);
    const startOf = (next: number): { readonly row: number; readonly entry: number } => ({
      row: next,
      entry: this.#indptr[next],
    });
    if (Math.abs(this.before(nearest) - amount) <= slack) return startOf(nearest);
    if (this.before(row + 1) <= longestEnd) return startOf(row + 1);
    const entry = Math.min(this.#indptr[row] + amount - this.before(row), this.#indptr[row + 1] - 1);
    const aligned = LANE_ENTRIES * Math.floor(entry / LANE_ENTRIES);
    return { row, entry: Math.max(this.#indptr[row], aligned) };
  }

  /** The last row before which there is at most this much work. */
  #rowAt(amount: number): number {
    let low = 0;
    let high = this.#indptr.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.before(middle) <= amount) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

import { finish, type Steps } from '../core/job.ts';
import { expansionOf, type Hardware, HARDWARE_2_4, windowsOf } from './sliding-sizes.ts';

export { type Hardware, HARDWARE_2_4, storedShare } from './sliding-sizes.ts';

/*
 * Which patterns of sparsity fit sliding windows: groups of L columns with at most Z non-zeros (Z:L), on hardware that
 * stores M non-zeros of every window of N columns (M:N). Source: SlideSparse paper, appendix C; where the paper is
 * wrong, the functions below find a counterexample.
 */

/** Z:L: at most Z non-zeros in every group of L columns. */
export interface Pattern {
  readonly kept: number;
  readonly group: number;
}

/** The windows of the hardware over a group of the pattern. */
export interface Sliding {
  readonly pattern: Pattern;
  readonly hardware: Hardware;
  /** columns from the start of a window to the start of the next: N - M */
  readonly stride: number;
  /** windows per group: (L - N) / (N - M) + 1 */
  readonly windows: number;
  /** slots for non-zeros in all windows together: windows * M */
  readonly capacity: number;
  /** columns of all windows, which overlap, over columns of the group: windows * N / L */
  readonly expansion: number;
}

/** One group of a row with its values, which the user can edit on the page. */
export interface SlidingGroup {
  readonly pattern: Pattern;
  readonly hardware: Hardware;
  /** value of each column of the group; 0 for none */
  readonly cells: readonly number[];
}

/** '6:8' for both patterns and hardware. */
export function patternText(ratio: Pattern | Hardware): string {
  return `${ratio.kept}:${'group' in ratio ? ratio.group : ratio.window}`;
}

/** Longest group: its columns are enumerated as bits of a 32-bit mask. */
const MAX_GROUP = 24;

/** The windows of a pattern, or a message on why they do not fit. */
export function slidingOf(pattern: Pattern, hardware: Hardware): Sliding | string {
  const { kept: z, group } = pattern;
  const { kept: m, window } = hardware;
  if (![z, group, m, window].every((n) => Number.isInteger(n) && n >= 1))
    return 'All four numbers must be whole and at least 1.';
  if (z > group) return `Pattern ${z}:${group}: a group of ${group} columns cannot have ${z} non-zeros.`;
  if (m >= window) return `Hardware ${m}:${window}: a window of ${window} columns must omit some.`;
  if (group > MAX_GROUP) return `Pattern ${z}:${group}: groups of up to ${MAX_GROUP} columns can be tried.`;
  const stride = window - m;
  const columnsAfterFirst = group - window;
  if (columnsAfterFirst < 0) return `A group of ${group} columns is shorter than a window of ${window}.`;
  if (columnsAfterFirst % stride !== 0) {
    const below = group - (columnsAfterFirst % stride);
    return `Windows of ${window}, ${stride} apart, end after column ${below} or ${below + stride}, not after ${group}.`;
  }
  const windows = windowsOf(group, hardware);
  return { pattern, hardware, stride, windows, capacity: windows * m, expansion: expansionOf(group, hardware) };
}

/** The expansion, gamma, of (2h-2):2h on 2:4 with h = `halfGroup`, which is 2 - 2/h, for any h of at least 2. */
export function gammaOf(halfGroup: number): number {
  return expansionOf(2 * halfGroup, HARDWARE_2_4);
}

/**
 * Speed over dense that the authors of SlideSparse published, by pattern: int8 GEMM kernels of Qwen2.5-7B with 16384
 * tokens on an A100, with sparse tensor cores. Source: the results published with their code (table B). The paper
 * prints 1.41 to 1.42 for 6:8 and 2.03 to 2.08 for 2:4, in section 5.2; 1.52 and 1.32 are in none of its texts.
 */
export const PUBLISHED_A100_SPEEDUPS: ReadonlyMap<string, number> = new Map([
  ['2:4', 2.07],
  ['4:6', 1.52],
  ['6:8', 1.42],
  ['8:10', 1.32],
]);

/** Which window each non-zero of a group goes to. */
export interface Assignment {
  /** by non-zero; -1: no window */
  readonly windowOf: readonly number[];
  /** non-zeros that have a window */
  readonly placedCount: number;
}

/**
 * Greedy, as in the paper's algorithm 2: windows from left to right, each stores up to M non-zeros that no earlier
 * window has taken, the lowest columns first. `columns` ascending. O(columns * windows).
 */
export function assignGreedily({ stride, windows, hardware }: Sliding, columns: readonly number[]): Assignment {
  const windowOf = columns.map(() => -1);
  let placedCount = 0;
  for (let w = 0; w < windows; w++) {
    const start = w * stride;
    let freeSlots = hardware.kept;
    for (let i = 0; i < columns.length && freeSlots > 0 && columns[i] < start + hardware.window; i++) {
      if (windowOf[i] !== -1 || columns[i] < start) continue;
      windowOf[i] = w;
      freeSlots--;
      placedCount++;
    }
  }
  return { windowOf, placedCount };
}

/**
 * The most non-zeros that any assignment can place: a maximum bipartite matching of non-zeros with the windows' slots,
 * by augmenting paths. O(columns^2 * windows).
 */
export function assignOptimally({ stride, windows, hardware }: Sliding, columns: readonly number[]): Assignment {
  const windowOf = columns.map(() => -1);
  /** by window, the indices of the non-zeros in it */
  const nonZerosOf: number[][] = Array.from({ length: windows }, () => []);
  /** Places non-zero i in a window that was not tried, if necessary by moving another. Returns whether that succeeded. */
  const place = (i: number, triedWindows: Set<number>): boolean => {
    for (let w = 0; w < windows; w++) {
      const start = w * stride;
      if (triedWindows.has(w) || columns[i] < start || columns[i] >= start + hardware.window) continue;
      triedWindows.add(w);
      const movedIndex =
        nonZerosOf[w].length < hardware.kept ? -1 : nonZerosOf[w].findIndex((nonZero) => place(nonZero, triedWindows));
      if (nonZerosOf[w].length >= hardware.kept && movedIndex < 0) continue;
      if (movedIndex >= 0) nonZerosOf[w].splice(movedIndex, 1);
      nonZerosOf[w].push(i);
      windowOf[i] = w;
      return true;
    }
    return false;
  };
  let placedCount = 0;
  for (let i = 0; i < columns.length; i++) if (place(i, new Set())) placedCount++;
  return { windowOf, placedCount };
}

/** A run of windows, and the columns that they cover and no other window does. */
export interface Bottleneck {
  readonly firstWindow: number;
  readonly lastWindow: number;
  readonly columns: readonly number[];
  /** slots for non-zeros in these windows */
  readonly freeSlots: number;
}

/**
 * Hall's condition: a placement fits if and only if every run of windows has slots for the non-zeros that no other
 * window covers. (The windows that cover a column form a run, so only runs need to be checked.) Returns the first run
 * that a placement of the pattern can overfill, the shortest runs first; null if there is none, which proves that every
 * placement fits. O(windows^2 * group), for any number of placements.
 */
export function bottleneck(s: Sliding): Bottleneck | null {
  for (let length = 1; length <= s.windows; length++) {
    for (let firstWindow = 0; firstWindow + length <= s.windows; firstWindow++) {
      const lastWindow = firstWindow + length - 1;
      const freeSlots = length * s.hardware.kept;
      const columns = columnsCoveredOnlyBy(s, firstWindow, lastWindow);
      if (Math.min(columns.length, s.pattern.kept) > freeSlots) return { firstWindow, lastWindow, columns, freeSlots };
    }
  }
  return null;
}

/** Why a placement fails: the first run of windows that alone covers more non-zeros than its slots; null if it fits. */
export function overfullRun(s: Sliding, columns: readonly number[]): Bottleneck | null {
  for (let length = 1; length <= s.windows; length++) {
    for (let firstWindow = 0; firstWindow + length <= s.windows; firstWindow++) {
      const coveredColumns = new Set(columnsCoveredOnlyBy(s, firstWindow, firstWindow + length - 1));
      const overfilledColumns = columns.filter((c) => coveredColumns.has(c));
      const freeSlots = length * s.hardware.kept;
      if (overfilledColumns.length > freeSlots)
        return { firstWindow, lastWindow: firstWindow + length - 1, columns: overfilledColumns, freeSlots };
    }
  }
  return null;
}

/** The columns that the windows `first` to `last` cover and no other window does. */
function columnsCoveredOnlyBy(
  { pattern, hardware, stride, windows }: Sliding,
  first: number,
  last: number,
): readonly number[] {
  const from = first === 0 ? 0 : (first - 1) * stride + hardware.window;
  const to = last === windows - 1 ? pattern.group : (last + 1) * stride;
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/** Whether every placement of a pattern fits its windows, and how that was decided. */
export interface Verdict {
  /** placements of exactly Z non-zeros; fewer are never harder */
  readonly placements: number;
  /** how it was decided: by counting slots, by trying every placement, or by Hall's condition if there are too many */
  readonly method: 'room' | 'all' | 'hall';
  /** placements that greedy assignment cannot fit, or all if slots are too few; null: Hall's condition finds one */
  readonly failures: number | null;
  /** how many of the failures an optimal assignment can fit */
  readonly rescued: number;
  /** columns of one of the failures, the first if they were tried; null if there is none */
  readonly counterexample: readonly number[] | null;
}

/** Most placements that are tried one by one; beyond them Hall's condition decides. */
const MAX_PLACEMENTS = 200_000;
const PLACEMENTS_PER_YIELD = 1024;

/**
 * Tries every placement of Z non-zeros, in ascending order of their columns, or decides by Hall's condition if there
 * are more than `maxPlacements`. If the windows together have too few slots, nothing is tried.
 */
export function judge(s: Sliding, maxPlacements: number = MAX_PLACEMENTS): Verdict {
  return finish(judgeSteps(s, maxPlacements));
}

/** Like `judge`, as a generator with steps of a few ms, for a caller that must respond in between. */
export function* judgeSteps(s: Sliding, maxPlacements: number = MAX_PLACEMENTS): Steps<Verdict> {
  const { kept: z, group } = s.pattern;
  const placements = binomial(group, z);
  if (z > s.capacity) {
    const first = Array.from({ length: z }, (_, c) => c);
    return { placements, method: 'room', failures: placements, rescued: 0, counterexample: first };
  }
  if (placements > maxPlacements) {
    const overfullWindows = bottleneck(s);
    const counterexample =
      overfullWindows && withMoreColumns(overfullWindows.columns.slice(0, overfullWindows.freeSlots + 1), z, group);
    return { placements, method: 'hall', failures: overfullWindows ? null : 0, rescued: 0, counterexample };
  }
  let failures = 0;
  let rescued = 0;
  let counterexample: readonly number[] | null = null;
  let done = 0;
  for (const columns of combinations(group, z)) {
    if (++done % PLACEMENTS_PER_YIELD === 0) yield { what: 'placements', done, total: placements };
    if (assignGreedily(s, columns).placedCount === z) continue;
    failures++;
    if (assignOptimally(s, columns).placedCount === z) rescued++;
    counterexample ??= [...columns];
  }
  return { placements, method: 'all', failures, rescued, counterexample };
}

/** `columns` and the lowest other columns, `count` in all, ascending. */
function withMoreColumns(columns: readonly number[], count: number, group: number): readonly number[] {
  const allColumns = new Set(columns);
  for (let c = 0; c < group && allColumns.size < count; c++) allColumns.add(c);
  return [...allColumns].toSorted((a, b) => a - b);
}

/** n choose k, exact below 2^53. */
export function binomial(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) result = (result * (n - Math.min(k, n - k) + i)) / i;
  return Math.round(result);
}

/** Every choice of k of the columns 0 .. n - 1, in lexicographic order. The array is reused. */
function* combinations(n: number, k: number): Generator<readonly number[]> {
  const columns = Array.from({ length: k }, (_, i) => i);
  for (;;) {
    yield columns;
    let i = k - 1;
    while (i >= 0 && columns[i] === n - k + i) i--;
    if (i < 0) return;
    columns[i]++;
    for (let j = i + 1; j < k; j++) columns[j] = columns[j - 1] + 1;
  }
}

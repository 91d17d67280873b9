import {
  assignGreedily,
  HARDWARE_2_4,
  type Hardware,
  judge,
  type Pattern,
  type Sliding,
  slidingOf,
} from './sliding-windows.ts';

/**
 * The statements of the SlideSparse paper about sliding windows, checked by enumeration. Source: SlideSparse paper,
 * section 3 and appendix C.
 */

/** A pattern that theorem 2 claims to fit and that cannot be placed. */
export interface Refutation {
  readonly sliding: Sliding;
  readonly columns: readonly number[];
}

/**
 * Theorem 2 says that capacity >= Z is enough. For every hardware M:N with windows of at most `maxWindow` columns: the
 * smallest pattern of at most `maxGroup` columns, denser than the hardware, that has the capacity and still cannot be
 * placed. Sorted by window, then group.
 */
export function refuteTheorem2(maxWindow: number, maxGroup: number): readonly Refutation[] {
  const found: Refutation[] = [];
  for (let window = 2; window <= maxWindow; window++) {
    for (let kept = 1; kept < window; kept++) {
      const first = smallestRefutation({ kept, window }, maxGroup);
      if (first) found.push(first);
    }
  }
  return found;
}

function smallestRefutation(hardware: Hardware, maxGroup: number): Refutation | null {
  for (const sliding of promised(hardware, maxGroup)) {
    const { counterexample } = judge(sliding, MAX_TRIED);
    if (counterexample) return { sliding, columns: counterexample };
  }
  return null;
}

/** Most placements of one pattern that are enumerated among many patterns; beyond them Hall's condition decides. */
const MAX_TRIED = 1000;

/** The patterns of at most `maxGroup` columns that theorem 2 says the hardware can hold, by their columns. */
function* promised(hardware: Hardware, maxGroup: number): Generator<Sliding> {
  const { kept: m, window } = hardware;
  for (let group = window; group <= maxGroup; group += window - m) {
    for (let z = 1; z <= group; z++) {
      // A pattern that is sparser than the hardware supposedly needs no sliding at all.
      if (z * window < m * group) continue;
      const sliding = slidingOf({ kept: z, group }, hardware);
      if (typeof sliding !== 'string' && sliding.capacity >= z) yield sliding;
    }
  }
}

/** How theorem 2 fares on the hardware with windows of one width. */
export interface Theorem2Row {
  readonly window: number;
  /** M:N with M from 1 to N - 1 */
  readonly hardware: number;
  /** patterns that the theorem claims to fit */
  readonly patterns: number;
  /** those of them with a placement that does not fit */
  readonly broken: number;
  /** of the counterexamples, those on hardware that keeps at least half of its window */
  readonly brokenOnDense: number;
  /** placements enumerated, and patterns that Hall's condition decided */
  readonly tried: number;
  readonly proved: number;
}

/**
 * Judges every pattern of at most `maxGroup` columns that theorem 2 claims to fit hardware with windows of `window`.
 */
export function checkTheorem2(window: number, maxGroup: number): Theorem2Row {
  let patterns = 0;
  let broken = 0;
  let brokenOnDense = 0;
  let tried = 0;
  let proved = 0;
  for (let kept = 1; kept < window; kept++) {
    for (const sliding of promised({ kept, window }, maxGroup)) {
      const { method, placements, failures } = judge(sliding, MAX_TRIED);
      patterns++;
      if (method === 'all') tried += placements;
      else proved += placements;
      if (failures === 0) continue;
      broken++;
      if (2 * kept >= window) brokenOnDense++;
    }
  }
  return { window, hardware: window - 1, patterns, broken, brokenOnDense, tried, proved };
}

/**
 * Checks 'Z/L < M/N runs directly' without sliding: the first placement of the pattern that overfills an aligned window
 * of the hardware, lowest columns first; null if there is none.
 */
export function refuteRunsDirectly({ kept, group }: Pattern, hardware: Hardware): readonly number[] | null {
  const inFirst = Math.min(kept, hardware.window, group);
  return inFirst > hardware.kept ? Array.from({ length: kept }, (_, i) => i) : null;
}

/** The check of theorem 1 for one N: placements of at most 2N - 2 non-zeros in 2N columns on 2:4. */
export interface Theorem1Row {
  readonly halfGroup: number;
  readonly placements: number;
  readonly failures: number;
}

/** Tries every placement of 0 to 2N - 2 non-zeros, by the greedy of the paper. O(4^N * N). */
export function checkTheorem1(halfGroup: number): Theorem1Row {
  const group = 2 * halfGroup;
  const sliding = slidingOf({ kept: group - 2, group }, HARDWARE_2_4);
  if (typeof sliding === 'string') throw new RangeError(sliding);
  let placements = 0;
  let failures = 0;
  for (let mask = 0; mask < 2 ** group; mask++) {
    const columns: number[] = [];
    for (let c = 0; c < group; c++) if ((mask >>> c) & 1) columns.push(c);
    if (columns.length > group - 2) continue;
    placements++;
    if (assignGreedily(sliding, columns).placed !== columns.length) failures++;
  }
  return { halfGroup, placements, failures };
}

/** How theorem 3, S = alpha / gamma <= L / Z with alpha = N / M, fares on the hardware with windows of one width. */
export interface Theorem3Row {
  readonly window: number;
  /** patterns that fit the hardware in every placement */
  readonly held: number;
  /** those that would be faster than the bound */
  readonly faster: number;
  /** those that attain it: they use all slots of the windows */
  readonly reached: number;
}

/**
 * Counts, over every pattern of at most `maxGroup` columns and all hardware with windows of `window` columns, those
 * that fit in every placement by Hall's condition, and their speed by alpha / gamma. In whole numbers: alpha / gamma =
 * L / (windows * M), which exceeds L / Z if Z exceeds the slots, and equals it if it fills them.
 */
export function checkTheorem3(window: number, maxGroup: number): Theorem3Row {
  const counts = { held: 0, faster: 0, reached: 0 };
  for (let kept = 1; kept < window; kept++) {
    const hardware = { kept, window };
    for (let group = window; group <= maxGroup; group += window - kept) {
      for (let z = 1; z <= group; z++) {
        const sliding = slidingOf({ kept: z, group }, hardware);
        if (typeof sliding === 'string' || judge(sliding, 0).failures !== 0) continue;
        counts.held++;
        if (z > sliding.capacity) counts.faster++;
        if (z === sliding.capacity) counts.reached++;
      }
    }
  }
  return { window, ...counts };
}

/**
 * How 1:4 hardware, which supposedly runs any pattern at its best speed, L / Z, fares with patterns of one number of
 * columns.
 */
export interface OneOfFourRow {
  readonly group: number;
  readonly patterns: number;
  /** those with more non-zeros than its windows hold: all above a density of about a third */
  readonly withoutRoom: number;
  /** those that fit in every placement */
  readonly held: readonly Pattern[];
  /** those of them that run at L / Z */
  readonly reached: readonly Pattern[];
}

/** Judges every pattern of `group` columns on 1:4. Throws RangeError if its windows do not end with the group. */
export function checkOneOfFour(group: number): OneOfFourRow {
  const held: Pattern[] = [];
  const reached: Pattern[] = [];
  let withoutRoom = 0;
  for (let kept = 1; kept <= group; kept++) {
    const sliding = slidingOf({ kept, group }, { kept: 1, window: 4 });
    if (typeof sliding === 'string') throw new RangeError(sliding);
    if (kept > sliding.capacity) withoutRoom++;
    if (judge(sliding, MAX_TRIED).failures !== 0) continue;
    held.push(sliding.pattern);
    if (kept === sliding.capacity) reached.push(sliding.pattern);
  }
  return { group, patterns: group, withoutRoom, held, reached };
}

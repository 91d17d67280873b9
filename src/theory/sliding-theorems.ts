import {
  assignGreedily,
  binomial,
  HARDWARE_2_4,
  type Hardware,
  judge,
  type Pattern,
  type Sliding,
  slidingOf,
} from './sliding-windows.ts';

/*
 * The theorems of the SlideSparse paper about sliding windows (section 3 and appendix C), checked by enumeration. For a
 * pattern of Z weights in L columns on hardware that keeps M of N (sliding-windows.ts):
 *
 *   Z      pattern.kept: non-zeros of a group        M      hardware.kept: non-zeros of a window that are stored
 *   L      pattern.group: columns of a group         N      hardware.window: columns of a window
 *   w      sliding.windows: windows of a group       w M    sliding.capacity: slots of all windows of a group
 *   alpha  N / M, the gain of the hardware           gamma  w N / L, the growth by sliding
 *   S      alpha / gamma, the speed over dense
 */

/** A pattern that theorem 2 claims to fit and that cannot be placed. */
export interface Refutation {
  readonly sliding: Sliding;
  readonly columns: readonly number[];
}

/**
 * Theorem 2 claims that capacity >= Z is enough. For every hardware M:N with windows of at most `maxWindow` columns:
 * the smallest pattern of at most `maxGroup` columns, at least as dense as the hardware, that has the capacity and
 * still cannot be placed. Sorted by window, then group.
 */
export function refuteTheorem2(maxWindow: number, maxGroup: number): readonly Refutation[] {
  const refutations: Refutation[] = [];
  for (let window = 2; window <= maxWindow; window++) {
    for (let m = 1; m < window; m++) {
      const first = smallestRefutation({ kept: m, window }, maxGroup);
      if (first) refutations.push(first);
    }
  }
  return refutations;
}

/** The shortest pattern that theorem 2 claims to fit this hardware and that cannot be placed; null if there is none. */
function smallestRefutation(hardware: Hardware, maxGroup: number): Refutation | null {
  for (const sliding of claimedToFit(hardware, maxGroup)) {
    const { counterexample } = judge(sliding, MAX_ENUMERATED);
    if (counterexample) return { sliding, columns: counterexample };
  }
  return null;
}

/** Most placements of a pattern that are tried where many patterns are judged; beyond them Hall's condition decides. */
const MAX_ENUMERATED = 1000;

/** The patterns, at least as dense as the hardware, that fit it by theorem 2, the shortest first. */
function* claimedToFit(hardware: Hardware, maxGroup: number): Generator<Sliding> {
  const { kept: keptPerWindow, window } = hardware;
  for (let group = window; group <= maxGroup; group += window - keptPerWindow) {
    for (let nonZeros = 1; nonZeros <= group; nonZeros++) {
      // A pattern that is sparser than the hardware supposedly needs no sliding at all.
      if (nonZeros * window < keptPerWindow * group) continue;
      const sliding = slidingOf({ kept: nonZeros, group }, hardware);
      if (typeof sliding !== 'string' && sliding.capacity >= nonZeros) yield sliding;
    }
  }
}

/**
 * Where theorem 2 is true: with enough slots for Z, w M >= Z, every placement fits if and only if 2M >= N or Z <= M.
 *
 * Proof.
 * 1. The windows that cover a column are neighbours, so Hall's condition has to be checked for runs of k windows only.
 * 2. With a stride of N - M, a run alone covers k (N - M) columns if it begins or ends the group, k (N - M) - M inside,
 *    L if it has all windows.
 * 3. If 2M >= N, then N - M <= M, and no run gets more than its k M; all windows get Z, at most w M.
 * 4. If Z <= M, no run gets more than the slots of its first window.
 * 5. Otherwise Z > M, so that w M >= Z needs two windows or more, and N - M > M, so that window 0 alone covers M + 1
 *    columns: non-zeros there do not fit.
 */
export function fitsWhereCapacitySuffices({ kept: z }: Pick<Pattern, 'kept'>, hardware: Hardware): boolean {
  return 2 * hardware.kept >= hardware.window || z <= hardware.kept;
}

/** Results for theorem 2 on all hardware with windows of one width. */
export interface Theorem2Row {
  readonly window: number;
  /** how many M:N there are, with M from 1 to N - 1 */
  readonly hardware: number;
  /** patterns that the theorem claims to fit */
  readonly patterns: number;
  /** those patterns that have a placement that does not fit */
  readonly broken: number;
  /** patterns for which `fitsWhereCapacitySuffices` is wrong */
  readonly exceptions: number;
  /** placements that were tried one by one */
  readonly enumerated: number;
  /** placements of the patterns that Hall's condition decided */
  readonly decidedByHall: number;
}

/** Judges every pattern of at most `maxGroup` columns that theorem 2 claims to fit hardware with this `window`. */
export function checkTheorem2(window: number, maxGroup: number): Theorem2Row {
  let patterns = 0;
  let broken = 0;
  let exceptions = 0;
  let enumerated = 0;
  let decidedByHall = 0;
  for (let m = 1; m < window; m++) {
    for (const sliding of claimedToFit({ kept: m, window }, maxGroup)) {
      const { method, placements, failures } = judge(sliding, MAX_ENUMERATED);
      patterns++;
      if (method === 'all') enumerated += placements;
      else decidedByHall += placements;
      const fits = failures === 0;
      if (!fits) broken++;
      if (fits !== fitsWhereCapacitySuffices(sliding.pattern, sliding.hardware)) exceptions++;
    }
  }
  return { window, hardware: window - 1, patterns, broken, exceptions, enumerated, decidedByHall };
}

/**
 * A placement that refutes 'Z/L < M/N runs directly', that is, without sliding: the first of the pattern that overfills
 * an aligned window of the hardware, lowest columns first; null if there is none.
 */
export function overfillingPlacement({ kept: z, group }: Pattern, hardware: Hardware): readonly number[] | null {
  const inFirst = Math.min(z, hardware.window, group);
  return inFirst > hardware.kept ? Array.from({ length: z }, (_, i) => i) : null;
}

/** The check of theorem 1 on 2:4, for at most 2h - 2 non-zeros in 2h columns; h is `halfGroup`, the paper's N. */
export interface Theorem1Row {
  readonly halfGroup: number;
  readonly placements: number;
  readonly failures: number;
}

/** Tries every placement of 0 to 2h - 2 non-zeros, by the paper's greedy assignment; h is `halfGroup`. O(4^h * h). */
export function checkTheorem1(halfGroup: number): Theorem1Row {
  const group = 2 * halfGroup;
  const sliding = slidingOf({ kept: group - 2, group }, HARDWARE_2_4);
  if (typeof sliding === 'string') throw new RangeError(sliding);
  let placements = 0;
  let failures = 0;
  for (const columns of columnSets(group)) {
    if (columns.length > group - 2) continue;
    placements++;
    if (assignGreedily(sliding, columns).placedCount !== columns.length) failures++;
  }
  return { halfGroup, placements, failures };
}

/** Every set of the columns of a group, each ascending. */
function* columnSets(group: number): Generator<readonly number[]> {
  const columns = Array.from({ length: group }, (_, column) => column);
  for (let mask = 0; mask < 2 ** group; mask++) yield columns.filter((column) => (mask >>> column) & 1);
}

/** Results for theorem 3, S = alpha / gamma <= L / Z with alpha = N / M, on all hardware with windows of one width. */
export interface Theorem3Row {
  readonly window: number;
  /** patterns that fit the hardware in every placement */
  readonly fitting: number;
  /** of the fitting patterns, those that would be faster than the bound */
  readonly faster: number;
  /** those that attain it: they use all slots of the windows */
  readonly atBound: number;
}

/**
 * Counts, over every pattern of at most `maxGroup` columns and all hardware with windows of `window` columns, those
 * that fit in every placement by Hall's condition, and their speed by alpha / gamma. In whole numbers: alpha / gamma =
 * L / (windows * M), which exceeds L / Z if Z exceeds the slots, and equals it if it fills them.
 */
export function checkTheorem3(window: number, maxGroup: number): Theorem3Row {
  const counts = { fitting: 0, faster: 0, atBound: 0 };
  for (let keptPerWindow = 1; keptPerWindow < window; keptPerWindow++) {
    const hardware = { kept: keptPerWindow, window };
    for (let group = window; group <= maxGroup; group += window - keptPerWindow) {
      for (let nonZeros = 1; nonZeros <= group; nonZeros++) {
        const sliding = slidingOf({ kept: nonZeros, group }, hardware);
        if (typeof sliding === 'string' || judge(sliding, 0).failures !== 0) continue;
        counts.fitting++;
        if (nonZeros > sliding.capacity) counts.faster++;
        if (nonZeros === sliding.capacity) counts.atBound++;
      }
    }
  }
  return { window, ...counts };
}

const ONE_OF_FOUR: Hardware = { kept: 1, window: 4 };

/**
 * 1:4 hardware supposedly runs any pattern at its best speed, L / Z. Results for all patterns with `group` columns, if
 * windows are three columns apart (section C.1.7).
 */
export interface OneOfFourRow {
  readonly group: number;
  readonly patterns: number;
  /** patterns with more non-zeros than slots in the windows: all above a density of about a third */
  readonly withoutFreeSlot: number;
  /** patterns that fit in every placement */
  readonly fitting: readonly Pattern[];
  /** patterns of `fitting` that run at L / Z */
  readonly atBound: readonly Pattern[];
}

/** Judges every pattern of `group` columns on 1:4. Throws RangeError if its windows do not end with the group. */
export function checkOneOfFour(group: number): OneOfFourRow {
  const fitting: Pattern[] = [];
  const atBound: Pattern[] = [];
  let withoutFreeSlot = 0;
  for (let z = 1; z <= group; z++) {
    const sliding = slidingOf({ kept: z, group }, ONE_OF_FOUR);
    if (typeof sliding === 'string') throw new RangeError(sliding);
    if (z > sliding.capacity) withoutFreeSlot++;
    if (judge(sliding, MAX_ENUMERATED).failures !== 0) continue;
    fitting.push(sliding.pattern);
    if (z === sliding.capacity) atBound.push(sliding.pattern);
  }
  return { group, patterns: group, withoutFreeSlot, fitting, atBound };
}

/**
 * Where windows of 1:4 begin if each of Z non-zeros has one, as in section C.1.7: one window at each column
 * from 0 to L - 4; the remaining Z - (L - 3) begin at 0, too. Then alpha / gamma = 4 / (4 Z / L) = L / Z: the bound.
 *
 * Every placement fits if and only if L - Z <= 3:
 * 1. If there are more zeros, all non-zeros can be outside one window, and the other Z - 1 windows have too few slots,
 *    wherever they begin.
 * 2. Otherwise Hall's condition is satisfied: the windows that begin at columns a to b alone cover b - a - 2 columns, or
 *    b - a + 1 if they begin or end the group, and there are b - a + 1 of them or more.
 *
 * Throws RangeError if there are more than three zeros.
 */
export function windowPerNonZero({ kept: z, group }: Pattern): readonly number[] {
  if (group < ONE_OF_FOUR.window || group - z > ONE_OF_FOUR.window - 1) {
    throw new RangeError(
      `windows of 1:4 for ${z}:${group}: found ${group - z} zeros, expected at most 3 in 4 columns or more`,
    );
  }
  const starts = group - ONE_OF_FOUR.window + 1;
  return [...Array.from({ length: z - starts }, () => 0), ...Array.from({ length: starts }, (_, start) => start)];
}

/**
 * Windows of 1:4 begin at `starts` (ascending). The first placement with one non-zero per window that does not fit
 * them; null if all fit. O(2^group * windows).
 */
export function placementThatDoesNotFit(group: number, starts: readonly number[]): readonly number[] | null {
  for (const columns of columnSets(group)) {
    if (columns.length !== starts.length) continue;
    // Windows are equally long, so nothing is better than the first window for the first column.
    const fits = columns.every((c, i) => c >= starts[i] && c < starts[i] + ONE_OF_FOUR.window);
    if (!fits) return columns;
  }
  return null;
}

/** Results for 1:4 with a window per non-zero, on patterns of one number of columns with at most three zeros. */
export interface WindowPerNonZeroRow {
  readonly patterns: number;
  readonly placements: number;
  /** patterns with a placement that does not fit */
  readonly broken: number;
}

/** Tries all placements of the patterns of `group` columns with one to three zeros. O(2^group * group). */
export function checkWindowPerNonZero(group: number): WindowPerNonZeroRow {
  let [patterns, placements, broken] = [0, 0, 0];
  for (let z = Math.max(1, group - 3); z < group; z++) {
    patterns++;
    placements += binomial(group, z);
    if (placementThatDoesNotFit(group, windowPerNonZero({ kept: z, group })) !== null) broken++;
  }
  return { patterns, placements, broken };
}

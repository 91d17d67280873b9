import sumPanels from '../../../shaders/common/sum_panels.wgsl';
import type { Choice, Chosen } from './choices.ts';
import {
  LANE_ENTRIES,
  shareOut,
  type ShareCounts,
  stagedShares,
  startWords,
  SHARE_WORDS,
  workOf,
} from './equal-shares.ts';
import { type DeviceFacts, type PassPlan, splitWorkgroups } from './kernel.ts';
import { shaderFiles } from './shader.ts';

/**
 * Rows of a matrix, split where panels (ranges of columns) begin, as shaders/common/staged.wgsl reads them: the pieces
 * of all rows in the first panel, then the pieces in the second. With 3 rows, 2 panels and entries (stored values) a to i:
 *
 *           panel 0    panel 1
 *   row 0   a b        c            piece 0: a b    piece 3: c
 *   row 1   d          e f g        piece 1: d      piece 4: e f g
 *   row 2              h i          piece 2: none   piece 5: h i
 *
 * A share is the run of consecutive entries of one panel that one subgroup multiplies, about equal in work: in panel 1, two
 * shares could be 'c e f' and 'g h i', where the second begins inside piece 4 (in a matrix, at a multiple of 8 entries).
 */
export interface PanelSplits {
  readonly rows: number;
  readonly panels: number;
  /** columns of a panel; the last one may have fewer */
  readonly panelCols: number;
  /** (panels + 1) * rows elements: the entry with which piece i begins; piece i ends where piece i + rows begins */
  readonly starts: Uint32Array;
  /**
   * panels * rows elements: for piece i, what is added to a stored column (CSR) or to the running sum of gaps (MACKO) to get
   * the column within the panel; wraps modulo 2^32. CSR: minus the panel's first column. MACKO: the columns of the row before
   * the piece, minus the panel's first column
   */
  readonly columnOffsets: Uint32Array;
}

/** Columns of a panel if `cols` columns are divided into `panels` panels; the last may have fewer. */
export function panelColsOf(cols: number, panels: number): number {
  return Math.max(1, Math.ceil(cols / panels));
}

/** The least number of panels, at least two, such that the x of a panel fits in workgroup memory as f32. */
export function minPanels(cols: number, { limits }: DeviceFacts): number {
  return Math.max(2, Math.ceil((4 * cols) / limits.maxComputeWorkgroupStorageSize));
}

/** The choices of a timing trial: `min` panels or one more. With one more, x needs less memory of each workgroup. */
export function panelChoice(cols: number, device: DeviceFacts, min = minPanels(cols, device)): Choice {
  return { kind: 'one-of', name: 'panels', start: min, values: [min, min + 1] };
}

/**
 * Returns the arrays of `splits`, then four words for each share, a run of entries that one subgroup multiplies: first entry,
 * piece, column offset there, and 1 if the share begins inside the piece. Panels get workgroups in proportion to their
 * work, and the workgroups' subgroups divide it as in `withEqualShares`. `passedIn(begin, entry)`: the sum of the
 * column gaps of a row from entry `begin` up to `entry`; 0 for formats that store columns.
 * O(panels * rows + workgroups * shares * log rows), plus the cost of `passedIn` for the pieces that are split.
 */
export function withPanelShares(
  splits: PanelSplits,
  counts: ShareCounts,
  passedIn: (begin: number, entry: number) => number,
): Uint32Array<ArrayBuffer> {
  const { rows, panels, starts, columnOffsets } = splits;
  const workgroups = Math.max(panels, counts.workgroups);
  const words = new Uint32Array(starts.length + columnOffsets.length + startWords({ ...counts, workgroups }));
  words.set(starts);
  words.set(columnOffsets, starts.length);
  let nextWord = starts.length + columnOffsets.length;
  const rowStarts = Array.from({ length: panels }, (_, panel) => {
    const indptr = new Uint32Array(rows + 1);
    for (let row = 0; row < rows; row++) {
      const piece = panel * rows + row;
      indptr[row + 1] = indptr[row] + starts[piece + rows] - starts[piece];
    }
    return indptr;
  });
  const work = rowStarts.map((indptr) => workOf(indptr, counts.lanes));
  let workRemaining = work.reduce((sum, each) => sum + each, 0);
  let workgroupsRemaining = workgroups;
  for (const [panel, indptr] of rowStarts.entries()) {
    const panelsAfter = panels - panel - 1;
    const byWork = workRemaining > 0 ? Math.round((workgroupsRemaining * work[panel]) / workRemaining) : 1;
    const workgroupsOfPanel =
      panelsAfter === 0 ? workgroupsRemaining : Math.max(1, Math.min(byWork, workgroupsRemaining - panelsAfter));
    workgroupsRemaining -= workgroupsOfPanel;
    workRemaining -= work[panel];
    shareOut(indptr, { ...counts, workgroups: workgroupsOfPanel }, (row, entryInPanel) => {
      const piece = panel * rows + row;
      const begin = starts[piece] ?? 0;
      const splitAt = row < rows ? begin + entryInPanel - indptr[row] : begin;
      const entry = Math.max(begin, LANE_ENTRIES * Math.floor(splitAt / LANE_ENTRIES)); // a lane processes whole groups
      const isInsidePiece = entry > begin;
      const columnOffset = (columnOffsets[piece] ?? 0) + (isInsidePiece ? passedIn(begin, entry) : 0);
      words.set([entry, piece, columnOffset, isInsidePiece ? 1 : 0], nextWord);
      nextWord += SHARE_WORDS;
    });
  }
  words.set([0, panels * rows, 0, 0], nextWord);
  return words;
}

/** The numbers of workgroups and shares for `withPanelShares`, with the overrides and the memory of its kernel. */
export function panelShares(
  cols: number,
  device: DeviceFacts,
  chosen: Chosen = {},
  min = minPanels(cols, device),
): ReturnType<typeof stagedShares> & { readonly panels: number; readonly panelCols: number } {
  const panels = chosen.panels ?? min;
  const panelCols = panelColsOf(cols, panels);
  const staged = stagedShares(panelCols, 'f32', device, chosen);
  return {
    ...staged,
    panels,
    panelCols,
    counts: { ...staged.counts, workgroups: Math.max(panels, staged.counts.workgroups) },
    constants: { ...staged.constants, PANELS: panels, PANEL_COLS: panelCols },
  };
}

/** Lanes of a workgroup of shaders/common/sum_panels.wgsl, one per row. */
const SUM_LANES = 64;

/**
 * The pass that adds up the partial sums of `panels` panels of columns, for `rows` rows. `bindings`: the buffers of its
 * sizes (rows, columns), of the partial sums, panel after panel, and of the sums.
 */
export function sumPanelsPass(rows: number, panels: number, bindings: readonly [string, string, string]): PassPlan {
  return {
    files: shaderFiles(sumPanels),
    constants: { PANELS: panels },
    bindings,
    workgroups: splitWorkgroups(Math.ceil(rows / SUM_LANES)),
  };
}

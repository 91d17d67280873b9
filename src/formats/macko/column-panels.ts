import { type PanelSplits, panelColsOf } from '../../core/kernel/panel-shares.ts';
import { type MackoEncoded, storedDelta } from './layout.ts';
import type { DeltaBits } from './params.ts';

/** The sum of the deltas (skipped columns) in a word, by bits per delta: neighbouring fields are added pairwise. */
const WORD_SUM: Readonly<Record<DeltaBits, (word: number) => number>> = {
  1(word) {
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  },
  2(word) {
    const fours = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
  },
  4: (word) => Math.imul((word & 0x0f0f0f0f) + ((word >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24,
  8(word) {
    const pairs = (word & 0x00ff00ff) + ((word >>> 8) & 0x00ff00ff);
    return (pairs & 0xffff) + (pairs >>> 16);
  },
};

const cache = new WeakMap<MackoEncoded, Map<number, PanelSplits>>();

/**
 * First entry of each row in each of `panels` panels: strips of neighbouring columns whose x fits in workgroup memory.
 * An entry, padding too, belongs to the panel of its column. Cached. O(entries / 8 + rows * panels).
 */
export function panelSplits(e: MackoEncoded, panels: number): PanelSplits {
  const ofMatrix = cache.get(e) ?? new Map<number, PanelSplits>();
  cache.set(e, ofMatrix);
  const splits = ofMatrix.get(panels) ?? splitAtPanels(e, panels);
  ofMatrix.set(panels, splits);
  return splits;
}

function splitAtPanels(e: MackoEncoded, panels: number): PanelSplits {
  const { rows, cols, deltas, deltaBits, indptr } = e;
  const panelCols = panelColsOf(cols, panels);
  const starts = new Uint32Array((panels + 1) * rows);
  const columnOffsets = new Uint32Array(panels * rows);
  const perWord = 32 / deltaBits;
  const sumOf = WORD_SUM[deltaBits];
  for (let row = 0; row < rows; row++) {
    const end = indptr[row + 1];
    let entry = indptr[row];
    // Columns that the entries before `entry` have passed.
    let before = 0;
    for (let panel = 0; panel < panels; panel++) {
      const edge = panel * panelCols;
      while (entry < end) {
        // All entries of a word at once, if the row has all of them; else one entry.
        const isWord = entry % perWord === 0 && entry + perWord <= end;
        const count = isWord ? perWord : 1;
        const total = count + (isWord ? sumOf(deltas[entry / perWord]) : storedDelta(e, entry));
        if (before + total <= edge) {
          before += total;
          entry += count;
          continue;
        }
        // These entries reach the panel; the first of them may be before it.
        if (!isWord) break;
        while (before + storedDelta(e, entry) + 1 <= edge) {
          before += storedDelta(e, entry) + 1;
          entry++;
        }
        break;
      }
      starts[panel * rows + row] = entry;
      // Counted from the panel's edge: 0 or below, modulo 2^32.
      columnOffsets[panel * rows + row] = before - edge;
    }
    starts[panels * rows + row] = end;
  }
  return { rows, panels, panelCols, starts, columnOffsets };
}

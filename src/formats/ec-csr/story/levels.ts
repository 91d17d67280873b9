import { type DeclaredTrace, stepStoring } from '../../../core/declared/story/trace.ts';
import { finish } from '../../../core/job.ts';
import { box } from '../../../core/story/marks.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { listText } from '../../../core/story/words.ts';
import { type Block, type ExtractedPair, type Extraction, extractSteps } from '../extract.ts';
import { type EcCsrEncoded, setInfos } from '../layout.ts';
import { plainOverlaps } from '../overlap.ts';
import { packBlocks, type PackedSet } from '../pack.ts';

export type EcCsrTrace = DeclaredTrace<EcCsrEncoded>;

/** A pair of level 0, 1 or 2. */
export type Pair = ExtractedPair & { readonly level: number };

/** What the encoder looked for on a window, and found. */
export interface Search {
  readonly pairs: readonly Pair[];
  /** unit rows of every level as it began */
  readonly levels: readonly (readonly Block[])[];
  readonly extraction: Extraction;
  /** blocks as they are stored */
  readonly sets: readonly PackedSet[];
}

const searches = new WeakMap<EcCsrTrace['window'], Search>();

/** The search for blocks again, which finds the same; it is remembered by the window of the trace. */
export function searchOf({ window, encoded }: EcCsrTrace): Search {
  const known = searches.get(window);
  if (known) return known;
  const pairs: Pair[] = [];
  const levels: (readonly Block[])[] = [];
  const listener = {
    levelStarts: (_: number, units: readonly Block[]) => void levels.push(units),
    pair: (pair: ExtractedPair) => void pairs.push({ ...pair, level: Math.log2(pair.granularity) }),
    levelEnds: () => {},
  };
  const extraction = finish(extractSteps(window, encoded, plainOverlaps(), listener));
  const search = { pairs, levels, extraction, sets: packBlocks(extraction, encoded).sets[encoded.remainder] };
  searches.set(window, search);
  return search;
}

/** Width of the tree, in units of a bar, and boxes of a level. */
const WIDTH = 100;
const BOXES = 16;

/** The rows of the block that is stored in a step; none in other steps. */
function rowsStoredIn({ encoded: e, steps, stores, run }: EcCsrTrace, number: number): ReadonlySet<number> {
  const detail = number > 0 ? steps[number - 1].detail : null;
  const array = run.encoding.arrays.findIndex((one) => one.array.name === 'rowIndices');
  const rows = new Set<number>();
  if (detail?.kind !== 'told') return rows;
  for (let i = detail.from; i < detail.to; i++) if (stores.array[i] === array) rows.add(e.rowIndices[stores.at[i]]);
  return rows;
}

/** The tree of levels: which rows joined at which level, and how many columns they shared. Panel id 'levels'. */
export function levelsPanel(t: EcCsrTrace, number: number): readonly Panel[] {
  const { levels } = searchOf(t);
  const found = levels.slice(1);
  if (found.length === 0 || number > t.chapters[0].stepCount) return [];
  const now = rowsStoredIn(t, number);
  const marks = found.flatMap((units, level) => {
    // Of many boxes those that became the stored block.
    const isIn = ({ rows }: Block): boolean => rows.every((row) => now.has(row));
    const first = Math.max(0, Math.min(units.findIndex(isIn), units.length - BOXES));
    const shown = units.slice(first, first + BOXES);
    const w = Math.min(WIDTH / 3, WIDTH / shown.length);
    return shown.map((unit, i): Mark => {
      const columns = unit.columns.length;
      return box(`level ${level} ${first + i}`, i * w, level * 1.25, {
        w,
        tone: 'format',
        level: isIn(unit) ? 1 : 0.35,
        text: `${unit.rows.join('+')} \u00b7 ${columns}`,
        label: `rows ${listText(Array.from(unit.rows, String))} shared ${columns} columns: ${listText(Array.from(unit.columns, String))}`,
        ...(isIn(unit) && { focus: true }),
      });
    });
  });
  const rowLabels = found.map((_, y) => ({ at: y * 1.25, text: `${2 ** (y + 1)} rows` }));
  const size = { columns: WIDTH, rows: found.length * 1.25 };
  return [
    {
      id: 'levels',
      title: 'which rows joined',
      caption: 'rows \u00b7 shared columns',
      unit: 'bar',
      ...size,
      rowLabels,
      marks,
    },
  ];
}

/** The step in which a block is stored. */
export function stepOfBlock(t: EcCsrTrace, set: number, block: number): number {
  return stepStoring(t, 'blockPtr', setInfos(t.encoded)[set].blockPtrAt + block + 1);
}

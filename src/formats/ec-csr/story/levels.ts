import { MATRIX_COLUMN } from '../../../story/declared/index.ts';
import type { StoredStep } from '../../../story/declared/stored-steps.ts';
import { type DeclaredTrace, stepStoring } from '../../../story/declared/trace.ts';
import { finish } from '../../../core/job.ts';
import { box } from '../../../story/marks.ts';
import type { Mark, Panel } from '../../../story/scene.ts';
import { listText } from '../../../core/text/words.ts';
import { type Block, type ExtractedPair, type Extraction, extractSteps } from '../extract.ts';
import { type EcCsrEncoded, infosOfSets } from '../layout.ts';
import { plainOverlaps } from '../overlap.ts';
import { packBlocks, type PackedSet } from '../pack.ts';

/* The levels of the encoder's search for blocks: level 0 pairs rows, and every further level pairs the blocks found. */

/** The steps of encoding and multiplying a window (part of a matrix) in EC-CSR. */
export type EcCsrTrace = DeclaredTrace<EcCsrEncoded>;

/** A pair of rows (level 0), of blocks of 2 rows (1) or of 4 (2). */
export type Pair = ExtractedPair & { readonly level: number };

/** The encoder's search for blocks in a window: its pairs, its levels, and the blocks that it found. */
export interface Search {
  readonly pairs: readonly Pair[];
  /** for each level, the rows or blocks that it pairs */
  readonly levels: readonly (readonly Block[])[];
  readonly extraction: Extraction;
  /** stored blocks */
  readonly sets: readonly PackedSet[];
}

const searches = new WeakMap<EcCsrTrace['window'], Search>();

/** Repeats the encoder's search for blocks on a window, to know its pairs and levels. Cached by window. */
export function searchOf({ window, encoded }: EcCsrTrace): Search {
  const cached = searches.get(window);
  if (cached) return cached;
  const pairs: Pair[] = [];
  const levels: (readonly Block[])[] = [];
  const listener = {
    levelStarts: (_: number, units: readonly Block[]) => void levels.push(units),
    pair: (pair: ExtractedPair) => void pairs.push({ ...pair, level: Math.log2(pair.granularity) }),
    levelEnds: () => {},
  };
  const extraction = finish(extractSteps(window, encoded, plainOverlaps(), listener));
  const search = { pairs, levels, extraction, sets: packBlocks(extraction, encoded).packings[encoded.remainder] };
  searches.set(window, search);
  return search;
}

/** Width of the panel, in columns of the matrix next to it. */
const WIDTH = 20;
/** Most boxes of a level that are drawn. */
const BOXES = 16;
/** Height of a level, with the gap below it. */
const LEVEL_HEIGHT = 1.25;

/** The rows of the block that a step stores; none in other steps. */
export function rowsStoredBy(t: EcCsrTrace, { cell, elements }: StoredStep): ReadonlySet<number> {
  const { sets } = searchOf(t);
  const blocks = sets.flatMap((set) => set.blocks);
  const storedBlock = cell && blocks.find(({ rows, columns }) => rows.includes(cell.row) && columns.includes(cell.col));
  if (storedBlock) return new Set(storedBlock.rows);
  // The end of a block is stored after its last weight.
  const [, end = 0] = elements.findLast(([array]) => nameOf(t, array) === 'blockPtr') ?? [];
  const set = infosOfSets(t.encoded).findIndex(
    ({ blockPtrAt, blocks: count }) => end > blockPtrAt && end <= blockPtrAt + count,
  );
  return new Set(set < 0 ? [] : sets[set].blocks[end - infosOfSets(t.encoded)[set].blockPtrAt - 1].rows);
}

const nameOf = ({ run }: EcCsrTrace, array: number): string => run.encoding.arrays[array].array.name;

/** The panel of levels after step `number`: which rows joined at which level, and how many columns they shared. */
export function levelsPanel(t: EcCsrTrace, number: number): readonly Panel[] {
  const { levels } = searchOf(t);
  const blockLevels = levels.slice(1);
  if (blockLevels.length === 0 || number > t.chapters[0].stepCount) return [];
  const detail = number > 0 ? t.steps[number - 1].detail : null;
  const storedRows = detail?.kind === 'stored' ? rowsStoredBy(t, detail) : new Set<number>();
  const marks = blockLevels.flatMap((units, level) => {
    // If there are too many boxes, those are drawn that begin with the first one in the stored block.
    const isInStoredBlock = ({ rows }: Block): boolean => rows.every((row) => storedRows.has(row));
    const first = Math.max(0, Math.min(units.findIndex(isInStoredBlock), units.length - BOXES));
    const drawnUnits = units.slice(first, first + BOXES);
    const w = Math.min(WIDTH / 3, WIDTH / drawnUnits.length);
    return drawnUnits.map((unit, i): Mark => {
      const rows = Array.from(unit.rows.toSorted(), (row) => String((t.origin?.row ?? 0) + row));
      const columns = unit.columns.length;
      return box(`level ${level} ${first + i}`, i * w, level * LEVEL_HEIGHT, {
        w,
        tone: 'format',
        level: isInStoredBlock(unit) ? 1 : 0.35,
        text: `${rows.join('+')} \u00b7 ${columns}`,
        label: `rows ${listText(rows)} shared ${columns} columns: ${listText(Array.from(unit.columns, (c) => String((t.origin?.col ?? 0) + c)))}`,
        ...(isInStoredBlock(unit) && { focus: true }),
      });
    });
  });
  const rowLabels = blockLevels.map((_, y) => ({ at: y * LEVEL_HEIGHT, text: `${2 ** (y + 1)} rows` }));
  const size = { columns: WIDTH, rows: blockLevels.length * LEVEL_HEIGHT };
  return [
    {
      id: 'levels',
      title: 'which rows joined',
      caption: 'rows \u00b7 shared columns',
      unit: 'cell',
      band: MATRIX_COLUMN,
      ...size,
      rowLabels,
      marks,
    },
  ];
}

/** The last step before a block is stored, and the step that completes it. */
export function spanOfBlock(
  t: EcCsrTrace,
  set: number,
  block: number,
): { readonly before: number; readonly shows: number } {
  const { blockPtrAt, rowIndicesAt, baseIndicesAt, valuesAt, granularity } = infosOfSets(t.encoded)[set];
  const [start, end] = [0, 1].map((i) => t.encoded.blockPtr[blockPtrAt + block + i]);
  const bases = t.encoded.lanes;
  const steps = [
    stepStoring(t, 'rowIndices', rowIndicesAt + block * granularity),
    ...Array.from({ length: bases }, (_, i) => stepStoring(t, 'baseIndices', baseIndicesAt + block * bases + i)),
    ...Array.from({ length: (end - start) * granularity }, (_, i) =>
      stepStoring(t, 'values', valuesAt + start * granularity + i),
    ),
  ];
  const shows = stepStoring(t, 'blockPtr', blockPtrAt + block + 1);
  return { before: steps.reduce((first, step) => Math.min(first, step), shows) - 1, shows };
}

import { cellUnit, unitText } from '../../../core/story/cell-unit.ts';
import {
  type FrameContext,
  type RecordedMatrix,
  type RecordedTime,
  sliderThrough,
} from '../../../core/story/frames.ts';
import { nearestTo } from '../../../core/story/flow/verdict.ts';
import { shareText } from '../../../core/story/rounded.ts';
import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { type DeclaredTrace, stepEncoded, stepStoring } from '../../../core/declared/story/trace.ts';
import { CsrMatrix, toCsr } from '../../../core/matrix/index.ts';
import { countAt, type TwellEncoded } from '../layout.ts';
import { overflowOf, type TileRow } from '../overflow.ts';
import { capacityOf, slotsOf, type TwellParams } from '../params.ts';

/** The encoded arrays leave out tokens that overflow; `refused` has all tokens. */
export type TwellTrace = DeclaredTrace<TwellEncoded>;

/** Facts of a window that its frames show: counts, bytes and example tiles. */
export type WindowFacts = ReturnType<typeof windowFacts>;

/** O(cells). */
export function windowFacts(t: TwellTrace) {
  const { encoded: e, refused } = t;
  const window = refused ? new CsrMatrix(toCsr(refused)) : t.window;
  const overflow = refused ? overflowOf(window, e.tileWidth, capacityOf(e)) : null;
  const capacity = capacityOf(e);
  const kept = Array.from({ length: window.rows }, (_, r) => r).filter((r) => (overflow?.byRow[r] ?? 0) === 0);
  const tokens = window.cols === 0 ? [] : kept.map((row) => tilesOfToken(t, row));
  const tiles = tokens.find((own) => own.length > 0 && own[0].row === t.editedCell?.row) ?? leadOf(tokens, capacity);
  const unit = cellUnit(window.data);
  const fired = kept.reduce((sum, row) => sum + window.indptr[row + 1] - window.indptr[row], 0);
  const bytes = bytesOf(t, kept.length * e.tiles, fired);
  const full = tiles.find(({ count }) => capacity > 0 && count === capacity) ?? null;
  return {
    t,
    /** all tokens */
    window,
    /** how many of their numbers are below 0 */
    negatives: window.data.filter((value) => value < 0).length,
    /** the step that stores a tile */
    storedAt({ row, tile }: Pick<TileRow, 'row' | 'tile'>): number {
      const at = row * e.tiles + tile;
      return e.layout === 'packed' ? stepStoring(t, 'words', at * e.slots) : stepStoring(t, 'counts', at);
    },
    /** the step after which all tiles are stored */
    stepWhenStored: stepEncoded(t),
    /** tokens that fit: all of them, unless the format refuses the window; their cells, and those that are not 0 */
    kept: kept as readonly number[],
    cells: kept.length * window.cols,
    fired,
    /** of a tile, and neurons that they hold at most */
    slots: slotsOf(e),
    capacity,
    /** the token that the pictures show; null where no token is stored, or there are no neurons */
    lead: tiles.length > 0 ? { row: tiles[0].row, tiles } : null,
    /** the fullest tile of the lead after its first, whose worker would wait for those before it; null: none of them fires */
    waiting: waitingOf(tiles),
    /** of the lead: the tile with the fewest fired neurons above 0; a tile with none */
    one: smallest(tiles.filter(({ count }) => count > 0)),
    empty: tiles.find(({ count }) => count === 0) ?? null,
    /** the fullest tile that is stored, of any token */
    fullest: full ?? largest(tokens.flat()),
    /** the tile that the refusal names */
    overflowing: overflow?.first ?? null,
    unit,
    /** distinct texts of cells */
    texts: [...new Set(Array.from(window.data, (value) => unitText(value, unit)))] as readonly string[],
    /** bytes of the tokens that fit: by purpose, in all, and dense */
    bytes,
    storedBytes: bytes.counts + bytes.values + bytes.neurons + bytes.empty,
    denseBytes: 2 * kept.length * window.cols,
    /** for each row, its values by column */
    valuesOfRows: Array.from({ length: window.rows }, (_, row) => valuesOf(window, row)),
    /** number of a token in the whole matrix */
    tokenNumber: (row: number): number => (t.place?.row ?? 0) + row,
    /** counted in the whole matrix where the cut begins at the start of a tile, else in the cut */
    tileNumber: (tile: number): number =>
      tile + ((t.place?.col ?? 0) % t.encoded.tileWidth === 0 ? (t.place?.col ?? 0) / t.encoded.tileWidth : 0),
    neuronNumber: (column: number): number => (t.place?.col ?? 0) + column,
  };
}

/** All tiles of a stored token, by the encoded arrays. */
function tilesOfToken({ encoded: e }: TwellTrace, row: number): readonly TileRow[] {
  return Array.from({ length: e.tiles }, (_, tile) => ({ row, tile, count: countAt(e, row * e.tiles + tile) }));
}

/** The first token that shows most: a worker that waits, a fired neuron, a tile with one, an empty and a full tile. */
function leadOf(tokens: readonly (readonly TileRow[])[], capacity: number): readonly TileRow[] {
  const points = (tiles: readonly TileRow[]): number =>
    (waitingOf(tiles) ? 10 : 0) +
    (tiles.some(({ count }) => count > 0) ? 5 : 0) +
    [1, 0, capacity].filter((count) => tiles.some((tile) => tile.count === count)).length;
  return tokens.reduce((best, tiles) => (points(tiles) > points(best) ? tiles : best), tokens[0] ?? []);
}

const waitingOf = (tiles: readonly TileRow[]): TileRow | null =>
  largest(tiles.filter(({ tile, count }) => tile > 0 && count > 0));

function smallest(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count <= tile.count ? best : tile), null);
}

function largest(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count >= tile.count ? best : tile), null);
}

/** Bytes by purpose: a count takes 32 bits, a value 16, its neuron the other 16 of the word, or 32 in an array of its own. */
function bytesOf({ encoded: e }: TwellTrace, tiles: number, fired: number) {
  const isPacked = e.layout === 'packed';
  const neuron = isPacked ? 2 : 4;
  const free = tiles * (e.slots - (isPacked ? 1 : 0)) - fired;
  return { counts: 4 * tiles, values: 2 * fired, neurons: neuron * fired, empty: (2 + neuron) * free };
}

function valuesOf({ indptr, indices, data }: CsrMatrix, row: number): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (let i = indptr[row]; i < indptr[row + 1]; i++) values.set(indices[i], data[i]);
  return values;
}

/** Columns of a tile: [from, to). The last one of a token may be narrower. */
export function columnsOfTile({ t: { encoded: e } }: WindowFacts, tile: number): readonly [number, number] {
  const from = tile * e.tileWidth;
  return [from, Math.min(from + e.tileWidth, e.cols)];
}

/** Columns in which neurons fired, of a tile of any token, stored or not. */
export function firedColumns(f: WindowFacts, { row, tile }: TileRow): readonly number[] {
  const [from, to] = columnsOfTile(f, tile);
  return [...f.valuesOfRows[row].keys()].filter((column) => column >= from && column < to);
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The first neuron that does not fit: 'a fourth' where three fit; 'one more' where there is no short ordinal. */
export function nextOrdinal(capacity: number): string {
  const ordinal = ORDINALS[capacity];
  if (ordinal === undefined) return 'one more';
  return `${ordinal.startsWith('e') ? 'an' : 'a'} ${ordinal}`;
}

/** A block that was timed. */
export interface TimedBlock extends RecordedMatrix {
  readonly format: RecordedTime;
}

/** Recorded blocks, the sparsest first. */
function timedBlocks({ recordedTimes }: FrameContext): readonly TimedBlock[] {
  return (recordedTimes?.matrices ?? [])
    .flatMap((one) => (one.operation === 'forward' && one.format ? [{ ...one, format: one.format }] : []))
    .toSorted((a, b) => a.density - b.density);
}

/** Share of its numbers that are not 0. */
export const firesIn = ({ rows, cols, nnz }: StoredWhole | CsrMatrix): number => nnz / Math.max(1, rows * cols);
const firedText = ({ density }: TimedBlock): string => shareText(density);

/** A slider through the blocks that were timed, from the one in which the share that fires is nearest to the matrix's. */
export function throughBlocks({ window }: WindowFacts, context: FrameContext) {
  const blocks = timedBlocks(context);
  const nearest = nearestTo(blocks, firesIn(context.whole ?? window));
  return sliderThrough(context, 'drag: neurons that fire in the block', blocks, firedText, nearest);
}

/** How the whole matrix is stored, and the share of dense that it takes, where its tiles are wider than those of the cut. */
export function largeOf({ t }: WindowFacts, { whole }: FrameContext) {
  const own = whole?.params as TwellParams | undefined;
  if (!whole || !own || own.tileWidth <= t.encoded.tileWidth) return null;
  const share = whole.ledger.effectiveDensity;
  return share > 0 ? { own, share, cols: whole.cols } : null;
}

import { cellUnit, unitText } from '../../../story/cell-unit.ts';
import { type FrameContext, type RecordedMatrix, type RecordedTime, sliderThrough } from '../../../story/frames.ts';
import { nearestTo } from '../../../story/flow/verdict.ts';
import { shareText } from '../../../core/text/rounded.ts';
import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { type DeclaredTrace, stepEncoded, stepStoring } from '../../../story/declared/trace.ts';
import { CsrMatrix, toCsr } from '../../../core/matrix/index.ts';
import { countAt, type TwellEncoded } from '../layout.ts';
import { overflowOf, type TileRow } from '../overflow.ts';
import { capacityOf, slotsOf, type TwellParams } from '../params.ts';

/** A trace of TwELL. The encoded arrays leave out tokens that overflow; the matrix `rejected` has all tokens. */
export type TwellTrace = DeclaredTrace<TwellEncoded>;

/** Facts of a window that its frames show: counts, bytes and example tiles. */
export type WindowFacts = ReturnType<typeof windowFacts>;

/** Most columns of a region that are all drawn. */
const ALL_COLUMNS = 64;
/** Columns that are drawn of a wider region, in whole tiles; a tile that is wider is drawn alone. */
const DRAWN_COLUMNS = 32;

/** Tiles [from, to) of a region, which a picture draws. */
export interface DrawnTiles {
  readonly from: number;
  readonly to: number;
}

/** The tiles that are drawn with a tile: all, or those of its run of at most `DRAWN_COLUMNS` columns. */
function drawnWith(e: TwellEncoded, tile: number): DrawnTiles {
  if (e.cols <= ALL_COLUMNS) return { from: 0, to: e.tiles };
  const count = Math.max(1, Math.floor(DRAWN_COLUMNS / e.tileWidth));
  const from = tile - (tile % count);
  return { from, to: Math.min(from + count, e.tiles) };
}

/** Computes the facts of a trace's window. O(cells). */
export function windowFacts(t: TwellTrace) {
  const { encoded: e, rejected } = t;
  const window = rejected ? new CsrMatrix(toCsr(rejected)) : t.window;
  const overflow = rejected ? overflowOf(window, e.tileWidth, capacityOf(e)) : null;
  const capacity = capacityOf(e);
  const kept = Array.from({ length: window.rows }, (_, r) => r).filter((r) => (overflow?.byRow[r] ?? 0) === 0);
  const tokens = window.cols === 0 ? [] : kept.map((row) => tilesOfToken(t, row));
  const edited = tokens.find((ofToken) => ofToken.length > 0 && ofToken[0].row === t.editedCell?.row);
  const runs = (edited ? [edited] : tokens).flatMap((ofToken) => runsOf(e, ofToken));
  const editedTile = edited && Math.floor((t.editedCell?.col ?? 0) / e.tileWidth);
  const tiles = runs.find((run) => run.some(({ tile }) => tile === editedTile)) ?? exampleTokenOf(runs, capacity);
  const firstColumn = t.origin?.col ?? 0;
  const isAligned = firstColumn % e.tileWidth === 0;
  const unit = cellUnit(window.data);
  const fired = kept.reduce((sum, row) => sum + window.indptr[row + 1] - window.indptr[row], 0);
  const bytes = bytesOf(t, kept.length * e.tiles, fired);
  const full = tiles.find(({ count }) => capacity > 0 && count === capacity) ?? null;
  return {
    t,
    /** the window's matrix with all tokens, including those that overflow */
    window,
    /** number of cells below 0 */
    negatives: window.data.filter((value) => value < 0).length,
    /** the step that stores a tile */
    storedAt({ row, tile }: Pick<TileRow, 'row' | 'tile'>): number {
      const index = row * e.tiles + tile;
      return e.layout === 'packed' ? stepStoring(t, 'words', index * e.slots) : stepStoring(t, 'counts', index);
    },
    /** the step after which all tiles are stored */
    stepWhenStored: stepEncoded(t),

    // Tokens and capacity.

    /** tokens that fit: all, unless the format rejects the window */
    storedTokens: kept as readonly number[],
    /** cells of these tokens */
    cells: kept.length * window.cols,
    /** cells of these tokens that are not 0 */
    fired,
    /** slots of a tile */
    slots: slotsOf(e),
    /** largest number of fired neurons that fits in a tile */
    capacity,

    // Example tiles.

    /** the token that the pictures show; null where no token is stored, or there are no neurons */
    exampleToken: tiles.length > 0 ? { row: tiles[0].row, tiles } : null,
    /** the fullest tile of `exampleToken` but the first: its worker would wait for earlier tiles; null: none fires */
    tileThatWaits: tileThatWaitsIn(tiles),
    /** the tile of `exampleToken` with the fewest fired neurons, at least one; `empty`: one without any */
    sparsest: smallest(tiles.filter(({ count }) => count > 0)),
    empty: tiles.find(({ count }) => count === 0) ?? null,
    /** the fullest tile that is stored, of any token */
    fullest: full ?? largest(tokens.flat()),
    /** the fullest of the stored tiles with more columns than `capacity`; null if there is none */
    closestToOverflow: largest(
      tokens.flat().filter(({ tile }) => Math.min(e.tileWidth, e.cols - tile * e.tileWidth) > capacity),
    ),
    /** the tile that the message about the rejected window names; null if the window is stored */
    overflowing: overflow?.first ?? null,

    // Labels.

    unit,
    /** distinct texts of cells */
    texts: [...new Set(Array.from(window.data, (value) => unitText(value, unit)))] as readonly string[],

    // Bytes.

    /** bytes of the tokens that fit: by purpose, in all, and dense */
    bytes,
    storedBytes: bytes.counts + bytes.values + bytes.neurons + bytes.empty,
    denseBytes: 2 * kept.length * window.cols,

    // Values and numbers of cells in the whole matrix.

    /** for each row, its values by column */
    valuesOfRows: Array.from({ length: window.rows }, (_, row) => valuesOf(window, row)),
    /** number of a token in the whole matrix */
    tokenNumber: (row: number): number => (t.origin?.row ?? 0) + row,
    /** whether the region begins where a tile of the matrix does: if not, its tiles are no tiles of the matrix */
    isAligned,
    /** counted in the whole matrix; NaN if the region's tiles are no tiles of the matrix */
    tileNumber: (tile: number): number => (isAligned ? tile + firstColumn / e.tileWidth : Number.NaN),
    /** 'tile 5'; 'tile from 43', by its first column, if it is no tile of the matrix */
    tileName: (tile: number): string =>
      isAligned ? `tile ${tile + firstColumn / e.tileWidth}` : `tile from ${firstColumn + tile * e.tileWidth}`,
    neuronNumber: (column: number): number => firstColumn + column,
    /** the tiles that most pictures draw, with the example; `drawnWith`: those drawn with another tile */
    drawnTiles: drawnWith(e, tiles[0]?.tile ?? 0),
    drawnWith: (tile: number): DrawnTiles => drawnWith(e, tile),
  };
}

/** The tiles of a token in runs that a picture can draw. */
function runsOf(e: TwellEncoded, ofToken: readonly TileRow[]): readonly (readonly TileRow[])[] {
  const runs: (readonly TileRow[])[] = [];
  for (let tile = 0; tile < ofToken.length; tile = drawnWith(e, tile).to)
    runs.push(ofToken.slice(tile, drawnWith(e, tile).to));
  return runs;
}

/** All tiles of a stored token, by the encoded arrays. */
function tilesOfToken({ encoded: e }: TwellTrace, row: number): readonly TileRow[] {
  return Array.from({ length: e.tiles }, (_, tile) => ({ row, tile, count: countAt(e, row * e.tiles + tile) }));
}

/**
 * The token that shows the most of the format, of equal ones the first: a worker that waits, a fired neuron, and tiles
 * with one fired neuron, with none, and full ones.
 */
function exampleTokenOf(tokens: readonly (readonly TileRow[])[], capacity: number): readonly TileRow[] {
  const points = (tiles: readonly TileRow[]): number =>
    (tileThatWaitsIn(tiles) ? 10 : 0) +
    (tiles.some(({ count }) => count > 0) ? 5 : 0) +
    [1, 0, capacity].filter((count) => tiles.some((tile) => tile.count === count)).length;
  return tokens.reduce((best, tiles) => (points(tiles) > points(best) ? tiles : best), tokens[0] ?? []);
}

/** The fullest tile but the first, if a neuron fired in it: the worker that stores it would wait for earlier tiles. */
const tileThatWaitsIn = (tiles: readonly TileRow[]): TileRow | null =>
  largest(tiles.slice(1).filter(({ count }) => count > 0));

function smallest(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count <= tile.count ? best : tile), null);
}

function largest(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count >= tile.count ? best : tile), null);
}

/** Bytes by purpose: a count has 32 bits, a value 16, the number of its neuron 16 if packed, else 32. */
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

/** Columns of a tile: [from, to). The last tile of a token may be narrower. */
export function columnsOfTile({ t: { encoded: e } }: WindowFacts, tile: number): readonly [number, number] {
  const from = tile * e.tileWidth;
  return [from, Math.min(from + e.tileWidth, e.cols)];
}

/** The columns of a tile in which neurons fired; the tile's token may be stored or not. */
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

/** A feed-forward block that was timed. */
export interface TimedBlock extends RecordedMatrix {
  readonly format: RecordedTime;
}

/** Recorded blocks, the sparsest first. */
function timedBlocks({ recordedTimes }: FrameContext): readonly TimedBlock[] {
  return (recordedTimes?.matrices ?? [])
    .flatMap((matrix) => {
      const { operation, format } = matrix;
      return operation === 'forward' && format ? [{ ...matrix, format }] : [];
    })
    .toSorted((a, b) => a.density - b.density);
}

/** Share of a matrix's numbers that are not 0. */
export const firesIn = ({ rows, cols, nnz }: StoredWhole | CsrMatrix): number => nnz / Math.max(1, rows * cols);
const firedText = ({ density }: TimedBlock): string => shareText(density);

/** A slider through the timed blocks, from the block whose share of fired neurons is nearest to the matrix's. */
export function throughBlocks({ window }: WindowFacts, context: FrameContext) {
  const blocks = timedBlocks(context);
  const nearest = nearestTo(blocks, firesIn(context.wholeMatrix ?? window));
  return sliderThrough(context, 'drag: neurons that fire in the block', blocks, firedText, nearest);
}

/** Parameters, size (share of dense) and columns of the whole matrix; null unless its tiles are wider than the region's. */
export function largeOf({ t }: WindowFacts, { wholeMatrix }: FrameContext) {
  const params = wholeMatrix?.params as TwellParams | undefined;
  if (!wholeMatrix || !params || params.tileWidth <= t.encoded.tileWidth) return null;
  const share = wholeMatrix.ledger.effectiveDensity;
  return share > 0 ? { params, share, cols: wholeMatrix.cols } : null;
}

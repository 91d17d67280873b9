import { countAt } from '../layout.ts';
import { capacityOf } from '../params.ts';
import { cellsOf, rowLength, type TwellTrace } from './trace.ts';

/*
 * What the frames of the directed story are about, found in the window by what happens there.
 */

/** A tile of one token. */
export interface TileRow {
  readonly row: number;
  readonly tile: number;
  /** neurons that fired in it */
  readonly count: number;
}

/** Two workers at tiles of one token: B has something to store, and A's tile is before B's. */
export interface TwoWorkers {
  readonly row: number;
  readonly a: number;
  readonly b: number;
  /** values of B */
  readonly count: number;
}

export interface Subjects {
  /** tokens that fit, which is all of them unless the format refuses the window */
  readonly kept: readonly number[];
  /** a stored tile in which one neuron fired, or else as few as possible; null if no neuron of a stored token fired */
  readonly one: TileRow | null;
  /** one in which nobody fired */
  readonly empty: TileRow | null;
  /** one without a free cell, and not that of `one` */
  readonly full: TileRow | null;
  /** the fullest one that is stored */
  readonly fullest: TileRow | null;
  readonly workers: TwoWorkers | null;
  /** the tile that the refusal names */
  readonly over: TileRow | null;
}

/** O(tile rows). */
export function subjectsOf(t: TwellTrace): Subjects {
  const { window, overflow, params } = t;
  const kept = Array.from({ length: window.rows }, (_, r) => r).filter((r) => (overflow?.byRow[r] ?? 0) === 0);
  const capacity = capacityOf(params);
  const tokens = kept.map((row) => tilesOfToken(t, row));
  const found = (isIt: (tile: TileRow) => boolean): TileRow | null => tokens.flat().find(isIt) ?? null;
  const isEmpty = ({ count }: TileRow): boolean => count === 0;
  const isFull = ({ count }: TileRow): boolean => count === capacity;
  const chosen = richestToken(tokens, capacity);

  const fewest = smallest(tokens.flat().filter(({ count }) => count > 0));
  const one = chosen.find(({ count }) => count === 1) ?? found(({ count }) => count === 1) ?? fewest;
  const isNotOne = (tile: TileRow): boolean => tile !== one;
  const from = one && chosen.includes(one) ? chosen.indexOf(one) : 0;
  const nextEmpty = chosen.slice(from).find(isEmpty) ?? chosen.find(isEmpty) ?? found(isEmpty);
  const after = nextEmpty && chosen.includes(nextEmpty) ? chosen.indexOf(nextEmpty) : 0;
  const isOtherFull = (tile: TileRow): boolean => capacity > 0 && isFull(tile) && isNotOne(tile);
  const full = chosen.slice(after).find(isOtherFull) ?? chosen.find(isOtherFull) ?? found(isOtherFull);
  // Beside each other in a picture, the empty one comes first.
  const empty = isFullFirst({ empty: nextEmpty, full })
    ? (chosen.slice(0, full?.tile).find(isEmpty) ?? nextEmpty)
    : nextEmpty;
  return {
    kept,
    one,
    empty,
    full,
    fullest: largestOf(tokens.flat()),
    workers: workersOf([chosen, ...tokens]),
    over: overflow?.first ?? null,
  };
}

/** Whether the full tile lies before the empty one in the same token. */
export function isFullFirst({ empty, full }: Pick<Subjects, 'empty' | 'full'>): boolean {
  return empty !== null && full !== null && empty.row === full.row && full.tile < empty.tile;
}

/** All tiles of a stored token, by the encoded arrays. */
function tilesOfToken({ encoded: e }: TwellTrace, row: number): readonly TileRow[] {
  return Array.from({ length: e.tiles }, (_, tile) => ({ row, tile, count: countAt(e, row * e.tiles + tile) }));
}

/** The tiles of the first token that has most of: a tile with one, an empty one, a full one. */
function richestToken(tokens: readonly (readonly TileRow[])[], capacity: number): readonly TileRow[] {
  let best: readonly TileRow[] = [];
  let points = -1;
  for (const tiles of tokens) {
    const kinds = [1, 0, capacity].filter((count) => tiles.some((tile) => tile.count === count)).length;
    if (kinds > points) {
      best = tiles;
      points = kinds;
    }
  }
  return best;
}

function smallest(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count <= tile.count ? best : tile), null);
}

function largestOf(tiles: readonly TileRow[]): TileRow | null {
  return tiles.reduce<TileRow | null>((best, tile) => (best && best.count >= tile.count ? best : tile), null);
}

/** B is the fullest tile behind the first of its token, A the last before it in which a neuron fired, or else the one before. */
function workersOf(tokens: readonly (readonly TileRow[])[]): TwoWorkers | null {
  for (const tiles of tokens) {
    const b = largestOf(tiles.filter(({ tile, count }) => tile > 0 && count > 0));
    if (!b) continue;
    const a = tiles.slice(0, b.tile).findLast(({ count }) => count > 0);
    return { row: b.row, a: a?.tile ?? b.tile - 1, b: b.tile, count: b.count };
  }
  return null;
}

/** Columns of a tile; the last one of a token may be narrower. */
export function columnsOfTile(
  { params, window }: TwellTrace,
  tile: number,
): { readonly from: number; readonly to: number } {
  const from = tile * params.tileWidth;
  return { from, to: Math.min(from + params.tileWidth, window.cols) };
}

/** Columns in which neurons fired, of a tile of any token, stored or not. */
export function firedIn(t: TwellTrace, row: number, tile: number): readonly number[] {
  const { from, to } = columnsOfTile(t, tile);
  return cellsOf(t.window, row, from, to);
}

/** Non-zeros of these tokens. */
export function firedOf({ window }: TwellTrace, rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + rowLength(window, row), 0);
}

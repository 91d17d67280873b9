import type { RemedyChoice } from '../../core/encoded/admission.ts';
import { CsrMatrix, type Matrix, rowBuffer, toCsr } from '../../core/matrix/index.ts';
import { counted } from '../../core/text/words.ts';
import { capacityOf, COMPRESSIONS, slotsOf, type TwellParams } from './params.ts';

/** A tile of one row, and its number of non-zeros; if the row is a token, how many neurons of the tile fired. */
export interface TileRow {
  readonly row: number;
  readonly tile: number;
  readonly count: number;
}

/** The tile rows with more non-zeros than fit in them. */
export interface Overflow {
  /** the first of these tile rows, row by row */
  readonly first: TileRow;
  /** the fullest; of equal ones the first */
  readonly fullest: TileRow;
  /** how many tile rows overflow */
  readonly tileRows: number;
  /** how many tile rows there are in all */
  readonly allTileRows: number;
  /** overflowing tile rows of each row */
  readonly byRow: Uint32Array;
  /** overflowing tile rows of each tile */
  readonly byTile: Uint32Array;
}

/** The tile rows with more than `capacity` non-zeros in `tileWidth` columns; null if there are none. O(rows * cols). */
export function overflowOf(m: Matrix, tileWidth: number, capacity: number): Overflow | null {
  const tiles = Math.ceil(m.cols / tileWidth);
  const byRow = new Uint32Array(m.rows);
  const byTile = new Uint32Array(tiles);
  const buffer = rowBuffer(m.cols);
  const { columns } = buffer;
  let first: TileRow | null = null;
  let fullest: TileRow | null = null;
  let tileRows = 0;
  for (let row = 0; row < m.rows; row++) {
    const n = m.readRow(row, buffer);
    for (let i = 0; i < n;) {
      const start = i;
      const tile = Math.floor(columns[i] / tileWidth);
      const end = (tile + 1) * tileWidth;
      while (i < n && columns[i] < end) i++;
      const count = i - start;
      if (count <= capacity) continue;
      first ??= { row, tile, count };
      if (!fullest || count > fullest.count) fullest = { row, tile, count };
      tileRows++;
      byRow[row]++;
      byTile[tile]++;
    }
  }
  if (!first || !fullest) return null;
  return { first, fullest, tileRows, allTileRows: m.rows * tiles, byRow, byTile };
}

/** The matrix without the non-zeros of rows that overflow. O(rows * cols) at worst. */
export function fittingRows(m: Matrix, p: TwellParams): CsrMatrix {
  const { rows, cols, indptr, indices, data } = toCsr(m);
  const overflowing = overflowOf(m, p.tileWidth, capacityOf(p))?.byRow ?? new Uint32Array(rows);
  const rowStarts = new Uint32Array(rows + 1);
  const keptIndices: number[] = [];
  for (let r = 0; r < rows; r++) {
    if (overflowing[r] === 0) for (let i = indptr[r]; i < indptr[r + 1]; i++) keptIndices.push(i);
    rowStarts[r + 1] = keptIndices.length;
  }
  return new CsrMatrix({
    rows,
    cols,
    indptr: rowStarts,
    indices: Uint32Array.from(keptIndices, (i) => indices[i]),
    data: Float32Array.from(keptIndices, (i) => data[i]),
  });
}

/** How many tile rows or tokens overflow, to end a text about the first. */
export function overflowCount(overflowing: number, all: number, what: 'tile row' | 'token'): string {
  return overflowing === 1 ? `no other ${what} overflows` : `${overflowing} of ${all} ${what}s overflow`;
}

/** Why a matrix that overflows is rejected: the first tile row, how many overflow, and which parameters support all. */
export function overflowRejection(
  { first, fullest, tileRows, allTileRows }: Overflow,
  cols: number,
  p: TwellParams,
): { readonly reason: string; readonly remedy: string; readonly choices: readonly RemedyChoice[] } {
  const start = first.tile * p.tileWidth;
  const end = Math.min(start + p.tileWidth, cols) - 1;
  const words = p.layout === 'packed' ? ` next to the count in ${counted(slotsOf(p), 'word')}` : '';
  const max = tileRows === 1 ? '' : `, the fullest with ${fullest.count}`;
  return {
    reason: `row ${first.row}, tile ${first.tile} (columns ${start} to ${end}) has ${counted(first.count, 'non-zero')}, more than the ${capacityOf(p)} that ${capacityOf(p) === 1 ? 'fits' : 'fit'}${words}; ${overflowCount(tileRows, allTileRows, 'tile row')}${max}`,
    ...remedyFor(fullest.count, p),
  };
}

/** Advice for a tile row of `count` non-zeros: the nearest parameters that fit it, or the hybrid format. */
function remedyFor(
  count: number,
  p: TwellParams,
): { readonly remedy: string; readonly choices: readonly RemedyChoice[] } {
  const isSupported = (other: Partial<TwellParams>): boolean => capacityOf({ ...p, ...other }) >= count;
  const lowerCompression = COMPRESSIONS.find(
    (compression) => compression < p.compression && isSupported({ compression }),
  );
  const parameterChoices: RemedyChoice[] = [];
  if (p.layout === 'packed' && isSupported({ layout: 'split' }))
    parameterChoices.push({ title: 'the split layout', params: { layout: 'split' } });
  if (lowerCompression !== undefined)
    parameterChoices.push({ title: `compression ${lowerCompression}`, params: { compression: lowerCompression } });
  const hybrid = { title: 'the hybrid format', format: 'hybrid' } as const;
  const why = `${hybrid.title}, which keeps long rows dense`;
  const remedy =
    parameterChoices.length > 0
      ? `Choose ${[...parameterChoices.map(({ title }) => title), why].join(', or ')}.`
      : `No compression of the ${p.layout} layout fits ${counted(count, 'non-zero')} in ${p.tileWidth} columns: choose ${why}.`;
  return { remedy, choices: [...parameterChoices, hybrid] };
}

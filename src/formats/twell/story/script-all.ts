import { type DrawingLayout, GUTTER, polyline, sizeOf, words } from '../../../core/story/drawing.ts';
import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { shareText } from '../../../core/story/rounded.ts';
import type { Drawing, DrawnMark } from '../../../core/story/scene.ts';
import { countText, counted } from '../../../core/story/words.ts';
import { capacityOf } from '../params.ts';
import { type BoxPlace, boxPlace, tileBox } from './script-boxes.ts';
import { firedOf, type Subjects, type TileRow } from './script-find.ts';
import { gridCells, tokenGrid } from './script-grid.ts';
import type { TwellTrace } from './trace.ts';

/*
 * All tokens: what ReLU leaves of their numbers, and all of their tiles as they are stored.
 */

/** The first frame: all numbers. */
export function numbersLeft(t: TwellTrace, layout: DrawingLayout): Drawing {
  const { width, height } = sizeOf(layout);
  const { rows, cols } = t.window;
  const isWide = layout === 'wide';
  const all = Array.from({ length: rows }, (_, r) => r);
  const grid = tokenGrid(layout, t, all, { y: 0, height: isWide ? 220 : 320, hasHeading: true, maxCell: 38 });
  const y = Math.min(grid.bottom, isWide ? 220 : 320) + (isWide ? 26 : 12);
  const left = isWide ? GUTTER + 20 : 0;
  const size = isWide ? 76 : 60;
  const corner = { x: left + size * 0.6, y: y + size * 0.72 };
  const marks: DrawnMark[] = [...grid.labels, ...gridCells(t, grid)];
  marks.push(
    polyline(
      'relu x',
      [
        [left, corner.y],
        [left + size * 1.3, corner.y],
      ],
      { state: 'dim' },
    ),
    polyline(
      'relu y',
      [
        [corner.x, y],
        [corner.x, y + size],
      ],
      { state: 'dim' },
    ),
    polyline(
      'relu',
      [
        [left, corner.y],
        [corner.x, corner.y],
        [corner.x + size * 0.58, corner.y - size * 0.58],
      ],
      {
        tone: 'ink',
        thickness: 2.5,
      },
    ),
    words('relu name', { x: corner.x, y: y + size + 1 }, 'ReLU', { align: 'middle', size: 12 }),
  );
  const x = left + size * 1.3 + (isWide ? 32 : 14);
  const w = width - x;
  const numbers = counted(rows * cols, 'number');
  marks.push(
    words('fires', { x, y, w }, 'A neuron fires when its number is not 0.', {
      size: isWide ? 14 : 12,
      tone: 'ink',
    }),
    words('dense', { x, y: y + (isWide ? 24 : 34), w }, `“Dense” computes with all ${numbers}, zeros too.`, {
      size: isWide ? 14 : 12,
      tone: 'ink',
      strong: true,
    }),
    words(
      'token',
      { x, y: y + (isWide ? 50 : 70), w },
      `${counted(rows, 'token')} (pieces of text) × ${counted(cols, 'neuron')}.`,
      { size: isWide ? 12.5 : 11 },
    ),
  );
  return { width, height, marks };
}

/** Tokens of a picture of all tiles. */
const TOKENS_SHOWN = 6;

/** Stored tokens in a picture: those from the seen ones on. */
function tokensShown({ kept }: Subjects, seen: number): readonly number[] {
  const first = Math.max(0, Math.min(kept.indexOf(seen), kept.length - TOKENS_SHOWN));
  return kept.slice(first, first + TOKENS_SHOWN);
}

/** All tiles: -1 nothing is stored yet, 0 those that were seen slowly are, 1 all. */
export function allTiles(
  t: TwellTrace,
  subjects: Subjects,
  seen: readonly TileRow[],
  { layout, whole }: FrameContext,
  picture: number,
): Drawing {
  const { width, height } = sizeOf(layout);
  const { encoded: e } = t;
  const isWide = layout === 'wide';
  const rows = tokensShown(subjects, seen[0]?.row ?? 0);
  const marks: DrawnMark[] = [];
  let y = 0;
  if (isWide) {
    const grid = tokenGrid(layout, t, rows, { y: 0, height: 132, hasHeading: true, maxCell: 22 });
    for (const mark of [...grid.labels, ...gridCells(t, grid)]) marks.push(mark);
    y = grid.bottom + 6;
  }
  const places = boxesOfTokens(t, rows, { y, height: (isWide ? 308 : 400) - y }, layout);
  const isSeen = (row: number, tile: number): boolean => seen.some((one) => one.row === row && one.tile === tile);
  for (const { row, tile, place } of places.boxes) {
    const isStored = picture > 0 || isSeen(row, tile);
    for (const mark of tileBox(t, row, tile, place, {
      hasCount: isStored,
      values: isStored ? place.entries : 0,
      isPacked: isStored,
      ...(isSeen(row, tile) ? { frame: 'strong' as const } : {}),
    }))
      marks.push(mark);
  }
  for (const mark of places.labels) marks.push(mark);
  const cells = subjects.kept.length * e.tiles;
  const values = firedOf(t, subjects.kept);
  const empty = cells * capacityOf(t.params) - values;
  const sum =
    t.params.layout === 'packed'
      ? `${counted(cells * e.slots, 'cell')}: ${counted(cells, 'count')}, ${counted(values, 'value')} with ${values === 1 ? 'its neuron' : 'their neurons'}, ${countText(empty)} empty.`
      : `${counted(cells, 'count')}; ${counted(cells * e.slots, 'cell')}: ${counted(values, 'value')}, ${countText(empty)} empty.`;
  if (picture < 0) return { width, height, marks };
  const below = places.bottom + 6;
  const isPart = rows.length < subjects.kept.length;
  const drawn = `${isPart ? `tokens ${rows[0]} to ${rows[rows.length - 1]} of ${t.window.rows}; ` : ''}${seen.length > 0 ? 'framed: seen before' : ''}`;
  marks.push(
    words('sum', { x: isWide ? GUTTER : 0, y: below, w: isWide ? 0 : width }, sum, { tone: 'ink', size: 12.5 }),
  );
  if (drawn !== '')
    marks.push(
      words('framed', isWide ? { x: width, y: below + (isPart ? 18 : 0) } : { x: 0, y: below + 34, w: width }, drawn, {
        align: isWide ? 'end' : 'start',
        size: 12,
      }),
    );
  // A count and a value with its neuron are a word of 32 bits each.
  const [stored, dense] = [4 * cells * e.slots, 2 * subjects.kept.length * t.window.cols];
  if (t.params.layout === 'packed' && cells > 0)
    marks.push(
      words(
        'bytes',
        { x: isWide ? GUTTER : 0, y: below + (isWide ? 18 : 50), w: isWide ? 0 : width },
        `${countText(stored)} bytes, dense ${countText(dense)}: ${bytesSaid(stored < dense, whole)}`,
        { size: isWide ? 12.5 : 11.5, strong: true, tone: 'ink' },
      ),
    );
  return { width, height, marks };
}

/** Tiles as narrow as those of a picture save fewer bytes than the usual ones. */
function bytesSaid(isLess: boolean, whole: StoredWhole | null): string {
  if (isLess) return 'above all, it saves work.';
  const share = whole?.ledger.effectiveDensity ?? 1;
  return share < 1
    ? `these tiles are small. The matrix takes ${shareText(share)} of dense.`
    : 'it saves work, not bytes.';
}

interface PlacedTile {
  readonly row: number;
  readonly tile: number;
  readonly place: BoxPlace;
}

/** The cells of all tiles of these tokens, token by token; on a phone in lines of as many tiles as have readable cells. */
function boxesOfTokens(
  t: TwellTrace,
  rows: readonly number[],
  at: { readonly y: number; readonly height: number },
  layout: DrawingLayout,
): { readonly boxes: readonly PlacedTile[]; readonly labels: readonly DrawnMark[]; readonly bottom: number } {
  const isWide = layout === 'wide';
  const { tiles } = t.encoded;
  const left = isWide ? GUTTER : 3;
  const room = sizeOf(layout).width - left;
  const perLine = isWide ? Math.max(1, tiles) : Math.max(1, Math.min(2, tiles));
  const lines = Math.max(1, Math.ceil(tiles / perLine));
  const heading = isWide ? 23 : 0;
  const label = isWide ? 0 : 20;
  const block = Math.min((isWide ? 27 : 26) * lines + label, (at.height - heading - 24) / Math.max(1, rows.length));
  const line = (block - label) / lines;
  const each = room / perLine;
  const labels: DrawnMark[] = [];
  if (isWide) {
    labels.push(words('stored label', { x: 0, y: at.y }, 'stored', { size: 12 }));
    for (let tile = 0; tile < tiles; tile++)
      if (each > 44 || tile % 2 === 0)
        labels.push(
          words(`tile name ${tile}`, { x: left + tile * each, y: at.y }, `tile ${tile}`, {
            tone: 'format',
            strong: true,
            size: 12,
          }),
        );
  }
  const boxes = rows.flatMap((row, i) => {
    const top = at.y + heading + i * block;
    const what = !isWide && i === 0 && lines > 1 ? ', two tiles a line' : '';
    labels.push(
      words(`stored token ${row}`, { x: 0, y: isWide ? top + line / 2 - 10 : top }, `token ${row}${what}`, {
        size: isWide ? 12 : 11,
      }),
    );
    return Array.from({ length: tiles }, (_, tile): PlacedTile => {
      const x = left + (tile % perLine) * each;
      const y = top + label + Math.floor(tile / perLine) * line;
      return { row, tile, place: boxPlace(t, { x, y, w: each - 6, h: Math.max(2, line - 5) }, 3) };
    });
  });
  return { boxes, labels, bottom: at.y + heading + rows.length * block };
}

import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { useApp } from '../../kit/app-context.ts';
import { cssColorOf } from '../../kit/format-color.ts';
import { counted } from '../../core/text/words.ts';
import type { Shape } from '../../core/format.ts';

/** Columns of a tile of the product that makes h, the activations inside a feed-forward block. */
const TILE = 256;

/** Rows and columns of tiles in the drawing, the same for every matrix. */
const DRAWN = { rows: 5, cols: 11 } as const;
/** The drawn tile that is to be written. */
const WRITTEN: Tile = { row: 3, col: 7 };

/** Side of a drawn tile, and space between two, in units of the drawing. */
const SIZE = 10;
const GAP = 2;
const STEP = SIZE + GAP;

const TILES: readonly Tile[] = Array.from({ length: DRAWN.rows * DRAWN.cols }, (_, i) => ({
  row: Math.floor(i / DRAWN.cols),
  col: i % DRAWN.cols,
}));

interface WhyNotSmallestProps {
  readonly summary: Pick<MatrixSummary, 'rows' | 'cols'>;
  /** bytes of the open matrix in a format with 16-bit values; `atBest`: with its best parameters; null if unknown */
  readonly sizeOf: (format: string, atBest: boolean) => { readonly bytes: number; readonly label: string } | null;
}

/** Why the smallest formats do not suit activations: what has to be finished before a tile of h can be written. */
export function WhyNotSmallest({ summary, sizeOf }: WhyNotSmallestProps) {
  const { formats } = useApp();
  const shown = FORMAT_DEPENDENCIES.flatMap((listed) => {
    const format = formats.find(({ id }) => id === listed.format);
    return format ? [{ ...listed, title: format.title, size: sizeOf(format.id, listed.waits === 'rows above') }] : [];
  });
  return (
    <div className="grid gap-4 max-w-[64rem]">
      <p>
        These activations are made anew for every token, tile by tile. So what making them costs decides, not the bytes.
        A row format needs its row start, hence the whole row first, and those above it. A tile has slots of its own:
        the product that makes it stores it.
      </p>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-y-5 gap-x-6">
        {shown.map(({ format, title, waits, text, size }) => {
          const before = tilesBefore(waits, summary, TILE);
          return (
            <li key={format} style={{ color: cssColorOf(format) }}>
              <p className="flex justify-between gap-3 text-13">
                <span>
                  <b>{title}</b> <span className="text-muted text-12">{size?.label}</span>
                </span>
                <span className="text-ink number">{size === null ? '–' : counted(size.bytes, 'byte')}</span>
              </p>
              <svg
                className="w-full my-1"
                viewBox={`0 0 ${DRAWN.cols * STEP - GAP} ${DRAWN.rows * STEP - GAP}`}
                role="img"
                aria-label={`In ${title} a tile is written ${text}`}
              >
                {TILES.map((tile) => (
                  <rect
                    key={`${tile.row} ${tile.col}`}
                    x={tile.col * STEP}
                    y={tile.row * STEP}
                    width={SIZE}
                    height={SIZE}
                    rx={1.5}
                    className="fill-none stroke-hairline stroke-[0.75px] data-tile:fill-current data-tile:stroke-none data-[tile=waited]:[fill-opacity:0.28]"
                    data-tile={
                      tile.row === WRITTEN.row && tile.col === WRITTEN.col
                        ? 'written'
                        : isNeededBefore(waits, tile, WRITTEN)
                          ? 'waited'
                          : undefined
                    }
                  />
                ))}
              </svg>
              <p className="text-muted text-12">
                {text}
                {before > 0 && <span className="block">the last one after {counted(before, 'tile')}</span>}
              </p>
            </li>
          );
        })}
      </ul>
      <p className="text-muted text-12">Filled: the tile to be written. Pale: what has to be finished first.</p>
    </div>
  );
}

/** Which tiles of h, the activations inside a feed-forward block, must be finished before a format can store a tile. */
type TileDependency = 'rows above' | 'own row' | 'nothing';

/** What a tile of h waits for in one format. */
interface FormatDependency {
  readonly format: string;
  readonly waits: TileDependency;
  /** the same in words, for the picture */
  readonly text: string;
}

/** What a tile waits for in each format, from the longest wait to none. */
export const FORMAT_DEPENDENCIES: readonly FormatDependency[] = [
  { format: 'macko', waits: 'rows above', text: 'after all before it' },
  { format: 'csr', waits: 'rows above', text: 'after all before it' },
  { format: 'hybrid', waits: 'own row', text: 'after its whole row' },
  { format: 'twell', waits: 'nothing', text: 'at once' },
];

/** A tile of the picture, by row and column of tiles. */
interface Tile {
  readonly row: number;
  readonly col: number;
}

/** Whether a tile has to be finished before `at` can be written. */
export function isNeededBefore(waits: TileDependency, tile: Tile, at: Tile): boolean {
  if (tile.row === at.row && tile.col === at.col) return false;
  if (waits === 'nothing') return false;
  if (waits === 'own row') return tile.row === at.row;
  return tile.row < at.row || (tile.row === at.row && tile.col < at.col);
}

/** How many tiles, of one row and `tileWidth` columns each, the last one of a matrix waits for. */
export function tilesBefore(waits: TileDependency, { rows, cols }: Shape, tileWidth: number): number {
  const across = Math.ceil(cols / tileWidth);
  if (waits === 'nothing') return 0;
  return (waits === 'own row' ? across : rows * across) - 1;
}

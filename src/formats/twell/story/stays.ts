import { unitText } from '../../../core/story/drawing.ts';
import type { Cell, Span } from '../../../core/story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../core/story/flow/cells.ts';
import { fitting, note, stack } from '../../../core/story/flow/parts.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { cellName, pageStart } from '../../../core/story/scene-parts.ts';
import type { Tone } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { columnsOfTile, type WindowFacts } from './facts.ts';

/* What stays: a token over its neurons, in tiles. */

export type Look = NonNullable<Cell['look']>;

export interface TokenLook {
  /** of a cell by its column, and whether its neuron fired; plain */
  look?(column: number, fired: boolean): Look;
  readonly tone?: Tone;
  /** what is said above a tile; its name */
  nameOf?(tile: number): string;
  /** tiles that the sentence is about */
  readonly lit?: readonly number[];
}

/** A token of the window. */
function token(f: WindowFacts, r: number, { look, tone, nameOf, lit = [] }: TokenLook = {}): CellRow {
  const cell = (column: number): Cell => {
    const value = f.ofRow[r].get(column);
    const id = cellName(r, column);
    const own = look?.(column, value !== undefined);
    if (value === undefined) return { id, ...(own && own !== 'plain' && { look: own, tone: tone ?? 'neutral' }) };
    const label = `token ${f.tokenNumber(r)}, neuron ${f.neuronNumber(column)}: ${valueText(value)}`;
    return { id, text: unitText(value, f.unit), tone: tone ?? 'values', look: own ?? 'plain', label, about: [id] };
  };
  const spans = Array.from({ length: f.t.encoded.tiles }, (_, tile): Span => {
    const [from, to] = columnsOfTile(f, tile);
    const said = nameOf?.(tile) ?? `tile ${f.tileNumber(tile)}`;
    return { id: `tile ${tile}`, from, to, said, tone: lit.includes(tile) ? 'ink' : 'neutral', above: true };
  });
  return { id: `token ${r}`, title: `token ${f.tokenNumber(r)}`, strong: true, tone: 'ink', cell, spans };
}

/** What fired in some tiles is lit. */
export function litIn({ t }: WindowFacts, values: readonly number[], lit = values): TokenLook {
  const isIn = (column: number): boolean => values.includes(Math.floor(column / t.encoded.tileWidth));
  return { lit, look: (column, fired) => (fired && isIn(column) ? 'lit' : 'plain') };
}

/** Tokens of the window over their neurons. */
export function tokens(f: WindowFacts, rows: readonly CellRow[], axis: boolean): Part {
  const number = axis ? (column: number): string => String(f.neuronNumber(column)) : null;
  const { cols } = f.window;
  return cells({ count: cols, group: f.t.encoded.tileWidth, axis: number, widest: f.texts, lines: 8 }, rows);
}

/** A token alone, as it stands above every picture. */
export const above = (f: WindowFacts, r: number, look: TokenLook = {}): Part => tokens(f, [token(f, r, look)], true);

/** Tokens that are drawn, at most. */
export const TOKENS_SHOWN = 12;
/** Rows with words, at most. */
const MANY = 7;

/** All of some tokens, the one that stays above the others, and what is said below them. */
export function allTokens(
  f: WindowFacts,
  r: number,
  rows: readonly number[],
  look: TokenLook,
  ...below: readonly Part[]
) {
  const top = pageStart(rows.length, Math.max(0, rows.indexOf(r)), TOKENS_SHOWN);
  const shown = rows.slice(top, top + TOKENS_SHOWN).filter((other) => other !== r);
  const others = shown.map((other): CellRow => {
    return { ...token(f, other, look), strong: false, tone: 'neutral', spans: [] };
  });
  // Its columns are not those of the token above, so it names its tiles and has that token, too.
  const small = [r, ...shown].map((other, n): CellRow => {
    const { cell, id, spans = [], ...own } = token(f, other, look);
    return {
      ...own,
      id: `small ${id}`,
      strong: n === 0,
      tone: n === 0 ? 'ink' : 'neutral',
      spans: n === 0 ? spans.map((span) => ({ ...span, id: `small ${span.id}` })) : [],
      cell: (i) => ({ ...cell(i), id: `small ${cellName(other, i)}` }),
    };
  });
  const bare = stack(
    note('small', 'All of them, small:'),
    cells({ ...BARE, count: f.window.cols, group: f.t.encoded.tileWidth }, small),
  );
  const left = rows.length - shown.length - 1;
  return {
    above: above(f, r, look),
    isJoined: others.length > 0,
    body: stack(
      others.length > 0 ? (others.length > MANY ? bare : fitting(tokens(f, others, false), bare)) : null,
      left > 0 ? note('not shown', `${counted(left, 'token')} of ${rows.length} not shown.`) : null,
      below,
    ),
  };
}

export const BARE = { bare: true, max: 1.2 } as const;

import { unitText } from '../../../core/story/drawing.ts';
import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import type { Cell, Span } from '../../../core/story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../core/story/flow/cells.ts';
import { close, fitting, note, row, since, stack } from '../../../core/story/flow/parts.ts';
import type { Picture } from '../../../core/story/flow/picture.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { ask, counterBar, tell, type Told } from '../../../core/story/flow/told.ts';
import type { FrameContext, RecordedMatrix, RecordedTime } from '../../../core/story/frames.ts';
import { shareText } from '../../../core/story/rounded.ts';
import { cellName, elementName, pageStart } from '../../../core/story/scene-parts.ts';
import type { TextRun, Tone } from '../../../core/story/scene.ts';
import { fact, numberText, type Stated, stated } from '../../../core/story/stated.ts';
import { capitalised, counted, countText, valueText } from '../../../core/story/words.ts';
import { entryAt } from '../layout.ts';
import { lowerCompression } from '../overflow.ts';
import { WHOLE_MODELS } from '../published.ts';
import { columnsOfTile, endOf, firedIn, stepOf, type TileRow, windowFacts, type WindowFacts } from './facts.ts';
import type { TwellTrace } from './trace.ts';

/*
 * TwELL, told in ten frames and two questions, from top to bottom: most numbers are zero, workers wait for each other if they
 * share a list, with cells of its own no tile waits, a tile with too many neurons is refused, only what fired is computed
 * further, and what it is worth. A token stands at the top of every picture.
 */

export function story(t: TwellTrace): readonly Told[] {
  const f = windowFacts(t);
  const { lead } = f;
  if (!lead) return [zeros(f, 0), noTiles(f), ...odd(f), worth(f)];
  return [
    zeros(f, lead.row),
    ...(f.workers ? [waits(f, f.workers)] : []),
    ownCells(f, lead.row),
    ...(f.one ? [oneFired(f, f.one)] : []),
    emptyAndFull(f, lead.row),
    ...odd(f),
    gateInFull(f, lead.row),
    onlyFired(f, lead.row),
    ...(f.fired < f.numbers ? [howMuch(f, lead.row)] : []),
    workLeft(f, lead.row),
    worth(f),
  ];
}

/* What stays: a token over its neurons, in tiles. */

type Look = NonNullable<Cell['look']>;

interface TokenLook {
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
    const said = nameOf?.(tile) ?? `tile ${tile}`;
    return { id: `tile ${tile}`, from, to, said, tone: lit.includes(tile) ? 'ink' : 'neutral', above: true };
  });
  return { id: `token ${r}`, title: `token ${f.tokenNumber(r)}`, strong: true, tone: 'ink', cell, spans };
}

const inTiles =
  (tiles: readonly number[], { t }: WindowFacts) =>
  (column: number): boolean =>
    tiles.includes(Math.floor(column / t.params.tileWidth));

/** Tokens of the window over their neurons. */
function tokens(f: WindowFacts, rows: readonly CellRow[], axis: boolean): Part {
  const number = axis ? (column: number): string => String(f.neuronNumber(column)) : null;
  const { cols } = f.t.window;
  return cells({ count: cols, group: f.t.params.tileWidth, axis: number, widest: f.texts, lines: 8 }, rows);
}

/** A token alone, as it stands above every picture. */
const above = (f: WindowFacts, r: number, look: TokenLook = {}): Part => tokens(f, [token(f, r, look)], true);

/** What differs from picture to picture of one frame, in the same room. */
function byPicture(part: (picture: number) => Part): Part {
  const last = part(Number.POSITIVE_INFINITY);
  return { ...last, lay: (room, width) => part(room.picture).lay(room, width) };
}

const TOKENS_SHOWN = 12;
/** Rows with words, at most. */
const MANY = 7;

/** All of some tokens, the one that stays above the others. */
function allTokens(
  f: WindowFacts,
  r: number,
  rows: readonly number[],
  look: TokenLook,
): Pick<Picture, 'above' | 'body'> {
  const top = pageStart(rows.length, Math.max(0, rows.indexOf(r)), TOKENS_SHOWN);
  const others = rows.slice(top, top + TOKENS_SHOWN).filter((other) => other !== r);
  const small = others.map((other): CellRow => {
    const own = token(f, other, look);
    return {
      id: `small ${own.id}`,
      title: own.title ?? '',
      cell: (i) => ({ ...own.cell(i), id: `small ${cellName(other, i)}` }),
    };
  });
  const large = others.map((other): CellRow => {
    const { spans, ...own } = token(f, other, look);
    return { ...own, strong: false, tone: 'neutral' };
  });
  const bare = cells({ count: f.t.window.cols, bare: true, most: 1.2 }, small);
  const body = large.length > MANY ? bare : fitting(tokens(f, large, false), bare);
  const left = rows.length - others.length - 1;
  return {
    above: above(f, r, look),
    body: stack(
      ...(others.length > 0 ? [body] : []),
      ...(left > 0
        ? [note('not shown', `${counted(left, 'token')} of ${rows.length} not shown.`, { size: 'small' })]
        : []),
    ),
  };
}

const ink = (text: string): TextRun => ({ text, strong: true, tone: 'ink' });
const tinted = (text: string, tone: Tone): TextRun => ({ text, strong: true, tone });
const word = (count: number): string => numberText({ value: count, rounding: 'word' });

/* 1. The problem. */

const ZERO = fact('what ReLU leaves of a number below it', 0);
const WHY = 'Why';

function zeros(f: WindowFacts, r: number): Told {
  const { window } = f.t;
  const all = window.rows * window.cols;
  const shown = { id: 'what ReLU leaves', chapter: WHY, moves: [0], say: zerosText(f) };
  if (all === 0)
    return tell({ ...shown, body: note('nothing', `${window.rows} \u00d7 ${window.cols}: this cut has no cells.`) });
  const rows = Array.from({ length: window.rows }, (_, i) => i);
  const tokensOfCut = allTokens(f, r, rows, { look: (_, fired) => (fired ? 'lit' : 'plain') });
  const left = window.nnz;
  return tell({
    ...shown,
    ...tokensOfCut,
    isJoined: true,
    body: stack(
      tokensOfCut.body,
      close(
        note('fires', [
          ink('Columns are neurons. '),
          { text: `A neuron fires where its number is not 0.${unitMeans(f)}` },
        ]),
        note('why', 'Training with an L1 penalty keeps neurons quiet: more numbers fall below 0.'),
      ),
    ),
    below: counterBar({
      title: window.rows === 1 ? 'the token' : 'all tokens',
      parts: [
        { tone: 'values', bytes: 2 * left, name: 'not 0' },
        { tone: 'padding', bytes: 2 * (all - left), name: 'zeros' },
      ],
      dense: 2 * all,
      said: all > left ? 'Dense stores the zeros, and multiplies with them.' : 'Dense stores the same numbers.',
    }),
  });
}

/** What the numbers in the cells mean, by the largest. */
function unitMeans({ t, unit }: WindowFacts): string {
  const { data } = t.window;
  if (unit.name === null || data.length === 0) return '';
  const max = data.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), data[0]);
  return ` In ${unit.name}: ${unitText(max, unit)} is ${valueText(max)}.`;
}

function zerosText({ t: { window, negatives } }: WindowFacts): Stated {
  const cellsOfAll = window.rows * window.cols;
  const [left, all] = [fact('non-zeros', window.nnz), fact('numbers', cellsOfAll)];
  if (cellsOfAll === 0) return stated`No number here: *nothing* for ReLU to turn into ${ZERO}.`;
  const stay = window.nnz === 1 ? 'stays' : 'stay';
  if (negatives > 0)
    return stated`*${left} of ${all}* numbers are not ${ZERO}: ReLU would turn ${fact('negatives', negatives)} of them into ${ZERO}.`;
  const relu = stated`ReLU turns everything below ${ZERO} into ${ZERO}`;
  if (window.nnz === 0) return stated`${relu}: here, *none of ${all}* stays.`;
  if (window.nnz === cellsOfAll) return stated`${relu}: here, *all ${all}* stay.`;
  return 2 * window.nnz <= cellsOfAll
    ? stated`${relu}: only *${left} of ${all}* ${stay}.`
    : stated`${relu}: *${left} of ${all}* ${stay}.`;
}

/* 2. One list for all workers: who comes later has to wait. */

/** Values of a worker that are drawn. */
const LISTED = 6;

function waits(f: WindowFacts, { a, b }: NonNullable<WindowFacts['workers']>): Told {
  const { row: r } = b;
  const columns = firedIn(f, b).slice(0, LISTED);
  const unknown = 3;
  const more = b.count - columns.length;
  const list: CellRow = {
    id: 'list',
    title: 'one list',
    tone: 'values',
    cell: (i) => {
      const column = columns[i - unknown];
      if (column === undefined) return { text: '?', look: 'outline', tone: 'neutral' };
      const value = f.ofRow[r].get(column) ?? 0;
      return { text: unitText(value, f.unit), look: 'lit', tone: 'values', from: cellName(r, column) };
    },
    spans: [
      { id: 'of A', from: 0, to: unknown, said: 'A: how many?', tone: 'ink' },
      {
        id: 'of B',
        from: unknown,
        to: unknown + columns.length,
        said: `B: ${counted(b.count, 'value')}, where?`,
        tone: 'ink',
      },
    ],
  };
  const time = (id: string, parts: Bar['parts']): Bar => ({ id, title: `worker ${id}`, parts });
  const workers = new Map([
    [a.tile, `worker A: tile ${a.tile}`],
    [b.tile, `worker B: tile ${b.tile}`],
  ]);
  const gap = `Leave a gap for A? It may have up to ${f.t.params.tileWidth}: such a list is as long as dense.`;
  return tell({
    id: 'who waits',
    chapter: WHY,
    step: stepOf(f, ({ kind }) => kind === 'ell'),
    moves: [900, 900, 1200],
    say: stated`Each worker takes a *tile*: ${fact('neurons of a tile', f.t.params.tileWidth, 'word')} neurons. B cannot write: A has not counted yet.`,
    above: above(f, r, {
      look: (column, fired) => (fired && inTiles([b.tile], f)(column) ? 'lit' : 'plain'),
      nameOf: (tile) => workers.get(tile) ?? `tile ${tile}`,
      lit: [a.tile, b.tile],
    }),
    body: stack(
      cells({ count: unknown + columns.length, most: 3.6, widest: f.texts }, [list]),
      ...(more > 0 ? [note('more', `and ${countText(more)} more of B`, { size: 'small' })] : []),
      since(
        1,
        bars({ id: 'time', max: 10.1, height: 1.4, means: 'time, a sketch' }, [
          time('A', [{ to: 10, tone: 'neutral', look: 'plain', said: 'still counts' }]),
          time('B', [
            { to: 5, tone: 'format', look: 'plain', said: 'done' },
            { to: 10, tone: 'danger', look: 'outline', said: 'waits for A' },
          ]),
        ]),
      ),
      since(2, note('gap', gap, { tone: 'ink' })),
    ),
  });
}

/* 3. The idea: cells of its own for each tile. */

/** 'one count, three values' of what a tile holds. */
function cellsText({ t, slots, capacity }: WindowFacts): Stated {
  const own = fact('cells of a tile', slots, 'word', ['cell', 'cells']);
  if (t.params.layout === 'split') return stated`Every tile owns *${own}, and a count elsewhere*. Nobody waits.`;
  const room = fact('values that fit', capacity, 'word', ['value', 'values']);
  return stated`Every tile owns *${own}: one count, ${room}*. Nobody waits.`;
}

const IDEA = 'The idea';
const isPacked = ({ t }: WindowFacts): boolean => t.params.layout === 'packed';
const CELL = 'A cell has 32 bits: a count, or 16 for a value and 16 for its neuron.';
const SPLIT_CELL = 'A cell: 16 bits for a value, 32 for its neuron. Counts stand apart, 32 bits each.';

interface StoredLook {
  /** tiles that are stored by then; all */
  readonly by?: readonly number[];
  /** tiles that the sentence is about */
  readonly lit?: readonly number[];
}

/** What is stored of a token: cells of each tile, the value of a cell above its neuron. */
function stored(f: WindowFacts, r: number, { by, lit = [] }: StoredLook = {}): Part {
  const { encoded: e } = f.t;
  const place = (i: number) => ({ tile: Math.floor(i / f.slots), k: (i % f.slots) - (isPacked(f) ? 1 : 0) });
  const tiles = f.lead?.tiles ?? [];
  const look = (tile: number): Look => (lit.includes(tile) ? 'lit' : 'plain');
  const isStored = (tile: number): boolean => by?.includes(tile) ?? true;
  const count = (tile: number): Cell => {
    if (!isStored(tile)) return { look: 'ghost' };
    const at = r * e.tiles + tile;
    const id = isPacked(f) ? elementName('words', at * e.slots) : elementName('counts', at);
    return {
      id,
      text: String(tiles[tile].count),
      tone: 'metadata',
      look: look(tile),
      label: `tile ${tile}: how many fired`,
    };
  };
  const entry =
    (make: (tile: number, k: number, column: number, names: readonly string[]) => Cell) =>
    (i: number): Cell | null => {
      const { tile, k } = place(i);
      if (k < 0) return null;
      if (!isStored(tile)) return { look: 'ghost' };
      const column = firedIn(f, tiles[tile])[k];
      if (column === undefined) return { tone: 'padding', look: 'plain', label: `tile ${tile}: stored, but empty` };
      const element = entryAt(e, r * e.tiles + tile, k);
      const names = isPacked(f)
        ? [elementName('words', element)]
        : [elementName('values', element), elementName('indices', element)];
      return make(tile, k, column, names);
    };
  const value = entry((tile, _, column, names) => ({
    id: `value ${names[0]}`,
    text: unitText(f.ofRow[r].get(column) ?? 0, f.unit),
    tone: 'values',
    look: look(tile),
    from: cellName(r, column),
    about: [cellName(r, column), ...names],
  }));
  const neuron = entry((tile, _, column, names) => ({
    id: `neuron ${names[0]}`,
    text: String(f.neuronNumber(column)),
    tone: 'indices',
    look: look(tile),
    from: cellName(r, column),
    about: [cellName(r, column), ...names],
  }));
  const isCount = (i: number): boolean => i % f.slots === 0;
  const names = tiles.map(({ tile }): Span => {
    const tone = lit.includes(tile) ? 'ink' : 'neutral';
    return { id: `stored ${tile}`, from: tile * f.slots, to: (tile + 1) * f.slots, said: `tile ${tile}`, tone };
  });
  const title = isPacked(f) ? 'count, values' : 'values';
  const widest = [...f.texts, String(f.neuronNumber(f.t.window.cols - 1))];
  return cells({ count: tiles.length * f.slots, group: f.slots, most: 3.2, widest, lines: 8 }, [
    ...(isPacked(f)
      ? []
      : [
          {
            id: 'counts',
            title: 'counts',
            tone: 'metadata',
            cell: (i) => (isCount(i) ? count(place(i).tile) : null),
          } satisfies CellRow,
        ]),
    { id: 'values', title, tone: 'values', cell: (i) => (isPacked(f) && isCount(i) ? count(place(i).tile) : value(i)) },
    { id: 'neurons', title: 'neurons', tone: 'indices', cell: neuron, spans: names },
  ]);
}

function ownCells(f: WindowFacts, r: number): Told {
  const { workers } = f;
  return tell({
    id: 'cells of its own',
    chapter: IDEA,
    step: stepOf(f, (step) => step.kind === 'nothing' || (step.kind === 'gate' && step.about === 'epilogue')),
    moves: workers ? [800, 1200, 900] : [800],
    say: cellsText(f),
    above: above(f, r),
    body: stack(
      byPicture((n) => stored(f, r, n > 1 || !workers ? {} : { by: n === 1 ? [workers.b.tile] : [] })),
      close(
        note('cell', isPacked(f) ? CELL : SPLIT_CELL),
        ...(workers
          ? [
              since(
                1,
                note('at once', 'B stores while A still counts: its cells are nobody else\u2019s.', { tone: 'ink' }),
              ),
            ]
          : []),
      ),
    ),
  });
}

/** No token is stored, or none has neurons: what a tile would own. */
function noTiles(f: WindowFacts): Told {
  const { rows } = f.t.window;
  const why = f.over
    ? `None of the ${counted(rows, 'token')} here is stored: each has a tile that is too full.`
    : 'No tile here has a neuron.';
  return tell({
    id: 'cells of its own',
    chapter: IDEA,
    step: stepOf(f, (step) => step.kind === 'nothing' || (step.kind === 'gate' && step.about === 'epilogue')),
    say: cellsText(f),
    body: stack(note('none', why), note('cell', isPacked(f) ? CELL : SPLIT_CELL)),
  });
}

/* 4. One tile, slowly. */

const STORE = 'Store';

function oneFired(f: WindowFacts, one: TileRow): Told {
  const { row: r, tile, count } = one;
  const columns = firedIn(f, one);
  const numbers = (texts: readonly string[]): string =>
    texts.slice(0, LISTED).join(', ') + (texts.length > LISTED ? ' \u2026' : '');
  const values = numbers(columns.map((column) => unitText(f.ofRow[r].get(column) ?? 0, f.unit)));
  const neurons = numbers(columns.map((column) => String(f.neuronNumber(column))));
  const free = f.capacity - count;
  const element = entryAt(f.t.encoded, r * f.t.encoded.tiles + tile, 0);
  const [named, fired] = [fact('tile in which few fired', tile), fact('fired in it', count, 'word')];
  const many = count > 1;
  return tell({
    id: 'one fired',
    chapter: STORE,
    step: f.t.packedAt[r * f.t.encoded.tiles + tile],
    moves: [900, 600, 600],
    say: many
      ? stated`Tile ${named}: ${fired} fired. It stores *how many, the values, which neurons*.`
      : stated`Tile ${named}: ${fired} fired. It stores *how many, the value, which neuron*.`,
    above: above(f, r, {
      look: (column, hasFired) => (hasFired && inTiles([tile], f)(column) ? 'lit' : 'plain'),
      lit: [tile],
    }),
    body: stack(
      stored(f, r, { lit: [tile] }),
      close(
        note('how many', [tinted(String(count), 'metadata'), { text: ' how many fired' }]),
        since(1, note('what', [tinted(values, 'values'), { text: many ? ' the values' : ' the value' }])),
        since(
          2,
          note('which', [
            tinted(neurons, 'indices'),
            { text: many ? ' which neurons' : ' which neuron' },
            ...(free > 0 ? [{ text: `; ${word(free)} more would fit` }] : []),
          ]),
        ),
      ),
    ),
    arrows: [
      {
        from: cellName(r, columns[0]),
        to: `value ${elementName(isPacked(f) ? 'words' : 'values', element)}`,
        tone: 'values',
      },
    ],
  });
}

/* 5. What empty and full tiles cost. */

function emptyAndFull(f: WindowFacts, r: number): Told {
  const { empty, full, capacity, bytes } = f;
  const tiles = [empty, full].flatMap((tile) => tile?.tile ?? []);
  const one = (text: string): string => (capacity === 1 ? text : `${text}s`);
  const said = [
    ...(empty && capacity > 0
      ? [
          `Tile ${empty.tile}: nobody fired. ${capitalised(word(capacity))} ${one('cell')} ${capacity === 1 ? 'stays' : 'stay'} empty: the price of not waiting.`,
        ]
      : []),
    ...(full ? [`Tile ${full.tile}: ${word(capacity)} fired. It is full.`] : []),
    ...(empty || full ? [] : ['No tile of this token is empty, and none is full.']),
  ];
  const shares = ({ whole }: FrameContext): number => whole?.ledger.effectiveDensity ?? 0;
  const saves = (context: FrameContext): boolean => shares(context) > 0 && shares(context) < 0.995;
  const wholeText = (context: FrameContext): string =>
    shares(context) > 0 ? ` The whole matrix, in its own tiles: ${shareText(shares(context))} of dense.` : '';
  const picture = (context: FrameContext): Picture => ({
    above: above(f, r, {
      look: (column, fired) => (fired && full && inTiles([full.tile], f)(column) ? 'lit' : 'plain'),
      lit: tiles,
    }),
    body: stack(stored(f, r, { lit: tiles }), close(...said.map((text, i) => since(i, note(`said ${i}`, text))))),
    below: counterBar({
      title: f.kept.length === 1 ? 'the token' : 'all tokens',
      parts: [
        { tone: 'metadata', bytes: bytes.counts, name: 'counts' },
        { tone: 'values', bytes: bytes.values, name: 'values' },
        { tone: 'indices', bytes: bytes.neurons, name: 'neurons' },
        { tone: 'padding', bytes: bytes.empty, name: 'empty' },
      ],
      dense: f.dense,
      said: `Dense: ${counted(f.numbers, 'number')} of 2 bytes.${wholeText(context)}`,
    }),
  });
  return {
    id: 'empty and full',
    chapter: STORE,
    step: endOf(f, 'tiles'),
    moves: said.length > 1 ? [900, 900] : [900],
    say: (context) => bytesText(f, saves(context)),
    show: picture,
  };
}

/** `saves`: the whole matrix, in larger tiles, takes fewer bytes than dense. */
function bytesText({ stored: own, dense }: WindowFacts, saves: boolean): Stated {
  if (own === dense)
    return saves
      ? stated`Same bytes as dense, in tiles so small. Above all, it saves *work*.`
      : stated`Same bytes as dense. It saves *work*, not bytes.`;
  const [total, all] = [fact('bytes', own), fact('dense bytes', dense)];
  if (own < dense) return stated`${total} bytes instead of ${all}. Above all, it saves *work*.`;
  return saves
    ? stated`${total} bytes instead of ${all}, in tiles so small. Above all, it saves *work*.`
    : stated`More bytes than dense: ${total} instead of ${all}. It saves *work*, not bytes.`;
}

/* Question, and 6. The odd case: one more than fits. */

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** 'a fourth' where three fit, 'an eighth'; 'one more' where there is no short word for it. */
function another(capacity: number): string {
  const ordinal = ORDINALS[capacity];
  if (ordinal === undefined) return 'one more';
  return `${ordinal.startsWith('e') ? 'an' : 'a'} ${ordinal}`;
}

const ODD = 'Too many';

/** The question of one more, and what the format does then. */
function odd(f: WindowFacts): readonly Told[] {
  const [from, to] = columnsOfTile(f, 0);
  // A tile with no more neurons than cells has room for all of them.
  if (to - from <= f.capacity) return [];
  const { over, fullest } = f;
  return [
    ...(fullest && f.capacity > 0 ? [oneMore(f, fullest)] : []),
    ...(over || fullest ? [refused(f, over, fullest)] : []),
  ];
}

interface TileLook {
  /** the first cell without room */
  readonly extra?: 'asked' | 'refused';
  /** cells to draw, for others beside it */
  readonly cells: number;
  readonly id: string;
}

/** The cells of one tile, and what has no room in them. */
function tileCells(f: WindowFacts, one: TileRow, { extra, cells: drawn, id }: TileLook): Part {
  const columns = firedIn(f, one);
  const first = isPacked(f) ? 1 : 0;
  const end = first + f.capacity;
  const beyond = Math.max(one.count, f.capacity + 1) - f.capacity;
  const isExtra = (i: number): boolean => extra !== undefined && i >= end && i < end + beyond;
  const entry =
    (text: (column: number) => string, tone: Tone) =>
    (i: number): Cell | null => {
      if (i < first || (i >= end && !isExtra(i))) return null;
      const column = columns[i - first];
      if (i < end)
        return column === undefined ? { tone: 'padding', look: 'plain' } : { text: text(column), tone, look: 'plain' };
      if (extra === 'asked') return { text: '?', look: 'outline', tone: 'ink' };
      return { text: column === undefined ? '\u00d7' : text(column), look: 'outline', tone: 'danger' };
    };
  const value = entry((column) => unitText(f.ofRow[one.row].get(column) ?? 0, f.unit), 'values');
  const neuron = entry((column) => String(f.neuronNumber(column)), 'indices');
  const count: Cell = {
    text: String(one.count),
    tone: extra === 'refused' && one.count > f.capacity ? 'danger' : 'metadata',
    look: 'plain',
  };
  const spans: Span[] = [
    ...(end > 0
      ? [
          {
            id: `own ${id}`,
            from: 0,
            to: end,
            said: isPacked(f) ? counted(f.slots, 'cell') : `${counted(f.slots, 'cell')}, count apart`,
            tone: 'neutral' as const,
          },
        ]
      : []),
    ...(extra
      ? [
          {
            id: `no room ${id}`,
            from: end,
            to: end + beyond,
            said: extra === 'asked' ? 'where?' : 'no cell',
            tone: extra === 'asked' ? ('ink' as const) : ('danger' as const),
          },
        ]
      : []),
  ];
  const widest = [...f.texts, String(f.neuronNumber(f.t.window.cols - 1))];
  return cells({ count: drawn, most: 3.2, widest, focus: end }, [
    {
      id: `tile values ${id}`,
      title: isPacked(f) ? 'count, values' : 'values',
      tone: 'values',
      cell: (i) => (isPacked(f) && i === 0 ? count : value(i)),
    },
    { id: `tile neurons ${id}`, title: 'neurons', tone: 'indices', cell: neuron, spans },
  ]);
}

const places = (f: WindowFacts, count: number): number => Math.max(f.capacity + 1, count) + (isPacked(f) ? 1 : 0);

/** A token with one of its tiles lit. */
const aboveTile = (f: WindowFacts, { row: r, tile }: TileRow): Part =>
  above(f, r, { look: (column, fired) => (fired && inTiles([tile], f)(column) ? 'lit' : 'plain'), lit: [tile] });

function oneMore(f: WindowFacts, subject: TileRow): Told {
  const { capacity } = f;
  const body = (extra: 'asked' | 'refused'): Part =>
    stack(
      note('whose', [
        ink(`Tile ${subject.tile} of token ${f.tokenNumber(subject.row)}`),
        { text: `: room for ${counted(capacity, 'value')}.` },
      ]),
      tileCells(
        f,
        { ...subject, count: Math.min(subject.count, capacity) },
        { extra, cells: places(f, 0), id: 'asked' },
      ),
    );
  return ask(
    {
      id: 'one more?',
      chapter: ODD,
      say: stated`${capitalised(another(capacity))} neuron fires in one tile. What happens?`,
      above: aboveTile(f, subject),
      body: body('asked'),
    },
    {
      body: body('refused'),
      options: ['the next tile takes it', 'it is lost, silently', 'the format says no'],
      answer: 2,
      because: stated`Other tiles belong to other workers, and nothing may be lost. So the format says no.`,
    },
  );
}

function refused(f: WindowFacts, over: TileRow | null, fullest: TileRow | null): Told {
  const { capacity } = f;
  const fit = capacity === 0 ? 'none fits' : `${word(capacity)} ${capacity === 1 ? 'fits' : 'fit'}`;
  const right = over ?? { ...(fullest ?? { row: 0, tile: 0, count: 0 }), count: capacity + 1 };
  const drawn = places(f, right.count);
  const fired = over ? `${word(over.count)} fired` : capacity === 0 ? 'one' : word(capacity + 1);
  const where = over ? `token ${f.tokenNumber(over.row)}, tile ${over.tile}` : 'the tile';
  const lower = lowerCompression(right.count, f.t.params);
  const ways = [
    ...(isPacked(f) && right.count === f.slots ? ['the count apart (split)'] : []),
    ...(lower === undefined ? [] : [`compression ${lower} instead of ${f.t.params.compression}`]),
    'this token dense and the others in tiles (hybrid)',
  ];
  const means = `It stores nothing of this matrix and names ${where}: nothing is lost in silence.`;
  const here = over ? '' : ` Here no tile has more than ${word(fullest?.count ?? 0)}.`;
  const leftPart =
    fullest && close(note('fits', [ink(capitalised(fit))]), tileCells(f, fullest, { cells: drawn, id: 'left' }));
  const rightPart = close(
    note('refused', [tinted(`${capitalised(fired)}: refused`, 'danger')]),
    tileCells(f, right, { extra: 'refused', cells: drawn, id: 'right' }),
  );
  return tell({
    id: 'one too many',
    chapter: ODD,
    step: over ? stepOf(f, (one) => one.kind === 'refuse' && one.row === over.row && one.tile === over.tile) : 0,
    moves: [900, 900, 900],
    say: refusedText(f, over),
    above: aboveTile(f, right),
    body: stack(
      leftPart ? row(leftPart, rightPart) : rightPart,
      since(1, note('means', [ink('Refuses: '), { text: means + here }])),
      since(2, note('ways', [ink(`Room for it: `), { text: `${ways.join(', or ')}.` }])),
    ),
  });
}

function refusedText(f: WindowFacts, over: TileRow | null): Stated {
  const { capacity } = f;
  if (!over)
    return stated`${fact('one too many', capacity + 1, 'Word')} in one tile: TwELL *refuses*. Dense must do this token.`;
  const fit =
    capacity === 0
      ? stated`none fits`
      : stated`${fact('values that fit', capacity, 'word')} ${capacity === 1 ? 'fits' : 'fit'}`;
  const [r, tile] = [fact('refused token', f.tokenNumber(over.row)), fact('refused tile', over.tile)];
  return stated`Token ${r}, tile ${tile}: *${fact('fired in the refused tile', over.count, 'word')} fired*, ${fit}. TwELL *refuses*; dense must do it.`;
}

/* 7 and 8. Gate in full, up and down for what fired. */

const PAYOFF = 'Work';

/** input, gate, and what follows it. */
function sketch(gate: string, others: string, lit: 'gate' | 'others'): Part {
  const box = (text: string, isLit: boolean): Cell => ({ text, tone: 'format', look: isLit ? 'lit' : 'outline' });
  const arrow: Cell = { text: '\u2192', look: 'words', tone: 'ink' };
  const boxes: readonly Cell[] = [
    box('input', false),
    arrow,
    box('gate', lit === 'gate'),
    arrow,
    box('up, down', lit === 'others'),
  ];
  return cells({ count: boxes.length, most: 9 }, [
    {
      id: 'block',
      title: 'block',
      cell: (i) => boxes[i],
      spans: [
        { id: 'gate said', from: 2, to: 3, said: gate, tone: lit === 'gate' ? 'ink' : 'neutral' },
        { id: 'others said', from: 4, to: 5, said: others, tone: lit === 'others' ? 'ink' : 'neutral' },
      ],
    },
  ]);
}

function gateInFull(f: WindowFacts, r: number): Told {
  const grid = allTokens(f, r, f.kept, { look: () => 'lit', tone: 'format' });
  const all = fact('stored numbers', f.numbers);
  return tell({
    id: 'gate in full',
    chapter: PAYOFF,
    step: endOf(f, 'overflow'),
    moves: [900, 900],
    say: stated`*Gate* tells who fires. It must be computed in full: all ${all}.`,
    ...grid,
    isJoined: true,
    body: stack(
      grid.body,
      sketch('who fires?', 'later', 'gate'),
      since(1, note('block', 'A block of the model is three products, equal in work: gate, up and down.')),
    ),
  });
}

function onlyFired(f: WindowFacts, r: number): Told {
  const grid = allTokens(f, r, f.kept, { look: (_, fired) => (fired ? 'lit' : 'ghost') });
  const fired = fact('stored values', f.fired);
  const isAll = f.fired === f.numbers;
  return tell({
    id: 'up and down',
    chapter: PAYOFF,
    step: endOf(f, 'overflow'),
    moves: [900, 900],
    say:
      f.fired === 0
        ? stated`Nobody fired: up and down are *not needed at all*.`
        : isAll
          ? stated`All ${fired} fired: up and down are needed *in full*, as in dense.`
          : stated`Up and down are needed only for the *${fired} that fired*.`,
    ...grid,
    isJoined: true,
    body: stack(
      grid.body,
      sketch(`all ${countText(f.numbers)}`, `${countText(f.fired)} of ${countText(f.numbers)}`, 'others'),
      since(
        1,
        note(
          'dashed',
          isAll ? 'Nothing is skipped.' : 'Dashed: its weights of up and down are not even read. They stay stored.',
        ),
      ),
    ),
  });
}

/* Question, and 9. How much work is left. */

function workBars(f: WindowFacts, isShown: boolean): Part {
  const { numbers, fired } = f;
  const part = (name: string, to: number, look: 'lit' | 'plain' | 'ghost', said: string) =>
    ({ to, tone: 'format', look, said: `${name} ${said}` }) as const;
  const all = countText(numbers);
  const left = numbers + 2 * fired;
  const lines: readonly Bar[] = [
    {
      id: 'dense',
      title: 'dense',
      parts: [
        part('gate', numbers, 'plain', all),
        part('up', 2 * numbers, 'plain', all),
        part('down', 3 * numbers, 'plain', all),
      ],
      after: countText(3 * numbers),
    },
    {
      id: 'twell',
      title: 'TwELL',
      strong: true,
      parts: isShown
        ? [
            part('gate', numbers, 'lit', all),
            part('up', numbers + fired, 'lit', countText(fired)),
            part('down', left, 'lit', countText(fired)),
            ...(left < 3 * numbers ? [{ to: 3 * numbers, tone: 'neutral', look: 'ghost' } as const] : []),
          ]
        : [
            part('gate', numbers, 'lit', all),
            part('up', 2 * numbers, 'ghost', '?'),
            part('down', 3 * numbers, 'ghost', '?'),
          ],
      after: isShown ? [ink(countText(left))] : '?',
    },
  ];
  return bars(
    {
      id: 'work',
      max: 3 * numbers,
      height: 1.5,
      means: 'numbers to compute: fewer is better',
    },
    lines,
  );
}

const leftOf = ({ fired, numbers }: WindowFacts): number => (numbers + 2 * fired) / (3 * numbers);

function howMuch(f: WindowFacts, r: number): Told {
  const { fired, numbers } = f;
  const percent = (share: number): string => `${Math.round(100 * share)}\u202f%`;
  const share = fired / numbers;
  const right = percent(leftOf(f));
  const options = [...new Set([share, leftOf(f), 1 - share].toSorted((a, b) => a - b).map(percent))];
  const [zero, all] = [fact('zeros', numbers - fired), fact('stored numbers', numbers)];
  const done = fact('stored values', fired);
  return ask(
    {
      id: 'what is left?',
      chapter: PAYOFF,
      step: endOf(f, 'overflow'),
      say: stated`${zero} of ${all} numbers ${zero.value === 1 ? 'is' : 'are'} ${ZERO}. How much of the whole work is left?`,
      above: above(f, r),
      body: workBars(f, false),
    },
    {
      body: workBars(f, true),
      options: options.length > 1 ? options : [...options, percent(0.5)],
      answer: options.indexOf(right),
      because: stated`Gate ${all}, up ${done}, down ${done}: ${fact('numbers that are computed', numbers + 2 * fired)} of ${fact('numbers of three products', 3 * numbers)}.`,
    },
  );
}

function workLeft(f: WindowFacts, r: number): Told {
  const products = (['gate', 'up', 'down'] as const).map((name): CellRow => {
    const cell = (column: number): Cell => {
      const isDone = name === 'gate' || f.ofRow[r].has(column);
      return {
        id: `${name} ${r},${column}`,
        tone: 'format',
        look: isDone ? 'lit' : 'ghost',
        label: `${name}: ${isDone ? 'computed' : 'skipped'}`,
      };
    };
    return { id: name, title: name, tone: 'format', cell };
  });
  return tell({
    id: 'only what fired',
    chapter: PAYOFF,
    step: endOf(f, 'walk'),
    moves: [900, 1200],
    say: leftText(f),
    above: above(f, r),
    body: stack(
      fitting(tokens(f, products, false), cells({ count: f.t.window.cols, bare: true, most: 1.2 }, products)),
      since(1, workBars(f, true)),
    ),
  });
}

/** Up and down are little beside gate where fewer than these fired. */
const LITTLE = 0.25;

function leftText(f: WindowFacts): Stated {
  const left = fact('work that is left', leftOf(f), 'share');
  if (f.fired === f.numbers) return stated`*All of the work* is left: every neuron fired.`;
  if (f.fired === 0) return stated`*${left}* of the work is left: all of gate, nothing else.`;
  return f.fired < LITTLE * f.numbers
    ? stated`*${left}* of the work is left: all of gate, little else.`
    : stated`*${left}* of the work is left: all of gate, and much of the others.`;
}

/* 10. What it is worth. */

interface Block extends RecordedMatrix {
  readonly format: RecordedTime;
}

/** Recorded blocks, from the one of which the fewest neurons fire. */
function blocksOf({ recorded }: FrameContext): readonly Block[] {
  return (recorded?.matrices ?? [])
    .flatMap((one) => (one.operation === 'forward' && one.format ? [{ ...one, format: one.format }] : []))
    .toSorted((a, b) => a.density - b.density);
}

const timesText = (times: number): TextRun => ({
  text: `  ${times.toFixed(2)} times as fast`,
  tone: times < 1 ? 'danger' : 'neutral',
});

function worth(f: WindowFacts): Told {
  const { window } = f.t;
  const cellsOfAll = window.rows * window.cols;
  const fires = cellsOfAll > 0 ? window.nnz / cellsOfAll : null;
  return {
    id: 'verdict',
    chapter: 'So what',
    step: f.t.steps.length,
    moves: [0, 1200, 900],
    say: () => {
      const times = fact('whole models', (WHOLE_MODELS.min + WHOLE_MODELS.max) / 2, 1);
      return stated`*${times} times as fast* in practice, if trained to fire rarely.`;
    },
    show: (context) => ({ body: times(context, fires) }),
  };
}

function times(context: FrameContext, fires: number | null): Part {
  const blocks = blocksOf(context);
  const [fewest] = blocks;
  const { min, max } = WHOLE_MODELS;
  const range: TextRun = { text: `  ${min.toFixed(2)} to ${max.toFixed(2)} times as fast`, tone: 'neutral' };
  const line = (id: string, title: string, time: number, after: readonly TextRun[], tone: Tone = 'format'): Bar => ({
    id,
    title,
    strong: tone === 'format',
    parts: [{ to: time, tone, label: `${title}: ${time.toFixed(2)}` }],
    after: [{ text: time.toFixed(2), strong: true }, ...after],
  });
  const lines = [
    line('dense', 'dense', 1, [], 'neutral'),
    line('model', 'whole model', 1 / min, [range]),
    ...(fewest
      ? [
          line('block', 'one block', 1 / fewest.format.timesDense, [
            timesText(fewest.format.timesDense),
            { text: `, ${shareText(fewest.density)} fire` },
          ]),
        ]
      : []),
  ];
  const source = fewest
    ? `Whole model: the paper, NVIDIA H100. One block: ${context.recorded?.device ?? ''}, timed ${fewest.date}, ${countText(fewest.rows)} tokens.`
    : 'Whole model: the paper, NVIDIA H100. One block was not timed on this device: Measure times it.';
  const differ =
    'Two things differ. The model runs on tensor cores, which make dense faster. And only its blocks gain: the rest takes its time.';
  return stack(
    bars(
      {
        id: 'times',
        max: Math.max(...lines.map(({ parts }) => parts[0].to)),
        height: 1.9,
        means: 'time, dense = 1: shorter is better',
        grow: true,
      }, // bounded: three bars
      lines,
    ),
    since(
      2,
      note('differ', fewest ? differ : 'With tensor cores dense is faster, too. And only the blocks of a model gain.', {
        tone: 'ink',
      }),
    ),
    since(2, note('here', hereText(fires, blocks))),
    note('source', source, { size: 'small' }),
  );
}

/** What was timed of about as many neurons as fire in the cut. */
function hereText(fires: number | null, blocks: readonly Block[]): string {
  if (fires === null) return 'This cut has no cells.';
  const cut = `In this cut ${shareText(fires)} fire.`;
  if (blocks.length === 0) return cut;
  const nearest = blocks.reduce((best, one) =>
    Math.abs(one.density - fires) < Math.abs(best.density - fires) ? one : best,
  );
  return `${cut} The nearest block that was timed, ${shareText(nearest.density)}: ${nearest.format.timesDense.toFixed(2)} times as fast.`;
}

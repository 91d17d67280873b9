import { type DrawingLayout, words } from '../../../../core/story/drawing.ts';
import type { FrameContext } from '../../../../core/story/frames.ts';
import type { Drawing, DrawnMark } from '../../../../core/story/scene.ts';
import { counted, countText } from '../../../../core/story/words.ts';
import type { Facts } from './facts.ts';
import { type Area, bytesCounter, columnNumber, drawingOf, type Drawn, lines, numbersCounter } from './parts.ts';
import { blockColumnsInMemory } from '../trace.ts';
import { verdictOf } from './verdict.ts';

/* Pictures of what is stored: column numbers as steps, and the bytes of all. */

/** The column numbers of one set, in bytes: as they are stored, and if all were written in full. */
interface SetBytes {
  readonly rows: number;
  readonly blocks: number;
  readonly firsts: number;
  readonly steps: number;
  readonly inFull: number;
}

function setBytes({ t, numberBytes }: Facts): readonly SetBytes[] {
  return t.infos.map(({ granularity, blocks, columns }) => ({
    rows: granularity,
    blocks,
    firsts: blocks * t.params.lanes * numberBytes,
    steps: Math.ceil((columns * t.params.deltaBits) / 32) * 4,
    inFull: columns * numberBytes,
  }));
}

/** Columns of a lane that are drawn. */
const SHOWN = { wide: 5, narrow: 4 } as const;

const LANES_SHOWN = 2;

/** Frame 8: a lane's first column in full, then steps. Pictures 0 to 3: the list, split, as steps, and bookkeeping. */
export function stepsOfLanes(facts: Facts, context: FrameContext, picture: number): Drawing {
  const { layout } = context;
  const { t, numberBytes } = facts;
  const isWide = layout === 'wide';
  const { lanes, deltaBits } = t.params;
  const { rows } = t.sets[0].blocks[0];
  const stored = blockColumnsInMemory(t.encoded, t.infos[0], 0);
  const marks: Drawn[] = [];
  const shownLanes = Math.min(lanes, LANES_SHOWN);
  const perLane = stored.length / lanes;
  const shown = Math.min(perLane, SHOWN[layout]);
  const unit = { x: isWide ? 54 : 52, y: 27 };
  const laneAt = (lane: number): { x: number; y: number } =>
    isWide ? { x: 56 + lane * 352, y: 20 } : { x: 40, y: 22 + lane * 82 };
  const seen = new Set<number>();
  for (let lane = 0; lane < shownLanes; lane++) {
    const own = stored.filter((column) => column.lane === lane).map(({ column }) => column);
    const at = laneAt(lane);
    const isSplit = picture > 0;
    const isSteps = picture > 1;
    if (isSplit)
      marks.push(
        words(`lane ${lane}`, { x: at.x, y: at.y - 20 }, `lane ${lane}`, { size: 12, strong: true, tone: 'ink' }),
      );
    own.slice(0, shown).forEach((col, i) => {
      const whole = {
        x: 56 + (lane * shown + i) * (isWide ? 60 : 32),
        y: isWide ? 20 : 30,
        w: isWide ? 58 : 30,
        h: unit.y,
      };
      const x =
        isSteps && isWide
          ? at.x + unit.x + 10 + i * unit.x
          : isSteps
            ? at.x + unit.x + 6 + i * unit.x
            : at.x + i * unit.x;
      const place: Area = isSplit
        ? { x, y: at.y, w: unit.x - 2, h: unit.y }
        : isWide
          ? whole
          : { ...whole, x: 10 + (lane * shown + i) * 40, w: 38 };
      const step = i === 0 ? 0 : col - own[i - 1];
      const isSeen = seen.has(col);
      seen.add(col);
      const look = {
        ...(isSteps && { text: i === 0 ? '0' : `+${step}`, size: 13 }),
        ...(isSeen && { id: `zeros of lane ${lane}, ${i}` }),
      };
      marks.push(columnNumber(facts, rows, col, place, look));
      if (isSteps) {
        marks.push(
          words(`column of ${lane}.${i}`, { x: x + unit.x / 2 - 1, y: at.y + unit.y + 1 }, `= ${col}`, {
            size: 12,
            strong: true,
            tone: 'ink',
            align: 'middle',
          }),
        );
        marks.push(
          words(`bytes of ${lane}.${i}`, { x: x + unit.x / 2 - 1, y: at.y + unit.y + 17 }, bitsOf(deltaBits), {
            size: 10,
            align: 'middle',
          }),
        );
      }
    });
    if (isSteps) {
      marks.push({
        id: `first of ${lane}`,
        shape: 'box',
        tone: 'indices',
        focus: true,
        strong: true,
        label: `lane ${lane} begins in column ${own[0]}`,
        text: String(own[0]),
        size: 14,
        x: at.x,
        y: at.y,
        w: unit.x,
        h: unit.y,
        from: `number ${rows[0]},${own[0]}`,
      });
      marks.push(
        words(`in full ${lane}`, { x: at.x + unit.x / 2, y: at.y + unit.y + 1 }, 'in full', {
          size: 11,
          tone: 'indices',
          align: 'middle',
        }),
        words(`first bytes ${lane}`, { x: at.x + unit.x / 2, y: at.y + unit.y + 17 }, counted(numberBytes, 'byte'), {
          size: 10,
          align: 'middle',
        }),
      );
      if (shown < perLane)
        marks.push(words(`more of ${lane}`, { x: at.x + unit.x + 12 + shown * unit.x, y: at.y + 5 }, '...'));
    }
  }
  const explain = 'A lane (a GPU worker) adds up steps: one per column, the first 0.';
  const textY = isWide ? 88 : 18 + shownLanes * 84;
  if (picture > 0)
    marks.push(
      lines('what a lane is', isWide ? { x: 0, y: textY } : { x: 0, y: textY, w: 340 }, [explain], {
        size: isWide ? 12.5 : 11.5,
      }),
    );
  if (picture > 1) marks.push(costTable(facts, layout, isWide ? 112 : textY + 32));
  if (picture > 2) marks.push(bookkeepingLines(facts, context));
  const numbers = t.infos.reduce((all, { columns }) => all + columns, 0);
  const count =
    picture > 2
      ? bytesCounter(facts, layout)
      : picture > 1
        ? numbersCounter(
            facts,
            layout,
            numbers,
            `${countText(facts.bytes.columns)} bytes as steps`,
            facts.bytes.columns,
          )
        : numbersCounter(facts, layout, numbers, '');
  return drawingOf(layout, [...marks, ...count]);
}

const bitsOf = (bits: number): string => (bits < 8 ? counted(bits, 'bit') : counted(bits / 8, 'byte'));

/** What the column numbers cost as steps, and in full. */
function costTable(facts: Facts, layout: DrawingLayout, y: number): readonly DrawnMark[] {
  const sets = setBytes(facts).slice(0, 5);
  const all = setBytes(facts);
  const isWide = layout === 'wide';
  const { columns } = facts.bytes;
  const full = all.reduce((sum, { inFull }) => sum + inFull, 0);
  const isRound = facts.t.params.deltaBits === 8 && all.every(({ steps }, i) => steps === facts.t.infos[i].columns);
  const name = isRound ? `firsts \u00d7 ${facts.numberBytes} + steps \u00d7 1` : 'firsts + steps';
  const title = [
    words('costs', { x: 0, y }, 'Bytes of the columns', { size: 12, strong: true, tone: 'ink' }),
    lines('gain', { x: 0, y: y + (isWide ? 80 : 24 + 17 * (sets.length + 1)) }, [gainText(sets)], {
      size: isWide ? 12 : 11,
      tone: 'ink',
    }),
  ].flat();
  if (!isWide) {
    const line = (i: number, who: string, now: string, before: string): readonly DrawnMark[] => {
      const at = y + 22 + i * 17;
      return [
        words(`cost of ${i}`, { x: 0, y: at }, who, { size: 11.5 }),
        words(`cost now ${i}`, { x: 210, y: at }, now, {
          size: 11.5,
          face: 'mono',
          tone: 'indices',
          strong: true,
          align: 'end',
        }),
        words(`cost before ${i}`, { x: 340, y: at }, before, { size: 11.5, align: 'end' }),
      ];
    };
    return [
      ...title,
      ...sets.flatMap(({ rows, blocks, firsts, steps, inFull }, i) =>
        line(i, rowsName(rows, blocks), `${firsts} + ${steps} = ${firsts + steps}`, `in full ${inFull}`),
      ),
      ...line(sets.length, 'in all', countText(columns), `in full ${countText(full)}`),
    ];
  }
  const pitch = Math.min(sets.length < 4 ? 150 : 118, 460 / sets.length);
  const at = (i: number): number => 200 + i * pitch;
  return [
    ...title,
    words('costs now', { x: 0, y: y + 38 }, name, { size: 11.5, tone: 'indices' }),
    words('costs before', { x: 0, y: y + 57 }, 'all in full', { size: 11.5 }),
    ...sets.flatMap(({ rows, blocks, firsts, steps, inFull }, i) => [
      words(`cost name ${i}`, { x: at(i), y: y + 20 }, rowsName(rows, blocks), { size: 11, align: 'middle' }),
      words(`cost now ${i}`, { x: at(i), y: y + 38 }, `${firsts} + ${steps} = ${firsts + steps}`, {
        size: 12,
        face: 'mono',
        strong: true,
        tone: 'indices',
        align: 'middle',
      }),
      words(`cost before ${i}`, { x: at(i), y: y + 57 }, countText(inFull), {
        size: 12,
        face: 'mono',
        align: 'middle',
      }),
    ]),
    words('cost name all', { x: 700, y: y + 20 }, 'in all', { size: 11, align: 'middle' }),
    words('cost now all', { x: 700, y: y + 37 }, countText(columns), {
      size: 13,
      face: 'mono',
      strong: true,
      tone: 'indices',
      align: 'middle',
    }),
    words('cost before all', { x: 700, y: y + 57 }, countText(full), { size: 12, face: 'mono', align: 'middle' }),
  ];
}

/** Why steps may take more bytes than they save: a short list has few of them for every first one. */
function gainText(sets: readonly SetBytes[]): string | null {
  const gainOf = ({ firsts, steps, inFull }: SetBytes): number => inFull - firsts - steps;
  const byGain = sets.toSorted((a, b) => gainOf(b) - gainOf(a));
  const [best, worst] = [byGain[0], byGain[byGain.length - 1]];
  const than = ({ firsts, steps, inFull }: SetBytes): string =>
    `${countText(firsts + steps)}, not ${countText(inFull)}.`;
  if (gainOf(worst) >= 0) return null;
  const loses = `Short lists lose: ${than(worst)}`;
  const isLonger = best.inFull / best.blocks > worst.inFull / worst.blocks;
  return gainOf(best) > 0 && isLonger ? `Long lists gain: ${than(best)} ${loses}` : loses;
}

const rowsName = (rows: number, blocks: number): string =>
  rows === 1
    ? `1 row${blocks > 1 ? `, ${countText(blocks)} times` : ''}`
    : `${countText(rows)} rows${blocks > 1 ? `, ${countText(blocks)} times` : ''}`;

/** Columns of a matrix whose bookkeeping is known to be small. */
const LARGE = 8192;

/** What bookkeeping is, and how little it is in a large matrix. */
function bookkeepingLines(facts: Facts, { layout, whole, recorded }: FrameContext): readonly DrawnMark[] {
  const { bytes } = facts;
  const { rows, starts, table } = bytes.books;
  const books = `Bookkeeping: ${counted(rows, 'byte')} name the rows of blocks, ${countText(starts)} their starts, ${countText(table)} their sizes.`;
  const isPart = whole !== null && whole.ledger.totalBytes > bytes.total;
  const share = isPart
    ? whole.ledger.entries
        .filter(({ array }) => ['rowIndices', 'blockPtr', 'sets'].includes(array))
        .reduce((sum, one) => sum + one.bytes, 0) / whole.ledger.totalBytes
    : 0;
  const timed = verdictOf(recorded);
  const isLarge = (timed?.planted ?? timed?.random)?.cols === LARGE;
  const matrix = isPart
    ? `In the whole matrix, bookkeeping is ${(100 * share).toFixed(1)} %.`
    : isLarge
      ? 'In the matrix of the last frame, it is under 1 %.'
      : null;
  const isWide = layout === 'wide';
  return lines(
    'bookkeeping',
    isWide ? { x: 0, y: 218 } : { x: 0, y: 356, w: 340 },
    isWide ? [books, matrix] : [books],
    { size: isWide ? 12 : 11, tone: 'ink' },
    21,
  );
}

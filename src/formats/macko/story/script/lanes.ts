import { type DrawingLayout, GUTTER, NARROW, WIDE, words } from '../../../../core/story/drawing.ts';
import { elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark, TextRun } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { counted } from '../../../../core/story/words.ts';
import { GROUP, storedDelta } from '../../layout.ts';
import { entryName } from '../scene-entries.ts';
import type { Lane, Weight, WindowFacts } from './facts.ts';
import {
  aloneGrid,
  columnNumbers,
  drawing,
  fitting,
  rowCells,
  type RowGrid,
  rowGrid,
  weightLook,
  type Parts,
} from '../../../../core/story/drawn-rows.ts';
import { bytesCounter } from './rows.ts';
import { sumBox, xCells } from '../../../../core/story/dense-picture.ts';

/* Pictures of a row that lanes multiply: each counts its own columns, and starts after those of the lanes before it. */

/** Lanes that are drawn. */
const DRAWN_LANES = 3;

/** The lanes of the longest row that are drawn. */
export function drawnLanes({ lanes }: WindowFacts): readonly Lane[] {
  return lanes?.all.slice(0, DRAWN_LANES) ?? [];
}

const PITCH = 27;
const LANE_PITCH = GROUP * PITCH + 14;

/** '2 skipped + 5 weights = 7 columns'. */
function laneSum({ skipped, weights, zeros, passes }: Lane): readonly TextRun[] {
  return [
    { text: `${skipped} skipped`, tone: 'indices' },
    { text: ' + ' },
    { text: counted(weights, 'weight'), tone: 'values' },
    ...(zeros > 0 ? [{ text: ` + ${counted(zeros, 'zero')}` }] : []),
    // With a zero there is no room for the noun.
    { text: ` = ${zeros > 0 ? passes : counted(passes, 'column')}`, strong: true, tone: 'ink' },
  ];
}

/** The skips of a lane: eight places, blank where they belong to another row. */
function laneSkips(
  facts: WindowFacts,
  lane: Lane,
  at: { readonly x: number; readonly y: number; readonly pitch: number; readonly height: number },
): readonly DrawnMark[] {
  const { t } = facts;
  return Array.from({ length: GROUP }, (_, i): DrawnMark => {
    const entry = lane.from + i;
    const place = { x: at.x + i * at.pitch, y: at.y, w: at.pitch - 2, h: at.height };
    if (entry < lane.first || entry >= lane.end)
      return {
        id: `blank ${entry}`,
        shape: 'box',
        tone: 'neutral',
        state: 'ghost',
        ...place,
        label: 'not of this row',
      };
    const text = String(storedDelta(t.encoded, entry));
    return {
      id: elementName('deltas', entry),
      shape: 'box',
      tone: t.isPadding[entry] ? 'padding' : 'indices',
      ...place,
      text,
      size: Math.min(12, fitting(at.pitch - 2, text.length)),
      label: `skip: ${text}${t.isPadding[entry] ? ', of a stored zero' : ''}`,
      about: [elementName('deltas', entry), entryName(entry)],
    };
  });
}

function laneBracket(i: number, x: number, y: number, width: number): DrawnMark {
  return { id: `lane ${i}`, shape: 'bracket', tone: 'ink', x, y, w: width, h: 8 };
}

/** The question: lanes with what each passes; after the answer these lengths end to end. */
export function laneQuestionPicture(facts: WindowFacts, layout: DrawingLayout, isAnswered: boolean): Drawing {
  const row = facts.lanes?.row ?? 0;
  const isWide = layout === 'wide';
  const lanes = drawnLanes(facts);
  const marks: Parts = lanes.flatMap((lane, i): DrawnMark[] => {
    const x = isWide ? GUTTER + i * LANE_PITCH : 0;
    const y = isWide ? 8 : i * 58;
    const pitch = isWide ? PITCH : 30;
    // On a phone the answer has to be in view below its reason.
    const height = isWide ? 23 : 19;
    const middle = { x: x + (GROUP * pitch) / 2 - 1, y: y + 37 };
    return [
      ...laneSkips(facts, lane, { x, y, pitch, height }),
      laneBracket(i, x, y + height + 4, GROUP * pitch - 2),
      isWide
        ? words(`lane ${i} title`, middle, `lane ${i}`, { strong: true, tone: 'ink', align: 'middle' })
        : words(`lane ${i} title`, { x: GROUP * pitch + 12, y: y + 1 }, `lane ${i}`, { strong: true, tone: 'ink' }),
      words(`lane ${i} sum`, isWide ? { ...middle, y: y + 56 } : { x: 0, y: y + 30 }, laneSum(lane), {
        size: isWide ? (lane.zeros > 0 ? 11 : 12) : 13,
        ...(isWide && { align: 'middle' as const }),
      }),
    ];
  });
  const text = `Lanes, the workers of a GPU, share row ${row}: ${numberText({ value: GROUP, rounding: 'word' })} places each. Blank: not of row ${row}.`;
  marks.push(
    isWide
      ? words('lane means', { x: GUTTER, y: 92 }, text, { size: 12 })
      : words('lane means', { x: 0, y: 170, w: NARROW.width }, text, { size: 11 }),
  );
  if (isWide) marks.push(words('skips', { x: 0, y: 10 }, 'skips', { tone: 'indices' }));
  marks.push(numberLine(lanes, layout, isAnswered));
  return drawing(layout, marks);
}

/** The columns that lanes pass, end to end; before the answer only its outline. */
function numberLine(lanes: readonly Lane[], layout: DrawingLayout, isAnswered: boolean): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const [x, width, y] = isWide ? [GUTTER, WIDE.width - GUTTER, 124] : [0, NARROW.width, 211];
  const columns = lanes.reduce((sum, { passes }) => sum + passes, 0);
  const h = isWide ? 34 : 24;
  if (!isAnswered) return [{ id: 'all columns', shape: 'box', tone: 'neutral', state: 'ghost', x, y, w: width, h }];
  const at = (column: number): number => x + (width * column) / columns;
  return lanes.flatMap((lane, i): DrawnMark[] => {
    const left = at(lane.startsAfter);
    const w = at(lane.startsAfter + lane.passes) - left - 3;
    const long = `lane ${i}: ${counted(lane.passes, 'column')}`;
    const text = long.length * 7.4 < w ? long : `lane ${i}`.length * 7.4 < w ? `lane ${i}` : String(i);
    const isAsked = i === lanes.length - 1;
    return [
      { id: `length ${i}`, shape: 'frame', tone: 'ink', x: left, y, w, h, text, face: 'sans', from: `lane ${i}` },
      {
        id: `begin ${i}`,
        shape: 'line',
        tone: 'ink',
        x: left,
        y: y + h + 2,
        w: 0,
        h: 8,
        points: [
          [left, y + h + 2],
          [left, y + h + 10],
        ],
        thickness: 1.5,
      },
      words(`begin ${i} text`, { x: left, y: y + h + 12 }, String(lane.startsAfter), {
        align: i === 0 ? 'start' : 'middle',
        face: 'mono',
        strong: true,
        tone: 'ink',
        size: isAsked ? 16 : 14,
      }),
      ...(i === 0 && isWide ? [words('begins', { x: 0, y: y + h + 13 }, 'begins', { size: 12 })] : []),
    ];
  });
}

function allCounter(facts: WindowFacts, layout: DrawingLayout): readonly DrawnMark[] {
  return bytesCounter(layout, facts.bytes, {
    title: 'all rows',
    dense: facts.dense,
    note: 'no column is stored',
  });
}

/** Pictures: sums; where each lane starts; the columns; x is fetched; the sum. */
export function lanesPicture(facts: WindowFacts, layout: DrawingLayout, picture: number): Drawing {
  return layout === 'wide' ? wideLanes(facts, picture) : narrowLanes(facts, picture);
}

/** The weights of the lanes that are drawn. */
function weightsOf(facts: WindowFacts, lanes: readonly Lane[]): readonly Weight[] {
  const end = lanes.at(-1)?.end ?? 0;
  return facts.ofRow[facts.lanes?.row ?? 0].filter(({ entry }) => entry < end);
}

function laneTitle(lane: Lane, i: number, picture: number): readonly TextRun[] {
  return [
    { text: `lane ${i}`, strong: true, tone: 'ink' },
    ...(picture > 0
      ? [
          { text: ' starts after ' },
          { text: String(lane.startsAfter), strong: true, tone: 'ink' as const },
          { text: ',' },
        ]
      : []),
    { text: ` passes ${lane.passes}` },
  ];
}

/** Width of a lane's title; arrows between titles need the rest. */
function titleWidth(lane: Lane, i: number, picture: number): number {
  return laneTitle(lane, i, picture).reduce((sum, { text }) => sum + text.length, 0) * 6.1;
}

function wideLanes(facts: WindowFacts, picture: number): Drawing {
  const lanes = drawnLanes(facts);
  const row = facts.lanes?.row ?? 0;
  const weights = weightsOf(facts, lanes);
  const marks: Parts = [words('skips', { x: 0, y: 6 }, 'skips', { tone: 'indices' })];
  const links: DrawnLink[] = [];
  for (const [i, lane] of lanes.entries()) {
    const x = GUTTER + i * LANE_PITCH;
    const middle = x + (GROUP * PITCH) / 2 - 1;
    marks.push(
      laneSkips(facts, lane, { x, y: 4, pitch: PITCH, height: 23 }),
      laneBracket(i, x, 31, GROUP * PITCH - 2),
      words(`lane ${i} title`, { x: middle, y: 42 }, laneTitle(lane, i, picture), { size: 12, align: 'middle' }),
    );
    if (picture > 0 && i > 0) {
      const begin = middle - LANE_PITCH + titleWidth(lanes[i - 1], i - 1, picture) / 2 + 4;
      const end = middle - titleWidth(lane, i, picture) / 2 - 4;
      if (end - begin > 12) marks.push(arrow(`arrow ${i}`, begin, end, 51));
    }
    if (picture > 1) marks.push(columnTexts(facts, lane, { x, y: 74, pitch: PITCH }));
  }
  if (picture > 1) marks.push(words('columns', { x: 0, y: 74 }, 'columns', { tone: 'ink' }));
  const grid = rowGrid(facts, { x: GUTTER, room: WIDE.width - GUTTER, fold: Math.max(32, facts.t.window.cols) });
  const used = new Set(picture > 2 ? weights.map(({ column }) => column) : []);
  marks.push(
    columnNumbers(grid, 0, 126, 'x number'),
    words('x', { x: 0, y: 144 }, 'x', { tone: 'ink', strong: true }),
    xCells(facts, grid, 0, { y: 142, height: 23 }, picture > 2 ? used : undefined),
    words('weights', { x: 0, y: 174 }, 'weights', { tone: 'values' }),
    rowCells(facts, grid, row, { yOf: () => 172, height: 23 }, { empty: () => null }).filter(
      ({ about }) => about && weights.some(({ entry }) => about.includes(entryName(entry))),
    ),
  );
  if (picture > 2)
    for (const { entry, column } of weights)
      links.push({
        id: `fetch ${entry}`,
        from: `column of ${entry}`,
        to: `x[${column}]`,
        kind: 'guide',
        tone: 'neutral',
      });
  if (picture > 3) marks.push(result(facts, row, grid, weights.length, 'wide', 204));
  return drawing('wide', [...marks, allCounter(facts, 'wide')], links);
}

function arrow(id: string, begin: number, end: number, y: number): readonly DrawnMark[] {
  const line = (part: string, points: readonly (readonly [number, number])[]): DrawnMark => ({
    id: `${id}${part}`,
    shape: 'line',
    tone: 'ink',
    x: begin,
    y,
    w: 0,
    h: 0,
    points,
    thickness: 1.5,
  });
  return [
    line('', [
      [begin, y],
      [end, y],
    ]),
    line(' head', [
      [end - 5, y - 3.5],
      [end, y],
      [end - 5, y + 3.5],
    ]),
  ];
}

/** Below its skip the column of each weight. */
function columnTexts(
  { t }: WindowFacts,
  lane: Lane,
  at: { readonly x: number; readonly y: number; readonly pitch: number },
): readonly DrawnMark[] {
  return Array.from({ length: lane.end - lane.first }, (_, i) => lane.first + i)
    .filter((entry) => !t.isPadding[entry])
    .map((entry) =>
      words(
        `column of ${entry}`,
        { x: at.x + (entry - lane.from) * at.pitch, y: at.y, w: at.pitch - 2 },
        String(t.columnOf[entry]),
        {
          align: 'middle',
          face: 'mono',
          strong: true,
          tone: 'ink',
          from: elementName('deltas', entry),
        },
      ),
    );
}

/** The sum of the row, below a line under its weights. */
function result(
  facts: WindowFacts,
  row: number,
  grid: RowGrid,
  drawn: number,
  layout: DrawingLayout,
  y: number,
): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const width = Math.max(120, grid.fold * grid.pitch - 2);
  const all = facts.ofRow[row].length;
  const said =
    drawn < all
      ? `the number y of row ${row}; ${drawn} of ${all} weights drawn`
      : `multiply, add up: the number y of row ${row}`;
  const x = isWide ? GUTTER + 238 : 0;
  return [
    {
      id: 'sum line',
      shape: 'line',
      tone: 'ink',
      x: grid.x,
      y,
      w: width,
      h: 0,
      points: [
        [grid.x, y],
        [grid.x + width, y],
      ],
    },
    sumBox(facts, row, { x, y: y + 18 }, true),
    words('sum means', { x: x + 58, y: y + 20, ...(isWide ? {} : { w: NARROW.width - 58 }) }, said, {
      tone: 'ink',
      size: isWide ? 13 : 12,
    }),
    ...(isWide ? [words('x means', { x: 0, y: y + 20 }, 'x: the numbers to multiply by', { size: 12 })] : []),
  ];
}

/** On a phone a block for each lane: skips, columns, x at these columns, weights. */
function narrowLanes(facts: WindowFacts, picture: number): Drawing {
  const lanes = drawnLanes(facts);
  const row = facts.lanes?.row ?? 0;
  const weights = weightsOf(facts, lanes);
  const [x, pitch] = [52, 36];
  const marks: Parts = [];
  for (const [i, lane] of lanes.entries()) {
    const y = i * 108;
    marks.push(
      words(`lane ${i} title`, { x: 0, y }, laneTitle(lane, i, picture), { size: 13 }),
      words(`skips ${i}`, { x: 0, y: y + 21 }, 'skips', { tone: 'indices', size: 12 }),
      laneSkips(facts, lane, { x, y: y + 20, pitch, height: 20 }),
      words(`x ${i}`, { x: 0, y: y + 62 }, 'x', { size: 12, strong: true, tone: 'ink' }),
      words(`weights ${i}`, { x: 0, y: y + 84 }, 'weights', { tone: 'values', size: 12 }),
    );
    if (picture > 1)
      marks.push(
        words(`columns ${i}`, { x: 0, y: y + 42 }, 'columns', { size: 12 }),
        columnTexts(facts, lane, { x, y: y + 41, pitch }),
      );
    for (const weight of weights.filter(({ entry }) => entry >= lane.first && entry < lane.end)) {
      const place = { x: x + (weight.entry - lane.from) * pitch, w: pitch - 2 };
      const xMark = xCells(
        facts,
        aloneGrid(facts, 'narrow'),
        Math.floor(weight.column / aloneGrid(facts, 'narrow').fold),
        { y: 0, height: 19 },
      ).find(({ id }) => id === `x[${weight.column}]`);
      if (xMark && picture > 2)
        marks.push({ ...xMark, id: `x of ${weight.entry}`, ...place, y: y + 61, text: xMark.text ?? '' });
      marks.push({
        id: elementName('values', weight.entry),
        shape: 'box',
        tone: 'neutral',
        ...weightLook(facts, weight, 12),
        ...place,
        y: y + 83,
        h: 19,
      });
    }
  }
  if (picture > 3)
    marks.push(
      result(facts, row, { ...aloneGrid(facts, 'narrow'), x: 0 }, weights.length, 'narrow', lanes.length * 108 + 2),
    );
  return drawing('narrow', [...marks, allCounter(facts, 'narrow')]);
}

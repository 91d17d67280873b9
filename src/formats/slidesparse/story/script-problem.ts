import { type DrawingLayout, NARROW, polyline, verdictBars, WIDE, words } from '../../../core/story/drawing.ts';
import type { FrameContext, RecordedMatrix } from '../../../core/story/frames.ts';
import type { Drawing, DrawnMark, Tone } from '../../../core/story/scene.ts';
import { countText, shapeText } from '../../../core/story/words.ts';
import { patternName, storedShareOf } from '../params.ts';
import { PUBLISHED_ACCURACY, PUBLISHED_PATTERN, PUBLISHED_PREFILL } from '../published.ts';
import { drawingOf } from './script-parts.ts';
import type { SlideSparseTrace } from './trace.ts';

/** The pictures before and after the group: why zeros are forced into a model, and what it is worth. */

/** Eight weights of a pattern: 1 where one is left. */
const SQUARES = {
  dense: [1, 1, 1, 1, 1, 1, 1, 1],
  '2:4': [1, 0, 1, 0, 0, 1, 0, 1],
  '6:8': [1, 1, 0, 1, 1, 0, 1, 1],
} as const;
const TITLES = { dense: 'no zeros forced', '2:4': '2 zeros in every 4', '6:8': '2 zeros in every 8' } as const;
type Pruned = keyof typeof SQUARES;

const SQUARE = 15;

/** A pattern as squares below its name; on a phone beside it. */
function squareMarks(layout: DrawingLayout, pattern: Pruned, y: number, strong: boolean): readonly DrawnMark[] {
  const at = layout === 'wide' ? { x: 0, y: y + 22 } : { x: 136, y: y + 2 };
  return [
    words(`squares of ${pattern}`, { x: 0, y }, TITLES[pattern], { tone: 'ink', size: 13, strong }),
    ...SQUARES[pattern].map((left, i): DrawnMark => ({
      id: `square ${pattern} ${i}`,
      shape: 'box',
      tone: left ? 'values' : 'neutral',
      level: left,
      x: at.x + i * (SQUARE + 2),
      y: at.y,
      w: SQUARE,
      h: SQUARE,
      label: left ? 'a weight' : 'a zero',
    })),
  ];
}

const percent = (share: number): string => `${share.toFixed(1)}\u202f%`;

/** Length of the bar of all right answers of the dense model. */
const BAR = { wide: { x: 200, w: 380, h: 34 }, narrow: { x: 0, w: 240, h: 30 } } as const;

/** The right answers that a pattern leaves; `isAsked`: how many is a question still. */
function answerMarks(
  layout: DrawingLayout,
  pattern: Pruned,
  y: number,
  { tone, isAsked = false }: { readonly tone: Tone; readonly isAsked?: boolean },
): readonly DrawnMark[] {
  const { x, w, h } = BAR[layout];
  const top = layout === 'wide' ? y : y + 24;
  const value = PUBLISHED_ACCURACY[pattern];
  const length = isAsked ? w : (w * value) / PUBLISHED_ACCURACY.dense;
  const bar = { x, y: top, w: length, h } as const;
  const id = `answers ${pattern}`;
  return [
    ...squareMarks(layout, pattern, layout === 'wide' ? y - 2 : y, isAsked),
    isAsked
      ? { id, shape: 'box', tone: 'neutral', state: 'ghost', ...bar, label: 'right answers: not shown yet' }
      : { id, shape: 'box', tone, level: 0.7, ...bar, label: `right answers: ${percent(value)}` },
    words(`${id} in words`, { x: x + length + 10, y: top + h / 2 - 12 }, isAsked ? '?' : percent(value), {
      size: 17,
      strong: true,
      tone: tone === 'danger' ? 'danger' : 'ink',
    }),
  ];
}

const OF_ANSWERS = 'right answers of Qwen3-1.7B, a language model, to reasoning tests';
const OPENING = [
  { text: 'A row of weights times x, the input, gives one number. ' },
  { text: '“Dense” stores and multiplies zeros, too. ', strong: true },
  { text: 'Some GPUs have a unit that skips two zeros in every four. So zeros are forced into models.' },
] as const;

/** Two zeros in every four: most answers are wrong. */
export function problemPicture(layout: DrawingLayout): Drawing {
  const isWide = layout === 'wide';
  const { x } = BAR[layout];
  const marks: DrawnMark[] = [
    ...answerMarks(layout, 'dense', isWide ? 18 : 0, { tone: 'neutral' }),
    ...answerMarks(layout, '2:4', isWide ? 88 : 76, { tone: 'danger' }),
    words('of answers', { x, y: isWide ? 134 : 138, w: isWide ? 500 : NARROW.width }, OF_ANSWERS, { size: 12 }),
  ];
  if (isWide)
    for (const [i, line] of OPENING.entries())
      marks.push(
        words(`opening ${i}`, { x: 0, y: 196 + i * 28 }, line.text, {
          size: 15,
          tone: 'ink',
          strong: 'strong' in line,
        }),
      );
  else marks.push(words('opening', { x: 0, y: 196, w: NARROW.width }, OPENING, { size: 15, tone: 'ink' }));
  return drawingOf(layout, marks);
}

/** Two zeros in every eight: how many answers stay right? */
export function answersPicture(layout: DrawingLayout, isAnswered: boolean): Drawing {
  const isWide = layout === 'wide';
  const [first, step] = isWide ? [6, 62] : [0, 70];
  return drawingOf(layout, [
    ...answerMarks(layout, 'dense', first, { tone: 'neutral' }),
    ...answerMarks(layout, '2:4', first + step, { tone: 'danger' }),
    ...answerMarks(layout, '6:8', first + 2 * step, { tone: 'neutral', isAsked: !isAnswered }),
    words(
      'of answers',
      { x: BAR[layout].x, y: first + 3 * step - (isWide ? 24 : 6), w: isWide ? 500 : NARROW.width },
      OF_ANSWERS,
      {
        size: 12,
      },
    ),
  ]);
}

/** What two zeros in eight leave, as the last line of a picture; null for patterns that nobody published. */
export function keptMarks(layout: DrawingLayout, { params }: SlideSparseTrace): readonly DrawnMark[] {
  if (patternName(params.halfGroup) !== PUBLISHED_PATTERN) return [];
  const y = layout === 'wide' ? 240 : 286;
  const { x, w, h } = BAR[layout];
  const top = layout === 'wide' ? y : y + 24;
  return [
    ...answerMarks(layout, '6:8', y, { tone: 'neutral' }).flatMap((mark) => {
      if (mark.id === 'answers 6:8 in words') return [];
      return [
        mark.id === 'answers 6:8'
          ? { ...mark, text: percent(PUBLISHED_ACCURACY['6:8']), size: 16, face: 'sans' as const, strong: true }
          : mark,
      ];
    }),
    polyline(
      'answers of dense',
      [
        [x + w, layout === 'wide' ? top - 6 : top - 1],
        [x + w, top + h + 6],
      ],
      { tone: 'ink', thickness: 1.5 },
    ),
    words('answers of dense in words', { x: x + w, y: top + h + 8 }, `no zeros: ${percent(PUBLISHED_ACCURACY.dense)}`, {
      size: 12,
      align: layout === 'wide' ? 'start' : 'middle',
    }),
  ];
}

/** A product with many columns of x that was recorded for a matrix of its default pattern; null if there is none. */
export function recordedProduct({ recorded }: FrameContext): RecordedMatrix | null {
  return (
    recorded?.matrices.find(
      ({ pattern, operation, density, format }) =>
        pattern === 'n-of-m' && operation === 'gemm' && Math.abs(density - 6 / 8) < 0.001 && format !== null,
    ) ?? null
  );
}

const TABLE = [
  ['what differs', 'with the unit', 'without'],
  ['the zeros', 'the unit skips two of four', 'weights go back to their columns; all are multiplied'],
  ['what is timed', 'whole models, 8-bit weights', 'one product, 16-bit weights'],
  ['where', 'in the paper', 'here: WebGPU cannot reach the unit'],
] as const;
const WHY = 'No multiplication is saved; putting weights back takes time.';

/** How far a picture of the verdict has come: bars of the unit, without it, and what differs. */
export type VerdictPart = 0 | 1 | 2 | 3;

/** With the unit and without it. */
export function verdictPicture(t: SlideSparseTrace, context: FrameContext, part: VerdictPart): Drawing {
  const { layout } = context;
  const product = recordedProduct(context);
  const times = product?.format?.timesDense;
  const { min, max } = PUBLISHED_PREFILL;
  const shown = (isThere: boolean, text: string): string => (isThere ? text : '');
  const at = { y: layout === 'wide' ? 30 : 34, max: 1.5, share: 1, mark: { value: 1, text: 'dense' } };
  const without = times === undefined ? 'not timed here' : `${times.toFixed(2)}×${times < 1 ? ': it loses' : ''}`;
  const bars = verdictBars(
    layout,
    [
      {
        id: 'unit',
        title: 'with a 2:4 unit',
        value: part >= 1 ? max : 0,
        text: shown(part >= 1, `${min.toFixed(2)} to ${max.toFixed(2)}×`),
        look: 'format',
      },
      {
        id: 'without',
        title: 'without',
        value: part >= 2 ? (times ?? 0) : 0,
        text: shown(part >= 2, without),
        look: 'format',
        ...(times !== undefined && times < 1 && { isLoss: true }),
      },
    ],
    at,
  );
  const unit = bars.find(({ id }) => id === 'bar unit');
  const spread = unit && spreadMark(unit, part);
  return drawingOf(layout, [
    ...bars,
    ...(spread ? [spread] : []),
    ...(part >= 3 ? [...tableMarks(t, context, product), ...sourceMarks(context, product)] : []),
  ]);
}

/** From the smallest published speed to the largest, paler than the bar. */
function spreadMark(bar: DrawnMark, part: VerdictPart): DrawnMark {
  const { min, max } = PUBLISHED_PREFILL;
  const share = part >= 1 ? min / max : 0;
  return {
    ...bar,
    id: 'bar spread',
    tone: 'format',
    level: 0.35,
    x: bar.x + bar.w * share,
    w: bar.w * (1 - share),
    label: `published: ${min.toFixed(2)} to ${max.toFixed(2)} times as fast as dense`,
  };
}

function tableMarks(
  { params }: SlideSparseTrace,
  { layout }: FrameContext,
  product: RecordedMatrix | null,
): readonly DrawnMark[] {
  const bytes = `Bytes either way: ${storedShareOf(params).toFixed(2)} of dense.`;
  const isLoss = (product?.format?.timesDense ?? 1) < 1;
  const end = isLoss ? WHY : bytes;
  if (layout === 'narrow') {
    const rows = TABLE.slice(1).flatMap(([, unit, without], i) => [{ unit, without, i }]);
    const half = NARROW.width / 2;
    return [
      words('with', { x: 0, y: 190 }, TABLE[0][1], { size: 12 }),
      words('without the unit', { x: half, y: 190 }, TABLE[0][2], { size: 12 }),
      ...rows.flatMap(({ unit, without, i }) => [
        words(`differs ${i}.0`, { x: 0, y: 210 + i * 50, w: half - 16 }, unit, {
          size: 13,
          tone: 'ink',
          strong: i === 0,
        }),
        words(`differs ${i}.1`, { x: half, y: 210 + i * 50, w: half }, without, {
          size: 13,
          tone: 'ink',
          strong: i === 0,
        }),
      ]),
      words('why', { x: 0, y: 366, w: NARROW.width }, end, { size: 13, tone: 'ink' }),
    ];
  }
  const columns = [0, 120, 350] as const;
  return [
    ...TABLE.flatMap((row, r) => [
      ...row.map((text, c) =>
        words(`differs ${r}.${c}`, { x: columns[c], y: 138 + r * 27 }, text, {
          size: 13,
          ...(r > 0 && c > 0 && { tone: 'ink' as const }),
          strong: r === 1 && c > 0,
        }),
      ),
      ...(r === 0
        ? []
        : [
            {
              id: `rule ${r}`,
              shape: 'line' as const,
              tone: 'neutral' as const,
              x: 0,
              y: 132 + r * 27,
              w: WIDE.width,
              h: 0,
            },
          ]),
    ]),
    words('why', { x: 0, y: 256 }, end, { size: 14, tone: 'ink' }),
  ];
}

/** Whose figures they are. */
function sourceMarks({ layout, recorded }: FrameContext, product: RecordedMatrix | null): readonly DrawnMark[] {
  const published = `Published: whole models reading a prompt, 6:8, ${PUBLISHED_PREFILL.on}.`;
  const measured =
    product && recorded
      ? ` Measured: ${recorded.device}, ${product.date}, ${shapeText(product.rows, product.cols)} weights, ${countText(product.tokens)} tokens.`
      : '';
  const at = layout === 'wide' ? { x: 0, y: 300, w: WIDE.width } : { x: 0, y: 424, w: NARROW.width };
  return [words('source', at, `${published}${measured}`, { size: 11 })];
}

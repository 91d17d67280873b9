import { density } from '../../core/matrix/index.ts';
import {
  type FrameContext,
  type FrameSlider,
  isRefused,
  type RecordedMatrix,
  type RecordedTime,
  sliderThrough,
  VERDICT,
} from '../frames.ts';
import { densityText } from '../../core/text/rounded.ts';
import { type Stated, stated } from '../../core/text/stated.ts';
import type { TextRun } from '../scene.ts';
import { capitalised, shapeText, threeDigits } from '../../core/text/words.ts';
import { type Bar, bars } from './bars.ts';
import { ink, note, since, stack, tightStack, withOneTitleColumn, withOwnGutter } from './parts.ts';
import type { Part } from './layout-space.ts';
import { MAX_EQUAL_DIFFERENCE, type OwnRegion, ownPart, ownText, timesAsFast } from './own-matrix.ts';
import type { Text } from './text-layout.ts';
import type { StoryFrame } from './story-frames.ts';

// The last frame of a format's story (animation): whether the format pays, and bars of times or bytes that show it.

/** The format and the region of a matrix that a verdict is about. */
export interface VerdictCase extends OwnRegion {
  /** the step of the trace that the frame shows */
  readonly step: number;
  /** whether the times of a recorded matrix count here, by its operation and its pattern */
  isRelevant(matrix: RecordedMatrix): boolean;
  /** what was timed on matrices of random weights, as text: 'one matrix × vector' */
  readonly timedProduct: string;
  /** published figures, as one text with its source; a function: depends on what was timed, null is no text */
  readonly published?: string | ((context: FrameContext) => string | null);
  /** why recorded times are longer than the bytes alone would take, as a sentence */
  readonly slowedBy?: string;
  /** default: the relevant recorded times */
  readonly otherMatrices?: OtherMatrices;
}

const SPEED_ONLY = ' 4-bit weights are rounded: only speed is compared here, not accuracy.';

/** The density of the matrix whose times of dense are shown, and of a story without cells. */
const HALF = 0.5;
/** How far the density of a recorded matrix may be from a requested density. */
const SHARE_TOLERANCE = 0.01;

/** Recorded times of matrices of one shape, by ascending density. */
interface ShapeTimes {
  readonly matrices: readonly TimedMatrix[];
  readonly dense: RecordedTime;
  /** 4-bit weights, nothing removed; null: not recorded */
  readonly dense4: RecordedTime | null;
}

interface TimedMatrix extends RecordedMatrix {
  readonly format: RecordedTime;
}

/**
 * The last frame of a story: the bytes and times of the reader's matrix, then what was published, and the times of other
 * matrices, which a slider chooses.
 */
export function verdict(verdictCase: VerdictCase): StoryFrame {
  const { step, published, otherMatrices = recordedOthers(verdictCase) } = verdictCase;
  const region = { othersText: (context: FrameContext) => othersTextOf(verdictCase, context), ...verdictCase };
  return {
    id: VERDICT,
    chapter: 'So what',
    step,
    // Dense has no other time than that which others are compared with.
    ...(!verdictCase.isReference && { hasOwnTimes: true }),
    moves: [0, 1200],
    text: (context) => ownText(region, context),
    show(context) {
      const below = otherMatrices.part(context);
      const figures = typeof published === 'function' ? published(context) : (published ?? null);
      return {
        body: withOneTitleColumn(
          stack(ownPart(verdictCase, context), figures === null ? null : since(1, note('published', figures)), below),
        ),
      };
    },
    slider: (context) => otherMatrices.slider?.(context) ?? null,
  };
}

/** Times of other matrices than the reader's, below it. */
interface OtherMatrices {
  /** null: there are none */
  part(context: FrameContext): Part | null;
  slider?(context: FrameContext): FrameSlider | null;
}

/** The recorded times of matrices with random weights on the device whose speeds are shown, by density. */
function recordedOthers(verdictCase: VerdictCase): OtherMatrices {
  return {
    part(context) {
      const shapeTimes = shapeTimesOf(verdictCase, context);
      return shapeTimes && timedPart(verdictCase, shapeTimes, context);
    },
    slider(context) {
      const shapeTimes = shapeTimesOf(verdictCase, context);
      return (
        shapeTimes && densitySlider(context, shapeTimes.matrices, nearestOf(verdictCase, shapeTimes, context)).slider
      );
    },
  };
}

/** The recorded times of the shape with the most densities, the largest of several such shapes; null without times. */
function shapeTimesOf(verdictCase: VerdictCase, { recordedTimes }: FrameContext): ShapeTimes | null {
  const shapes = new Map<string, TimedMatrix[]>();
  for (const matrix of recordedTimes?.matrices ?? []) {
    const { format, rows, cols } = matrix;
    if (!format || !matrix.dense || !verdictCase.isRelevant(matrix)) continue;
    const key = `${rows} ${cols}`;
    const sameShape = shapes.get(key) ?? [];
    const isNew = sameShape.every(({ density }) => Math.abs(density - matrix.density) > SHARE_TOLERANCE / 2);
    if (isNew) shapes.set(key, [...sameShape, { ...matrix, format }]);
  }
  const [best] = [...shapes.values()].toSorted(
    (a, b) => b.length - a.length || b[0].rows * b[0].cols - a[0].rows * a[0].cols,
  );
  if (!best) return null;
  const matrices = best.toSorted((a, b) => a.density - b.density);
  const half = matrices.find(isHalf) ?? matrices[0];
  const dense4 = half.dense4 ?? matrices.find((matrix) => matrix.dense4)?.dense4 ?? null;
  return half.dense && { matrices, dense: half.dense, dense4 };
}

const isHalf = ({ density }: RecordedMatrix): boolean => Math.abs(density - HALF) < SHARE_TOLERANCE;
/** The share of weights left of a recorded matrix, from 0 to 1, rounded to whole percent. */
export const wholePercent = ({ density }: RecordedMatrix): number => Math.round(density * 100) / 100;

const micros = (ns: number): string => `${threeDigits(ns / 1000)} \u00b5s`;

const speedOf = (formatTime: RecordedTime, dense: RecordedTime): number =>
  timesAsFast({ formatNs: formatTime.ns, denseNs: dense.ns });

/** The share of weights left, as '30 %'. */
const keptText = (matrix: RecordedMatrix): string => densityText(wholePercent(matrix));

/** A slider through the densities of timed matrices, and the matrix at its position: `defaultMatrix` until it is moved. */
export function densitySlider<T extends RecordedMatrix>(
  context: FrameContext,
  matrices: readonly T[],
  defaultMatrix: T,
) {
  return sliderThrough(context, 'other matrices, kept', matrices, keptText, defaultMatrix);
}

/** The matrix whose share of weights left is nearest to `wantedDensity`, the first of several; undefined if there is none. */
export function nearestTo<T extends RecordedMatrix>(matrices: readonly T[], wantedDensity: number): T | undefined {
  const distance = ({ density }: RecordedMatrix): number => Math.abs(density - wantedDensity);
  return matrices.toSorted((a, b) => distance(a) - distance(b)).at(0);
}

function timedPart(verdictCase: VerdictCase, shapeTimes: ShapeTimes, context: FrameContext): Part {
  const { recordedTimes } = context;
  const { dense, dense4 } = shapeTimes;
  const nearest = nearestOf(verdictCase, shapeTimes, context);
  const { chosen: chosenMatrix = nearest } = densitySlider(context, shapeTimes.matrices, nearest);
  const formatBar: TimedBar = {
    id: 'share',
    title: `${verdictCase.title}, ${keptText(chosenMatrix)} kept`,
    time: chosenMatrix.format,
  };
  const [{ rows, cols, date }] = shapeTimes.matrices;
  const timedOn = `SparseScope timed other matrices, of random weights, ${shapeText(rows, cols)}, on ${recordedTimes?.device ?? ''}:`;
  const simple = chosenMatrix.format.isSimple ? ', one simple kernel' : '';
  const source = `${capitalised(verdictCase.timedProduct)}, ${date}${simple}.${dense4 ? SPEED_ONLY : ''}`;
  // One scale at every point of the slider.
  const maxNs = shapeTimes.matrices.reduce((max, { format }) => Math.max(max, format.ns), dense.ns);
  const meaning: Text = [ink(shareWords(verdictCase, shapeTimes, chosenMatrix, context))];
  const why = slowedText(verdictCase, shapeTimes, chosenMatrix);
  return timesPart({
    dense,
    dense4,
    formatBars: [formatBar],
    maxNs,
    meaning,
    source,
    timedOn,
    ...(why !== null && { why }),
  });
}

/** The speed that the bytes alone would allow, and what slows it down; null where nothing does. */
function slowedText({ slowedBy }: VerdictCase, { dense }: ShapeTimes, chosenMatrix: TimedMatrix): string | null {
  const { format } = chosenMatrix;
  const share = Math.round((100 * format.bytes) / dense.bytes);
  if (slowedBy === undefined || share === 0 || speedOf(format, dense) * share >= 100) return null;
  const speed = (100 / share).toFixed(2);
  return `With ${keptText(chosenMatrix)} kept, ${share}\u202f% of the bytes alone would allow ${speed} times the speed. ${slowedBy}`;
}

/** A bar with the time of the story's format or of another format. */
export interface TimedBar {
  readonly id: string;
  readonly title: string;
  /** null: not timed */
  readonly time: RecordedTime | null;
  /** whether the text is about another bar */
  readonly isPale?: boolean;
  /** whether it belongs to another format */
  readonly isOther?: boolean;
}

interface Times {
  readonly dense: RecordedTime;
  /** of 4-bit weights */
  readonly dense4: RecordedTime | null;
  /** the bars below the bars of dense and of 4-bit weights */
  readonly formatBars: readonly TimedBar[];
  /** text above the bars: the timed product */
  readonly timedOn?: string | Text;
  /** the time at the end of the scale; default: the longest of these */
  readonly maxNs?: number;
  /** what the times mean for this matrix or region */
  readonly meaning?: Text;
  /** why the format is not faster */
  readonly why?: string;
  readonly source: string;
}

/** Bars of time: dense, dense with 4-bit weights, and the format. */
export function timesPart({ dense, dense4, formatBars, timedOn, maxNs = dense.ns, meaning, why, source }: Times): Part {
  const speed = (recorded: RecordedTime): TextRun => {
    const times = speedOf(recorded, dense);
    return { text: `  ${times.toFixed(2)} times the speed of dense`, tone: times < 1 ? 'danger' : 'neutral' };
  };
  const time = ({ ns }: RecordedTime): TextRun => ({ text: micros(ns), strong: true });
  const bar = (id: string, title: string, recorded: RecordedTime, style: Omit<Bar['parts'][number], 'to'>): Bar => ({
    id,
    title,
    parts: [{ to: recorded.ns, label: `${title}: ${micros(recorded.ns)}`, ...style }],
    after: recorded === dense || style.style === 'plain' ? [time(recorded)] : [time(recorded), speed(recorded)],
  });
  const lines = [
    bar('reference', 'dense, all weights', dense, { tone: 'neutral' }),
    ...(dense4 ? [bar('dense 4', 'dense, 4-bit weights', dense4, { tone: 'neutral' })] : []),
    ...formatBars.map(({ id, title, time: recorded, isPale = false, isOther = false }): Bar => {
      if (recorded === null) return { id, title, parts: [], after: [{ text: 'not timed', tone: 'neutral' }] };
      const tone = isOther ? 'neutral' : 'format';
      return { ...bar(id, title, recorded, { tone, style: isPale ? 'plain' : 'lit' }), strong: !isPale && !isOther };
    }),
  ];
  return withOwnGutter(
    lines.map(({ title }) => title),
    stack(
      timedOn === undefined ? null : note('timed', timedOn),
      bars(
        {
          id: 'times',
          max: formatBars.reduce((max, formatBar) => Math.max(max, formatBar.time?.ns ?? 0), maxNs),
          height: 1.3,
          meaning: 'time: shorter is better',
          grow: true,
        },
        lines,
      ),
      meaning === undefined && why === undefined
        ? null
        : since(
            1,
            tightStack(
              meaning === undefined ? null : note('here', meaning),
              why === undefined ? null : note('why', why),
            ),
          ),
      note('source', source, { size: 'small' }),
    ),
  );
}

/** The density of the matrix, or of the region if the matrix is not known; null without cells. */
function userShare({ window }: VerdictCase, { wholeMatrix }: FrameContext): number | null {
  if (wholeMatrix && wholeMatrix.rows * wholeMatrix.cols > 0) return density(wholeMatrix);
  return window.rows * window.cols > 0 ? density(window) : null;
}

/** The timed matrix whose density is nearest to the density of the story's matrix. */
function nearestOf(verdictCase: VerdictCase, { matrices }: ShapeTimes, context: FrameContext): TimedMatrix {
  return nearestTo(matrices, userShare(verdictCase, context) ?? HALF) ?? matrices[0];
}

/** How a time compares with the time of dense with 4-bit weights. */
const comparedWith = (dense4: RecordedTime, { ns }: RecordedTime): string =>
  Math.abs(ns / dense4.ns - 1) <= MAX_EQUAL_DIFFERENCE ? 'as fast as' : `${ns < dense4.ns ? 'faster' : 'slower'} than`;

/** For the headline: how fast timed matrices of the same density as the story's are; null if none were timed. */
function othersTextOf(verdictCase: VerdictCase, context: FrameContext): Stated | null {
  const shapeTimes = shapeTimesOf(verdictCase, context);
  const ownDensity = userShare(verdictCase, context);
  if (!shapeTimes?.dense4 || ownDensity === null || isRefused(context)) return null;
  const nearest = nearestOf(verdictCase, shapeTimes, context);
  if (densityText(ownDensity) !== keptText(nearest)) return null;
  return stated`Others this sparse are ${comparedWith(shapeTimes.dense4, nearest.format)} 4-bit dense.`;
}

/** What the times of the chosen matrix mean for the story's matrix. */
function shareWords(
  verdictCase: VerdictCase,
  shapeTimes: ShapeTimes,
  chosenMatrix: TimedMatrix,
  context: FrameContext,
): string {
  const ownDensity = userShare(verdictCase, context);
  const { dense4 } = shapeTimes;
  const { format } = chosenMatrix;
  const comparison =
    dense4 === null
      ? `has ${speedOf(format, shapeTimes.dense).toFixed(2)} times the speed of dense`
      : `is ${comparedWith(dense4, format)} dense with 4-bit weights`;
  const { title } = verdictCase;
  if (chosenMatrix !== nearestOf(verdictCase, shapeTimes, context))
    return `With ${keptText(chosenMatrix)} kept, ${title} ${comparison}.`;
  if (ownDensity === null) return 'This region has no cells.';
  if (isRefused(context)) return 'The bars show matrices that can be stored.';
  if (densityText(ownDensity) === keptText(chosenMatrix))
    return `Timed on another matrix that keeps ${densityText(ownDensity)}, too: ${title} ${comparison}.`;
  const example = context.wholeMatrix ? 'matrix' : 'region';
  return `The ${example} of this story keeps ${densityText(ownDensity)}; with ${keptText(chosenMatrix)}, the nearest timed, ${title} ${comparison}.`;
}

/** A method whose speed is known; `times`: relative to the speed of dense. */
export interface RecordedSpeed {
  readonly id: string;
  readonly title: string;
  readonly times: number;
  /** text after its time */
  readonly text: string;
  /** small text below its bar */
  readonly below?: string;
  readonly isOwn?: boolean;
  /** slower than dense: its bar is pale */
  readonly isBad?: boolean;
}

/**
 * Bars of times relative to dense, whose time is 1. `isAlone`: titles are not aligned with titles of other pictures.
 */
export function againstDense(id: string, speeds: readonly RecordedSpeed[], isAlone = true): Part {
  const time = (times: number): string => (1 / times).toFixed(2).replace(/\.00$/, '');
  const lines = speeds.map((speed): Bar => {
    const { title, times, text: message, below, isOwn = false, isBad = false } = speed;
    const tone = isBad ? 'danger' : isOwn ? 'format' : 'neutral';
    return {
      id: speed.id,
      title,
      strong: isOwn,
      parts: [{ to: 1 / times, tone, style: isBad ? 'plain' : 'lit', label: `${title}: ${time(times)}` }],
      ...(below !== undefined && { lowerBar: { to: 0, text: below } }),
      after: [
        { text: time(times), strong: true },
        { text: `  ${message}`, tone },
      ],
    };
  });
  const max = Math.max(0, ...speeds.map(({ times }) => 1 / times)); // bounded: bars of a picture
  return bars(
    {
      id,
      max,
      height: 1.9,
      meaning: 'time, dense = 1: shorter is better',
      isAlone,
      grow: true,
    },
    lines,
  );
}

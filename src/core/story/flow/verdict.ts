import { density } from '../../matrix/index.ts';
import type { FrameContext, RecordedMatrix, RecordedTime } from '../frames.ts';
import { shareText } from '../rounded.ts';
import type { TextRun } from '../scene.ts';
import { fact, type NamedFact, type Stated, stated } from '../stated.ts';
import { bytesText, shapeText, threeDigits } from '../words.ts';
import { type Bar, bars } from './bars.ts';
import { note, since, stack } from './parts.ts';
import type { Part } from './room.ts';
import type { Picture } from './picture.ts';
import type { StoryFrame } from './story-frames.ts';

/** What a verdict is about. */
export interface VerdictOf {
  readonly title: string;
  readonly step: number;
  /** which of what was recorded it is about: one operation, one kind of matrix */
  among(matrix: RecordedMatrix): boolean;
  /** what was timed, in words: 'random weights, one vector' */
  readonly what: string;
  /** the share of weights that the example keeps; null: it has no cells */
  readonly kept: number | null;
  /** what it takes, where no time is known: of the matrix, or of the cut */
  bytes(context: FrameContext): { readonly stored: number; readonly dense: number; readonly of: 'matrix' | 'cut' };
  /** what else is to be said where no time is known */
  readonly published?: string;
}

/** What a verdict compares with, said before that. */
export const RIVAL = 'Another way: keep all weights, and round each to 4 bits.';

/** Times within this share of each other are level. */
const LEVEL = 0.03;
const HALF = 0.5;
/** Recorded matrices keep as many weights as was asked for, within this. */
const NEARLY = 0.01;

/** Recorded times of one shape, by the share that is kept, ascending. */
interface Timed {
  readonly matrices: readonly TimedMatrix[];
  readonly dense: RecordedTime;
  /** 4-bit weights, nothing removed */
  readonly rival: RecordedTime | null;
}

interface TimedMatrix extends RecordedMatrix {
  readonly format: RecordedTime;
}

/** The last frame of a story: times as bars, shorter is better, and in words what they mean. */
export function verdict(of: VerdictOf): StoryFrame {
  return {
    id: 'verdict',
    chapter: 'So what',
    step: of.step,
    moves: [0, 1200],
    say: (context) => {
      const timed = timedOf(of, context);
      return timed ? timedWords(timed) : untimedWords(of.bytes(context));
    },
    show: (context) => {
      const timed = timedOf(of, context);
      return timed ? timedPicture(of, timed, context) : untimedPicture(of, context);
    },
  };
}

/** Of the shape of which most shares were timed, of these the largest. */
function timedOf(of: VerdictOf, { recorded }: FrameContext): Timed | null {
  const shapes = new Map<string, TimedMatrix[]>();
  for (const matrix of recorded?.matrices ?? []) {
    const { format, rows, cols } = matrix;
    if (!format || !matrix.dense || !of.among(matrix)) continue;
    const key = `${rows} ${cols}`;
    const known = shapes.get(key) ?? [];
    const isNew = known.every(({ density }) => Math.abs(density - matrix.density) > NEARLY / 2);
    if (isNew) shapes.set(key, [...known, { ...matrix, format }]);
  }
  const [best] = [...shapes.values()].toSorted(
    (a, b) => b.length - a.length || b[0].rows * b[0].cols - a[0].rows * a[0].cols,
  );
  if (!best) return null;
  const matrices = best.toSorted((a, b) => a.density - b.density);
  const half = matrices.find(isHalf) ?? matrices[0];
  const rival = half.dense4 ?? matrices.find(({ dense4 }) => dense4)?.dense4 ?? null;
  return half.dense && { matrices, dense: half.dense, rival };
}

const isHalf = ({ density }: RecordedMatrix): boolean => Math.abs(density - HALF) < NEARLY;
/** A recorded share as it was asked for. */
const asked = ({ density }: RecordedMatrix): number => Math.round(density * 100) / 100;
const isLevel = (time: RecordedTime, rival: RecordedTime): boolean => time.ns <= rival.ns * (1 + LEVEL);

function timedWords({ matrices, rival }: Timed): Stated {
  const wins = matrices.findLast(({ format }) => format.timesDense > 1);
  if (!wins) return stated`*Not worth it here*: slower than dense at every share that was timed.`;
  const level = rival && matrices.findLast(({ format }) => isLevel(format, rival));
  if (level === null) {
    const share = fact('pays up to', asked(wins), 'share');
    return stated`*Faster than dense at ${share} kept or less.* 4-bit weights were not timed.`;
  }
  if (!level) return stated`*Not worth it here*: 4-bit weights, nothing removed, are faster at every share.`;
  const share = fact('level with 4 bits', asked(level), 'share');
  return level === matrices.at(-1)
    ? stated`*Worth it at every share that was timed*, up to ${share} kept.`
    : stated`*Worth it only at ${share} kept or less*: above, 4-bit weights are faster.`;
}

const micros = (ns: number): string => `${threeDigits(ns / 1000)} \u00b5s`;

/** Of all shares three: the largest that is level with 4 bits, half, and the first that loses to dense. */
function shownOf({ matrices, rival }: Timed): readonly TimedMatrix[] {
  const level = rival && matrices.findLast(({ format }) => isLevel(format, rival));
  const lost = matrices.find(({ format }) => format.timesDense < 1);
  const picked = matrices.filter((one) => one === level || isHalf(one) || one === lost);
  return (picked.length > 0 ? picked : matrices.slice(-3)).toReversed();
}

function timedPicture(of: VerdictOf, timed: Timed, context: FrameContext): Picture {
  const { recorded } = context;
  const { dense, rival } = timed;
  const own = shownOf(timed).map((matrix): TimedBar => {
    const share = shareText(asked(matrix));
    return { id: share, title: `${of.title}, ${share} kept`, time: matrix.format };
  });
  const [{ rows, cols, date }] = timed.matrices;
  const source = `${shapeText(rows, cols)}, ${of.what}, ${recorded?.device ?? ''}, empty cache, timed ${date}.`;
  return timesPicture({ dense, rival, own, here: hereWords(of, timed, context), source });
}

/** A time of the format, and what it is of. */
export interface TimedBar {
  readonly id: string;
  readonly title: string;
  readonly time: RecordedTime;
}

interface Times {
  readonly dense: RecordedTime;
  readonly rival: RecordedTime | null;
  readonly own: readonly TimedBar[];
  /** what follows for the cut */
  readonly here?: string;
  readonly source: string;
}

/** Times of the format between dense and 4-bit weights, which are a line across them, too. */
export function timesPicture({ dense, rival, own, here, source }: Times): Picture {
  const speed = ({ timesDense }: RecordedTime): TextRun => ({
    text: `  ${timesDense.toFixed(2)} times the speed of dense`,
    tone: timesDense < 1 ? 'danger' : 'neutral',
  });
  const time = ({ ns }: RecordedTime): TextRun => ({ text: micros(ns), strong: true });
  const lines: readonly Bar[] = [
    {
      id: 'reference',
      title: 'dense, all weights',
      parts: [{ to: dense.ns, tone: 'neutral', label: `dense: ${micros(dense.ns)}` }],
      after: [time(dense)],
    },
    ...own.map((one): Bar => ({
      id: one.id,
      title: one.title,
      strong: true,
      parts: [{ to: one.time.ns, tone: 'format', label: `${one.title}: ${micros(one.time.ns)}` }],
      after: [time(one.time), speed(one.time)],
    })),
    ...(rival
      ? [
          {
            id: 'dense 4',
            title: 'dense, 4-bit weights',
            parts: [{ to: rival.ns, tone: 'ink', look: 'outline' } as const],
            after: [time(rival), { ...speed(rival), tone: 'neutral' as const }],
          },
        ]
      : []),
  ];
  return {
    body: stack(
      bars(
        {
          id: 'times',
          max: Math.max(dense.ns, ...own.map((one) => one.time.ns)), // bounded: three bars
          height: 1.9,
          means: 'time of one product: shorter is better',
          isAlone: true,
          grow: true,
          ...(rival && { mark: { at: rival.ns, said: '4-bit weights' } }),
        },
        lines,
      ),
      here === undefined ? null : since(1, note('here', here)),
      note('source', source, { size: 'small' }),
    ),
  };
}

/** What was timed of about as many weights as the example keeps. */
function hereWords({ kept: ofCut }: VerdictOf, { matrices, rival }: Timed, { whole }: FrameContext): string {
  const kept = whole && whole.rows * whole.cols > 0 ? density(whole) : ofCut;
  if (kept === null) return 'This cut has no cells.';
  const far = ({ density }: RecordedMatrix): number => Math.abs(density - kept);
  const nearest = matrices.reduce((best, one) => (far(one) < far(best) ? one : best));
  const { format } = nearest;
  const against =
    rival === null
      ? `${format.timesDense.toFixed(2)} times the speed of dense`
      : Math.abs(format.ns / rival.ns - 1) <= LEVEL
        ? 'level with 4-bit weights'
        : `${format.ns < rival.ns ? 'faster' : 'slower'} than 4-bit weights`;
  return `This ${whole ? 'matrix' : 'cut'} keeps ${shareText(kept)}. The nearest that was timed, ${shareText(asked(nearest))}: ${against}.`;
}

function untimedWords({ stored, dense, of }: ReturnType<VerdictOf['bytes']>): Stated {
  if (dense === 0) return stated`*Not timed on this device*, and this cut has no cells.`;
  const share: NamedFact =
    of === 'matrix'
      ? { ...fact('share of dense, the matrix', stored / dense, 'share'), scope: 'matrix' }
      : fact('share of dense', stored / dense, 'share');
  return stored < dense
    ? stated`*Not timed on this device.* It takes *${share}* of the bytes of dense.`
    : stated`*Not timed on this device.* It takes *${share}* of dense: here it loses.`;
}

function untimedPicture(of: VerdictOf, context: FrameContext): Picture {
  const { stored, dense, of: what } = of.bytes(context);
  const bar = (id: string, title: string, bytes: number, tone: 'neutral' | 'format'): Bar => ({
    id,
    title,
    strong: tone === 'format',
    parts: [{ to: bytes, tone, label: `${title}: ${bytesText(bytes)}` }],
    after: [{ text: bytesText(bytes), strong: true }],
  });
  const look = { id: 'times', max: Math.max(dense, stored, 1), height: 1.9, isAlone: true, grow: true };
  const { whole } = context;
  const shape =
    what === 'matrix' && whole ? `${shapeText(whole.rows, whole.cols)}, the whole matrix. ` : 'The bytes of this cut. ';
  return {
    body: stack(
      bars({ ...look, means: 'bytes to read: fewer is better' }, [
        bar('reference', 'dense, zeros too', dense, 'neutral'),
        bar('format', of.title, stored, 'format'),
      ]),
      of.published === undefined ? null : note('published', of.published),
      note('source', `${shape}Measure times it here.`, { size: 'small' }),
    ),
  };
}

/** Something of which is known how many times as fast as dense it is; `minTimes`: where more than one is. */
export interface AgainstDense {
  readonly id: string;
  readonly title: string;
  readonly times: number;
  readonly minTimes?: number;
  /** behind its time */
  readonly said: string;
  readonly isOwn?: boolean;
  readonly isBad?: boolean;
}

/** Bars of times, that of dense is 1. */
export function againstDense(id: string, all: readonly AgainstDense[]): Part {
  const time = (times: number): string => (1 / times).toFixed(2).replace(/\.00$/, '');
  const lines = all.map((one): Bar => {
    const { times, minTimes = times, said, isOwn = false, isBad = false } = one;
    const tone = isOwn ? 'format' : 'neutral';
    const spread =
      minTimes < times ? [{ to: 1 / minTimes, tone, look: 'plain', label: `up to ${time(minTimes)}` } as const] : [];
    return {
      id: one.id,
      title: one.title,
      strong: isOwn,
      parts: [{ to: 1 / times, tone, label: `${one.title}: ${time(times)}` }, ...spread],
      after: [
        { text: minTimes < times ? `${time(times)} to ${time(minTimes)}` : time(times), strong: true },
        { text: `  ${said}`, tone: isBad ? 'danger' : 'neutral' },
      ],
    };
  });
  const max = Math.max(0, ...all.map(({ times, minTimes = times }) => 1 / minTimes)); // bounded: bars of a picture
  return bars(
    {
      id,
      max,
      height: 1.9,
      means: 'time, dense = 1: shorter is better',
      isAlone: true,
      grow: true,
    },
    lines,
  );
}

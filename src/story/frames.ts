import type { Words } from '../core/text/words.ts';
import type { StoredWhole } from '../core/encoded/ledger.ts';
import type { Drawing, Scene } from './scene.ts';
import { fact, type NamedFact, type Stated, stated } from '../core/text/stated.ts';

/** A kernel's time on a recorded matrix, and the bytes of the matrix that it reads. */
export interface RecordedTime {
  readonly ns: number;
  /** how many times as fast as dense with 16 bits: the ratio of their printed times, in three digits */
  readonly timesDense: number;
  readonly bytes: number;
  /** the kernel is untuned, unlike others that were timed */
  readonly isSimple?: true;
}

/** The recorded times of one matrix on the selected device. */
export interface RecordedMatrix {
  readonly rows: number;
  readonly cols: number;
  /** density: the share of weights that remain */
  readonly density: number;
  /** the generator's pattern: 'uniform', 'planted-blocks', 'n-of-m' ... */
  readonly pattern: string;
  /** the operation's id: 'spmv', 'gemm', 'forward' ... */
  readonly operation: string;
  /** columns of x */
  readonly tokens: number;
  /** the day it was timed, as the page writes it: '22 November 2026' */
  readonly date: string;
  /** the time in the story's format, with its default parameters */
  readonly format: RecordedTime | null;
  /** times of dense with 16 bits, and with 4 bits and nothing pruned */
  readonly dense: RecordedTime | null;
  readonly dense4: RecordedTime | null;
  /** times in other formats on the same matrix, by format id, with default parameters */
  readonly otherFormats?: Readonly<Record<string, RecordedTime>>;
}

/** The times of one matrix in the story's format and in dense, from one run. */
export interface TimedTogether {
  readonly rows: number;
  readonly cols: number;
  readonly device: string;
  /** the day it was timed, as the page writes it */
  readonly date: string;
  /** on a processor instead of a graphics card: such a time reveals nothing about one */
  readonly isSoftware?: true;
  readonly formatNs: number;
  readonly denseNs: number;
}

/** Times of the whole matrix of the story. */
export interface OwnTimes {
  /** the device whose speeds are shown */
  readonly device: string;
  /** recorded for that device, or measured in this browser; null: neither */
  readonly own: TimedTogether | null;
  /** of a larger matrix that repeats it, measured in this browser; null: not yet */
  readonly larger: TimedTogether | null;
}

/** The fewest cells of a matrix whose time reveals something: below, starting a kernel takes longer than its work. */
const TIMED_CELLS = 2 ** 20;

/** Whether a matrix is too small for its time to reveal anything about a format. */
export const isTooSmall = ({ rows, cols }: { readonly rows: number; readonly cols: number }): boolean =>
  rows * cols < TIMED_CELLS;

/** The context of a frame, besides its trace (all steps of encode and multiply). */
export interface FrameContext {
  /** narrow: the arrangement for a phone */
  readonly layout: 'wide' | 'narrow';
  /** the whole matrix; the story shows a part of it, its window; null before it is encoded */
  readonly wholeMatrix: StoredWhole | null;
  /** facts of that matrix, whether it can be stored or not; default: none */
  readonly wholeFacts?: readonly NamedFact[];
  /** times on the device whose speeds are shown; null where none are recorded */
  readonly recordedTimes: {
    readonly device: string;
    readonly matrices: readonly RecordedMatrix[];
  } | null;
  /** times of the whole matrix; absent or null: unknown */
  readonly ownTimes?: OwnTimes | null;
  /** the point of a frame's slider that the reader chose; absent: none, as in files and on paper */
  readonly point?: string;
}

/** A slider that moves a picture through recorded points; it rests only at points. */
export interface FrameSlider {
  /** quantity of its points: 'weights kept' */
  readonly label: string;
  /** short and distinct names: '30 %' */
  readonly points: readonly string[];
  /** index of the current one */
  readonly index: number;
}

/** A slider through items by their names, and the current item; of items with equal names only the first counts. */
export function sliderThrough<T>(
  { point }: Pick<FrameContext, 'point'>,
  label: string,
  items: readonly T[],
  textOf: (item: T) => string,
  otherwise: T | undefined = items[0],
): { readonly slider: FrameSlider | null; readonly chosen: T | undefined } {
  const points = [...new Set(items.map(textOf))];
  const name = point !== undefined && points.includes(point) ? point : otherwise && textOf(otherwise);
  const chosen = items.find((item) => textOf(item) === name);
  const index = points.findIndex((text) => text === name);
  return { slider: points.length < 2 || index < 0 ? null : { label, points, index }, chosen };
}

/** A question before the frame that shows its answer. It has two pictures: before and after the answer. */
interface FrameQuestion {
  readonly options: readonly string[];
  /** index of the right one */
  readonly answer: number;
  /** why, in one sentence */
  readonly because: Stated;
}

/**
 * One frame of a story with a script: a sentence of at most 15 words, and a picture that moves until it rests. Both
 * follow from the trace, so that they are right for every window.
 */
export interface Frame {
  /** unique in its story and stable, by what happens: 'first wide gap' */
  readonly id: string;
  /** ids of earlier frames that this one replaced: links to them show it */
  readonly formerIds?: readonly string[];
  readonly chapter: string;
  /** the step of the trace that it shows at rest, from which "every step" continues; never falls from frame to frame */
  readonly step: number;
  /** text between asterisks is emphasised */
  narration(context: FrameContext): Stated;
  /** a further text, about the whole matrix; null if nothing is known */
  also?(context: FrameContext): Stated | null;
  /** the duration of the movement to each of its pictures, in ms at speed 1; the last picture stays */
  readonly moves: readonly number[];
  /** one of its pictures, from 0 to `moves.length - 1` */
  draw(picture: number, context: FrameContext): Drawing;
  /** pictures 0 and 1 are those before and after the answer */
  readonly question?: FrameQuestion;
  /** whether its picture shows `FrameContext.ownTimes`, so that a page offers to measure them */
  readonly hasOwnTimes?: true;
  /** the columns of the region that its picture draws; absent: all of them */
  readonly drawnColumns?: { readonly from: number; readonly count: number };
  /** the slider of its picture; null where there is nothing to choose from */
  slider?(context: FrameContext): FrameSlider | null;
  /** ms that it stays longer than its words take to read */
  readonly pause?: number;
}

/** The fact of the whole matrix with this name, in the form of a text; null if it is not known. */
export function wholeFact(
  { wholeFacts = [] }: Pick<FrameContext, 'wholeFacts'>,
  name: string,
  rounding?: NamedFact['rounding'],
  unit?: NamedFact['unit'],
): NamedFact | null {
  const match = wholeFacts.find((candidate) => candidate.name === name);
  return match ? { ...fact(name, match.value, rounding, unit), scope: 'matrix' } : null;
}

/** Whether the matrix is known and cannot be stored. */
export const isRefused = ({ wholeMatrix, wholeFacts }: Pick<FrameContext, 'wholeMatrix' | 'wholeFacts'>): boolean =>
  wholeFacts !== undefined && wholeMatrix === null;

/** The id of the last frame of a story, which says whether the format is worth it for this matrix. */
export const VERDICT = 'verdict';

/** The text of the last frame: the result of `say`, unless the matrix cannot be stored. */
export function verdictOf(context: FrameContext, say: (context: FrameContext) => Stated): Stated {
  return isRefused(context) ? stated`*No gain here*: this matrix cannot be stored.` : say(context);
}

/** The pieces of a text, each in one style: text between asterisks is strong. */
export function wordsOf({ text }: Pick<Stated, 'text'>): readonly Words[] {
  return text
    .split('*')
    .map((part, i): Words => (i % 2 === 1 ? { text: part, strong: true } : { text: part }))
    .filter((words) => words.text !== '');
}

/** The number of words in a text: parts between spaces with a letter or a digit. */
export function wordCount({ text }: Pick<Stated, 'text'>): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The most words of a frame's text. */
export const MAX_WORDS = 15;

/**
 * The text of a frame without a script: as many of the first sentences of its step as have at most `MAX_WORDS` words
 * together, at least one. The setting "every step" shows all sentences, and so does a picture of two formats.
 */
export function frameWords({ narration, sides }: Pick<Scene, 'narration' | 'sides'>): readonly Words[] {
  const text = narration.map((words) => words.text).join('');
  const ends = [...text.matchAll(/[.?!](?= )/g)].map(({ index }) => index + 1);
  const fits = (end: number): boolean => wordCount({ text: text.slice(0, end) }) <= MAX_WORDS;
  if (sides || fits(text.length)) return narration;
  let remaining = ends.findLast(fits) ?? ends[0] ?? text.length;
  return narration.flatMap((words): Words[] => {
    const part = words.text.slice(0, Math.max(0, remaining));
    remaining -= words.text.length;
    return part === '' ? [] : [{ ...words, text: part }];
  });
}

/** How long every frame stays, and how much longer for each word, ms. */
const REST_MS = 1500;
const WORD_MS = 300;

/** How long a frame stays at speed 1, in ms, so that its text can be read. */
export function restMs(message: Pick<Stated, 'text'>, pause = 0): number {
  return REST_MS + WORD_MS * wordCount(message) + pause;
}

/** A picture of a frame as a scene. */
export function frameScene(frame: Frame, picture: number, context: FrameContext): Scene {
  return {
    panels: [],
    links: [],
    drawing: frame.draw(picture, context),
    narration: wordsOf(frame.narration(context)),
    code: null,
  };
}

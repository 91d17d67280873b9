import { type AnyListedFormat, type EncodedMatrix, namedArrays, storyParams } from '../core/format.ts';
import { BYTE_CLASSES, type StorageLedger } from '../core/encoded/ledger.ts';
import { linkCellsText } from '../core/cells/link-cells.ts';
import { type CsrMatrix, density } from '../core/matrix/index.ts';
import type { Frame } from '../story/frames.ts';
import type { Effect } from '../story/trace.ts';
import { generate, type GenerateSpec } from '../generate/generate.ts';
import { type AppDocument, chapterStart, currentParams, type LoadedStory } from '../state/index.ts';
import { PUBLISHED_DEVICES } from '../theory/roofline/devices.ts';
import { loadStory } from '../story/format-story.ts';
import type { Lookup } from './expression.ts';
import { specOf, windowOf } from './figure-address.ts';
import { LessonError } from './lesson.ts';
import { demosOf, type StorySource } from './demonstrations/index.ts';

/** The figure of a paragraph: a window (submatrix), usually of a generated matrix, and a format's story on it. */
export interface Figure {
  /** the document (page state) of the figure's address, so that Watch can open it */
  readonly document: AppDocument;
  readonly spec: GenerateSpec;
  /** the format or demonstration whose steps it shows */
  readonly format: StorySource;
  readonly window: CsrMatrix;
  readonly loaded: LoadedStory;
  /** whether a user typed the cells of the matrix, so that it was not generated */
  readonly isTyped: boolean;
  /** the bytes of the encoded arrays; null if nothing is encoded, as in a demonstration */
  readonly ledger: StorageLedger | null;
}

/**
 * Loads the story of a document and builds its figure, on the matrix that a user typed (`typedMatrix`) if there is one.
 * Throws LessonError if the matrix is not supported.
 */
export async function loadFigure(
  document: AppDocument,
  formats: readonly AnyListedFormat[],
  typedMatrix: CsrMatrix | null = null,
): Promise<Figure> {
  const format = formatOf(document, formats);
  return encodeFigure(document, format, await loadStory(format), typedMatrix);
}

/** The figure of a document with a loaded story. A custom format first encodes in its sandbox. */
export async function encodeFigure(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  typedMatrix: CsrMatrix | null = null,
): Promise<Figure> {
  const window = typedMatrix ?? figureWindow(document);
  await format.sandboxed?.encodeWindow(window, paramsOfFigure(document, format));
  return figureOfWindow(document, format, story, window, typedMatrix !== null);
}

/** The format or demonstration of a document. Throws LessonError if there is none. */
export function formatOf(document: AppDocument, formats: readonly AnyListedFormat[]): StorySource {
  const format: StorySource | undefined = [...formats, ...demosOf(formats)].find(({ id }) => id === document.format);
  if (format) return format;
  throw new LessonError(`figure: found no format '${document.format}'`);
}

/** The figure of a document for a format that encodes synchronously. `typedMatrix`: as for `loadFigure`. O(cells). */
export function buildFigure(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  typedMatrix: CsrMatrix | null,
): Figure {
  return figureOfWindow(document, format, story, typedMatrix ?? figureWindow(document), typedMatrix !== null);
}

/** The window of a document's generated matrix. Throws LessonError like `specOf` and `windowOf`. O(cells). */
const figureWindow = (document: AppDocument): CsrMatrix => windowOf(generate(specOf(document)), document.window);

/** The source of a figure's matrix, for Watch to open; null if a user typed more cells than a source can have. */
export function sourceOf({ document, isTyped, window }: Figure): AppDocument['source'] | null {
  if (!isTyped) return document.source;
  const { rows, cols } = window;
  const cells = linkCellsText(window);
  return cells === null ? null : { kind: 'cells', rows, cols, cells };
}

/** The cells of a figure if a user typed them, for another figure on them; null: the matrix was generated. */
export const ownCellsOf = ({ isTyped, window }: Figure): CsrMatrix | null => (isTyped ? window : null);

/** The parameters of the story; some differ from a benchmark's, to suit a small window. */
function paramsOfFigure(document: AppDocument, format: StorySource): Readonly<Record<string, unknown>> {
  return storyParams<Readonly<Record<string, unknown>>>(format.params, currentParams(document));
}

function figureOfWindow(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  window: CsrMatrix,
  isTyped: boolean,
): Figure {
  const spec = specOf(document);
  const params = paramsOfFigure(document, format);
  const admission = story.admits(window, params);
  // Some formats have a story for a matrix that they do not support.
  if (!admission.ok && story.tracesRejected?.(window, params) !== true)
    throw new LessonError(`figure: ${format.title} does not support the matrix: ${admission.reason}`);
  const trace = story.trace(window, params);
  const ledger = story.ledger?.(trace) ?? null;
  return { document, spec, format, window, loaded: { story, trace }, isTyped, ledger };
}

/** The frame that a paragraph names: 'frame first weight'. Null if it names none; LessonError for an unknown frame. */
export function frameOf({ loaded: { story, trace } }: Pick<Figure, 'loaded'>, step: string | null): Frame | null {
  const id = /^frame (.+)$/.exec(step ?? '')?.[1];
  if (id === undefined) return null;
  const frames = story.frames?.(trace) ?? [];
  const namedFrame = frames.find((frame) => frame.id === id);
  if (namedFrame) return namedFrame;
  const ids = frames.map((frame) => frame.id).join(', ') || 'none';
  throw new LessonError(`@step: found frame '${id}', expected one of ${ids}`);
}

/** The step that a paragraph names. Throws LessonError if the story has no such step. */
export function stepOf({ loaded: { story, trace }, document }: Figure, step: string | null): number {
  if (step === null) return Math.min(document.step, trace.steps.length);
  if (step === 'end') return trace.steps.length;
  const frame = frameOf({ loaded: { story, trace } }, step);
  if (frame) return frame.step;
  const cell = /^cell (\d+),(\d+)$/.exec(step);
  if (cell) {
    const [row, col] = [Number(cell[1]), Number(cell[2])];
    const visitsCell = (effect: Effect): boolean => effect.kind === 'visit' && effect.row === row && effect.col === col;
    const stepIndex = trace.steps.findIndex(({ effects }) => effects.some(visitsCell));
    if (stepIndex >= 0) return stepIndex + 1;
    throw new LessonError(`@step: found '${step}', expected a cell that is not 0`);
  }
  const [, name, offset = '0'] = /^([a-z-]+|\d+)(?:\+(\d+))?$/.exec(step) ?? [];
  const endedChapter = trace.chapters.find(({ id }) => `${id}-end` === name);
  if (endedChapter) return endedChapter.firstStep + endedChapter.stepCount;
  const chapter = trace.chapters.findIndex(({ id }) => id === name);
  const start = /^\d+$/.test(name) ? Number(name) : chapter < 0 ? Number.NaN : chapterStart(trace.chapters, chapter);
  const namedStep = start + Number(offset);
  if (namedStep <= trace.steps.length) return namedStep;
  const chapters = trace.chapters.map(({ id }) => id).join(', ');
  throw new LessonError(`@step: found '${step}', expected at most ${trace.steps.length}, or one of ${chapters}`);
}

/**
 * Looks up the numbers that a paragraph can name: rows, cols, nnz, cells, density; numbers of the encoded matrix and
 * its parameters; array elements such as indptr[3]; bytes and bytes.values, .indices, .metadata, .padding; device.read
 * (10^9 bytes per second) and device.flops (10^12). After a format's id, as in csr.bytes, numbers of `otherFigures`.
 */
export function lookupIn(figure: Figure, otherFigures: readonly Figure[] = []): Lookup {
  const numberOf = numbersOf(figure);
  return (name) => {
    if (Object.hasOwn(DEVICE_NUMBERS, name)) return DEVICE_NUMBERS[name];
    const [formatId, ...nameParts] = name.split('.');
    const figureOfFormat = [figure, ...otherFigures].find(({ format }) => format.id === formatId);
    const value = figureOfFormat ? numbersOf(figureOfFormat)(nameParts.join('.')) : numberOf(name);
    if (value !== null) return value;
    throw new LessonError(`{${name}}: found no such number in the figure of ${figure.format.title}`);
  };
}

/** Peaks of an NVIDIA H200, as measured by this project. */
const DEVICE_NUMBERS: Readonly<Record<string, number>> = {
  'device.read': PUBLISHED_DEVICES[0].readGBps,
  'device.flops': PUBLISHED_DEVICES[0].f32Tflops,
};

/** A function that finds a number of a figure by its name; null if there is none. */
function numbersOf({ window, ledger, loaded: { trace } }: Figure): (name: string) => number | null {
  const { rows, cols, nnz } = window;
  const numbers = [...Object.entries(trace.encoded as object), ...Object.entries(trace.params as object)];
  const numbersByName = new Map(numbers.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  // Of the window before encoding, which may prune it or leave out entries that do not fit.
  const ofWindow = { rows, cols, nnz, cells: rows * cols, density: density(window) };
  for (const [name, value] of Object.entries(ofWindow)) numbersByName.set(name, value);
  if (ledger) {
    numbersByName.set('bytes', ledger.totalBytes);
    for (const c of BYTE_CLASSES) numbersByName.set(`bytes.${c}`, ledger.totalBits[c] / 8);
  }
  const arrays = namedArrays(trace.encoded as EncodedMatrix);
  return (name) => {
    const element = /^(\w+)\[(\d+)\]$/.exec(name);
    const value = element ? arrays.get(element[1])?.[Number(element[2])] : numbersByName.get(name);
    return value ?? null;
  };
}

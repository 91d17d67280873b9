import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/check.ts';
import { type AnyListedFormat, type EncodedMatrix, namedArrays, stageParams } from '../core/format.ts';
import { BYTE_CLASSES, type StorageLedger } from '../core/encoded/ledger.ts';
import { type CsrMatrix, density, subMatrix } from '../core/matrix/index.ts';
import { Random } from '../core/number/random.ts';
import { Pacer } from '../core/pace.ts';
import type { Frame } from '../core/story/frames.ts';
import { pose, type PosedQuestion } from '../core/story/question.ts';
import type { Effect } from '../core/story/trace.ts';
import { generate, type GenerateSpec } from '../generate/generate.ts';
import {
  type AppDocument,
  type Catalog,
  chapterStart,
  currentParams,
  decodeHash,
  defaultWindow,
  type LoadedStory,
} from '../state/index.ts';
import { PUBLISHED_DEVICES } from '../theory/roofline/devices.ts';
import type { Lookup } from './expression.ts';
import { LessonError } from './lesson.ts';
import { readCells } from './own-matrix.ts';
import { type StorySource, trialsOf, isTrialAddress, watchAddress } from './trials/index.ts';

/** A picture for a paragraph: a window of a generated matrix, and a format's story of it. */
export interface Figure {
  /** the document of its address, so that it can be opened in Watch */
  readonly document: AppDocument;
  readonly spec: GenerateSpec;
  /** the source of the story: a format, or a trial */
  readonly format: StorySource;
  readonly window: CsrMatrix;
  readonly loaded: LoadedStory;
  /** whether the matrix came with the address, cell by cell, and not from a pattern */
  readonly own: boolean;
  /** null if the format has none */
  readonly ledger: StorageLedger | null;
}

/** The document of a figure's address. Throws LessonError if it is wrong, or its matrix is not a generated one. */
export function figureDocument(address: string, catalog: Catalog): AppDocument {
  const known = isTrialAddress(address) ? { ...catalog, formats: trialsOf(catalog.formats) } : catalog;
  const { document: read, problems, missingFormats = [] } = decodeHash(watchAddress(address), known);
  if (problems.length > 0) throw new LessonError(problems.join(' '));
  if (missingFormats.length > 0)
    throw new LessonError(`figure: ${missingFormats[0].id} was not run, so nothing is known of it`);
  specOf(read);
  return { ...read, against: null };
}

function specOf({ source }: AppDocument): GenerateSpec {
  if (source.kind === 'generated') return source.spec;
  throw new LessonError(`figure: found a matrix of kind '${source.kind}', expected a generated one`);
}

/** The matrix contained in an address, as `&own=` and its cells; null if there is none. Throws LessonError. */
export function ownMatrix(address: string, { source }: AppDocument): CsrMatrix | null {
  const cells = /[?&]own=([^&]*)/.exec(address)?.[1];
  if (cells === undefined || source.kind !== 'generated') return null;
  return readCells(cells, source.spec.rows, source.spec.cols);
}

/** Makes a document's figure here, loading its story; `own`: a person's matrix. Throws LessonError for a refusal. */
export async function makeFigure(
  document: AppDocument,
  formats: readonly AnyListedFormat[],
  own: CsrMatrix | null = null,
): Promise<Figure> {
  const format = formatOf(document, formats);
  return requestFigure(document, format, await format.story(), own);
}

/** Makes the figure once its story is loaded. A format that a person wrote first encodes the window. */
export async function requestFigure(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  own: CsrMatrix | null = null,
): Promise<Figure> {
  const window = own ?? figureWindow(document);
  await format.sandboxed?.encodeWindow(window, paramsOnStage(document, format));
  return buildFigureFrom(document, format, story, window, own !== null);
}

/** The source of a figure's story. Throws LessonError if there is none. */
export function formatOf(document: AppDocument, formats: readonly AnyListedFormat[]): StorySource {
  const format: StorySource | undefined = [...formats, ...trialsOf(formats)].find(({ id }) => id === document.format);
  if (format) return format;
  throw new LessonError(`figure: found no format '${document.format}'`);
}

/** The cells of a figure. O(cells of the matrix). Throws LessonError like `figureDocument`. */
function figureWindow(document: AppDocument): CsrMatrix {
  const matrix = generate(specOf(document));
  const window = document.window ?? defaultWindow(matrix);
  const { row, col, rows, cols } = window;
  if (row + rows > matrix.rows || col + cols > matrix.cols) {
    throw new LessonError(
      `figure, win: found rows ${row} to ${row + rows - 1} and columns ${col} to ${col + cols - 1}, expected them in a matrix of ${matrix.rows} × ${matrix.cols}`,
    );
  }
  return subMatrix(matrix, window);
}

/** Makes the figure of a format that encodes synchronously. O(cells of the matrix). */
export function buildFigure(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  own: CsrMatrix | null = null,
): Figure {
  return buildFigureFrom(document, format, story, own ?? figureWindow(document), own !== null);
}

function paramsOnStage(document: AppDocument, format: StorySource): Readonly<Record<string, unknown>> {
  return stageParams<Readonly<Record<string, unknown>>>(format.params, currentParams(document));
}

function buildFigureFrom(
  document: AppDocument,
  format: StorySource,
  story: LoadedStory['story'],
  window: CsrMatrix,
  isOwn: boolean,
): Figure {
  const spec = specOf(document);
  const params = paramsOnStage(document, format);
  const admission = story.admits(window, params);
  // Some formats have a story for a matrix that they refuse.
  if (!admission.ok && story.tracesRefused?.(window, params) !== true)
    throw new LessonError(`figure: ${format.title} refuses the matrix: ${admission.reason}`);
  const trace = story.trace(window, params);
  return {
    document,
    spec,
    format,
    window,
    loaded: { story, trace },
    own: isOwn,
    ledger: story.ledger?.(trace) ?? null,
  };
}

/** The directed frame that a paragraph names; null if it names none. Throws LessonError if the story lacks it. */
export function frameOf({ loaded: { story, trace } }: Pick<Figure, 'loaded'>, step: string | null): Frame | null {
  const id = /^frame (.+)$/.exec(step ?? '')?.[1];
  if (id === undefined) return null;
  const frames = story.frames?.(trace) ?? [];
  const found = frames.find((frame) => frame.id === id);
  if (found) return found;
  const ids = frames.map((frame) => frame.id).join(', ') || 'none';
  throw new LessonError(`@step: found frame '${id}', expected one of ${ids}`);
}

/** The step that a paragraph names. Throws LessonError if the story lacks it. */
export function stepOf({ loaded: { story, trace }, document }: Figure, step: string | null): number {
  if (step === null) return Math.min(document.step, trace.steps.length);
  if (step === 'end') return trace.steps.length;
  const directed = frameOf({ loaded: { story, trace } }, step);
  if (directed) return directed.step;
  const cell = /^cell (\d+),(\d+)$/.exec(step);
  if (cell) {
    const [row, col] = [Number(cell[1]), Number(cell[2])];
    const isIt = (effect: Effect): boolean => effect.kind === 'visit' && effect.row === row && effect.col === col;
    const at = trace.steps.findIndex(({ effects }) => effects.some((effect) => isIt(effect)));
    if (at >= 0) return at + 1;
    throw new LessonError(`@step: found '${step}', expected a cell that is not 0`);
  }
  const [, name, more = '0'] = /^([a-z-]+|\d+)(?:\+(\d+))?$/.exec(step) ?? [];
  const ending = trace.chapters.find(({ id }) => `${id}-end` === name);
  if (ending) return ending.firstStep + ending.stepCount;
  const chapter = trace.chapters.findIndex(({ id }) => id === name);
  const start = /^\d+$/.test(name) ? Number(name) : chapter < 0 ? Number.NaN : chapterStart(trace.chapters, chapter);
  const found = start + Number(more);
  if (found <= trace.steps.length) return found;
  const chapters = trace.chapters.map(({ id }) => id).join(', ');
  throw new LessonError(`@step: found '${step}', expected at most ${trace.steps.length}, or one of ${chapters}`);
}

/**
 * The names that a paragraph's numbers can use: rows, cols, nnz, cells, density, the format's own numbers; bytes and
 * bytes.values, .indices, .metadata, .padding of its ledger; elements of its arrays such as indptr[3]; device.read (10^9 bytes
 * per second) and device.flops (10^12). For `others` on the same window likewise, as in csr.bytes.
 */
export function lookupIn(figure: Figure, others: readonly Figure[] = []): Lookup {
  const own = namesOf(figure);
  return (name) => {
    if (Object.hasOwn(DEVICE_NUMBERS, name)) return DEVICE_NUMBERS[name];
    const [first, ...rest] = name.split('.');
    const other = [figure, ...others].find(({ format }) => format.id === first);
    const names = other ? namesOf(other) : own;
    const value = names(other ? rest.join('.') : name);
    if (value !== null) return value;
    throw new LessonError(`{${name}}: found no such number in the figure of ${figure.format.title}`);
  };
}

/** The figures of the device that this project measured first. */
const DEVICE_NUMBERS: Readonly<Record<string, number>> = {
  'device.read': PUBLISHED_DEVICES[0].readGBps,
  'device.flops': PUBLISHED_DEVICES[0].f32Tflops,
};

function namesOf({ window, ledger, loaded: { trace } }: Figure): (name: string) => number | null {
  const { rows, cols, nnz } = window;
  const numbers = [...Object.entries(trace.encoded as object), ...Object.entries(trace.params as object)];
  const known = new Map(numbers.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  // Of the original window, since the encoded one may be pruned, or lack entries that did not fit.
  const ofWindow = { rows, cols, nnz, cells: rows * cols, density: density(window) };
  for (const [name, value] of Object.entries(ofWindow)) known.set(name, value);
  if (ledger) {
    known.set('bytes', ledger.totalBytes);
    for (const c of BYTE_CLASSES) known.set(`bytes.${c}`, ledger.totalBits[c] / 8);
  }
  const arrays = namedArrays(trace.encoded as EncodedMatrix);
  return (name) => {
    const element = /^(\w+)\[(\d+)\]$/.exec(name);
    const found = element ? arrays.get(element[1])?.[Number(element[2])] : known.get(name);
    return found ?? null;
  };
}

/** Why a question cannot be asked about a person's own matrix. */
const NOTHING_TO_ASK =
  'this matrix has nothing to ask about, or two answers would be the same; change some of its cells';

/** A question with the matrix that it is asked about. */
export interface AskedQuestion {
  readonly figure: Figure;
  readonly posed: PosedQuestion;
}

/**
 * The question on the matrix of a figure, or on the first of the following seeds for which every misconception gives a
 * different answer from the encoder. Only the given matrix is tried if it is a person's own, or has no non-zeros, so that all
 * seeds give the same. Yields the thread between two tries. Rejects with LessonError for an unknown question, and if no matrix
 * is found within QUESTION_BOUNDS.
 */
export async function findQuestion(first: Figure, question: string): Promise<AskedQuestion> {
  const { story } = first.loaded;
  const found = story.questions?.find(({ id }) => id === question);
  if (!found) {
    const known = story.questions?.map(({ id }) => id).join(', ') ?? 'none';
    throw new LessonError(
      `question: found '${clip(question)}', expected a question of ${first.format.title}: ${known}`,
    );
  }
  const pacer = new Pacer();
  const { rows, cols } = first.window;
  const max = Math.max(1, Math.floor(QUESTION_BOUNDS.cellsTried / (rows * cols)));
  let figure = first;
  for (let tried = 0; tried < max; tried++) {
    await pacer.breathe();
    if (tried > 0) figure = await nextFigure(figure);
    const posed = pose(found, figure.loaded.trace, new Random(figure.spec.seed));
    if (posed) return { figure, posed };
    // A person has chosen this matrix, so it is not replaced.
    if (figure.own) throw new LessonError(`${question}: ${NOTHING_TO_ASK}`);
    if (figure.window.nnz === 0) break;
  }
  throw new LessonError(`${question}: found no matrix like the figure's on which all answers differ`);
}

/** The figure on the next matrix of its kind: with the next seed; for a person's own matrix, a random one of the same shape. */
export function nextFigure({ document, spec, format, loaded }: Figure): Promise<Figure> {
  const source = { kind: 'generated' as const, spec: { ...spec, seed: (spec.seed + 1) % 2 ** 32 } };
  return requestFigure({ ...document, source }, format, loaded.story);
}

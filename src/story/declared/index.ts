import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { FormatError } from '../../core/errors.ts';
import type { FormatStory } from '../format-story.ts';
import type { Frame } from '../frames.ts';
import type { CodeExcerpt, Panel } from '../scene.ts';
import { MATRIX_PANEL } from '../scene-parts.ts';
import type { Trace } from '../trace.ts';
import { finish, type Steps } from '../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { endFrames, type Opening, withOpening } from '../opening.ts';
import { playerFrames, type StoryFrame } from '../flow/story-frames.ts';
import { reportingBuilder } from '../../core/declared/reporting-builder.ts';
import { resolved } from '../../core/declared/card.ts';
import { declarationOf, type DerivedMembers } from '../../core/declared/declarations.ts';
import { type AnyDeclaration, arraysOf, type TypedDeclaration } from '../../core/declared/declared-arrays.ts';
import { elementsOf, runDecode } from '../../core/declared/decode.ts';
import { openEncoding } from '../../core/declared/encode.ts';
import type { RowReader } from '../../core/declared/declaration.ts';
import type {
  NarratedStep,
  EncodingSlice,
  Row,
  WindowRecord,
  ArrayDescription,
  Zeros,
} from '../../core/declared/record.ts';
import { PutRecorder, ReadRecorder, StoreRecorder } from '../../core/declared/recorders.ts';
import { questionsOf } from './questions.ts';
import { scene } from './scene.ts';
import { storedBytes } from './stored-bytes.ts';
import { declaredTrace, type DeclaredStep, type DeclaredTrace, nameOfStep } from './trace.ts';

type AnyEncode = (m: Matrix, p: object) => Steps<EncodedMatrix>;

/* The story that is derived from a format's declaration (arrays, encode, decode): its trace, scenes and questions. */

/** Encodes and decodes a window, the part of a matrix that a story shows, and records all stores and reads. */
function traceOf(d: AnyDeclaration, encode: AnyEncode, m: Matrix, p: object): DeclaredTrace {
  const plan = d.plan ? finish(d.plan(m, resolved(d.params, p as Record<string, unknown>, m))) : undefined;
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encode(window, p));
  const params = resolved(d.params, p as Record<string, unknown>, window);
  const declared = arraysOf(d, p, window);
  const elements = elementsOf(d, encoded);
  const arrays = declared.map((array) => ({ array: describedArray(array, elements), elements: elements[array.name] }));

  // Encodes once more, with recorders around the rows that encode reads and the arrays that it writes.
  const stores = new StoreRecorder();
  const { reader, builders } = openEncoding(d, window, p, plan);
  const { rows, cols, nnz } = window;
  const slices: EncodingSlice[] = []; // one for each `yield` of encode
  const narrated: NarratedStep[] = [];
  const narrate = (say: string, row?: Row | number, column?: number): void => {
    const index = typeof row === 'object' ? row.index : row;
    narrated.push({
      say,
      rows: index === undefined ? [] : [index],
      column: column ?? null,
      stores: stores.count,
      part: slices.length,
      line: 0,
    });
  };
  const zeros: Zeros[] = [];
  let rowsRead: number[] = [];
  const watchedRows: RowReader = {
    rows,
    cols,
    nnz,
    row(index) {
      if (!rowsRead.includes(index)) rowsRead.push(index);
      return reader.row(index);
    },
    *[Symbol.iterator]() {
      for (let r = 0; r < rows; r++) yield this.row(r);
    },
  };
  const watchedBuilders = Object.fromEntries(
    builders.map((builder, array) => {
      const reporting = reportingBuilder(builder, stores.listenerOf(array), (from, to) =>
        zeros.push({ array, from, to, part: slices.length }),
      );
      return [builder.name, reporting];
    }),
  );
  for (const _ of d.encode(watchedRows, watchedBuilders, { ...params, rows, cols }, narrate, plan)) {
    slices.push({ stores: stores.count, rows: rowsRead });
    rowsRead = [];
  }

  // Decodes, with recorders around the elements that decode reads and the cells that it puts.
  // `puts` has the cells without zeros, and `calls` every call of put.
  const puts = new PutRecorder(rows, cols);
  const calls = new PutRecorder(rows, cols, Number.POSITIVE_INFINITY, true);
  const putOfCall: number[] = [];
  const reads = new ReadRecorder(() => calls.count);
  const watchedArray = (name: string, array: (typeof elements)[string]): typeof array =>
    reads.watched(
      array,
      declared.findIndex((declaration) => declaration.name === name),
    );
  const onPut = (row: number, column: number, value: number): void => {
    // Padded formats put cells outside the matrix as well.
    if (row >= rows || column >= cols) return;
    putOfCall.push(value === 0 ? -1 : puts.count);
    calls.put(row, column, value);
    puts.put(row, column, value);
  };
  runDecode(d, encoded, onPut, watchedArray);
  const run: WindowRecord = {
    params,
    encoding: { arrays, stores: stores.result(), narrated, parts: slices, zeros },
    decoding: {
      puts: puts.result().puts,
      reads: reads.result(),
      calls: { ...calls.result().puts, put: Int32Array.from(putOfCall) },
    },
  };
  return declaredTrace(d.id, window, encoded, run);
}

/** The members of a declared array that a story needs. */
function describedArray(array: TypedDeclaration, elements: ReturnType<typeof elementsOf>): ArrayDescription {
  const { name, element, role, meaning, quantised, offsetsInto, columns, fields, heads, padding } = array;
  const [cause] = [padding ?? []].flat();
  return {
    name,
    type: element,
    byteClass: role,
    meaning,
    ...(quantised && { quantised: { by: quantised.by, scales: quantised.scales } }),
    ...(offsetsInto !== undefined && { offsetsInto }),
    ...(columns && { columns: columns.below === undefined ? {} : { below: columns.below } }),
    ...(fields && {
      fields: Object.fromEntries(Object.keys(fields).map((field) => [field, elements[`${name}.${field}`]])),
    }),
    ...(heads && { heads: heads.every }),
    ...(cause && { filler: { reason: typeof cause.says === 'string' ? cause.says : null } }),
  };
}

/** The format's additions to its derived story. */
export interface StoryParts<E extends EncodedMatrix = EncodedMatrix> extends Pick<
  FormatStory<object, DeclaredStep>,
  'quotes' | 'questions' | 'tracesRejected'
> {
  readonly title: string;
  /** For a story without `frames`: how the format treats zeros, in at most nine words. */
  readonly aboutZeros?: string;
  /** whether the format is dense itself, which others are compared with; default: it is not */
  readonly isReference?: boolean;
  /** the kind of matrix that the story is about; default: weights */
  readonly matrixKind?: 'weights' | 'activations';
  /** The frames of a story. Default: chosen from the trace. */
  frames?(t: DeclaredTrace<E>): readonly Frame[];
  /** The frames between the first and the last, which every declared format has: 1 to 10. Instead of `frames`. */
  middleFrames?(t: DeclaredTrace<E>): readonly StoryFrame[];
  /** The lines of code that run in a step; `step` is null before the first one. Default: none. */
  code?(t: DeclaredTrace<E>, step: DeclaredStep | null): CodeExcerpt | null;
  /** Further panels after step `number`: below the arrays, or next to the matrix with the band `MATRIX_COLUMN`. */
  panels?(t: DeclaredTrace<E>, number: number): readonly Panel[];
  /** The name of an unusual step, such as 'overflow'; null: none. Default: padding and row ends have a name. */
  eventOf?(t: DeclaredTrace<E>, step: DeclaredStep): string | null;
  /** The matrix that the story shows instead of a rejected one, if `tracesRejected`. */
  replacement?(m: Matrix, p: object): Matrix;
}

/** The `band` of panels next to the matrix: panels of one band share a line. */
export const MATRIX_COLUMN = 1;

/** The derived panels, and the panels of the format next to the matrix or else above the bytes. */
function withFormatPanels(derived: readonly Panel[], formatPanels: readonly Panel[]): readonly Panel[] {
  const isNextTo = formatPanels.some(({ band }) => band === MATRIX_COLUMN);
  const bytes = derived.filter(({ id }) => id.startsWith('memory '));
  return [
    ...derived
      .filter((panel) => !bytes.includes(panel))
      .map((panel) => (isNextTo && panel.id === MATRIX_PANEL ? { ...panel, band: MATRIX_COLUMN } : panel)),
    ...formatPanels,
    ...bytes,
  ];
}

/** The story (animation) of a format: `parts`, and what follows from the stores, narration and reads of its codec. */
export function derivedStory<E extends EncodedMatrix, P extends object>(
  encoding: DerivedMembers<E, P>,
  parts: StoryParts<E>,
): FormatStory<P, DeclaredStep> {
  const d = declarationOf(encoding);
  if (!d) throw new RangeError('found an encoding that was not declared, expected the result of declareEncoding');
  const {
    title,
    aboutZeros,
    isReference,
    matrixKind,
    code,
    frames,
    middleFrames,
    panels,
    quotes,
    tracesRejected,
    replacement,
  } = parts;
  const encode = encoding.encodeSteps as unknown as AnyEncode;
  const declared = (t: Trace): DeclaredTrace<E> => t as DeclaredTrace<E>;
  const codeOf = (t: Trace, step: DeclaredStep | null): CodeExcerpt | null => code?.(declared(t), step) ?? null;
  const opening: Opening = {
    title,
    ledger: (t) => encoding.storage(declared(t).encoded),
    sizeReason: (t) => encoding.sizeReason(declared(t).encoded).text,
    ...(aboutZeros !== undefined && { aboutZeros }),
    ...(matrixKind && { matrixKind }),
    ...(isReference && { isReference }),
  };
  const framesBetween = (t: Trace): readonly Frame[] => {
    const [first, last] = endFrames(t, opening);
    return playerFrames([first, ...(middleFrames?.(declared(t)) ?? []), last]);
  };
  return withOpening(
    {
      admits: (m: Matrix, p: P) => encoding.admits(m, p),
      trace(m: Matrix, p: P) {
        const verdict = encoding.admits(m, p);
        if (verdict.ok) return traceOf(d, encode, m, p);
        if (tracesRejected?.(m, p) !== true || !replacement) throw new FormatError(verdict.reason);
        return { ...traceOf(d, encode, replacement(m, p), p), rejected: m };
      },
      scene(t: Trace<DeclaredStep>, number: number) {
        const drawn = scene(declared(t), number);
        return {
          ...drawn,
          panels: withFormatPanels(drawn.panels, panels?.(declared(t), number) ?? []),
          code: codeOf(t, number === 0 ? null : t.steps[number - 1].detail),
        };
      },
      kindOf(t: Trace<DeclaredStep>, step: DeclaredStep) {
        const event = parts.eventOf?.(declared(t), step);
        return { ...nameOfStep(step), ...(event && { name: event, event }), code: codeOf(t, step) };
      },
      bytes: (t: Trace) => storedBytes(declared(t)),
      questions: parts.questions ?? questionsOf<E>(title, ({ encoded }) => encoding.storage(encoded)),
      ...(quotes && { quotes }),
      ...(tracesRejected && { tracesRejected }),
      ...(frames && { frames: (t: Trace) => frames(declared(t)) }),
      ...(middleFrames && { frames: framesBetween }),
    },
    opening,
  );
}

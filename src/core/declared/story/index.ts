import type { EncodedMatrix } from '../../encoded/encoded.ts';
import { FormatError } from '../../errors.ts';
import type { FormatStory } from '../../format.ts';
import { finish } from '../../job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../matrix/index.ts';
import { withOpening } from '../../story/opening.ts';
import { observed } from '../builders.ts';
import { bitsForEach, resolved } from '../card.ts';
import type { FormatDeclaration } from '../declaration.ts';
import {
  admits,
  type AnyDeclaration,
  arraysOf,
  elementsOf,
  encodeSteps,
  openEncoding,
  runDecode,
  storage,
} from '../derive.ts';
import type { NarratedStep, Row, Run, TypedArray } from '../record.ts';
import { PutRecorder, ReadRecorder, StoreRecorder } from '../recorders.ts';
import { nameOfStep, questionsOf } from './questions.ts';
import { scene } from './scene.ts';
import { declaredTrace, type DeclaredStep, type DeclaredTrace } from './trace.ts';

/** Encodes a window and decodes it again, with every store, sentence, read and put. */
function traceOf(d: AnyDeclaration, m: Matrix, p: object): DeclaredTrace {
  const window = new CsrMatrix(toCsr(m));
  const encoded = finish(encodeSteps(d, window, p));
  const params = resolved(d.params, p as Record<string, unknown>, window);
  const declared = arraysOf(d, p, window);
  const elements = elementsOf(d, encoded);
  const arrays = declared.map(({ name, read, role, quantised }) => {
    const array: TypedArray = { name, type: read, byteClass: role, isQuantised: quantised !== undefined };
    return { array, elements: elements[name] };
  });

  const stores = new StoreRecorder();
  const { reader, builders } = openEncoding(d, window, p);
  const tells: NarratedStep[] = [];
  const tell = (say: string, row?: Row | number, column?: number): void => {
    const index = typeof row === 'object' ? row.index : row;
    tells.push({
      say,
      rows: index === undefined ? [] : [index],
      column: column ?? null,
      stores: stores.count,
      line: 0,
    });
  };
  const out = Object.fromEntries(builders.map((b, i) => [b.name, observed(b, stores.listenerOf(i))]));
  const { rows, cols } = window;
  for (const _ of d.encode(reader, out, { ...params, rows, cols }, tell)) continue;

  const puts = new PutRecorder(rows, cols);
  const reads = new ReadRecorder(() => puts.count);
  const watched = (name: string, found: (typeof elements)[string]): typeof found =>
    reads.watched(
      found,
      declared.findIndex((array) => array.name === name),
    );
  runDecode(d, encoded, (r, c, v) => puts.put(r, c, v), watched);
  const run: Run = {
    params,
    encoding: { arrays, stores: stores.taken(), tells },
    decoding: { puts: puts.taken().puts, reads: reads.taken() },
  };
  return declaredTrace(d.id, window, encoded, run);
}

/** The story of a format, from how it writes and reads its arrays, and what it tells meanwhile. */
export function storyOf(
  d: FormatDeclaration<string, Record<string, unknown>, EncodedMatrix>,
): FormatStory<Record<string, unknown>, DeclaredStep> {
  const { title, keeps } = d;
  const reasonOf = (t: DeclaredTrace): string =>
    (d.sizeReason?.(t.encoded) ?? bitsForEach(8 * storage(d, t.encoded).totalBytes, t.encoded.nnz)).text;
  return withOpening(
    {
      admits: (m: Matrix, p: Record<string, unknown>) => admits(d, m, p),
      trace(m: Matrix, p: Record<string, unknown>) {
        const verdict = admits(d, m, p);
        if (!verdict.ok) throw new FormatError(verdict.reason);
        return traceOf(d, m, p);
      },
      scene: (t, step) => ({ ...scene(t as DeclaredTrace, step), code: null }),
      kindOf: (t, step) => ({ ...nameOfStep(t as DeclaredTrace, step), code: null }),
      questions: questionsOf(title, ({ encoded }) => storage(d, encoded)),
    },
    {
      title,
      ledger: (t) => storage(d, (t as DeclaredTrace).encoded),
      sizeReason: (t) => reasonOf(t as DeclaredTrace),
      keeps,
    },
  );
}

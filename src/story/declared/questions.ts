import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { BYTE_CLASSES, type ByteClass, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { Misconception, Question } from '../question.ts';
import { bitsText, listText, say, strong } from '../../core/text/words.ts';
import { minus, of, times, workingOf } from '../computed.ts';
import { type DeclaredTrace, stepEncoded } from './trace.ts';

/** The data of the question: a trace, and the bytes of its window. */
interface BytesCase<T> {
  readonly trace: T;
  readonly ledger: StorageLedger;
}

const NAMES: Readonly<Record<ByteClass, string>> = {
  values: 'the values',
  indices: 'the positions of the values',
  metadata: 'the row starts',
  padding: 'the padding',
};

/** The data of a format for `bytesQuestion`. */
interface QuestionFormat<T extends DeclaredTrace> {
  readonly title: string;
  ledger(t: T): StorageLedger;
  /** a text on the layout, which the question contains: 'Values take 2 bytes, column numbers and row starts 4.' */
  hint(t: T): string;
  /** classes of bytes that students forget */
  readonly forgottenClasses: readonly ByteClass[];
  readonly misconceptions?: readonly Misconception<{ readonly trace: T }>[];
}

/**
 * The question: how many bytes does a window, the part of a matrix in a story, need? Wrong answers: the total without
 * each forgotten class, and `misconceptions`.
 */
export function bytesQuestion<T extends DeclaredTrace>(format: QuestionFormat<T>): Question<T, BytesCase<T>> {
  const forgotten = format.forgottenClasses.map((c): Misconception<BytesCase<T>> => ({
    id: `${c}-forgotten`,
    title: `${NAMES[c]} ${c === 'padding' ? 'takes' : 'take'} no space`,
    answer: ({ ledger }) =>
      // Nobody forgets what is not there.
      c === 'padding' && ledger.totalBits[c] === 0
        ? null
        : minus(of(ledger.totalBytes, 'bytes'), of(ledger.totalBits[c] / 8, 'bytes')),
    reply: ({ ledger }) => say`That leaves out ${NAMES[c]}: ${strong(bitsText(ledger.totalBits[c]))}.`,
    // The first step that stores such bytes shows that they take space.
    falseAt: ({ trace }) => stepOfClass(trace, c),
  }));
  return {
    id: 'bytes',
    unit: 'bytes',
    findCase: (trace) => (trace.window.nnz === 0 ? null : { trace, ledger: format.ledger(trace) }),
    needs: () => 'some cell is not zero',
    ask: ({ trace }) =>
      say`The matrix has ${trace.window.rows} rows, ${trace.window.cols} columns and ${trace.window.nnz} non-zeros. ${format.hint(trace)} How many bytes does ${format.title} take?`,
    answer: ({ ledger }) => ledger.totalBytes,
    parts: ({ ledger: { entries, totalBits } }) => [
      ...entries.map(({ bytes }) => bytes),
      ...BYTE_CLASSES.map((c) => totalBits[c] / 8),
    ],
    reason({ ledger }) {
      const parts = ledger.entries.map(({ array, bytes }) => `${bytes} for ${array}`);
      const [{ length, bytes }] = ledger.entries;
      return parts.length === 1
        ? say`It is one array: ${strong(workingOf(times(of(length, 'elements'), of(bytes / length, 'bytes'))))}.`
        : say`${parts.join(', ')}: together ${strong(`${ledger.totalBytes} bytes`)}.`;
    },
    // The question comes before the encoding ends, and the step in which it ends shows the answer.
    steps: ({ trace }) => ({ before: stepEncoded(trace) - 1, shows: stepEncoded(trace) }),
    misconceptions: [...forgotten, ...(format.misconceptions ?? [])],
  };
}

/** `bytesQuestion` of a declared format, one given by its arrays. `nameOf`: an array's name in words. */
export function questionsOf<E extends EncodedMatrix>(
  title: string,
  ledger: (t: DeclaredTrace<E>) => StorageLedger,
  nameOf: (array: string) => string = (array) => array,
): readonly Question[] {
  const hint = ({ run }: DeclaredTrace<E>): string =>
    `Its elements are ${listText(run.encoding.arrays.map(({ array: { name, type } }) => `${type.name} in ${nameOf(name)}`))}.`;
  const bytes = bytesQuestion<DeclaredTrace<E>>({ title, ledger, hint, forgottenClasses: ['indices', 'metadata'] });
  return [bytes] as readonly Question[];
}

/** The number of the step in which bytes of this class are first stored, or in which the encoding ends if none are. */
export function stepOfClass({ steps, run: { encoding } }: DeclaredTrace, byteClass: ByteClass): number {
  const first = steps.findIndex(({ detail }) => {
    if (detail.kind !== 'stored') return detail.kind === 'encoded';
    if (byteClass === 'padding') return detail.what === 'padding';
    return detail.elements.some(([array]) => encoding.arrays[array].array.byteClass === byteClass);
  });
  return first + 1;
}

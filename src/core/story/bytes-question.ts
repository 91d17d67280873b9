import { BYTE_CLASSES, type ByteClass, type StorageLedger } from '../encoded/ledger.ts';
import type { Misconception, Question } from './question.ts';
import type { Trace } from './trace.ts';
import { bitsText, say, strong } from './words.ts';

interface BytesSubject<T> {
  readonly trace: T;
  readonly ledger: StorageLedger;
}

const NAMES: Readonly<Record<ByteClass, string>> = {
  values: 'the values',
  indices: 'what says where the values are',
  metadata: 'what says where each row begins',
  padding: 'the padding',
};

/** What a format says about itself for the question how many bytes a window takes in it. */
export interface QuestionBytes<T extends Trace> {
  readonly title: string;
  ledger(t: T): StorageLedger;
  /** what the reader has to know of the layout: 'Values take 2 bytes, column numbers and row starts 4.' */
  hint(t: T): string;
  /** The step in which bytes of this class are first stored. */
  stores(t: T, byteClass: ByteClass): number;
  /** the step that shows the total, and the one before it */
  span(t: T): { readonly before: number; readonly shows: number };
  /** classes that people forget */
  readonly forgotten: readonly ByteClass[];
  readonly misconceptions?: readonly Misconception<{ readonly trace: T }>[];
}

/** The question how many bytes the window takes. Wrong answers: the values alone, and the total without each forgotten class. */
export function bytesQuestion<T extends Trace>(about: QuestionBytes<T>): Question<T, BytesSubject<T>> {
  const forgotten = about.forgotten.map((c): Misconception<BytesSubject<T>> => ({
    id: `${c}-forgotten`,
    title: `${NAMES[c]} ${c === 'values' ? 'take' : 'takes'} no space`,
    answer: ({ ledger }) => ledger.totalBytes - ledger.totalBits[c] / 8,
    reply: ({ ledger }) => say`That leaves out ${NAMES[c]}: ${strong(bitsText(ledger.totalBits[c]))}.`,
    departs: ({ trace }) => about.stores(trace, c),
  }));
  return {
    id: 'bytes',
    unit: 'bytes',
    subject: (trace) => (trace.window.nnz === 0 ? null : { trace, ledger: about.ledger(trace) }),
    ask: ({ trace }) =>
      say`The matrix has ${trace.window.rows} rows, ${trace.window.cols} columns and ${trace.window.nnz} non-zeros. ${about.hint(trace)} How many bytes does ${about.title} take?`,
    answer: ({ ledger }) => ledger.totalBytes,
    parts: ({ ledger: { entries, totalBits } }) => [
      ...entries.map(({ bytes }) => bytes),
      ...BYTE_CLASSES.map((c) => totalBits[c] / 8),
    ],
    because({ ledger }) {
      const parts = ledger.entries.map(({ array, bytes }) => `${bytes} for ${array}`);
      return parts.length === 1
        ? say`It is one array of ${strong(`${ledger.totalBytes} bytes`)}.`
        : say`${parts.join(', ')}: together ${strong(`${ledger.totalBytes} bytes`)}.`;
    },
    span: ({ trace }) => about.span(trace),
    misconceptions: [...forgotten, ...(about.misconceptions ?? [])],
  };
}

import { sizeOf, sizeShareOf } from '../../../core/encoded/ledger.ts';
import { resolvedParams, storedKey } from '../../../core/format.ts';
import { wordsOf } from '../../../story/frames.ts';
import { fact, scoped, sizeFact, type Stated, stated } from '../../../core/text/stated.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { useDocument, useSession } from '../../../kit/app-context.ts';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { matrixInText, THIS_MATRIX } from '../../../kit/words/answer-names.ts';
import { placementOf } from '../../../state/index.ts';
import { expectedSize, valueBits } from '../../../theory/expected-bytes.ts';
import type { Side } from '../use-sides.ts';

/** The bytes of the whole matrix in one format. */
export interface SideAnswer {
  readonly name: string;
  /** text that identifies format and parameters */
  readonly key: string;
  /** of the whole matrix; null if the format cannot store it */
  readonly bytes: number | null;
  /** the bytes are from the format's closed form, since the matrix is not encoded */
  readonly isExpected: boolean;
  /** its bytes divided by the bytes of dense with the same value type */
  readonly effectiveDensity: number | null;
}

/** The bytes of `matrix` in formats A and B, and the reason for A's ('4 B of column for every 2 B'). */
export function answerWords(a: SideAnswer, b: SideAnswer | null, reason: Stated | null, matrix = THIS_MATRIX): Stated {
  // The reason counts the whole matrix, not only the window on the stage.
  const because = reason === null || a.bytes === null ? '.' : stated`: ${scoped('matrix', reason)}.`;
  if (a.bytes === null) {
    if (b === null) return stated`${a.name} cannot store ${matrix}.`;
    return b.bytes === null
      ? stated`Neither ${a.name} nor ${b.name} can store ${matrix}.`
      : stated`${a.name} cannot store ${matrix}; ${b.name} stores it in *${size(b)}*.`;
  }
  if (!b) {
    const density = a.effectiveDensity;
    const share =
      density === null
        ? ''
        : scoped('matrix', stated`, ${fact('share of dense, the matrix', density, 'share')} of dense`);
    return stated`${a.name} stores ${matrix} in *${size(a)}*${share}${because}`;
  }
  if (b.bytes === null) return stated`${a.name} stores ${matrix} in *${size(a)}*; ${b.name} cannot store it.`;
  return stated`${a.name} stores ${matrix} in *${size(a)}, ${b.name} in ${size(b, size(a))}*${because}`;
}

/** The bytes in a format. The word 'bytes' is omitted if `before`, the size that the text names first, has it. */
function size({ key, bytes, isExpected }: SideAnswer, before?: Stated): Stated {
  const hasUnit = before?.facts[0].unit !== undefined;
  return stated`${isExpected ? 'about ' : ''}${sizeFact(key, bytes ?? 0, hasUnit)}`;
}

/** The bytes of the whole matrix in both formats, in one line; the old answer is dimmed until the new one arrives. */
export function WatchAnswer({ sides }: { readonly sides: readonly Side[] }) {
  const summary = useSession((s) => s.summary);
  const source = useDocument((doc) => doc.source);
  const [a, b] = sides;
  const matrix = matrixInText(source, summary?.location);
  const words = summary && storedWords(summary, a, b ?? null, matrix);
  const waiting = summary ? `Counting the bytes of ${matrix}` : '\u00a0';
  return (
    <AnswerLine
      className="watch-answer data-old:opacity-45 font-normal text-end text-balance"
      words={words && wordsOf(words)}
      waitingText={waiting}
      isAnnounced={false}
    />
  );
}

/** The text on the bytes in A and B, or on a failed encoding; null while the bytes are unknown. */
export function storedWords(summary: MatrixSummary, a: Side, b: Side | null, matrix: string): Stated | null {
  for (const side of b ? [a, b] : [a]) {
    const { encoding, name } = side;
    if (encoding?.kind === 'failed') return stated`${name}: ${encoding.reason}`;
    if (encoding?.kind === 'cancelled') return stated`Encoding as ${name} was cancelled.`;
  }
  const [answerA, answerB] = [answerOf(summary, a), b && answerOf(summary, b)];
  if (answerA === null || (b && answerB === null)) return null;
  return answerWords(answerA, answerB, reasonOf(summary, a), matrix);
}

/** The bytes in a format, by its encoding or by the closed form; null while both are unknown. */
export function answerOf(
  summary: MatrixSummary,
  { name, format, stored, encoding }: Pick<Side, 'name' | 'format' | 'stored' | 'encoding'>,
): SideAnswer | null {
  const key = storedKey(format.id, resolvedParams(format.params, stored.params, summary));
  if (encoding?.kind === 'ready') {
    const { ledger } = encoding.summary;
    return {
      name,
      key,
      bytes: ledger && sizeOf(ledger),
      effectiveDensity: ledger && sizeShareOf(ledger),
      isExpected: false,
    };
  }
  // With `sampledRows`, only some rows of random weights were generated: the bytes come from the closed form.
  if (summary.sampledRows === undefined) return null;
  const size = expectedSize(format, stored.params, summary.density, summary, placementOf(summary.source));
  if (size === null) return null;
  if (size === 'refused') return { name, key, bytes: null, effectiveDensity: null, isExpected: true };
  const denseBits = summary.rows * summary.cols * valueBits(stored.params);
  return { name, key, bytes: size, effectiveDensity: (8 * size) / denseBits, isExpected: true };
}

/** The reason for a format's number of bytes: from its encoding, else from the closed form. */
function reasonOf({ density, rows, cols }: MatrixSummary, { format, stored, encoding }: Side): Stated | null {
  if (encoding?.kind === 'ready') return encoding.summary.reason;
  const shape = { rows, cols };
  return format.expectedReason?.(density, resolvedParams(format.params, stored.params, shape), shape) ?? null;
}

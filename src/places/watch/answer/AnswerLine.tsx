import { resolvedParams } from '../../../core/format.ts';
import type { Words } from '../../../core/story/scene.ts';
import { bytesText, countText, say, strong, threeDigits } from '../../../core/story/words.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { useDocument, useSession } from '../../../kit/app-context.ts';
import { AnswerLine as Line } from '../../../kit/frame/AnswerLine.tsx';
import { storedMatrix, THIS_MATRIX } from '../../../kit/words/stored-matrix.ts';
import { placementOf } from '../../../state/index.ts';
import { expectedSize, valueBits } from '../../../theory/expected-bytes.ts';
import type { Side } from '../sides.ts';

/** What is known of the whole matrix in one format. */
export interface SideAnswer {
  readonly name: string;
  /** of the whole matrix; null if the format cannot store it */
  readonly bytes: number | null;
  /** from the closed form: nobody has encoded it yet */
  readonly isExpected: boolean;
  /** of dense with the same value type */
  readonly effectiveDensity: number | null;
}

/**
 * Bytes in one or both formats, and why A needs its own: '4 B of column for every 2 B of value', or null. `of` is what is
 * stored, in words.
 */
export function answerWords(
  a: SideAnswer,
  b: SideAnswer | null,
  reason: string | null,
  of = THIS_MATRIX,
): readonly Words[] {
  const because = reason === null || a.bytes === null ? '.' : `: ${reason}.`;
  if (a.bytes === null) {
    if (b && b.bytes === null) return say`Neither ${a.name} nor ${b.name} can store ${of}.`;
    const other = b ? say`; ${b.name} stores it in ${strong(size(b))}` : [];
    return [...say`${a.name} cannot store ${of}`, ...other, ...say`.`];
  }
  const stores = say`${a.name} stores ${of} in `;
  if (!b) {
    const share = a.effectiveDensity === null ? '' : `, ${threeDigits(a.effectiveDensity)} of dense`;
    return [...stores, ...say`${strong(size(a))}${share}${because}`];
  }
  if (b.bytes === null) return [...stores, ...say`${strong(size(a))}; ${b.name} cannot store it.`];
  const both = `${size(a)}, ${b.name} in ${size(b, a.bytes < IN_FULL)}`;
  return [...stores, ...say`${strong(both)}${because}`];
}

/** Below, bytes are written in full. */
const IN_FULL = 1e6;

/** '199 352 bytes', '73.4 MB'. Of the second of two, the unit need not be said again. */
function size({ bytes, isExpected }: SideAnswer, isUnitSaid = false): string {
  const count = bytes ?? 0;
  const about = isExpected ? 'about ' : '';
  if (count >= IN_FULL) return `${about}${bytesText(count)}`;
  return `${about}${countText(count)}${isUnitSaid ? '' : ` ${count === 1 ? 'byte' : 'bytes'}`}`;
}

/** The bytes of the whole matrix in both formats, in one line; the old answer is dimmed until the new one is there. */
export function AnswerLine({ sides }: { readonly sides: readonly Side[] }) {
  const summary = useSession((s) => s.summary);
  const source = useDocument((doc) => doc.source);
  const [a, b] = sides;
  const of = storedMatrix(source, summary?.place);
  const fresh = summary && storedWords(summary, a, b ?? null, of);
  const waiting = summary ? `Counting the bytes of ${of}` : '\u00a0';
  return (
    <Line className="watch-answer weight-400 text-end balance" words={fresh} waiting={waiting} isAnnounced={false} />
  );
}

/** The bytes of a matrix in both formats; null while they are not known. */
export function storedWords(summary: MatrixSummary, a: Side, b: Side | null, of: string): readonly Words[] | null {
  for (const side of b ? [a, b] : [a]) {
    const { encoding, name } = side;
    if (encoding?.kind === 'failed') return say`${name}: ${encoding.reason}`;
    if (encoding?.kind === 'cancelled') return say`Encoding as ${name} was cancelled.`;
  }
  const [ofA, ofB] = [answerOf(summary, a), b && answerOf(summary, b)];
  if (ofA === null || (b && ofB === null)) return null;
  return answerWords(ofA, ofB, reasonOf(summary, a), of);
}

/** null while nothing is known. */
export function answerOf(
  summary: MatrixSummary,
  { name, format, stored, encoding }: Pick<Side, 'name' | 'format' | 'stored' | 'encoding'>,
): SideAnswer | null {
  if (encoding?.kind === 'ready') {
    const { ledger } = encoding.summary;
    const { totalBytes = null, effectiveDensity = null } = ledger ?? {};
    return { name, bytes: totalBytes, effectiveDensity, isExpected: false };
  }
  // Nobody has asked for all stand-in weights: the closed form knows enough.
  if (summary.sampledRows === undefined) return null;
  const size = expectedSize(format, stored.params, summary.density, summary, placementOf(summary.source));
  if (size === null) return null;
  if (size === 'refused') return { name, bytes: null, effectiveDensity: null, isExpected: true };
  const denseBits = summary.rows * summary.cols * valueBits(stored.params);
  return { name, bytes: size, effectiveDensity: (8 * size) / denseBits, isExpected: true };
}

/** Of an encoding its own reason; of one that is only expected, that of its closed form. */
function reasonOf({ density, rows, cols }: MatrixSummary, { format, stored, encoding }: Side): string | null {
  if (encoding?.kind === 'ready') return encoding.summary.reason;
  const shape = { rows, cols };
  return format.expectedReason?.(density, resolvedParams(format.params, stored.params, shape), shape).text ?? null;
}

import { useState } from 'react';
import { resolvedParams } from '../../../core/format.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Words } from '../../../core/story/scene.ts';
import { say } from '../../../core/story/words.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { useSession } from '../../../kit/app-context.ts';
import { useAnswer } from '../../../kit/frame/shell-context.ts';
import { sizeCurve } from '../../../kit/report/density-curves.ts';
import type { Side } from '../sides.ts';
import { answerWords, type SideAnswer } from './answer-words.ts';

/** The bytes of the whole matrix in both formats, in one line; the old answer is dimmed until the new one is there. */
export function AnswerLine({ sides }: { readonly sides: readonly Side[] }) {
  const summary = useSession((s) => s.summary);
  const [a, b] = sides;
  const fresh = summary && wordsOf(summary, a, b ?? null);
  const [last, setLast] = useState<readonly Words[] | null>(null);
  // The same words are the same object: others hear of new ones only.
  const isNew = fresh !== null && textOf(fresh) !== textOf(last ?? []);
  if (isNew) setLast(fresh);
  const words = isNew ? fresh : last;
  useAnswer(words);
  return (
    <h2
      className="watch-answer"
      aria-live="polite"
      aria-busy={fresh === null}
      data-old={(fresh === null && last !== null) || undefined}
    >
      {words?.map((word, i) => {
        // The whole sentence changes at once: a word's place in it is all that a key can be.
        const key = `${i} ${word.text}`;
        return word.strong ? <strong key={key}>{word.text}</strong> : <span key={key}>{word.text}</span>;
      }) ?? (summary ? 'The bytes of this matrix are being counted.' : '\u00a0')}
    </h2>
  );
}

function textOf(words: readonly Words[]): string {
  return words.map(({ text }) => text).join('');
}

function wordsOf(summary: MatrixSummary, a: Side, b: Side | null): readonly Words[] | null {
  for (const side of b ? [a, b] : [a]) {
    const { encoding, name } = side;
    if (encoding?.kind === 'failed') return say`${name}: ${encoding.reason}`;
    if (encoding?.kind === 'cancelled') return say`Encoding as ${name} was cancelled.`;
  }
  const [ofA, ofB] = [answerOf(summary, a), b && answerOf(summary, b)];
  if (ofA === null || (b && ofB === null)) return null;
  return answerWords(ofA, ofB, reasonOf(summary, a));
}

/** null while nothing is known. */
function answerOf(summary: MatrixSummary, { name, format, stored, encoding }: Side): SideAnswer | null {
  if (encoding?.kind === 'ready') {
    const { ledger } = encoding.summary;
    const { totalBytes = null, effectiveDensity = null } = ledger ?? {};
    return { name, bytes: totalBytes, effectiveDensity, isExpected: false };
  }
  // Nobody has asked for all stand-in weights: the closed form knows enough.
  if (summary.sampledRows === undefined) return null;
  const bits = VALUE_BITS[(stored.params.valueType ?? 'f16') as keyof typeof VALUE_BITS] ?? VALUE_BITS.f16;
  const effectiveDensity = sizeCurve(format, stored.params, summary)?.(summary.density).expected;
  if (effectiveDensity === undefined) return null;
  const bytes = Math.round((effectiveDensity * summary.rows * summary.cols * bits) / 8);
  return { name, bytes, effectiveDensity, isExpected: true };
}

function reasonOf({ density, rows, cols }: MatrixSummary, { format, stored }: Side): string | null {
  const shape = { rows, cols };
  return format.sizeReason?.(density, resolvedParams(format.params, stored.params, shape), shape) ?? null;
}

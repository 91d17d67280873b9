import { counted } from '../../../../src/core/text/words.ts';
import { brokenTokens, freeTokens, isBrokenInBoth, type TextPair } from './text-pair.ts';
import { brokenWords } from './headline.ts';
import { drawnTokens } from './wrap.ts';

/** An excerpt of the pruned model's own text: where it differs from the dense model's text, and its first error. */
export function FreePart({ text }: { readonly text: TextPair }) {
  if (text.free === null || text.outcome === null) return <div className="grid gap-2" />;
  const { fork } = text.free;
  const tokens = freeTokens(text);
  const broken = brokenTokens(text);
  const start = text.prompt.length;
  return (
    <div className="grid gap-2">
      <h3>
        On its own:{' '}
        <span className="section-caption">
          {tokens.length === fork ? 'the same to the end' : `the same for ${counted(fork, 'token')}, then`}
        </span>
      </h3>
      {tokens.length > fork && (
        <FreePreview
          tokens={drawnTokens([...text.prompt, ...tokens])}
          from={start + fork}
          broken={broken && { from: broken.from + start, to: broken.to + start }}
        />
      )}
      <BrokenLaw text={text} />
    </div>
  );
}

/**
 * The first error in the pruned model's own text: a broken law of tales, the short stories that the shipped models
 * write (tales/judge.ts).
 */
export function BrokenLaw({ text }: { readonly text: TextPair }) {
  const verdict = text.outcome?.verdicts?.free ?? null;
  const law = brokenWords(verdict, isBrokenInBoth(text));
  if (law === null) return verdict && <p className="text-muted text-12">No law is broken.</p>;
  return (
    <p className="text-muted text-12">
      <b className="text-danger">{law.law}</b>
      {law.description}
    </p>
  );
}

interface FreePreviewProps {
  readonly tokens: readonly string[];
  /** the first token that differs from the dense text */
  readonly from: number;
  /** the tokens of the first error; null: none */
  readonly broken: { readonly from: number; readonly to: number } | null;
}

/** Maximum tokens of the excerpt after `from`, unless the first error comes later. */
const PREVIEW_TOKENS = 60;

/** Some words before `from`, and the text from there to the first error, or to the end of a sentence. */
function FreePreview({ tokens, from, broken }: FreePreviewProps) {
  let begin = from;
  while (begin > 0 && from - begin < 8 && !/[.!?]"?$/.test(tokens[begin - 1] ?? '')) begin--;
  while (begin > 0 && !/^\s/.test(tokens[begin])) begin--;
  const min = broken ? broken.to : from;
  let end = Math.min(tokens.length, Math.max(min, from + 1));
  while (end < tokens.length && (end - from < 12 || end - min < 4 || !/[.!?]"?$/.test(tokens[end - 1]))) {
    if (end - from >= PREVIEW_TOKENS && end > min) break;
    end++;
  }
  const join = (a: number, b: number): string => tokens.slice(a, Math.max(a, b)).join('');
  const marked = broken && broken.from < end ? broken : null;
  const ownFrom = marked ? Math.min(from, marked.from) : from;
  return (
    <p className="leading-[1.6] text-16 wrap-anywhere">
      <span className="text-muted">
        {begin > 0 && '… '}
        {join(begin, ownFrom).trimStart()}
      </span>
      {marked ? (
        <>
          {join(ownFrom, marked.from)}
          {/^\s/.test(tokens[marked.from] ?? '') && ' '}
          <b className="token-broken">{join(marked.from, marked.to).trimStart()}</b>
          {join(marked.to, end)}
        </>
      ) : (
        join(from, end)
      )}
      {end < tokens.length && ' …'}
    </p>
  );
}

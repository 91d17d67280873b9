import { counted } from '../../../../src/core/text/words.ts';
import { brokenTokens, excerptRange, freeTokens, isBrokenInBoth, type TextPair } from './text-pair.ts';
import { brokenWords } from './headline.ts';
import { drawnTokens } from './wrap.ts';

/**
 * An excerpt of the text that the pruned model writes by itself (`text.free`): where it first differs from the dense
 * model's text, and its first error.
 */
export function OwnTextExcerpt({ text }: { readonly text: TextPair }) {
  if (text.free === null || text.outcome === null) return <div className="grid gap-2" />;
  const { firstDifference } = text.free;
  const tokens = freeTokens(text);
  const broken = brokenTokens(text);
  const start = text.prompt.length;
  return (
    <div className="grid gap-2">
      <h3>
        On its own:{' '}
        <span className="section-caption">
          {tokens.length === firstDifference
            ? 'the same to the end'
            : `the same for ${counted(firstDifference, 'token')}, then`}
        </span>
      </h3>
      {tokens.length > firstDifference && (
        <OwnTextPreview
          tokens={drawnTokens([...text.prompt, ...tokens])}
          firstDifference={start + firstDifference}
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
      <b className="text-danger">{law.title}</b>
      {law.description}
    </p>
  );
}

interface OwnTextPreviewProps {
  readonly tokens: readonly string[];
  /** the first token that differs from the dense text */
  readonly firstDifference: number;
  /** the tokens of the first error; null: none */
  readonly broken: { readonly from: number; readonly to: number } | null;
}

/** Some words before the first difference, and the text from there to the first error, or to the end of a sentence. */
function OwnTextPreview({ tokens, firstDifference, broken }: OwnTextPreviewProps) {
  const { from, to } = excerptRange(tokens, firstDifference, broken);
  const join = (first: number, end: number): string => tokens.slice(first, Math.max(first, end)).join('');
  const marked = broken && broken.from < to ? broken : null;
  const sharedEnd = marked ? Math.min(firstDifference, marked.from) : firstDifference;
  return (
    <p className="leading-[1.6] text-16 wrap-anywhere">
      <span className="text-muted">
        {from > 0 && '… '}
        {join(from, sharedEnd).trimStart()}
      </span>
      {marked ? (
        <>
          {join(sharedEnd, marked.from)}
          {/^\s/.test(tokens[marked.from] ?? '') && ' '}
          <b className="token-broken">{join(marked.from, marked.to).trimStart()}</b>
          {join(marked.to, to)}
        </>
      ) : (
        join(firstDifference, to)
      )}
      {to < tokens.length && ' …'}
    </p>
  );
}

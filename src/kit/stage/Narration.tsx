import type { Words } from '../../core/text/words.ts';

interface NarrationProps {
  readonly words: readonly Words[];
  /** CSS colours of the names of the two compared formats, by tone */
  readonly colors?: Readonly<Record<NonNullable<Words['tone']>, string>>;
}

/** '4-bit' and '4 bits' stay on one line: a word joiner after the hyphen, a space that does not break. */
const unbroken = (text: string): string =>
  text.replace(/(\d)-(?=\p{L})/gu, '$1-\u2060').replace(/(\d) (?=bits?\b)/g, '$1\u00a0');

/** What happens in this step of a format's animation, in words; screen readers speak them when they change. */
export function Narration({ words, colors }: NarrationProps) {
  // Space for two lines, or three if narrow: a longer text in the next step moves nothing.
  return (
    <p
      className="narration text-18 text-pretty mb-4 leading-[1.45] max-w-[48rem] min-h-[2lh] @max-[34rem]:text-15 @max-[34rem]:min-h-[3lh]"
      aria-live="polite"
      aria-atomic="true"
    >
      {words.map((word, i) => {
        // The whole text changes at once, so the position of a word is its only identity.
        const key = `${i} ${word.text}`;
        const style = word.tone && colors ? { color: colors[word.tone] } : undefined;
        return word.strong ? (
          <strong key={key} style={style}>
            {unbroken(word.text)}
          </strong>
        ) : (
          <span key={key}>{unbroken(word.text)}</span>
        );
      })}
    </p>
  );
}

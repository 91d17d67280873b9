import { useMemo } from 'react';
import { arraysIn } from '../editor/completions.ts';

const KEYWORD = /^(?:export|const|let|for|of|if|else|while|return|function|new)$/;
const PARTS = /(\/\/.*|'[^'\n]*'|`[^`]*`|[A-Za-z_$][\w$]*)/;

/** A module as the editor shows one: keywords, texts, and arrays by what they hold. */
export function Highlighted({ text }: { readonly text: string }) {
  const parts = useMemo(() => {
    const arrays = arraysIn(text);
    return text.split(PARTS).map((part) => {
      if (KEYWORD.test(part)) return { part, kind: 'keyword' };
      if (/^(?:\/\/|['`])/.test(part)) return { part, kind: 'quiet' };
      return { part, kind: arrays.get(part) ?? null };
    });
  }, [text]);
  return parts.map(({ part, kind }, i) =>
    kind === null ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts are known by their place
      <span key={i} className={`own-word--${kind}`}>
        {part}
      </span>
    ),
  );
}

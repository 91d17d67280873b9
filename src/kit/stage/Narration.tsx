import type { Words } from '../../core/story/scene.ts';

/** What happens in this step, in words; read out politely as it changes. */
export function Narration({ words }: { readonly words: readonly Words[] }) {
  return (
    <p className="narration" aria-live="polite" aria-atomic="true">
      {words.map((word, i) => {
        // The whole sentence changes at once: a word's place in it is all that a key can be.
        const key = `${i} ${word.text}`;
        return word.strong ? <strong key={key}>{word.text}</strong> : <span key={key}>{word.text}</span>;
      })}
    </p>
  );
}

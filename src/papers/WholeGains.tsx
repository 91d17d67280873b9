import { useApp } from '../kit/app-context.ts';
import { TextButton } from '../kit/controls/Button.tsx';
import { Note } from '../kit/primitives/Text.tsx';
import { countText, threeDigits } from '../core/story/words.ts';
import type { WholeGain } from './whole-gains.ts';

/** Where the gain of a whole model with its activations in a format is from. */
export function WholeGainNote({ title, gain }: { readonly title: string; readonly gain: WholeGain }) {
  const { session } = useApp();
  const { measured, published } = gain;
  return (
    <Note className="underlined">
      {title}: {threeDigits(measured.gain)} times as fast as dense. {measured.model} read {countText(measured.tokens)}{' '}
      tokens at once, measured on an {measured.on} without tensor cores:{' '}
      <TextButton onClick={() => session.follow('worth')}>from kernel to model</TextButton>.
      {published && (
        <>
          {' '}
          Published: {threeDigits(published.min)} to {threeDigits(published.max)}, on {published.on}:{' '}
          <a href={published.url} rel="noreferrer">
            {published.paper}
          </a>
          , {published.place}.
        </>
      )}
    </Note>
  );
}

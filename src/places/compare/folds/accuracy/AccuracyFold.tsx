import { useDocument } from '../../../../kit/app-context.ts';
import { flagChoice, useChoices } from '../../../../kit/browser/choices.ts';
import { lazyPart } from '../../../../kit/browser/lazy-part.ts';
import { baseOf } from '../../../../state/index.ts';
import { LanguageModels } from './LanguageModels.tsx';
import { Suspense } from 'react';

const DigitsNetwork = lazyPart(async () => (await import('./DigitsNetwork.tsx')).DigitsNetwork);

const FIELDS = {
  /** the network that reads digits is asked about though the sentence is about something else */
  digits: flagChoice(false),
};

/** What pruning costs in accuracy: measured on the network that reads digits; of others, what was published. */
export function AccuracyFold() {
  const isDigits = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'example' && base.id.startsWith('digits-');
  });
  const [{ digits }, choose] = useChoices(FIELDS);
  const network = (
    <Suspense fallback={<div className="fold-room" aria-busy="true" />}>
      <DigitsNetwork />
    </Suspense>
  );
  if (isDigits) {
    return (
      <>
        {network}
        <LanguageModels />
      </>
    );
  }
  return (
    <>
      <p className="network-unknown">
        <strong>Not known here:</strong> what these weights lose is measured by running the model, which this page does
        for the network that reads digits alone.
      </p>
      <LanguageModels />
      <details
        className="disclosure network-example"
        open={digits}
        onToggle={({ currentTarget: { open } }) => {
          if (open !== digits) choose({ digits: open });
        }}
      >
        <summary>An example that runs here: a network that reads digits</summary>
        {digits && network}
      </details>
    </>
  );
}

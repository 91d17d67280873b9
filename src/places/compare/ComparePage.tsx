import './compare.css';
import { useCallback, useMemo } from 'react';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { ChoiceContext } from '../../kit/browser/choices.ts';
import { type Choices, placeState } from '../../state/index.ts';
import { COMPARING, withChosen } from './address.ts';
import { AllFormats } from './AllFormats.tsx';

/** All formats for the sentence; what is chosen here is in the address. */
export function ComparePage() {
  const { document } = useApp();
  const texts = useDocument((doc) => placeState(doc, COMPARING).choices);
  const choose = useCallback(
    (changed: Choices) => document.setState(withChosen(document.getState(), changed)),
    [document],
  );
  const chosen = useMemo(() => ({ texts, choose }), [texts, choose]);
  return (
    <div className="compare-place">
      <ChoiceContext value={chosen}>
        <AllFormats />
      </ChoiceContext>
    </div>
  );
}

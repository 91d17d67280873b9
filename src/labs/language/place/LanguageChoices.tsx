import { type ReactNode, useCallback, useMemo } from 'react';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { ChoiceContext } from '../../../kit/browser/choices.ts';
import { type Choices, placeState } from '../../../state/index.ts';
import { SPEAKING, withChosen } from './address.ts';

/** Gives what is inside the choices of the place, which are in its address. */
export function LanguageChoices({ children }: { readonly children: ReactNode }) {
  const { document } = useApp();
  const texts = useDocument((doc) => placeState(doc, SPEAKING).choices);
  const choose = useCallback(
    (changed: Choices) => document.setState(withChosen(document.getState(), changed)),
    [document],
  );
  const chosen = useMemo(() => ({ texts, choose }), [texts, choose]);
  return <ChoiceContext value={chosen}>{children}</ChoiceContext>;
}

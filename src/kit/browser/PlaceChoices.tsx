import { type ReactNode, useCallback, useMemo } from 'react';
import { type Choices, type PlaceAddress, placeState, withChosen } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';
import { ChoiceContext } from './choices.ts';

interface PlaceChoicesProps<S extends { readonly choices: Choices }> {
  /** the page whose address stores the choices */
  readonly place: PlaceAddress<S>;
  /** other fields of the page to set with every choice; the same object in every render */
  readonly others?: Partial<S>;
  readonly children: ReactNode;
}

/** Lets the components inside read and change the choices of a page by `useChoices`. */
export function PlaceChoices<S extends { readonly choices: Choices }>({
  place,
  others,
  children,
}: PlaceChoicesProps<S>) {
  const { document } = useApp();
  const texts = useDocument((doc) => placeState(doc, place).choices);
  const choose = useCallback(
    (changed: Choices): void => {
      const doc = document.getState();
      const now = placeState(doc, place).choices;
      const isNew = Object.entries(changed).some(([name, text]) => (now[name] ?? '') !== text);
      if (isNew) document.setState(withChosen(doc, place, changed, others));
    },
    [document, place, others],
  );
  const chosen = useMemo(() => ({ texts, choose }), [texts, choose]);
  return <ChoiceContext value={chosen}>{children}</ChoiceContext>;
}

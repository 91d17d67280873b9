import { type ReactNode, useCallback, useMemo } from 'react';
import { type Choices, type PageAddress, pageState, withChosen } from '../../state/index.ts';
import { useApp, useDocument } from '../app-context.ts';
import { ChoiceContext } from './choices.ts';

interface PageChoicesProps<S extends { readonly choices: Choices }> {
  /** the page whose address stores the choices */
  readonly page: PageAddress<S>;
  /** other fields of the page to set with every choice; the same object in every render */
  readonly otherFields?: Partial<S>;
  readonly children: ReactNode;
}

/** Lets the components inside read and change the choices of a page by `useChoices`. */
export function PageChoices<S extends { readonly choices: Choices }>({
  page,
  otherFields,
  children,
}: PageChoicesProps<S>) {
  const { document } = useApp();
  const texts = useDocument((doc) => pageState(doc, page).choices);
  const choose = useCallback(
    (changed: Choices): void => {
      const doc = document.getState();
      const now = pageState(doc, page).choices;
      const isNew = Object.entries(changed).some(([name, text]) => (now[name] ?? '') !== text);
      if (isNew) document.setState(withChosen(doc, page, changed, otherFields));
    },
    [document, page, otherFields],
  );
  const chosen = useMemo(() => ({ texts, choose }), [texts, choose]);
  return <ChoiceContext value={chosen}>{children}</ChoiceContext>;
}

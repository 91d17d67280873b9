// Links from a custom format to pages that can show it.

import { useState } from 'react';
import { userFormatId } from '../own/user-format-source.ts';
import {
  defaultChoice,
  followLink,
  type FormatParams,
  withChoiceA,
  type LinkTargets,
} from '../../../src/state/index.ts';
import { useApp } from '../../../src/kit/app-context.ts';
import { TextButton } from '../../../src/kit/controls/Button.tsx';
import { openFormat } from './open-format.ts';

/** Pages that can show a format: label, and id of the link. */
const PAGES = [
  ['Watch', 'stage'],
  ['Compare', 'formats'],
  ['Measure', 'runs'],
] as const satisfies readonly (readonly [string, keyof LinkTargets])[];

interface ShowFormatLinksProps {
  readonly name: string;
  readonly text: string;
  readonly params: FormatParams;
}

/** Links that show a custom format on another page, as A: the first of the two formats that are compared. */
export function ShowFormatLinks({ name, text, params }: ShowFormatLinksProps) {
  const { document, session, engine, catalog, formats } = useApp();
  const [problem, setProblem] = useState<string | null>(null);
  const show = async (link: (typeof PAGES)[number][1]): Promise<void> => {
    const failure = await openFormat({ document, session, engine, formats }, name, text);
    const choice = failure === null ? defaultChoice(catalog, userFormatId(name)) : null;
    setProblem(failure);
    if (!choice) return;
    const next = withChoiceA(document.getState(), { ...choice, params: { ...choice.params, ...params } });
    document.setState(followLink(catalog.pages, next, link) ?? next);
  };
  return (
    <>
      <p className="put-on-show">
        Show it as A in{' '}
        {PAGES.map(([place, link], i) => (
          <span key={link}>
            {i > 0 && ', '}
            <TextButton onClick={() => void show(link)}>{place}</TextButton>
          </span>
        ))}
      </p>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  );
}

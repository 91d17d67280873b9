// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../../../../test/page.ts';
import { formats } from '../../../../formats/catalog.ts';
import { ChoiceContext } from '../../../../kit/browser/choices.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import { PublishedDetails } from './PublishedDetails.tsx';

afterEach(cleanup);

/** The titles of the drawers with A in this format, open ones marked with '+'. */
function drawersWith(id: string): readonly string[] {
  const compared = {
    model: { shape: { name: 'no model' } },
    a: { format: formats.find((format) => format.id === id) },
    visibleDevice: { device: { name: 'Card', reports: [] } },
  } as unknown as ComparedFormats;
  const { container } = renderInApp(
    <ChoiceContext value={{ texts: {}, choose: () => {} }}>
      <PublishedDetails compared={compared} />
    </ChoiceContext>,
  );
  const titles = [...container.querySelectorAll('details')]
    .filter((drawer) => /^(All tables|The authors)/.test(drawer.querySelector('summary')?.textContent ?? ''))
    .map((drawer) => `${drawer.open ? '+ ' : ''}${drawer.querySelector('summary')?.textContent}`);
  cleanup();
  return titles;
}

it('the paper of A is first and open, the others are closed', () => {
  const [ec, twell, sliding, raw] = [
    'All tables of EC-SpMV',
    'All tables of TwELL',
    'All tables of SlideSparse',
    'The authors’ raw results',
  ];
  expect(drawersWith('ec-csr')).toEqual([`+ ${ec}`, twell, sliding, raw]);
  for (const id of ['twell', 'hybrid']) expect(drawersWith(id)).toEqual([`+ ${twell}`, ec, sliding, raw]);
  expect(drawersWith('slidesparse')).toEqual([`+ ${sliding}`, `+ ${raw}`, ec, twell]);
  // MACKO's figures are the tables by card, above all drawers.
  for (const id of ['macko', 'csr', 'dense']) expect(drawersWith(id)).toEqual([ec, twell, sliding, raw]);
});

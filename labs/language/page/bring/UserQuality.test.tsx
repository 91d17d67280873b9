// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { BROUGHT_MODEL } from '../../test/fake-imported.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { ChoiceContext } from '../../../../src/kit/browser/choices.ts';
import { importedModelChoice } from '../model-choice.ts';
import { UserQuality } from './UserQuality.tsx';

afterEach(cleanup);

it('the user’s text is unchanged after another tab was visible', () => {
  const app = fakeApp();
  const show = (model = BROUGHT_MODEL) =>
    renderInApp(
      <ChoiceContext value={{ texts: {}, choose: () => {} }}>
        <UserQuality modelChoice={importedModelChoice(model, { way: 'none' })} />
      </ChoiceContext>,
      app,
    );
  const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: /^Your text/ });
  const { unmount } = show();
  expect(field().value).toBe('');
  fireEvent.change(field(), { target: { value: 'A long text.' } });
  expect(field().value).toBe('A long text.');
  unmount();
  const again = show();
  expect(field().value).toBe('A long text.');
  expect(screen.getByText('12 characters.')).toBeTruthy();
  again.unmount();
  // Another model may be measured on it.
  show({ ...BROUGHT_MODEL, id: 'brought:Other-1a2b' });
  expect(field().value).toBe('A long text.');
});

// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeSession, settle } from '../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { useTextFile } from './use-text-file.ts';

afterEach(cleanup);

const texts: string[] = [];

function Form() {
  const { read } = useTextFile({ main: 'config.json', maxBytes: 1000 }, (text, reference) =>
    texts.push(`${reference}: ${text}`),
  );
  return ['org/older', 'org/newer', 'org/none'].map((reference) => (
    <button key={reference} type="button" onClick={() => read(reference, null)}>
      {reference}
    </button>
  ));
}

it('reads the text that was requested last, and the page shows an error', async () => {
  const page = fakeSession();
  const { session, engine } = page;
  const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
  renderInApp(<Form />, { ...fakeApp(), ...page });
  await act(async () => {
    press('org/older');
    press('org/newer');
    await settle();
  });
  expect([texts, session.store.getState().error]).toEqual([['org/newer: {}'], null]);
  engine.matrix.text = () => Promise.reject(new Error('config.json: found HTTP status 404'));
  await act(async () => {
    press('org/none');
    await settle();
  });
  expect(texts).toHaveLength(1);
  expect(session.store.getState().error).toBe('config.json: found HTTP status 404.');
});

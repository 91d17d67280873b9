// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { SHIPPED_MODELS } from '../../../theory/models/shipped-models.ts';
import { withChosen } from '../address.ts';
import { LanguageChoices } from '../LanguageChoices.tsx';
import type { SaveRequest } from '../service/types.ts';
import { sourceOf } from '../subject.ts';
import { SaveModel } from './SaveModel.tsx';

const saveBlob = vi.hoisted(() => vi.fn<(name: string, blob: Blob) => void>());
vi.mock('../../../kit/browser/save-blob.ts', () => ({ saveBlob }));

afterEach(cleanup);

it('saves what the address says, choices of single matrices included, and keeps the focus', async () => {
  const app = fakeApp();
  const source = sourceOf(SHIPPED_MODELS[0], { way: 'wanda', density: 0.6 });
  app.document.setState(withChosen({ ...app.document.getState(), source }, { own: 'up0-1~wanda-0.4~i8~csr' }));
  type Saved = { readonly name: string; readonly blob: Blob };
  let finish: (saved: Saved) => void = () => {};
  const saved = new Promise<Saved>((resolve) => (finish = resolve));
  const save = vi.fn<(call: unknown, request: SaveRequest) => Promise<Saved>>(() => saved);
  vi.spyOn(app.engine, 'service').mockReturnValue({ savedBytes: async () => 1_500_000, save });
  renderInApp(
    <LanguageChoices>
      <SaveModel />
    </LanguageChoices>,
    app,
  );
  await screen.findByText(/^1\.50\sMB as a zip/);
  const button = screen.getByRole('button', { name: 'Save this model' });
  button.focus();
  fireEvent.click(button);
  fireEvent.click(button);
  expect(save).toHaveBeenCalledTimes(1);
  const [, request] = save.mock.calls[0];
  expect(request.pruning).toEqual({ way: 'wanda', density: 0.6 });
  expect(request.own?.map(({ layer, name, pruning }) => [layer, name, pruning])).toEqual([
    [0, 'up', { way: 'wanda', density: 0.4 }],
    [1, 'up', { way: 'wanda', density: 0.4 }],
  ]);
  expect(document.activeElement).toBe(button);
  finish({ name: 'tales-pruned.zip', blob: new Blob() });
  await waitFor(() => expect(saveBlob).toHaveBeenCalledWith('tales-pruned.zip', expect.any(Blob)));
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  expect(document.activeElement).toBe(button);
});

it('says why a model cannot be saved before anybody presses', async () => {
  const app = fakeApp();
  const save = vi.fn<() => Promise<void>>();
  const refused = new Error('Tiny: found a model in GGUF, expected safetensors, whose names can be kept');
  vi.spyOn(app.engine, 'service').mockReturnValue({ savedBytes: async () => Promise.reject(refused), save });
  renderInApp(
    <LanguageChoices>
      <SaveModel />
    </LanguageChoices>,
    app,
  );
  await screen.findByText('Tiny: found a model in GGUF, expected safetensors, whose names can be kept.');
  const button = screen.getByRole('button', { name: 'Save this model' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(save).not.toHaveBeenCalled();
});

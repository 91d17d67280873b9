// @vitest-environment happy-dom
import { useEffect } from 'react';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { useDocument } from '../../../../src/kit/app-context.ts';
import { pageState } from '../../../../src/state/index.ts';
import { SHIPPED_MODELS } from '../../../../src/theory/models/known-models.ts';
import { LANGUAGE_FIELDS } from '../address.ts';
import { PageChoices } from '../../../../src/kit/browser/PageChoices.tsx';
import type { WriteRequest } from '../service/types.ts';
import { useTextRequest } from '../show/use-narration.ts';
import { languageModelChoice, sourceOf } from '../model-choice.ts';
import { useMatrixOverrides } from '../use-matrix-overrides.ts';
import { Strip } from './Strip.tsx';
import type { StoredBytes } from './use-stored-bytes.ts';

afterEach(cleanup);

const NOTHING_STORED: StoredBytes = { byMatrix: new Map(), total: null, problem: null };

let app = fakeApp();
const onWrite = vi.fn<(request: WriteRequest) => void>();
const lastRequest = (): WriteRequest | undefined => onWrite.mock.lastCall?.[0];

/** The strip of the selected model, and the text that Present, embedded figures and Export request. */
function Harness() {
  const source = useDocument((doc) => doc.source);
  const modelChoice = languageModelChoice(source, SHIPPED_MODELS[0].id);
  const modelOverrides = useMatrixOverrides(modelChoice);
  const request = useTextRequest();
  useEffect(() => onWrite(request), [request]);
  return <Strip modelChoice={modelChoice} storedBytes={NOTHING_STORED} modelOverrides={modelOverrides} />;
}

beforeEach(() => {
  app = fakeApp();
  const source = sourceOf(SHIPPED_MODELS[0], { way: 'wanda', density: 0.6 });
  app.document.setState({ ...app.document.getState(), source });
  const harness = (
    <PageChoices page={LANGUAGE_FIELDS}>
      <Harness />
    </PageChoices>
  );
  renderInApp(harness, app);
});

const matrix = (name: RegExp): HTMLElement => screen.getByRole('option', { name });
const panel = (): HTMLElement => screen.getByRole('region', { name: 'Choices of the selected matrices' });
/** Sets a select of the panel. */
const choose = (label: string, value: string): void =>
  void fireEvent.change(within(panel()).getByLabelText(label), { target: { value } });
/** The choices for single matrices, as the address has them. */
const overridesInAddress = (): string | undefined => pageState(app.document.getState(), LANGUAGE_FIELDS).choices.own;

it('choices for several selected matrices are in the address and in the request for a text', () => {
  fireEvent.click(matrix(/^layer 3, up/), { ctrlKey: true });
  fireEvent.click(matrix(/^layer 4, down/), { ctrlKey: true });
  expect(panel().textContent).toContain('2 matrices');
  choose('left', 'wanda');
  expect(overridesInAddress()).toBe('up3.down4~wanda-0.6');
  expect(lastRequest()?.overrides?.map(({ layer, name, pruning }) => [layer, name, pruning])).toEqual([
    [3, 'up', { way: 'wanda', density: 0.6 }],
    [4, 'down', { way: 'wanda', density: 0.6 }],
  ]);
  const densitySlider = within(panel()).getByRole('slider');
  fireEvent.change(densitySlider, { target: { value: '0.4' } });
  expect(overridesInAddress()).toBe('up3.down4~wanda-0.6');
  fireEvent.keyUp(densitySlider);
  expect(overridesInAddress()).toBe('up3.down4~wanda-0.4');
  choose('format', 'csr');
  expect(overridesInAddress()).toBe('up3.down4~wanda-0.4~~csr');
  fireEvent.click(within(panel()).getByRole('button', { name: 'reset' }));
  expect(overridesInAddress()).toBeUndefined();
  expect(lastRequest()).not.toHaveProperty('overrides');
  fireEvent.click(within(panel()).getByRole('button', { name: 'done' }));
  expect(screen.queryByRole('region', { name: 'Choices of the selected matrices' })).toBeNull();
});

it('matrices are selected by touch and by keys', () => {
  const openModel = vi.spyOn(app.session, 'openModel').mockResolvedValue();
  fireEvent.click(matrix(/^layer 1, up/));
  // Opened in the selection bar by the function that keeps choices made meanwhile.
  expect(openModel).toHaveBeenCalledWith({ kind: 'model', model: SHIPPED_MODELS[0].id, layer: 1, matrix: 'up' });
  fireEvent.click(within(panel()).getByRole('button', { name: 'add matrices' }));
  fireEvent.click(matrix(/^layer 2, gate/));
  fireEvent.click(screen.getByRole('button', { name: 'k' }));
  expect(panel().textContent).toContain('8 matrices');
  expect(openModel).toHaveBeenCalledTimes(1);
  fireEvent.click(within(panel()).getByRole('button', { name: 'done' }));
  fireEvent.click(matrix(/^layer 0, q/), { ctrlKey: true });
  expect(panel().textContent).toContain('layer 0 › q');
  expect(within(panel()).getByRole('button', { name: 'add matrices' }).getAttribute('aria-pressed')).toBe('false');

  const first = matrix(/^layer 0, q/);
  first.focus();
  fireEvent.keyDown(first, { key: 'ArrowRight', shiftKey: true });
  expect(document.activeElement).toBe(matrix(/^layer 1, q/));
  expect(panel().textContent).toContain('q in 2 layers');
  fireEvent.keyDown(matrix(/^layer 1, q/), { key: 'a', ctrlKey: true });
  expect(panel().textContent).toContain('42 matrices');
  fireEvent.keyDown(matrix(/^layer 1, q/), { key: 'Escape' });
  expect(screen.queryByRole('region', { name: 'Choices of the selected matrices' })).toBeNull();
  fireEvent.keyDown(matrix(/^layer 1, q/), { key: 'Enter' });
  expect(openModel).toHaveBeenLastCalledWith({ kind: 'model', model: SHIPPED_MODELS[0].id, layer: 1, matrix: 'q' });
});

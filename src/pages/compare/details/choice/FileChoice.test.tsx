// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { testEngine } from '../../../../../test/engine.ts';
import { safetensorsFile } from '../../../../../test/io/safetensors.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../../test/page.ts';
import { ChoiceContext } from '../../../../kit/browser/choices.ts';
import type { App } from '../../../../kit/app-context.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import { FileChoice } from './FileChoice.tsx';

afterEach(cleanup);

const cells = (value: (i: number) => number) => ({
  dtype: 'F32',
  shape: [16, 16],
  bytes: new Uint8Array(Float32Array.from({ length: 256 }, (_, i) => value(i)).buffer),
});
const FILE = safetensorsFile({
  'a.weight': cells((i) => (i % 8 === 0 ? 1 : 0)),
  'b.weight': cells((i) => i / 256),
  'embed.weight': cells(() => 1),
  'too_large.weight': cells(() => 1e30),
  'stacked.weight': { ...cells(() => 1), shape: [4, 8, 8] },
});

/** The section for the file, as if its first matrix were open. `pauses`: called at every pause of the worker. */
async function section(pauses: () => void = () => {}) {
  const engine = testEngine({
    pause: () => {
      pauses();
      return Promise.resolve();
    },
    // Every step pauses.
    now: (() => {
      let ms = 0;
      return () => (ms += 100);
    })(),
  });
  const source = { kind: 'file', name: 'm.safetensors', file: new Blob([FILE]), tensor: 'a.weight' } as const;
  const summary = await engine.matrix.open({}, source);
  const compared = {
    summary,
    tokens: 1,
    visibleDevice: { device: { id: 'card', name: 'Card', reports: [] } },
  } as unknown as ComparedFormats;
  function Page() {
    const [texts, setTexts] = useState({});
    return (
      <ChoiceContext value={{ texts, choose: (changed) => setTexts((now) => ({ ...now, ...changed })) }}>
        <FileChoice compared={compared} />
      </ChoiceContext>
    );
  }
  const app = { ...fakeApp(), engine } as unknown as App;
  return renderInApp(<Page />, app).container;
}

const button = (name: string) => screen.getByRole('button', { name });
const rowsOf = (container: HTMLElement) =>
  [...container.querySelectorAll('tbody tr')].map((row) => row.querySelector('strong')?.textContent);

it('the section reads nothing until the button is pressed, then names the best format of every matrix and what is left out', async () => {
  const container = await section();
  expect(screen.queryByRole('table')).toBeNull();
  fireEvent.click(button('Read every matrix'));
  await waitFor(() => expect(rowsOf(container)).toEqual(['a.weight', 'b.weight', 'too_large.weight']));
  await waitFor(() => expect(container.textContent).toContain('Stays dense f32: too_large.weight: 256 of 256 values'));
  expect(container.textContent).toContain('Not counted: stacked.weight: found shape (4, 8, 8)');
  expect(container.textContent).toContain('dense, lossless');
  expect(screen.queryByRole('status')).toBeNull();
  // Another setting needs another reading.
  fireEvent.change(screen.getByRole('textbox', { name: 'pruned by magnitude, %' }), { target: { value: '75' } });
  expect(button('Read every matrix')).toBeTruthy();
});

it('a cancelled reading keeps its results, and continues after them', async () => {
  let isCancelling = true;
  const container = await section(() => {
    if (isCancelling && rowsOf(container).length === 1) fireEvent.click(button('cancel'));
  });
  fireEvent.click(button('Read every matrix'));
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('of 5 tensors were read'));
  expect(rowsOf(container)).toContain('a.weight');
  expect(rowsOf(container)).not.toContain('too_large.weight');
  isCancelling = false;
  fireEvent.click(button('Continue'));
  await waitFor(() => expect(rowsOf(container)).toEqual(['a.weight', 'b.weight', 'too_large.weight']));
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
});

// The activations of a training step are opened in Watch, with a message if that fails.

import { expect, test } from 'vitest';
import { SparseScopeError } from '../../../src/core/errors.ts';
import type { App } from '../../../src/kit/app-context.ts';
import { openBatch } from '../page/TrainingPage.tsx';

/** The messages while a batch opens, with a service that returns its file or fails. */
async function heardOf(file: () => Promise<Uint8Array>): Promise<readonly string[]> {
  const heard: string[] = [];
  const app = {
    engine: { service: () => ({ file }) },
    formats: [],
    announce: (message: string) => void heard.push(message),
    session: {
      openFiles: ([{ name }]: readonly File[]) => Promise.resolve(heard.push(name)),
      follow: (link: string) => heard.push(link),
    },
  };
  await openBatch(app as unknown as App, { step: 5, cells: new Float32Array(1) });
  return heard;
}

test('openBatch reports in one message why activations cannot be opened, and leaves the page unchanged', async () => {
  const refuses = () => Promise.reject(new SparseScopeError('activations: the engine ended'));
  expect(await heardOf(refuses)).toEqual(['activations: the engine ended.']);
  expect(await heardOf(() => Promise.resolve(new Uint8Array(4)))).toEqual(['gate-after-step-5.npy', 'stage']);
});

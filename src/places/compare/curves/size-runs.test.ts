import { expect, it } from 'vitest';
import type { SizesRequest } from '../service/size-types.ts';
import { FakeEngine, fakeSession, settle } from '../../../../test/fake-engine.ts';
import { createSizeRuns } from './size-runs.ts';

const spec = { pattern: 'uniform', rows: 8, cols: 8, density: 0.5, seed: 1 };
const request: SizesRequest = {
  matrices: [
    { kind: 'generated', spec },
    { kind: 'generated', spec: { ...spec, density: 0.2 } },
  ],
  entries: [{ format: 'csr', params: {} }],
};

async function started() {
  const all = fakeSession(new FakeEngine());
  await all.session.start();
  await settle();
  return { ...all, sizes: createSizeRuns({ ...all, formats: [] }) };
}

it('collects the sizes of one request after the other', async () => {
  const { sizes } = await started();
  await sizes.measure('uniform', [request, request]);
  expect(sizes.store.getState()).toMatchObject({ subject: 'uniform', running: null });
  expect(sizes.store.getState().sizes.map((s) => s.matrix)).toEqual([0, 1, 0, 1]);
});

it('drops those of another subject, and keeps what was there when it is cancelled', async () => {
  const { sizes, engine } = await started();
  await sizes.measure('uniform', [request]);
  const going = sizes.measure('uniform', [request]);
  expect(sizes.store.getState().running).not.toBeNull();
  sizes.cancel();
  await going;
  expect(engine.calls).toContain('cancel');
  expect(sizes.store.getState().sizes.length).toBe(2);
  expect(sizes.store.getState().running).toBeNull();
  sizes.show('another');
  expect(sizes.store.getState().sizes).toEqual([]);
});

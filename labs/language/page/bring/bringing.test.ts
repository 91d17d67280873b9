// The state of importing a language model: inspecting, loading, saving and removing it.

import { describe, expect, it } from 'vitest';
import { CancelledError, ReadError } from '../../../../src/core/errors.ts';
import type { ImportedModel } from '../../models/imported-model.ts';
import type { ModelPlan, ModelRequest } from '../../models/imported-models.ts';
import { type BringingHost, createBringing } from './bringing.ts';
import { BROUGHT_MODEL, PLAN } from '../../test/fake-imported.ts';

const REQUEST: ModelRequest = { kind: 'remote', reference: 'org/tiny', token: null };

/** Returns the state of a page whose service has some replaced methods, and the requests that the service received. */
function hostWith(changed: Partial<BringingHost['service']> = {}) {
  const requests: string[] = [];
  const host: BringingHost = {
    service: {
      inspect: async (): Promise<ModelPlan> => PLAN,
      bring: async (_watch, _request, keep): Promise<ImportedModel> => ({ ...BROUGHT_MODEL, isKept: keep }),
      brought: async () => [],
      unfinished: async () => [],
      unreadable: async () => [],
      forgetUnreadable: async (_watch, entry) => void requests.push(`forget entry ${entry}`),
      forget: async (_watch, id) => void requests.push(`forget ${id}`),
      ...changed,
    },
    storageSpace: async () => ({ free: 1e9, isPersisted: false }),
    async persist() {
      requests.push('persist');
      return true;
    },
  };
  return { requests, bringing: createBringing(host) };
}

describe('an imported model', () => {
  it('is inspected, then loaded and listed; persistent storage is requested only to save it', async () => {
    const { requests, bringing } = hostWith();
    await bringing.refresh();
    expect(bringing.store.getState().models).toEqual([]);
    await bringing.inspect(REQUEST);
    expect(bringing.store.getState().inspected).toMatchObject({ plan: PLAN, storageSpace: { free: 1e9 } });
    expect(await bringing.load(false)).toMatchObject({ id: BROUGHT_MODEL.id, isKept: false });
    expect([requests, await bringing.load(true)]).toEqual([[], null]);
    await bringing.inspect(REQUEST);
    await bringing.load(true);
    expect(requests).toEqual(['persist']);
    expect(bringing.store.getState()).toMatchObject({ inspected: null, models: [{ isKept: true }] });
    await bringing.remove(BROUGHT_MODEL.id);
    expect([requests.at(-1), bringing.store.getState().models]).toEqual([`forget ${BROUGHT_MODEL.id}`, []]);
  });

  it('leaves a message and nothing to load if it is rejected', async () => {
    const text = "tiny, config.json, model_type: found 'gemma'";
    const { bringing } = hostWith({ inspect: async () => Promise.reject(new ReadError(text)) });
    await bringing.inspect(REQUEST);
    expect(bringing.store.getState()).toMatchObject({ inspected: null, running: null, error: `${text}.` });
  });

  it('is loaded with its progress in bytes, and can be loaded again after a stop', async () => {
    const { bringing } = hostWith({
      bring: (watch) =>
        new Promise((_, reject) => {
          watch.onProgress?.({ what: 'Reading the weights', done: 1, total: 4 });
          watch.signal?.addEventListener('abort', () => reject(new CancelledError()));
        }),
      unfinished: async () => [{ id: BROUGHT_MODEL.id, bytes: 1e7 }],
    });
    await bringing.inspect(REQUEST);
    const loading = bringing.load(true);
    await expect
      .poll(() => bringing.store.getState().running?.progress?.what)
      .toBe('Reading the weights, 10.0\u202fMB of 40.0\u202fMB');
    bringing.stop();
    expect(await loading).toBeNull();
    expect(bringing.store.getState()).toMatchObject({
      inspected: { plan: PLAN, keep: true },
      // The part of the download before the stop.
      unfinished: [{ bytes: 1e7 }],
      running: null,
      error: 'Stopped.',
    });
  });

  it('is listed until the page is closed in a browser that cannot store files', async () => {
    const { bringing } = hostWith({ brought: async () => Promise.reject(new Error('no storage')) });
    await bringing.inspect(REQUEST);
    await bringing.load(false);
    await bringing.refresh();
    expect(bringing.store.getState()).toMatchObject({
      models: [{ id: BROUGHT_MODEL.id }],
      error: expect.stringMatching(/^Listing the models failed: the browser reported an error; .*\(no storage\)\.$/),
    });
  });
});

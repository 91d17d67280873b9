import { expect, it } from 'vitest';
import { DeviceLostError } from '../../../../gpu/index.ts';
import type { OnWriteEvent, WriteRequest, Written } from '../service/types.ts';
import { createWriting } from './use-writing.ts';

const REQUEST: WriteRequest = {
  model: { id: 'brought:Tiny-1a2b', url: 'brought:Tiny-1a2b' },
  pruning: { way: 'magnitude', density: 0.5 },
  format: 'macko',
  params: {},
  prompt: '',
  seed: 3,
  temperature: 0.8,
  count: 4,
};
const WRITTEN = { ended: false, where: 'cpu' } as Written;

/** A service whose device is lost behind two tokens, so often. */
function writingWith(losses: number) {
  let calls = 0;
  const seen: (readonly string[])[] = [];
  const writing = createWriting({
    service: {
      write: async (_watch, _request, onEvent: OnWriteEvent) => {
        const isLost = ++calls <= losses;
        await onEvent({ kind: 'begin', prompt: [] });
        seen.push(writing.store.getState().text.dense);
        await onEvent({ kind: 'written', tokens: ['a', ' b'] });
        if (isLost) throw new DeviceLostError('the device was lost');
        await onEvent({ kind: 'written', tokens: [' c', ' d'] });
        return WRITTEN;
      },
    },
    recorded: async () => null,
  });
  return { writing, seen, calls: () => calls };
}

it.each([true, false])('goes on once more where a device is lost, and its words stay (live: %s)', async (live) => {
  const { writing, seen, calls } = writingWith(1);
  await writing.write(REQUEST, live);
  expect(calls()).toBe(2);
  expect(seen).toEqual([[], ['a', ' b']]);
  const { text, running, error } = writing.store.getState();
  expect({ dense: text.dense, running, error }).toEqual({ dense: ['a', ' b', ' c', ' d'], running: null, error: null });
});

it('says that a device is lost again and again, and keeps what there is', async () => {
  const { writing, calls } = writingWith(Number.POSITIVE_INFINITY);
  await writing.write(REQUEST);
  expect(calls()).toBe(2);
  const { text, running, error } = writing.store.getState();
  expect({ dense: text.dense, running, error }).toEqual({
    dense: ['a', ' b'],
    running: null,
    error: 'The device was lost.',
  });
});

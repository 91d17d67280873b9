import { expect, it } from 'vitest';
import { fakeSession } from '../../../test/fake-engine.ts';
import { createReadText } from './read-text.ts';

it('reads a config.json for the newest question, and tells what goes wrong', async () => {
  const all = fakeSession();
  const { session, engine } = all;
  const readConfig = createReadText(all, { main: 'config.json', maxBytes: 1000 });
  const older = readConfig('org/older', null);
  const newer = readConfig('org/newer', null);
  expect([await older, await newer]).toEqual([null, '{}']);
  expect(session.store.getState().error).toBeNull();
  engine.matrix.text = () => Promise.reject(new Error('config.json: found HTTP status 404, expected the file'));
  expect(await readConfig('org/none', null)).toBeNull();
  expect(session.store.getState().error).toBe('config.json: found HTTP status 404, expected the file.');
});

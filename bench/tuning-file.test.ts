import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetTuning, tuningFile } from './tuning-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tuning-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const result = { chosen: { lanes: 64 }, gain: 1.25, tried: 4 };

test('tuning results are kept between runs, by key, until the file is cleared', async () => {
  const path = join(folder, 'deep', 'tuning.json');
  expect(await tuningFile(path).recall('a')).toBeNull();
  await tuningFile(path).keep('a', result);
  await tuningFile(path).keep('b', { ...result, tried: 5 });
  expect(await tuningFile(path).recall('a')).toEqual(result);
  expect(await tuningFile(path).recall('b')).toMatchObject({ tried: 5 });
  forgetTuning(path);
  expect(await tuningFile(path).recall('a')).toBeNull();
});

test('a tuning file that is not JSON counts as empty', async () => {
  const path = join(folder, 'tuning.json');
  writeFileSync(path, '{"a":');
  expect(await tuningFile(path).recall('a')).toBeNull();
  await tuningFile(path).keep('a', result);
  expect(await tuningFile(path).recall('a')).toEqual(result);
});

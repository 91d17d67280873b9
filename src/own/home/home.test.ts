import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localRunners } from '../../../test/own-runner.ts';
import { namedArrays } from '../../core/encoded/encoded.ts';
import type { AnyFormat } from '../../core/format.ts';
import type { CsrMatrix } from '../../core/matrix/index.ts';
import { spmvWithBound } from '../../core/oracle.ts';
import { paramsOf } from '../answers.ts';
import { askDescription, choose } from '../asking.ts';
import { CASES } from '../cases.ts';
import { asStored, difference } from '../decoded.ts';
import { STARTERS } from '../starters.ts';
import { homeFiles, homeName } from './files.ts';
import { cases } from '../../../test/scheduled.ts';

const root = resolve(import.meta.dirname, '../../..');
let folder = '';

/** Takes all starters home, into a folder inside the project: their imports of core are made absolute. */
beforeAll(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'home-'));
  for (const { id, text, kernel } of STARTERS) {
    const runners = localRunners(text);
    const description = await askDescription(runners);
    if (description.kind !== 'done') throw new Error(id);
    const params = paramsOf(description.result);
    const chosen = await choose(runners, description.result, params);
    if (chosen.kind !== 'done') throw new Error(id);
    const { arrays } = chosen.result;
    for (const [path, code] of homeFiles({ name: id, text, description: description.result, params, arrays, kernel })) {
      const at = join(folder, path === 'GAPS.md' ? `${id}-GAPS.md` : path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, code.replaceAll(/'(?:\.\.\/)+core\//g, `'${join(root, 'src/core')}/`));
    }
  }
  const options = { compilerOptions: { lib: ['ES2024'], types: [] } };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.base.json', ...options, include: ['src'] }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what is taken home type-checks as the project does', () => {
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json')], {
    encoding: 'utf8',
  });
  expect([tsc.stdout, tsc.status]).toEqual(['', 0]);
});

async function broughtHome(id: string): Promise<AnyFormat> {
  const path = join(folder, 'src/formats', id, 'index.ts');
  return Object.values((await import(/* @vite-ignore */ path)) as Record<string, AnyFormat>)[0];
}

/** The parameters of a format that was taken home. */
type Fields = Readonly<Record<string, { readonly options: readonly { readonly value: unknown }[] }>>;

describe.each(STARTERS.map(({ id }) => id))('%s, taken home', (id) => {
  test('gives matrices back, counts its bytes, finds a changed element and multiplies', async () => {
    const format = await broughtHome(id);
    const settings: Readonly<Record<string, unknown>>[] = [{}];
    for (const [name, field] of Object.entries(format.params as unknown as Fields)) {
      const all = settings.splice(0);
      for (const { value } of field.options) settings.push(...all.map((one) => ({ ...one, [name]: value }))); // bounded: nine settings
    }
    let admitted = 0;
    for (const params of settings.filter((_, i) => i % cases(3, 1) === 0)) {
      for (const { name, make } of CASES) {
        const m = make() as CsrMatrix;
        if (name === '70 001 rows' || !format.admits(m, params).ok) continue;
        admitted++;
        const e = format.encode(m, params);
        const back = format.decode(e) as CsrMatrix;
        expect([name, difference(asStored(m, 'f16'), back)]).toEqual([name, null]);
        expect(format.validate(e, 'full')).toEqual([]);
        const arrays = [...namedArrays(e)];
        expect(arrays.map(([array]) => array)).toEqual(Object.keys(format.rules));
        const { entries } = format.storage(e);
        expect(entries.map(({ array, bytes }) => [array, bytes])).toEqual(arrays.map(([n, a]) => [n, a.byteLength]));
        for (const { bits, bytes } of entries) expect(Object.values(bits).reduce((a, b) => a + b)).toBe(8 * bytes);
        const [array, memory] = arrays[0];
        if (memory.length > 0) {
          const other = memory.slice();
          other[0] = other[0] === 1 ? 2 : 1;
          expect(format.validate({ ...e, [array]: other }, 'full')).toHaveLength(1);
        }
        const x = Float32Array.from({ length: m.cols }, (_, c) => c + 1);
        const y = new Float32Array(m.rows);
        format.multiply(e, x, y);
        expect(y).toEqual(Float32Array.from(spmvWithBound(back, x).y));
      }
    }
    expect(admitted).toBeGreaterThan(30);
  });
});

test('what only a person can write is marked', () => {
  const { arrays } = { arrays: [] };
  const title = `it's */ a \\ 'title'`;
  const description = { title, params: [{ name: 'way', options: [`a'b`, 2], meaning: `it's` }] };
  const files = homeFiles({ name: 'mine', text: '', description, params: {}, arrays, kernel: null });
  const marked = [...files].filter(([, code]) => code.includes('GAP')).map(([path]) => path.replace(/.*\//, ''));
  expect(marked.toSorted()).toEqual(
    [
      'GAPS.md',
      'card.ts',
      'comparison.ts',
      'encode.ts',
      'index.ts',
      'kernels.ts',
      'layout.ts',
      'mine.md',
      'multiply.ts',
      'params.ts',
    ].toSorted(),
  );
});

test('a folder is called as its title', () => {
  expect(['SELL-C-σ', 'delta bytes', 'σ', 'dictionary of 16'].map(homeName)).toEqual([
    'sell-c',
    'delta-bytes',
    'format',
    'dictionary-of-16',
  ]);
});

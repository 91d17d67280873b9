// Formats are named only in their folders, papers and tests: all other code treats every format alike.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../src/formats/registry.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * Files that may name a format: its folder, its paper's folder, tests; the list of rules that one benchmark leaves out of
 * kernels; the package's entries, one for each format, and their list; src/io, where 'csr' and 'bitmask' name the storage of other programs'
 * files; and the list of starters (modules for users to change), one of which is a CSR.
 */
const MAY_NAME =
  /^src\/(?:formats|io|papers|lib\/(?:codecs|kernels))\/|^src\/lib\/loaders\.ts$|^labs\/\w+\/(?:own\/starters|bench\/left-out-rules)\.ts$|^labs\/\w+\/(?:test|e2e|fuzz)\/|\.test\.tsx?$/;

/** Every source file of the application, the benchmarks and the scripts that may not name a format. */
const sources = ['src', 'labs', 'bench', 'scripts']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .concat('index.html')
  .filter((path) => /\.(?:tsx?|mjs|css|html)$/.test(path) && !MAY_NAME.test(path));

/** Lines of `path` that match `pattern`, as 'path:line: text'. */
function matchingLines(path: string, pattern: RegExp): readonly string[] {
  return readFileSync(resolve(root, path), 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      pattern.test(line.replace(/^\s*(?:\/\/|\/?\*).*/, '')) ? [`${path}:${i + 1}: ${line.trim()}`] : [],
    );
}

const anyOf = (words: readonly string[]): string => `(?:${words.join('|')})`;

describe('names of formats in the sources', () => {
  const ids = anyOf(formats.map(({ id }) => id));
  const literal = new RegExp(`(['"\`])${ids}(?:/[\\w-]+)?\\1|--format-${ids}\\b`);

  test('names of formats are found by the pattern of this test', () => {
    expect(sources.length).toBeGreaterThan(300);
    for (const line of [`formatById('macko')`, `x === "ec-csr"`, 'kernel: `csr/spmv_row`', 'var(--format-twell)']) {
      expect(line).toMatch(literal);
    }
    expect('the dense matrix').not.toMatch(literal);
  });

  test('names of formats occur only in formats, papers and tests', () => {
    expect(sources.flatMap((path) => matchingLines(path, literal))).toEqual([]);
  });

  test('parameters are not used to recognise a format', () => {
    // Every format has `valueType`, and `layout` is also a name in code that has nothing to do with formats.
    const common = new Set(['valueType', 'layout']);
    const paramNames = formats.flatMap(({ params }) => Object.keys(params)).filter((name) => !common.has(name));
    expect(paramNames).toContain('deltaBits');
    const param = new RegExp(
      `['"\`]${anyOf(paramNames)}['"\`] in\\b|\\bparams\\.${anyOf(paramNames)}\\b|params\\[['"\`]${anyOf(paramNames)}['"\`]\\]`,
    );
    expect(`'tileWidth' in format.params`).toMatch(param);
    expect(sources.flatMap((path) => matchingLines(path, param))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../src/formats/registry.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * Files that may name a format: its own folder, its paper's folder, tests; what one program leaves out of its kernels;
 * the entries of the package, one a format; src/io, which reads files that use 'csr' and 'bitmask' in their own sense;
 * and the list of starters, modules for anyone to change, one of them a CSR. The last two know none of our formats.
 */
const MAY_NAME =
  /^src\/(?:formats|io|papers|lib\/codecs)\/|^labs\/\w+\/(?:own\/starters|bench\/left-out-rules)\.ts$|^labs\/\w+\/(?:test|e2e|fuzz)\/|\.test\.tsx?$/;

/** Every source of the application, of what measures it and of what builds it. */
const sources = ['src', 'labs', 'bench', 'scripts']
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .concat('index.html')
  .filter((path) => /\.(?:tsx?|mjs|css|html)$/.test(path) && !MAY_NAME.test(path));

/** Lines of `path` that match `pattern`, as 'path:line: text'. */
function found(path: string, pattern: RegExp): readonly string[] {
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

  test('are found by the pattern of this test', () => {
    expect(sources.length).toBeGreaterThan(300);
    for (const line of [`formatById('macko')`, `x === "ec-csr"`, 'kernel: `csr/spmv_row`', 'var(--format-twell)']) {
      expect(line).toMatch(literal);
    }
    expect('the dense matrix').not.toMatch(literal);
  });

  test('occur only in formats, papers and tests', () => {
    expect(sources.flatMap((path) => found(path, literal))).toEqual([]);
  });

  test('and their parameters are not used to recognise a format', () => {
    // The type of stored values is a concept of all formats, and the layout of words and patterns of many files.
    const common = new Set(['valueType', 'layout']);
    const own = formats.flatMap(({ params }) => Object.keys(params)).filter((name) => !common.has(name));
    expect(own).toContain('deltaBits');
    const param = new RegExp(
      `['"\`]${anyOf(own)}['"\`] in\\b|\\bparams\\.${anyOf(own)}\\b|params\\[['"\`]${anyOf(own)}['"\`]\\]`,
    );
    expect(`'tileWidth' in format.params`).toMatch(param);
    expect(sources.flatMap((path) => found(path, param))).toEqual([]);
  });
});

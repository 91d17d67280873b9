import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

/**
 * No code spreads a list of unbounded length into a call (`f(...list)`): arguments are on the stack, so that some 100,000
 * values end in a RangeError without file or line. `for`, `smallest` and `largest` (src/core/number/statistics.ts) and
 * `windows1252Text` (src/io/source.ts) have no such limit.
 */

/** The comment, on the same line or the line above, that allows a spread: it states why the length is bounded. */
const ALLOWED = /\/\/ bounded: \S/;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Matches every source with a spread into a call or with `apply`; other sources are not parsed, to save time. */
const MAY_SPREAD = /(?:[(,]|\*\/|\/\/[^\n]*\n)\s*\.\.\.|\bapply\b/;

/** Returns the lines of a source that spread a list into a call, or pass it to `apply`, without the allowing comment. */
function spreads(file: string, source: string): readonly string[] {
  if (!MAY_SPREAD.test(source)) return [];
  const lines = source.split('\n');
  const violations: string[] = [];
  const report = (offset: number): void => {
    const line = source.slice(0, offset).split('\n').length;
    const isAllowed = ALLOWED.test(lines[line - 1]) || /^\s*\/\/ bounded: \S/.test(lines[line - 2] ?? '');
    if (!isAllowed) violations.push(`${file}:${line}: ${lines[line - 1].trim()}`);
  };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const fields = node as Readonly<Record<string, unknown>>;
    if (fields.type === 'CallExpression' || fields.type === 'NewExpression') {
      for (const argument of fields.arguments as readonly Located[]) {
        if (argument.type === 'SpreadElement') report(argument.start);
      }
      const callee = fields.callee as Located;
      if (callee.property?.name === 'apply') report(callee.property.start);
    }
    for (const name in fields) visit(fields[name]);
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return violations;
}

/** The used properties of a node of a syntax tree. */
interface Located {
  readonly type: string;
  readonly start: number;
  readonly property?: { readonly name: string; readonly start: number };
}

const files = ['src', 'labs', 'bench', 'scripts']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$|^labs\/\w+\/(?:test|e2e|fuzz)\//.test(file));

describe('spreads of lists into calls', () => {
  it('have a bounded length in src, labs, bench and scripts', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap((file) => spreads(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it.each([
    'Math.max(...values);',
    'list.push(1, ...values);',
    'new Set(...values);',
    'String.fromCharCode.apply(null, values);',
    'const x = <T,>(y: T) => f(\n  1,\n  ...[y],\n);',
    '// bounded: why, but two lines above\n\nf(...values);',
    'f(...values); // bounded:',
    'f(/* all */ ...values);',
    'f( // all\n...values);',
  ])('are reported without a reason: %s', (source) => {
    expect(spreads('a.ts', source)).toHaveLength(1);
  });

  it.each([
    'const both = [...left, ...right];',
    'const both = { ...left };',
    'f((...values: number[]) => values);',
    'f(...values); // bounded: three sizes',
    '// bounded: three sizes\nf(...values);',
    'f("...values");',
  ])('are not reported in other code, or with a reason: %s', (source) => {
    expect(spreads('a.ts', source)).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstKernel } from '../scripts/first-kernel.ts';
import { declarationOf } from '../src/core/declared/declarations.ts';
import type { AnyFormat } from '../src/core/format.ts';
import { formats } from '../src/formats/registry.ts';
import { deltaCsr } from './declared/delta-csr/index.ts';
import { jds } from './declared/jds/index.ts';
import { sell4 } from './declared/sell4/index.ts';

// `npm run printed` generates the first kernel of a declared format from its `decode`, if it has none or an empty file.

/** What the head of a generated kernel says about its `decode`. */
const PRINTED = 'from which it is printed';
const ROOT = resolve(import.meta.dirname, '..');

/** Generates the first kernel of a format. */
const printedKernel = (format: Pick<AnyFormat, 'id' | 'validate'>): string => {
  const d = declarationOf(format);
  if (!d) throw new RangeError(`${format.id}: found no declaration`);
  return firstKernel(d);
};

describe('the first kernel of a declared format', () => {
  it('is generated from decode if the format has no kernel', async () => {
    for (const format of formats) {
      const path = resolve(ROOT, 'shaders', format.id, 'spmv_scalar.wgsl');
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const isByHand = existsSync(path) ? text !== '' && !text.includes(PRINTED) : format.kernels.length > 0;
      if (isByHand) continue;
      await expect(printedKernel(format), 'npm run printed').toMatchFileSnapshot(path);
    }
    expect(formats.filter((format) => declarationOf(format)).length).toBeGreaterThan(3);
  });

  it.each([sell4, jds])('equals the file in test/declared for $title', async (format) => {
    await expect(printedKernel(format), 'npm run printed').toMatchFileSnapshot(
      resolve(ROOT, `test/declared/${format.id}/spmv_scalar.wgsl`),
    );
  });

  it('increments a variable after the statement with its ++, and contains both branches of a condition', () => {
    expect(printedKernel(deltaCsr)).toContain(`  var sum = 0.0;
  var next = 0u;
  var escape = escptr_at(r);
  for (var i = indptr_at(r); i < indptr_at(r + 1u); i++) {
    if (skips_at(i) == 255u) {
      next += escapes_at(escape);
      escape++;
    } else {
      next += skips_at(i);
    }
    if (!(data_at(i) == 0.0)) {
      sum += data_at(i) * x[next];
    }
    next++;
  }
  y[r] = sum;
`);
  });

  it('rounds an f32 down for Math.floor, and drops it around a division of u32, which truncates', () => {
    const d = declarationOf(deltaCsr);
    if (!d) throw new RangeError('found no declaration');
    const text =
      'decode({ data, skips }, { rows }, put) { for (let r = 0; r < rows; r++) { put(r, Math.floor(skips[r] / 2), Math.floor(data[r] * 3)); } }';
    const decode = Object.assign(() => undefined, { toString: () => text });
    expect(firstKernel({ ...d, decode })).toContain('sum += floor(data_at(r) * 3.0) * x[skips_at(r) / 2u];');
  });

  it('writes y at the row of an array of permuted rows, whether it is read in put or before', () => {
    const d = declarationOf(deltaCsr);
    if (!d) throw new RangeError('found no declaration');
    const kernelOf = (body: string): string => {
      const text = `decode({ data, skips, indptr }, { rows }, put) { for (let i = 0; i < rows; i++) { ${body} } }`;
      return firstKernel({ ...d, decode: Object.assign(() => undefined, { toString: () => text }) });
    };
    const inside = kernelOf('for (let k = indptr[i]; k < indptr[i + 1]; k++) put(skips[i], 0, data[k]);');
    expect(inside).toContain('  y[skips_at(i)] = sum;\n');
    const before = kernelOf('const r = skips[i]; put(r, 0, data[i]);');
    expect(before).toContain('  let r = skips_at(i);\n');
    expect(before).toContain('  y[skips_at(i)] = sum;\n');
  });

  const loop = (body: string): string => `decode({ data, skips }, { rows }, put) { ${body} }`;
  it.each([
    [loop('for (let i = 0; i < 9; i++) put(i, 0, data[i]);'), 'for (let i = 0; i < 9; i++) put(i, 0, data[i]);'],
    [loop('let n = 0; for (let r = 0; r < rows; r++) put(r, n++, data[r]);'), '{ let n = 0;'],
    [loop('for (let r = 0; r < rows; r++) { put(skips[r + 1], 0, data[r]); }'), 'put(skips[r + 1], 0, data[r])'],
    [loop('for (let r = 0; r < rows; r++) { put(skips[r], 0, data[r]); put(r, 0, data[r]); }'), 'put(r, 0, data[r])'],
    [loop('for (let r = 0; r < rows; r++) { put(r, 0, skips[r]); }'), 'put(r, 0, skips[r])'],
    [loop('for (let r = 0; r < rows; r++) { put(r, 0, data[-r]); }'), '-r'],
    [loop('for (let r = 0; r < rows; r++) { put(r, skips[r] / 2, data[r]); }'), 'skips[r] / 2'],
    [loop('for (let r = 0; r < rows; r++) { let c = skips[r]; c /= 2; put(r, c, data[r]); }'), 'c /= 2'],
    [loop('for (let r = 0; r < rows; r++) { put(r, 0, data[other]); }'), 'other'],
    ['decode({ nothing }, { rows }, put) { for (let r = 0; r < rows; r++) put(r, 0, nothing[r]); }', 'nothing'],
  ])('reports the part of a decode that it cannot translate: %s', (text, part) => {
    const d = declarationOf(deltaCsr);
    if (!d) throw new RangeError('found no declaration');
    const decode = Object.assign(() => undefined, { toString: () => text });
    expect(() => firstKernel({ ...d, decode })).toThrow(`delta-csr: found '${part}`);
  });
});

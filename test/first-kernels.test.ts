// Tests that `npm run printed` generates the first kernel of a declared format from its `decode`, if the format has no kernel or
// an empty file.

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

/** Words in the header of every generated kernel. */
const GENERATED_MARK = 'from which it is printed';
const ROOT = resolve(import.meta.dirname, '..');

/** Generates the first kernel of a format. */
const printedKernel = (format: Pick<AnyFormat, 'id' | 'validate'>): string => {
  const declaration = declarationOf(format);
  if (!declaration) throw new RangeError(`${format.id}: found no declaration`);
  return firstKernel(declaration);
};

describe('the first kernel of a declared format', () => {
  it('is generated from decode if the format has no kernel', async () => {
    for (const format of formats) {
      const path = resolve(ROOT, 'shaders', format.id, 'spmv_scalar.wgsl');
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const isHandWritten = existsSync(path)
        ? text !== '' && !text.includes(GENERATED_MARK)
        : format.kernels.length > 0;
      if (isHandWritten) continue;
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
    const declaration = declarationOf(deltaCsr);
    if (!declaration) throw new RangeError('found no declaration');
    const text =
      'decode({ data, skips }, { rows }, put) { for (let r = 0; r < rows; r++) { put(r, Math.floor(skips[r] / 2), Math.floor(data[r] * 3)); } }';
    const decode = Object.assign(() => undefined, { toString: () => text });
    expect(firstKernel({ ...declaration, decode })).toContain('sum += floor(data_at(r) * 3.0) * x[skips_at(r) / 2u];');
  });

  it('writes y at the row of an array of permuted rows, whether it is read in put or before', () => {
    const declaration = declarationOf(deltaCsr);
    if (!declaration) throw new RangeError('found no declaration');
    const kernelOf = (body: string): string => {
      const text = `decode({ data, skips, indptr }, { rows }, put) { for (let i = 0; i < rows; i++) { ${body} } }`;
      return firstKernel({ ...declaration, decode: Object.assign(() => undefined, { toString: () => text }) });
    };
    const inside = kernelOf('for (let k = indptr[i]; k < indptr[i + 1]; k++) put(skips[i], 0, data[k]);');
    expect(inside).toContain('  y[skips_at(i)] = sum;\n');
    const before = kernelOf('const r = skips[i]; put(r, 0, data[i]);');
    expect(before).toContain('  let r = skips_at(i);\n');
    expect(before).toContain('  y[skips_at(i)] = sum;\n');
  });

  const decodeWith = (body: string): string => `decode({ data, skips }, { rows }, put) { ${body} }`;
  it.each([
    [decodeWith('for (let i = 0; i < 9; i++) put(i, 0, data[i]);'), 'for (let i = 0; i < 9; i++) put(i, 0, data[i]);'],
    [decodeWith('let n = 0; for (let r = 0; r < rows; r++) put(r, n++, data[r]);'), '{ let n = 0;'],
    [decodeWith('for (let r = 0; r < rows; r++) { put(skips[r + 1], 0, data[r]); }'), 'put(skips[r + 1], 0, data[r])'],
    [
      decodeWith('for (let r = 0; r < rows; r++) { put(skips[r], 0, data[r]); put(r, 0, data[r]); }'),
      'put(r, 0, data[r])',
    ],
    [decodeWith('for (let r = 0; r < rows; r++) { put(r, 0, skips[r]); }'), 'put(r, 0, skips[r])'],
    [decodeWith('for (let r = 0; r < rows; r++) { put(r, 0, data[-r]); }'), '-r'],
    [decodeWith('for (let r = 0; r < rows; r++) { put(r, skips[r] / 2, data[r]); }'), 'skips[r] / 2'],
    [decodeWith('for (let r = 0; r < rows; r++) { let c = skips[r]; c /= 2; put(r, c, data[r]); }'), 'c /= 2'],
    [decodeWith('for (let r = 0; r < rows; r++) { put(r, 0, data[other]); }'), 'other'],
    ['decode({ nothing }, { rows }, put) { for (let r = 0; r < rows; r++) put(r, 0, nothing[r]); }', 'nothing'],
  ])('reports the part of a decode that it cannot translate: %s', (text, part) => {
    const declaration = declarationOf(deltaCsr);
    if (!declaration) throw new RangeError('found no declaration');
    const decode = Object.assign(() => undefined, { toString: () => text });
    expect(() => firstKernel({ ...declaration, decode })).toThrow(`delta-csr: found '${part}`);
  });
});

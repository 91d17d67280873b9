// Writes a Node test for a matrix that breaks a law of the user's format, to be copied from the page.

import type { CsrMatrix } from '../../../../../src/core/matrix/index.ts';
import { shortestF32 } from '../../../../../src/core/number/index.ts';
import type { UserParams } from '../../../own/module-messages.ts';

interface CounterexampleTest {
  /** name of the module's file, without its ending */
  readonly name: string;
  /** title of the law that the module breaks on the matrix: 'Decodes to the same matrix' */
  readonly title: string;
  readonly matrix: CsrMatrix;
  readonly params: UserParams;
}

/** The code of a Node test that fails until the module's `decode` returns the matrix. It imports only the module. */
export function counterexampleTest({
  name,
  title,
  matrix: { rows, cols, indptr, indices, data },
  params,
}: CounterexampleTest): string {
  const cells = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: indptr[r + 1] - indptr[r] }, (_, i) => {
      const index = indptr[r] + i;
      return `[${indices[index]}, ${Number.isFinite(data[index]) ? shortestF32(data[index]) : data[index]}]`;
    }).join(', '),
  );
  return `// node --test ${name}.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as format from './${name}.js';

const COLUMNS = ${cols};
const ROWS = [${cells.map((row) => `[${row}]`).join(', ')}]; // columns with their values
const PARAMS = ${JSON.stringify(params)};

/** The nearest f16, as an array of f16 stores it. */
function f16(value) {
  if (!Number.isFinite(value) || value === 0) return value;
  const unit = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(value)))) - 10);
  const units = Math.abs(value) / unit;
  const even = units % 1 === 0.5 ? 2 * Math.round(units / 2) : Math.round(units);
  return Math.abs(even * unit) > 65504 ? Math.sign(value) * Infinity : Math.sign(value) * even * unit;
}

test('${title.replaceAll("'", '’')}: ${rows} × ${cols}', () => {
  const all = ROWS.map((row, index) => ({
    index,
    length: row.length,
    columns: row.map(([column]) => column),
    values: row.map(([, value]) => value),
  }));
  const A = {
    rows: ROWS.length,
    cols: COLUMNS,
    nnz: ROWS.flat().length,
    values: ROWS.flat().map(([, value]) => value),
    row: (r) => all[r],
    slice: (from, to) => all.slice(from, to),
    at: (r, c) => ROWS[r].find(([column]) => column === c)?.[1] ?? 0,
    [Symbol.iterator]: () => all[Symbol.iterator](),
  };
  const declared = typeof format.arrays === 'function' ? format.arrays(PARAMS) : format.arrays;
  const stored = {};
  const lists = {};
  for (const name of Object.keys(declared)) {
    const elements = (stored[name] = []);
    lists[name] = {
      push: (value) => elements.push(value) - 1,
      pad: (value = 0) => elements.push(value) - 1,
      get: (i) => elements[i],
      set: (i, value) => void (elements[i] = value),
      get length() {
        return elements.length;
      },
    };
  }
  format.encode(A, lists, PARAMS);
  // decode returns f16 values if an array marked 'values' is f16; without such an array, if any array of floats is.
  const floats = Object.values(declared).filter((type) => type.startsWith('f'));
  const ofValues = floats.filter((type) => type.endsWith(' values'));
  const isHalf = (ofValues.length > 0 ? ofValues : floats).some((type) => type.startsWith('f16'));
  const rounded = (value) => (isHalf ? f16(value) : value);
  for (const [name, type] of Object.entries(declared)) {
    if (type.startsWith('f16')) stored[name] = stored[name].map(f16);
  }
  const found = [];
  format.decode(stored, { rows: ROWS.length, cols: COLUMNS, ...PARAMS }, (row, column, value) => {
    if (value !== 0) found.push([row, column, value]);
  });
  const expected = ROWS.flatMap((row, r) =>
    row.map(([column, value]) => [r, column, rounded(value)]).filter(([, , value]) => value !== 0),
  );
  assert.deepEqual(found.sort(([r, c], [s, d]) => r - s || c - d), expected);
});
`;
}

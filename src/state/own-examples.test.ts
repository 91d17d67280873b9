import { describe, expect, it } from 'vitest';
import { PAGES } from '../../test/pages.ts';
import { shippedMatrices } from '../../test/shipped.ts';
import type { AnyFormat } from '../core/format.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { formats } from '../formats/registry.ts';
import { patterns } from '../generate/patterns.ts';
import { type Catalog, currentParams, defaultDocument, withFormat, withNeededParams } from './document.ts';
import { decodeHash, encodeHash } from './url.ts';

const shipped = new Map([...(await shippedMatrices())].map(([entry, matrix]) => [entry.id, { entry, matrix }]));

const catalog: Catalog = {
  formats,
  patterns,
  examples: [...shipped.values()].map(({ entry }) => ({ ...entry, title: entry.name, url: entry.file })),
  pages: PAGES,
  start: { source: { kind: 'example', id: 'fc2-70' }, format: 'macko', formatB: 'dense' },
};

/** Each format with each matrix of the gallery that it declares as its example. */
const EXAMPLES_BY_FORMAT: readonly (readonly [format: string, example: string])[] = formats.flatMap(
  ({ id, examples = [], bestExample }) =>
    [...new Set([bestExample.id, ...examples.map((worked) => worked.id)])].map((example) => [id, example] as const),
);

function formatOf(id: string): AnyFormat {
  const found = formats.find((format) => format.id === id);
  if (!found) throw new Error(`found no format ${id}`);
  return found;
}

function matrixOf(id: string): Matrix {
  const found = shipped.get(id);
  if (!found) throw new Error(`found no example ${id}`);
  return found.matrix;
}

describe.each(EXAMPLES_BY_FORMAT)('%s on its own example %s', (id, example) => {
  const format = formatOf(id);
  const decoded = (hash: string) => decodeHash(hash, catalog).document;

  it('admits it with the parameters that an address naming only format and example gives, in A and in B', () => {
    const inA = decoded(`#2/watch?src=example:${example}&a=${id}`);
    expect(format.admits(matrixOf(example), currentParams(inA))).toMatchObject({ ok: true });
    const inB = decoded(`#2/watch?src=example:${example}&a=dense&b=${id}`);
    expect(format.admits(matrixOf(example), inB.formatB?.params ?? {})).toMatchObject({ ok: true });
    expect([decoded(encodeHash(inA, catalog)), decoded(encodeHash(inB, catalog))]).toEqual([inA, inB]);
  });

  it('admits it with the parameters set when the format is chosen as A', () => {
    const doc = { ...defaultDocument(catalog), source: { kind: 'example', id: example } } as const;
    const chosen = withNeededParams(withFormat(doc, id), catalog);
    expect(format.admits(matrixOf(example), currentParams(chosen))).toMatchObject({ ok: true });
  });
});

it('parameters that an address names stay unchanged, although they reject the example', () => {
  const hash = '#2/watch?src=example:digits-gate-l1-1e-2&a=twell&a.compression=8';
  const named = decodeHash(hash, catalog).document;
  expect(currentParams(named)).toMatchObject({ compression: 8 });
  expect(formatOf('twell').admits(matrixOf('digits-gate-l1-1e-2'), currentParams(named)).ok).toBe(false);
  expect(decodeHash(encodeHash(named, catalog), catalog).document).toEqual(named);
  // With another matrix, nothing of the example is applied.
  const other = decodeHash('#2/watch?src=example:digits-gate-l1-3e-2&a=twell', catalog).document;
  expect(currentParams(other)).toMatchObject({ compression: 8 });
});

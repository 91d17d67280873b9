import { expect, it } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { type MtxHeader, MtxHeaderReader } from './mtx-header.ts';

function headerOf(text: string): MtxHeader {
  const reader = new MtxHeaderReader(2 ** 32);
  reader.feed(new TextEncoder().encode(text));
  return reader.complete();
}

it('reads sizes to the end of their line, after many spaces', () => {
  const far = ' '.repeat(2000);
  const general = '%%MatrixMarket matrix coordinate real general\n';
  expect(headerOf(`${general}${far}3${far}4${far}5\n`)).toMatchObject({ rows: 3, cols: 4, entries: 5 });
  expect(rejectionOf(() => headerOf(`%%MatrixMarket matrix array real general\n3 4${far}5\n`))).toMatch(
    /^line 2: found '3 4 .*, expected rows and cols as whole numbers$/,
  );
});

import { csvParseRows } from 'd3-dsv';
import { expect, it } from 'vitest';
import { csvLine } from './csv-line.ts';

it('csvLine writes numbers and most texts unchanged, and quotes the others', () => {
  expect(csvLine([-1, -0.5, 1e21, 0, true, null, ''])).toBe('-1,-0.5,1e+21,0,true,,\r\n');
  const texts = ['EC-SpMV, 8 bit', 'says "why"', 'a\nb', 'a=b', 'x - y', 'a@b', '3-4', '–'];
  expect(csvParseRows(csvLine(texts))).toEqual([texts]);
});

it.each(['=HYPERLINK("http://x")', '+1', '-1', '@a', '  =1', '\u00a0=1', '＝1', '\ta', '\ra', '\n=1', '\n b'])(
  'csvLine puts an apostrophe before %j, which a spreadsheet would execute as a formula',
  (text) => expect(csvParseRows(csvLine([text, -1]))).toEqual([[`'${text}`, '-1']]),
);

it.each(['a\t=1', 'a;=1', 'a\n=1', 'a\r=1', 'a,=1', '"=1'])(
  'csvLine quotes %j, so that it stays in one cell',
  (text) => {
    expect(csvLine([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
  },
);

import { expect, it } from 'vitest';
import { csvParseRows } from 'd3-dsv';
import { tableCsv } from './chart-csv.ts';

it('writes numbers in full, texts where there are no numbers, and quotes what has to be quoted', () => {
  const csv = tableCsv({
    head: ['density', 'EC-SpMV, 8 bit', 'says "why"'],
    rows: [
      { name: '0.300', cells: ['0.415', ''], values: [0.3, 0.414_961_3, null] },
      { name: 'a\nb', cells: ['1', '2'] },
    ],
  });
  expect(csv.endsWith('\r\n')).toBe(true);
  expect(csvParseRows(csv)).toEqual([
    ['density', 'EC-SpMV, 8 bit', 'says "why"'],
    ['0.3', '0.4149613', ''],
    ['a\nb', '1', '2'],
  ]);
});

import type { KeyTable } from '../../../kit/place.ts';

/** Keys of the table and of the chart, while one of its rows, or the thumb, has the focus. */
export const ROW_KEYS: KeyTable = {
  title: 'Compare, in the table and on the chart',
  rows: [
    { title: 'Row by row', keys: ['↑', '↓'] },
    { title: 'First row, last row', keys: ['Home', 'End'] },
    { title: 'Put the row in A, in B', keys: ['A', 'B'] },
    { title: 'Put the row in A', keys: ['Enter'] },
    { title: 'Put the row in B', keys: ['Shift + Enter'] },
    { title: 'What is left, by 1 %', keys: ['←', '→'] },
  ],
};

import type { KeyTable } from '../../../kit/place.ts';

/** Keys of the table, while one of its rows has the focus. */
export const ROW_KEYS: KeyTable = {
  title: 'Compare, in the table',
  rows: [
    { title: 'Row by row', keys: ['↑', '↓'] },
    { title: 'First row, last row', keys: ['Home', 'End'] },
    { title: 'Put the row in A, in B', keys: ['A', 'B'] },
    { title: 'Put the row in A', keys: ['Enter'] },
    { title: 'Put the row in B', keys: ['Shift', 'Enter'] },
  ],
};

import type { KeyTable } from '../place.ts';

/** Keys while the matrix has the focus, listed here but handled by the matrix. */
export const MATRIX_KEYS: KeyTable = {
  title: 'While the matrix has the focus',
  rows: [
    { title: 'Move cell by cell', keys: ['↑', '↓', '←', '→'] },
    { title: 'Move by ten cells', keys: ['Shift + ↑', '↓', '←', '→'] },
    { title: 'Up and down by a page', keys: ['Page up', 'Page down'] },
    { title: 'First and last column', keys: ['Home', 'End'] },
    { title: 'First and last cell', keys: ['Ctrl + Home', 'Ctrl + End'] },
    { title: 'Put the window here', keys: ['Enter'] },
    { title: 'Zoom in, out', keys: ['+', '−'] },
    { title: 'Fit the whole matrix', keys: ['F', '0'] },
  ],
};

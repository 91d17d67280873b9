import type { KeyTable } from '../../../kit/place.ts';

/** Keys while cells are edited, listed here but handled by the cells. */
export const EDITING_KEYS: KeyTable = {
  title: 'While cells are edited',
  rows: [
    { title: 'From cell to cell', keys: ['↑', '↓', '←', '→'] },
    { title: 'Fill or clear the cell', keys: ['Enter'] },
    { title: 'Set it to a number', keys: ['0 … 9', '−', '.'] },
    { title: 'Clear it', keys: ['Delete'] },
    { title: 'Done', keys: ['Esc'] },
  ],
};

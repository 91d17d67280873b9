import type { KeyTable } from '../../../kit/place.ts';

export const LANGUAGE_KEYS: KeyTable = {
  title: 'Language, in its text and its neurons',
  rows: [
    { title: 'Write', keys: ['$mod+Enter'] },
    { title: 'Stop', keys: ['Escape'] },
    { title: 'The token before, the next one', keys: ['ArrowLeft', 'ArrowRight'] },
    { title: 'The layer before, the next one', keys: ['ArrowUp', 'ArrowDown'] },
    { title: 'To one that lost more than 1 bit', keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'] },
    { title: 'To the first broken law', keys: ['l'] },
    { title: 'Held to the dense text, or free', keys: ['f'] },
    { title: 'One percent more left, or less', keys: [',', '.'] },
    { title: 'Ten percent more left, or less', keys: ['Shift+,', 'Shift+.'] },
  ],
};

import { expect, it } from 'vitest';
import { box, bracket, frame, notThereYet, note } from './marks.ts';

it('box, frame, bracket and note make marks that are neutral and of default size unless specified', () => {
  expect(box('a', 2, 3)).toEqual({ id: 'a', shape: 'box', x: 2, y: 3, w: 1, h: 1, tone: 'neutral' });
  expect(box('a', 2, 3, { w: 4, tone: 'values', label: 'four' })).toMatchObject({ w: 4, h: 1, tone: 'values' });
  expect(frame('b', 0, 1, 5, 2)).toEqual({ id: 'b', shape: 'frame', x: 0, y: 1, w: 5, h: 2, tone: 'neutral' });
  expect(bracket('c', 0, 1, 5, '17', { h: 1 })).toMatchObject({ shape: 'bracket', w: 5, h: 1, text: '17' });
  expect(note('d', 0, 1, 5, 'words')).toMatchObject({ shape: 'text', w: 5, h: 1, text: 'words' });
});

it('notThereYet makes a dashed mark with a label, and with a text only if the later mark has one', () => {
  expect(notThereYet('data[3]')).toEqual({ state: 'ghost', label: 'data[3]: not there yet' });
  expect(notThereYet('data[3]', '0.5')).toEqual({ state: 'ghost', label: 'data[3]: not there yet', text: '0.5' });
});

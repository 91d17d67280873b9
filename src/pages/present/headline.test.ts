import { expect, test } from 'vitest';
import type { Panel, Scene } from '../../story/scene.ts';
import { headlineOf, withoutMemory } from './Present.tsx';

const text = (words: readonly { readonly text: string }[]): string => words.map((word) => word.text).join('');

test('the first sentence is separate from the others', () => {
  const { first, rest } = headlineOf([
    { text: 'Column 29 is ' },
    { text: '17', strong: true },
    { text: ' past column 12. A 4-bit delta reaches 0.5 of that. ' },
    { text: 'More', strong: true },
  ]);
  expect([text(first), first[1]]).toEqual(['Column 29 is 17 past column 12.', { text: '17', strong: true }]);
  expect(text(rest)).toBe('A 4-bit delta reaches 0.5 of that. More');
});

test('a sentence may end with its piece, and numbers end no sentence', () => {
  const { first, rest } = headlineOf([{ text: 'The value is 0.25 of 1.5.', strong: true }, { text: ' It stays.' }]);
  expect([text(first), text(rest)]).toEqual(['The value is 0.25 of 1.5.', ' It stays.']);
  expect(headlineOf([{ text: 'no end' }])).toEqual({ first: [{ text: 'no end' }], rest: [] });
});

test('strips of memory are omitted from a presentation, unless there is nothing else', () => {
  const panel = (id: string, unit: Panel['unit']): Panel => ({ id, unit, columns: 1, rows: 1, marks: [] });
  const scene = (...panels: readonly Panel[]): Scene => ({ panels, links: [], narration: [], code: null });
  const [matrix, memory] = [panel('matrix', 'cell'), panel('memory', 'byte')];
  expect(withoutMemory(scene(matrix, memory)).panels).toEqual([matrix]);
  for (const whole of [scene(matrix), scene(memory)]) expect(withoutMemory(whole)).toBe(whole);
});

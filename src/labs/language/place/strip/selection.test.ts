import { expect, it } from 'vitest';
import { allMatrices } from '../../overrides/matrix-overrides.ts';
import { calibrationProblem } from '../text/Figures.tsx';
import { selectedWords } from './OwnPanel.tsx';
import { extended, isSelected, NOTHING_SELECTED, toggled, withGroup } from './selection.ts';

const up = { layer: 3, name: 'up' } as const;

it('is extended over all layers and kinds between two matrices, from the same one each time', () => {
  const one = toggled(NOTHING_SELECTED, up);
  const many = extended(one, { layer: 1, name: 'o' });
  expect(many.matrices).toHaveLength(9);
  expect(isSelected(many, { layer: 2, name: 'gate' })).toBe(true);
  expect(extended(many, { layer: 3, name: 'down' }).matrices).toEqual([up, { layer: 3, name: 'down' }]);
  expect(toggled(many, { layer: 2, name: 'gate' }).matrices).toHaveLength(8);
});

it('takes a whole kind or layer, besides the others if wanted, and gives it back', () => {
  const all = allMatrices({ layers: 6, gated: true });
  const downs = all.filter(({ name }) => name === 'down');
  const layer = all.filter((at) => at.layer === 2);
  const first = withGroup(toggled(NOTHING_SELECTED, up), downs, false);
  expect(first.matrices).toEqual(downs);
  const both = withGroup(first, layer, true);
  expect(both.matrices).toHaveLength(12);
  expect(withGroup(both, downs, true).matrices).toHaveLength(6);
  expect(withGroup(first, downs, false).matrices).toEqual([]);
  expect([selectedWords([up]), selectedWords(downs), selectedWords(layer), selectedWords(both.matrices)]).toEqual([
    'layer 3 › up',
    'down in 6 layers',
    'layer 2: 7 matrices',
    '12 matrices',
  ]);
});

it('a text for Wanda has bounds, said in one sentence', () => {
  expect(calibrationProblem('too short')).toMatch(/^Text for Wanda: found 9 characters, expected at least 200\.$/);
  expect(calibrationProblem('x'.repeat(4001))).toMatch(/found 4.001 characters, expected at most 4.000\.$/);
  expect(calibrationProblem('a cow '.repeat(40))).toBeNull();
});

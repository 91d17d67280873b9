import { expect, it } from 'vitest';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import { choiceAt, crumbsOfChoice } from './choice.ts';
import { type Crumbs, crumbsOf, levelOf } from './crumbs.ts';

const location = { model: 'Llama-3.1-8B', layer: 12, matrix: 'down_proj', matrices: 225, inLayer: 7 };
const opened = { name: 'Llama-3.1-8B › layer 12 › down_proj, stand-in weights', rows: 4096, cols: 14_336, location };
const PRUNING = { way: 'magnitude', density: 0.5 } as const;
const model = { kind: 'model', model: 'llama-3.1-8b' } as const;
const titleOf = (id: string): string | null => (id === 'arrow' ? 'Arrow' : null);

const crumbs = (source: MatrixSource, openMatrix: Parameters<typeof crumbsOf>[1] = null): Crumbs =>
  crumbsOf(source, openMatrix, titleOf);

it('the breadcrumbs of an open matrix name its level of the model and all levels above', () => {
  expect(crumbs(model, opened)).toEqual({
    names: ['Llama-3.1-8B', 'whole model'],
    detail: '225 matrices',
    levels: ['model'],
  });
  expect(crumbs({ ...model, layer: 12 }, opened)).toEqual({
    names: ['Llama-3.1-8B', 'layer 12', 'whole layer'],
    detail: '7 matrices',
    levels: ['model', 'layer'],
  });
  const pruned = { kind: 'pruned', base: { ...model, layer: 12, matrix: 'down' }, pruning: PRUNING } as const;
  expect(crumbs(pruned, opened)).toEqual({
    names: ['Llama-3.1-8B', 'layer 12', 'down_proj'],
    detail: '4\u202f096 × 14\u202f336',
    levels: ['model', 'layer'],
  });
  expect(levelOf(pruned)).toBe('matrix');
});

it('the breadcrumbs of a source that is not open yet use the source alone', () => {
  expect(crumbs({ ...model, layer: 3 }).names).toEqual(['llama-3.1-8b', 'layer 3', 'whole layer']);
  expect(crumbs({ kind: 'example', id: 'arrow' }).names).toEqual(['Arrow']);
  const spec = { pattern: 'uniform', rows: 40, cols: 56, density: 0.3, seed: 1, options: {} };
  expect(crumbs({ kind: 'generated', spec }, { name: 'uniform 40 × 56', rows: 40, cols: 56 })).toEqual({
    names: ['random, 30\u202f% left'],
    detail: '40 × 56',
    levels: [],
  });
  expect(crumbs({ kind: 'generated', spec: { ...spec, pattern: 'activations', density: 0.01 } }).names).toEqual([
    'activations, 1\u202f% non-zero',
  ]);
  const sixOfEight = { ...spec, pattern: 'n-of-m', density: 0.75, options: { m: 8 } };
  expect(crumbs({ kind: 'generated', spec: sixOfEight }).names).toEqual(['random 6:8']);
  expect(crumbs({ kind: 'file', name: 'mine.npz', tensor: 'w' }).names).toEqual(['w']);
  expect(crumbs({ kind: 'remote', link: 'org/name' })).toEqual({ names: ['org/name'], detail: null, levels: [] });
});

it('a choice has the same breadcrumbs as the matrix that it opens', () => {
  for (const path of [model, { ...model, layer: 12 }, { ...model, layer: 12, matrix: 'down' }]) {
    expect(crumbsOfChoice(choiceAt(path))).toEqual(crumbs(path, opened));
  }
  expect(crumbsOfChoice(choiceAt({ ...model, matrix: 'lm_head' }))).toEqual({
    names: ['Llama-3.1-8B', 'lm_head'],
    detail: '128\u202f256 × 4\u202f096',
    levels: ['model'],
  });
});

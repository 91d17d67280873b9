import { expect, it } from 'vitest';
import { parseGallery } from '../../io/gallery.ts';
import { readFileSync } from 'node:fs';
import { modelsWith, sourceOf } from './choice.ts';
import { exampleFinder, type MatrixPickerResult, matrixPickerResults } from './search.ts';

const gallery = parseGallery(JSON.parse(readFileSync('public/examples/index.json', 'utf8')));
const findExample = exampleFinder(gallery);
const find = (query: string): readonly MatrixPickerResult[] =>
  matrixPickerResults(query, modelsWith(null), findExample);
const titles = (query: string): readonly string[] => find(query).map(({ title }) => title);

it('finds models, layers and matrices by parts of their names', () => {
  expect(titles('llama 3.1 8b')).toEqual(['Llama-3.1-8B']);
  expect(find('llama 3.1 8b')[0].description).toBe('whole model, 16.1\u202fGB dense');
  expect(titles('llama 8b layer 12 down')).toEqual(['Llama-3.1-8B › layer 12 › down_proj']);
  const [layer] = find('mistral layer 3');
  expect(layer.kind === 'in-model' && sourceOf(layer.choice)).toEqual({
    kind: 'model',
    model: 'mistral-7b-v0.1',
    layer: 3,
  });
});

it('finds examples by what they are called and what they show', () => {
  // Examples whose names match come before examples whose descriptions match.
  expect([titles('arow')[0], titles('padding')[0]]).toEqual(['Arrow', 'Digits, first layer, 10 % left']);
  expect(find('second layer 2:4')).toEqual([
    { kind: 'example', id: 'digits-fc2-2-4', title: 'Digits, second layer, 2:4', description: 'example, 512 × 512' },
  ]);
});

it('suggests to open a text with the form of an address, a model of the hub, or a file', () => {
  expect(find('https://example.org/a.mtx').map(({ kind }) => kind)).toEqual(['link', 'file']);
  expect(find('org/name@main/model.safetensors').map(({ kind }) => kind)).toEqual(['link', 'file']);
  expect(find('mine.npz').map(({ kind }) => kind)).toEqual(['file']);
});

it('finds nothing for what is nowhere, and for nothing', () => {
  expect([find('xyzzy'), find('  '), find('llama layer 99'), find('[('.repeat(10_000))]).toEqual([[], [], [], []]);
});

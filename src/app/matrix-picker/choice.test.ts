import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weightsOf } from '../../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../theory/models/known-models.ts';
import { findPosition } from '../../theory/models/model-tree.ts';
import {
  type Choice,
  choiceAt,
  choiceOf,
  choiceAfterKey,
  type Level,
  LEVELS,
  modelsWith,
  movedChoice,
  sourceOf,
  withLayer,
  withLevel,
  withMatrix,
} from './choice.ts';

const models = modelsWith(null);
const DOWN = choiceAt({ model: 'llama-3.1-8b', layer: 12, matrix: 'down' });
const EXAMPLE = choiceOf({ kind: 'example', id: 'arrow' }, { row: 8, col: 0, rows: 5, cols: 32 });

/** The choice after some keys. */
function press(from: Choice, ...keys: readonly string[]): Choice {
  return keys.reduce((choice, key) => choiceAfterKey(choice, key, models, { rows: 400, cols: 400 }) ?? choice, from);
}

describe('keys', () => {
  it('left and right change the level, as far as there is one', () => {
    const levels = (choice: Choice, key: string): readonly Level[] =>
      [1, 2, 3, 4].map((times) => press(choice, ...Array.from({ length: times }, () => key)).level);
    expect(levels(DOWN, 'ArrowLeft')).toEqual(['layer', 'model', 'model', 'model']);
    expect(levels(DOWN, 'ArrowRight')).toEqual(['window', 'window', 'window', 'window']);
  });

  it('up and down go through the models by their bytes', () => {
    const sizes = models.map(weightsOf);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const model = press(DOWN, 'ArrowLeft', 'ArrowLeft');
    expect(sourceOf(model)).toEqual({ kind: 'model', model: 'llama-3.1-8b' });
    const next = models[models.findIndex(({ name }) => name === 'Llama-3.1-8B') + 1];
    expect(press(model, 'ArrowDown').selection?.model).toBe(next);
    expect(press(model, 'ArrowDown', 'ArrowUp').selection?.model.name).toBe('Llama-3.1-8B');
    expect(press(model, ...models.map(() => 'ArrowDown')).selection?.model).toBe(models.at(-1));
  });

  it('up and down go through layers, and through the matrices of one and lm_head', () => {
    expect(sourceOf(press(DOWN, 'ArrowLeft', 'ArrowDown'))).toEqual({
      kind: 'model',
      model: 'llama-3.1-8b',
      layer: 13,
    });
    expect(sourceOf(press(DOWN, 'ArrowUp'))).toMatchObject({ layer: 12, matrix: 'up' });
    expect(sourceOf(press(DOWN, 'ArrowDown'))).toEqual({ kind: 'model', model: 'llama-3.1-8b', matrix: 'lm_head' });
    expect(press(withLayer(withLevel(DOWN, 'layer'), 31), 'ArrowDown').selection?.matrix.layer).toBe(31);
    expect(press(withLayer(withLevel(DOWN, 'layer'), 0), 'ArrowUp').selection?.matrix.layer).toBe(0);
  });

  it('move a window by its rows, within the matrix', () => {
    expect(press(EXAMPLE, 'ArrowRight', 'ArrowDown').window).toEqual({ row: 13, col: 0, rows: 5, cols: 32 });
    expect(press(EXAMPLE, 'ArrowRight', 'ArrowUp', 'ArrowUp').window?.row).toBe(0);
    expect(press(DOWN, 'ArrowRight', 'ArrowDown').window).toEqual({ row: 0, col: 0, rows: 5, cols: 32 });
  });

  it('begin at a model if the matrix belongs to none', () => {
    expect(sourceOf(EXAMPLE)).toBeNull();
    expect(sourceOf(press(EXAMPLE, 'ArrowLeft', 'ArrowLeft'))).toEqual({ kind: 'model', model: 'llama-3.1-8b' });
    expect(sourceOf(press(EXAMPLE, 'ArrowDown'))).toEqual({
      kind: 'model',
      model: 'llama-3.1-8b',
      layer: 0,
      matrix: 'down',
    });
  });

  it('other than these have no effect', () => {
    for (const key of ['Enter', 'Escape', 'a', 'Tab', 'Home'])
      expect(choiceAfterKey(DOWN, key, models, null)).toBeNull();
  });
});

it('keeps the matrix when another layer is chosen, and the layer when another matrix is', () => {
  expect(sourceOf(withLayer(DOWN, 3))).toMatchObject({ layer: 3, matrix: 'down' });
  expect(sourceOf(withMatrix(DOWN, 'k'))).toMatchObject({ layer: 12, matrix: 'k' });
  expect(sourceOf(withMatrix(withMatrix(DOWN, 'lm_head'), 'q'))).toMatchObject({ layer: 0, matrix: 'q' });
});

it('names an existing matrix and its level, after any keys', () => {
  const key = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight');
  fc.assert(
    fc.property(fc.constantFrom(...KNOWN_MODELS), fc.array(key, { maxLength: 30 }), (model, keys) => {
      const start = choiceOf({ kind: 'model', model: model.name.toLowerCase() }, null);
      const choice = press(start, ...keys);
      const source = sourceOf(choice);
      expect(LEVELS).toContain(choice.level);
      if (source === null) return;
      const { level, matrix } = findPosition(source);
      expect(level).toBe(choice.level === 'window' ? 'matrix' : choice.level);
      expect(matrix).toEqual(choice.selection?.matrix);
    }),
  );
});

it('belongs to no model where a link names an unknown one', () => {
  expect(choiceOf({ kind: 'model', model: 'llama-9' }, null)).toEqual({
    level: 'matrix',
    selection: null,
    window: null,
  });
});

it('lists an imported model with the others', () => {
  const customModel = { ...KNOWN_MODELS[0], name: 'own', layers: 1 };
  const models = modelsWith(customModel);
  expect(models).toHaveLength(KNOWN_MODELS.length + 1);
  expect(movedChoice({ ...withLevel(DOWN, 'model') }, 100, models, null).selection?.model).toBe(models.at(-1));
  expect(sourceOf(choiceOf({ kind: 'model', model: '4-8-2-1-1-4-30:own' }, null))).toEqual({
    kind: 'model',
    model: '4-8-2-1-1-4-30:own',
  });
});

// Which model and pruning a tab of Language shows, from selection bar and address.

import { expect, it } from 'vitest';
import { aboveFloor, interpolatedBits } from './curve/above-floor.ts';
import { DEFAULT_SOURCE } from './address.ts';
import { densityOf, languageModelChoice, RELU_MODEL, sourceOf, withDensity, withReluModel } from './model-choice.ts';

const TALES = { kind: 'model', model: 'tales' } as const;

it('the model choice is the model of the selection bar if its weights are shipped', () => {
  const pruning = { way: 'rows', density: 0.3 } as const;
  const own = languageModelChoice(
    { kind: 'pruned', base: { ...TALES, layer: 3, matrix: 'up' }, pruning },
    'tales-small',
  );
  expect([own.model.id, own.pruning, own.isDocumentModel]).toEqual(['tales', pruning, true]);
  expect(languageModelChoice(TALES, '').pruning).toBeNull();
});

it('the model choice is otherwise another model, with the pruning of the selection bar', () => {
  const other = { kind: 'model', model: 'llama-3.1-8b' } as const;
  const pruning = { way: 'magnitude', density: 0.5 } as const;
  const modelChoice = languageModelChoice({ kind: 'pruned', base: other, pruning }, 'tales-small');
  expect([modelChoice.model.id, modelChoice.pruning, modelChoice.isDocumentModel]).toEqual([
    'tales-small',
    pruning,
    false,
  ]);
  expect(languageModelChoice(other, 'nobody').pruning).toEqual({ way: 'wanda', density: 0.6 });
  expect(languageModelChoice(other, 'nobody').model.id).toBe('tales');
});

it('the model choice is the last requested model, before the selection bar shows it', () => {
  const other = { kind: 'model', model: 'llama-3.1-8b' } as const;
  const requested = { kind: 'pruned', base: TALES, pruning: { way: 'wanda', density: 0.22 } } as const;
  const begun = { kind: 'pruned', base: TALES, pruning: { way: 'wanda', density: 0.6 } } as const;
  const toModel = languageModelChoice(other, 'tales-small', { requested });
  expect([toModel.model.id, toModel.pruning, toModel.isDocumentModel]).toEqual(['tales', requested.pruning, false]);
  const pruned = languageModelChoice(begun, '', { requested });
  expect([pruned.model.id, pruned.pruning, pruned.isDocumentModel]).toEqual(['tales', requested.pruning, true]);
});

it('the model choice of the tab Neurons is the shipped ReLU model, or an imported model', () => {
  const choice = languageModelChoice(TALES, '');
  expect(withReluModel(choice)).toMatchObject({ model: { id: RELU_MODEL }, isDocumentModel: false });
  // Firing neurons were counted for the model as trained, so the selection bar may not call it pruned.
  const pruned = { kind: 'pruned', base: TALES, pruning: { way: 'wanda', density: 0.6 } } as const;
  const prunedRelu = { ...pruned, base: { ...TALES, model: RELU_MODEL } } as const;
  for (const source of [pruned, prunedRelu]) {
    const reluChoice = withReluModel(languageModelChoice(source, ''));
    expect([reluChoice.model.id, reluChoice.pruning, reluChoice.isDocumentModel]).toEqual([RELU_MODEL, null, false]);
  }
  const relu = languageModelChoice({ ...TALES, model: RELU_MODEL }, '');
  expect(withReluModel(relu)).toBe(relu);
  const imported = { ...choice, model: { ...choice.model, id: 'brought:mine' } };
  expect(withReluModel(imported)).toBe(imported);
});

it('the model choice of an address without a model is the default model', () => {
  const { model, pruning } = languageModelChoice({ kind: 'model', model: 'llama-3.1-8b' }, '');
  expect(sourceOf(model, pruning)).toEqual(DEFAULT_SOURCE);
});

it('a changed density keeps the pruning method', () => {
  expect(withDensity({ way: 'random', density: 0.5, seed: 7 }, 0.4)).toEqual({ way: 'random', density: 0.4, seed: 7 });
  expect(withDensity({ way: 'n-of-m', kept: 2, group: 4 }, 0.4)).toEqual({ way: 'wanda', density: 0.4 });
  expect(withDensity(null, 1)).toBeNull();
  expect([densityOf(null), densityOf({ way: 'n-of-m', kept: 6, group: 8 })]).toEqual([1, 0.75]);
  expect(sourceOf(languageModelChoice(TALES, '').model, null)).toEqual(TALES);
});

it('quality is interpolated between measured densities, and unknown outside of them', () => {
  const points = [1, 0.5, 0.1].map((density, i) => ({ density, bitsPerByte: 0.2 + 0.01 * 10 ** i }));
  expect(interpolatedBits(points, 0.5, 0.2)).toBeCloseTo(0.3, 9);
  expect(interpolatedBits(points, 0.75, 0.2)).toBeCloseTo(0.2 + Math.sqrt(0.01 * 0.1), 9);
  expect([interpolatedBits(points, 0.05, 0.2), interpolatedBits([], 0.5, 0.2)]).toEqual([null, null]);
  expect([aboveFloor(-1), aboveFloor(0.001), aboveFloor(0.1)].map((y) => Number(y.toFixed(6)))).toEqual([0, 1, 3]);
});

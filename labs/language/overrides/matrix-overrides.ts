// Overrides: pruning, value type and format that the user chooses for single matrices of a language model.

import type { AnyListedFormat } from '../../../src/core/format.ts';
import type { Pruning } from '../../../src/engine/matrix/source-types.ts';
import { densityText } from '../../../src/kit/words/shares.ts';
import { BLOCK_MATRICES, blockMatrices, type BlockMatrix } from '../decoders/decoder.ts';
import { type ModelPruning, needsInputs, type StoredType } from '../decoders/stored/recipe.ts';
import type { ModelShape } from '../../../src/theory/models/model-shape.ts';

/** A pruning of one matrix, with a single density. */
export type MatrixPruning =
  | { readonly way: 'none' }
  | { readonly way: 'magnitude' | 'rows' | 'wanda'; readonly density: number }
  | { readonly way: 'random'; readonly density: number; readonly seed: number }
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number; readonly by: 'magnitude' | 'wanda' };

/** The user's choices for one matrix; for an absent choice, the choice for the whole model applies. */
export interface MatrixChoice {
  readonly pruning?: MatrixPruning | undefined;
  readonly valueType?: StoredType | undefined;
  /** id of the format */
  readonly format?: string | undefined;
}

/** A matrix of a block. */
export interface MatrixAt {
  readonly layer: number;
  readonly name: BlockMatrix;
}

/** An override: the choices for one matrix. */
export interface MatrixEntry extends MatrixChoice, MatrixAt {}

/** The choices of matrices that differ from the whole model: at most one for each matrix, sorted by layer and kind. */
export type MatrixOverrides = readonly MatrixEntry[];

/** The value types that a matrix can be stored with. */
export const VALUE_TYPES: readonly StoredType[] = ['f16', 'i8', 'i4'];

/** Whether two matrices are the same. */
export function isSameMatrix(a: MatrixAt, b: MatrixAt): boolean {
  return a.layer === b.layer && a.name === b.name;
}

/** All matrices of the blocks of a model. */
export function allMatrices(shape: Pick<ModelShape, 'layers' | 'gated'>): readonly MatrixAt[] {
  const names = blockMatrices(shape);
  return Array.from({ length: shape.layers }, (_, layer) => names.map((name) => ({ layer, name }))).flat();
}

/** The overrides with `change` for some matrices; undefined removes a choice. */
export function withOverrides(
  overrides: MatrixOverrides,
  matrices: readonly MatrixAt[],
  change: MatrixChoice,
): MatrixOverrides {
  const others = overrides.filter((entry) => !matrices.some((matrix) => isSameMatrix(matrix, entry)));
  const changed = matrices.map((matrix): MatrixEntry => ({
    ...overrides.find((entry) => isSameMatrix(matrix, entry)),
    layer: matrix.layer,
    name: matrix.name,
    ...change,
  }));
  return sorted([...others, ...changed.filter((entry) => entry.pruning || entry.valueType || entry.format)]);
}

/** The entries by block, and in a block by kind of matrix. */
function sorted(overrides: MatrixOverrides): MatrixOverrides {
  const kindIndex = (entry: MatrixEntry): number => BLOCK_MATRICES.indexOf(entry.name);
  return overrides.toSorted((a, b) => a.layer - b.layer || kindIndex(a) - kindIndex(b));
}

/** Whether a format can store values of a type. */
export function storesType(format: Pick<AnyListedFormat, 'params'>, type: StoredType): boolean {
  const field = (format.params as Readonly<Record<string, { readonly options?: readonly { value: unknown }[] }>>)
    .valueType;
  return field?.options?.some(({ value }) => value === type) ?? false;
}

/** The pruning of each matrix, from the pruning of the whole model (null: not pruned). */
export function matrixPruningOf(pruning: Pruning | null): MatrixPruning {
  if (pruning === null) return { way: 'none' };
  return pruning.way === 'n-of-m' ? { ...pruning, by: 'magnitude' } : pruning;
}

/** Whether Wanda prunes the model or any of its matrices. */
export function isByWanda(pruning: Pruning | null, overrides: MatrixOverrides): boolean {
  return needsInputs({
    pruning: matrixPruningOf(pruning),
    own: overrides.map(({ layer, name, pruning: matrixPruning }) => ({
      layer,
      name,
      ...(matrixPruning && { pruning: matrixPruning }),
    })),
  });
}

/** The share of weights that a pruning leaves. */
export function pruningDensity(pruning: MatrixPruning): number {
  if (pruning.way === 'none') return 1;
  return pruning.way === 'n-of-m' ? pruning.kept / pruning.group : pruning.density;
}

/** The text about how the remaining weights are chosen, by method. */
export const CRITERION_WORDS: Readonly<Record<ModelPruning['way'] | 'none', string>> = {
  none: '',
  magnitude: 'by magnitude',
  rows: 'by magnitude in rows',
  wanda: 'by Wanda',
  random: 'at random',
  'n-of-m': '',
  spense: '',
};

/** A pruning in words: '40 % by Wanda', '2:4 by Wanda', 'not pruned'. */
export function pruningWords(pruning: MatrixPruning): string {
  if (pruning.way === 'none') return 'not pruned';
  if (pruning.way === 'n-of-m') return `${pruning.kept}:${pruning.group} ${CRITERION_WORDS[pruning.by]}`;
  return `${densityText(pruning.density)} ${CRITERION_WORDS[pruning.way]}`;
}

/** A choice in words: '40 % by Wanda, i4, dense'. `titleOf`: the title of a format. */
export function choiceText({ pruning, valueType, format }: MatrixChoice, titleOf: (id: string) => string): string {
  return [pruning && pruningWords(pruning), valueType, format && titleOf(format)].filter(Boolean).join(', ');
}

/** The choices of all matrices in words: null if there are none, the choice if all share one, else 'mixed'. */
export function overridesWords(
  overrides: MatrixOverrides,
  matrices: number,
  titleOf: (id: string) => string,
): string | null {
  if (overrides.length === 0) return null;
  const texts = new Set(overrides.map((entry) => choiceText(entry, titleOf)));
  return overrides.length === matrices && texts.size === 1 ? [...texts][0] : 'mixed';
}

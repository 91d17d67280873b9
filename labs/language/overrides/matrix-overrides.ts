// Overrides: pruning, value type and format that the user chooses for single matrices of a language model.

import type { AnyListedFormat } from '../../../src/core/format.ts';
import type { ChoiceField } from '../../../src/kit/browser/choices.ts';
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

interface MatrixEntry extends MatrixChoice, MatrixAt {}

/** The choices of matrices that differ from the whole model: at most one for each matrix, sorted by layer and kind. */
export type MatrixOverrides = readonly MatrixEntry[];

/** The value types that a matrix can be stored with. */
export const VALUE_TYPES: readonly StoredType[] = ['f16', 'i8', 'i4'];

/** No shipped model has a layer beyond this. */
const MAX_LAYER = 127;
/** Maximum characters of all overrides in an address. */
const LONGEST = 4000;
/** Maximum M of N:M. */
const MAX_GROUP = 64;

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

/**
 * The field `x.own` of the address, 'down0-5.up3~wanda-0.4~i8~csr_q0~whole': kinds with their layers, then pruning,
 * value type and format, each possibly empty. `formats`: ids of the existing formats.
 */
export function overridesField(formats: readonly string[]): ChoiceField<MatrixOverrides> {
  return {
    default: [],
    expected: 'matrices with their pruning, values and format, such as down0-5.up3~wanda-0.4~f16~dense',
    write: overridesText,
    read(text) {
      if (text === '') return [];
      if (text.length > LONGEST) return null;
      let overrides: MatrixOverrides = [];
      for (const group of text.split('_')) {
        const [selector, pruningText = '', type = '', format = '', ...rest] = group.split('~');
        const matrices = readSelector(selector);
        const pruning = pruningText === '' ? undefined : readPruning(pruningText);
        const valueType = type === '' ? undefined : VALUE_TYPES.find((valueTypeName) => valueTypeName === type);
        const isValid = pruning !== null && (type === '' || valueType) && (format === '' || formats.includes(format));
        if (matrices === null || !isValid || rest.length > 0) return null;
        const change = { pruning, valueType, format: format === '' ? undefined : format };
        overrides = withOverrides(overrides, matrices, change);
      }
      return overrides;
    },
  };
}

/** The overrides as written in addresses: for each choice, the matrices it applies to, as in 'down0-5~wanda-0.4'. */
function overridesText(overrides: MatrixOverrides): string {
  const groups = new Map<string, MatrixEntry[]>();
  for (const entry of overrides) {
    const choice = [entry.pruning ? pruningText(entry.pruning) : '', entry.valueType ?? '', entry.format ?? '']
      .join('~')
      .replace(/~+$/, '');
    groups.set(choice, [...(groups.get(choice) ?? []), entry]);
  }
  return [...groups].map(([choice, matrices]) => `${selectorText(matrices)}~${choice}`).join('_');
}

/** 'down0-5.up3', or 'all0-5' if every kind has the same layers. */
function selectorText(matrices: readonly MatrixAt[]): string {
  const byKind = BLOCK_MATRICES.map((name) => ({
    name,
    layers: matrices.filter((matrix) => matrix.name === name).map(({ layer }) => layer),
  })).filter(({ layers }) => layers.length > 0);
  const ranges = byKind.map(({ layers }) => rangesText(layers));
  const isAll = byKind.length === BLOCK_MATRICES.length && ranges.every((range) => range.join() === ranges[0].join());
  if (isAll) return ranges[0].map((range) => `all${range}`).join('.');
  return byKind.flatMap(({ name }, i) => ranges[i].map((range) => `${name}${range}`)).join('.');
}

/** Ascending numbers as ranges: '0-2', '5'. */
function rangesText(numbers: readonly number[]): readonly string[] {
  const ranges: [number, number][] = [];
  for (const n of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}

/** Parses the result of `selectorText`; null for anything else. */
function readSelector(text: string): readonly MatrixAt[] | null {
  const matrices: MatrixAt[] = [];
  for (const part of text.split('.')) {
    const match = /^([a-z]+)(\d{1,3})(?:-(\d{1,3}))?$/.exec(part);
    if (!match) return null;
    const [from, to] = [Number(match[2]), Number(match[3] ?? match[2])];
    const names = match[1] === 'all' ? BLOCK_MATRICES : BLOCK_MATRICES.filter((name) => name === match[1]);
    if (names.length === 0 || from > to || to > MAX_LAYER) return null;
    for (let layer = from; layer <= to; layer++) for (const name of names) matrices.push({ layer, name });
  }
  return matrices;
}

/** A pruning as written in addresses: 'wanda-0.4', '2of4', 'whole'. */
export function pruningText(pruning: MatrixPruning): string {
  if (pruning.way === 'none') return 'whole';
  if (pruning.way === 'n-of-m') {
    return `${pruning.kept}of${pruning.group}${pruning.by === 'wanda' ? '-wanda' : ''}`;
  }
  return [pruning.way, pruning.density, ...(pruning.way === 'random' ? [pruning.seed] : [])].join('-');
}

/** Parses the result of `pruningText`; null for anything else. */
export function readPruning(text: string): MatrixPruning | null {
  if (text === 'whole') return { way: 'none' };
  const pattern = /^(\d{1,2})of(\d{1,2})(-wanda)?$/.exec(text);
  if (pattern) {
    const [keptOfGroup, group] = [Number(pattern[1]), Number(pattern[2])];
    if (keptOfGroup < 1 || keptOfGroup > group || group > MAX_GROUP) return null;
    return { way: 'n-of-m', kept: keptOfGroup, group, by: pattern[3] ? 'wanda' : 'magnitude' };
  }
  const share = /^(magnitude|rows|wanda|random)-(1|0\.\d{1,4})(?:-(\d{1,9}))?$/.exec(text);
  if (!share || (share[1] === 'random') !== (share[3] !== undefined) || !(Number(share[2]) > 0)) return null;
  const density = Number(share[2]);
  if (share[1] === 'random') return { way: 'random', density, seed: Number(share[3]) };
  return { way: share[1] as 'magnitude' | 'rows' | 'wanda', density };
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
    own: overrides.map(({ layer, name, pruning: its }) => ({ layer, name, ...(its && { pruning: its }) })),
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

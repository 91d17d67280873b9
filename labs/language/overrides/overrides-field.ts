// Overrides as text in the address of the page: writing and parsing.

import type { ChoiceField } from '../../../src/kit/browser/choices.ts';
import { BLOCK_MATRICES } from '../decoders/decoder.ts';
import {
  type MatrixAt,
  type MatrixEntry,
  type MatrixOverrides,
  type MatrixPruning,
  VALUE_TYPES,
  withOverrides,
} from './matrix-overrides.ts';

/** No shipped model has a layer beyond this. */
const MAX_LAYER = 127;
/** Maximum characters of all overrides in an address. */
const MAX_CHARACTERS = 4000;
/** Maximum M of N:M. */
const MAX_GROUP = 64;

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
      if (text.length > MAX_CHARACTERS) return null;
      let overrides: MatrixOverrides = [];
      for (const group of text.split('_')) {
        const [selector, pruningText = '', type = '', format = '', ...extraFields] = group.split('~');
        const matrices = readSelector(selector);
        const pruning = pruningText === '' ? undefined : readPruning(pruningText);
        const valueType = type === '' ? undefined : VALUE_TYPES.find((valueTypeName) => valueTypeName === type);
        const isValid = pruning !== null && (type === '' || valueType) && (format === '' || formats.includes(format));
        if (matrices === null || !isValid || extraFields.length > 0) return null;
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
    const [kept, group] = [Number(pattern[1]), Number(pattern[2])];
    if (kept < 1 || kept > group || group > MAX_GROUP) return null;
    return { way: 'n-of-m', kept, group, by: pattern[3] ? 'wanda' : 'magnitude' };
  }
  const [, method, densityText, seedText] =
    /^(magnitude|rows|wanda|random)-(1|0\.\d{1,4})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const density = Number(densityText);
  const hasSeed = seedText !== undefined;
  if (method === undefined || (method === 'random') !== hasSeed || !(density > 0)) return null;
  if (method === 'random') return { way: method, density, seed: Number(seedText) };
  return { way: method as 'magnitude' | 'rows' | 'wanda', density };
}

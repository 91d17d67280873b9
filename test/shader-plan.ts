/*
 * For tests of kernels: reads the header, overrides and workgroup memory of a shader's text, and evaluates their formulas
 * with the numbers of a plan. Example, with 4096 rows, a workgroup size of 128 and subgroups of up to 32 lanes:
 *
 *     // Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.
 *
 * `rows per workgroup` is one of PHRASES, with the value 128 / 32 = 4; `rows` is a field of the uniform. So
 * `requestedWorkgroups` returns { counts: [1024], isFolded: true }.
 */

import type { DeviceFacts, KernelPlan, PassPlan } from '../src/core/kernel/kernel.ts';
import { type DeclaredOverride, declaredOverrides } from '../src/core/kernel/overrides.ts';
import { composeShader } from '../src/gpu/compose.ts';
import { evaluate } from '../src/lessons/expression.ts';

/** The facts of a shader, with a plan's values for its names. */
export interface PlannedShader extends ShaderFacts {
  /** the value of a constant, an override or a field of the uniform */
  value(name: string): number;
  /** the value of an expression in WGSL or in a comment: + - * / ( ), ceil(...), floor(...), max(..., ...) */
  number(expression: string): number;
}

/** The facts in the text of a shader, without a plan. */
interface ShaderFacts {
  readonly path: string;
  readonly code: string;
  /** the header's text after 'Dispatch:' */
  readonly dispatch: string;
  /** number of lanes per workgroup of the entry point, as an expression */
  readonly lanes: string;
  /** types of the variables in workgroup memory */
  readonly workgroupTypes: readonly string[];
  /** fields of the uniform in order, each a u32, or an f32 by its bits; empty without a uniform, or if it contains more */
  readonly fields: readonly string[];
  readonly constants: ReadonlyMap<string, number>;
  readonly overrides: readonly DeclaredOverride[];
  /** aliases and structs, by name: their component types */
  readonly types: ReadonlyMap<string, readonly string[]>;
}

const factsByFiles = new Map<string, ShaderFacts>();

function factsOf({ files }: PassPlan): ShaderFacts {
  const key = files.map(({ path }) => path).join();
  const facts = factsByFiles.get(key) ?? readFacts(files);
  factsByFiles.set(key, facts);
  return facts;
}

function readFacts(files: PassPlan['files']): ShaderFacts {
  const { code } = composeShader(files);
  // The last file has the header; the others are modules that it includes.
  const main = files[files.length - 1];
  const structs = [...code.matchAll(/^struct (\w+) \{([^}]*)\}/gm)].map(([, name, body]) => {
    const members = [...body.matchAll(/^ {2}(?:@\w+\(\d+\) )*(\w+): ([^/]+?),(?: \/\/|$)/gm)];
    return [name, members.map(([, member, type]) => [member, type] as const)] as const;
  });
  const uniform = /var<uniform> \w+: (\w+);/.exec(code)?.[1];
  const fields = new Map(structs).get(uniform ?? '') ?? [];
  const aliases = [...code.matchAll(/^alias (\w+) = ([^;]+);/gm)].map(([, name, type]) => [name, [type]] as const);
  return {
    path: main.path,
    code,
    dispatch: /^\/\/ Dispatch: (.*?)\.(?: |$)/m.exec(main.code)?.[1] ?? '',
    lanes: /@workgroup_size\(([^)]*)\)/.exec(code)?.[1] ?? '',
    workgroupTypes: [...code.matchAll(/^var<workgroup> \w+: (.+);/gm)].map(([, type]) => type),
    fields: fields.every(([, type]) => type === 'u32' || type === 'f32') ? fields.map(([name]) => name) : [],
    constants: new Map([...code.matchAll(/^const (\w+) = (\d+)u?;/gm)].map(([, name, value]) => [name, Number(value)])),
    overrides: declaredOverrides(code),
    types: new Map<string, readonly string[]>([
      ...aliases,
      ...structs.map(([name, members]) => [name, members.map(([, type]) => type)] as const),
    ]),
  };
}

const shadersByPlan = new WeakMap<KernelPlan, Map<PassPlan, PlannedShader>>();

/** Returns the shader of a pass with a plan's values; cached, since several tests check the same pass. */
export function plannedShader(plan: KernelPlan, pass: PassPlan): PlannedShader {
  const byPass = shadersByPlan.get(plan) ?? new Map<PassPlan, PlannedShader>();
  shadersByPlan.set(plan, byPass);
  const shader = byPass.get(pass) ?? makePlannedShader(plan, pass);
  byPass.set(pass, shader);
  return shader;
}

function makePlannedShader(plan: KernelPlan, pass: PassPlan): PlannedShader {
  const facts = factsOf(pass);
  const uniform = plan.buffers.find(({ name }) => name === pass.bindings[0]);
  const value = (name: string): number => {
    const field = facts.fields.indexOf(name);
    const number =
      field >= 0 && uniform?.role === 'params'
        ? uniform.data[field]
        : (pass.constants[name] ?? facts.constants.get(name));
    if (number === undefined) throw new RangeError(`${facts.path}: found no '${name}'`);
    return number;
  };
  const number = (expression: string): number => {
    // Evaluates the last call in the text, which contains no other call, replaces it by its value, and repeats.
    const matched = /^(.*)\b(ceil|floor|max)\(/s.exec(expression);
    if (!matched) return evaluate(expression.replaceAll(/\b(\d+)u\b/g, '$1'), value);
    // The text up to the parenthesis, the part of it before the name, and the name.
    const [matchedText, head, name] = matched;
    const inside = expression.slice(matchedText.length, closingIndex(expression, matchedText.length));
    const values = inside.split(',').map(number);
    const result =
      name === 'max' ? Math.max(...values) : name === 'ceil' ? Math.ceil(values[0]) : Math.floor(values[0]);
    return number(`${head}${result}${expression.slice(matchedText.length + inside.length + 1)}`);
  };
  return { ...facts, value, number };
}

/** Returns the index of the parenthesis that closes the one opened before `from`. */
function closingIndex(text: string, from: number): number {
  let open = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '(') open++;
    if (text[i] === ')' && --open === 0) return i;
  }
  throw new RangeError(`found '${text}', expected a closing parenthesis`);
}

/** Bytes of workgroup memory that the text declares, each variable aligned to 16. */
export function workgroupBytes({ types, workgroupTypes, number }: PlannedShader): number {
  const bytesOf = (type: string): number => {
    const array = /^array<((?:array<.*>|[\w<>]+)), ([^<>]*)>$/.exec(type);
    if (array) return bytesOf(array[1]) * Math.floor(number(array[2]));
    const vector = /^vec([24])<\w+>$/.exec(type);
    if (vector) return 4 * Number(vector[1]);
    if (/^(?:f32|u32|i32|atomic<u32>)$/.test(type)) return 4;
    const components = types.get(type);
    if (components === undefined) throw new RangeError(`found type '${type}'`);
    return components.reduce((sum, member) => sum + bytesOf(member), 0);
  };
  return workgroupTypes.reduce((sum, type) => sum + Math.ceil(bytesOf(type) / 16) * 16, 0);
}

/** Words of each share in the lists that src/core/kernel/equal-shares.ts writes. */
const SHARE_WORDS = 4;

/** Functions that compute the values of phrases in the formulas of shader headers, by phrase. */
const PHRASES: Readonly<Record<string, (s: PlannedShader, plan: KernelPlan, device: DeviceFacts) => number>> = {
  // The headers count rows with the widest subgroups: with narrower ones, a workgroup has more subgroups, and more rows.
  'rows per workgroup': (s, _plan, { subgroupMaxSize }) => s.value('WORKGROUP_SIZE') / subgroupMaxSize,
  'most lanes': (s, _plan, { subgroupMaxSize }) => (s.code.includes('const TEAM') ? s.value('TEAM') : subgroupMaxSize),
  parts: rowChunks,
  'workgroups that the shares were made for': workgroupsOfShares,
  'per set ceil(blocks / blocks per workgroup)': workgroupsOfSets,
  elements: (s) =>
    s.number(/fn elements\(\) -> u32 \{\s*return ([^;]+);/.exec(s.code)?.[1].replaceAll('params.', '') ?? ''),
};

/** The value of an expression that may contain phrases of `PHRASES`. */
function phraseValue(expression: string, s: PlannedShader, plan: KernelPlan, device: DeviceFacts): number {
  let numeric = expression;
  for (const [phrase, valueOf] of Object.entries(PHRASES)) {
    if (numeric.includes(phrase)) numeric = numeric.replace(phrase, String(valueOf(s, plan, device)));
  }
  return s.number(numeric);
}

/** Chunks of a row that a lane processes at a time, by the file in shaders/dense that reads rows. */
function rowChunks(s: PlannedShader): number {
  const reads = (file: string): boolean => s.code.includes(`// ---- dense/${file}.wgsl`);
  if (reads('row_quad_digits')) return s.value('stride') / 64;
  return reads('row_quad_i4') ? 2 * Math.floor(s.value('cols') / 32) : Math.floor(s.value('cols') / 8);
}

/**
 * Returns the number of workgroups for which a list of equal shares was made. The buffer contains the row starts, then
 * four words for each share, and four for the end of the last share. With panels, the shares follow the row starts of
 * each panel, one more row start, and the entries before each panel.
 */
function workgroupsOfShares(s: PlannedShader, plan: KernelPlan): number {
  const starts = plan.buffers.find(({ name }) => name === 'indptr' || name === 'rowPtr');
  if (starts?.role !== 'sparse') throw new RangeError('found no row starts');
  const rows = s.value('rows');
  const wordsBefore = s.code.includes('override PANELS') ? (2 * s.value('PANELS') + 1) * rows : rows + 1;
  return ((starts.data.length - wordsBefore) / SHARE_WORDS - 1) / s.value('SHARES');
}

/**
 * Returns the workgroups of all sets, from the uniform of shaders/ec-csr/sets.wgsl: from word 4 on, eight words for each
 * set, of which the second is its number of blocks.
 */
function workgroupsOfSets(s: PlannedShader, { buffers }: KernelPlan, { subgroupMaxSize }: DeviceFacts): number {
  const params = buffers.find(({ role }) => role === 'params');
  if (params?.role !== 'params') throw new RangeError('found no sets');
  const lanes = s.value('LANES');
  const lanesOfBlock = s.code.includes('enable subgroups;') ? Math.min(lanes, subgroupMaxSize) : lanes;
  let workgroups = 0;
  for (let set = 0; set < s.value('SETS'); set++) {
    const blocks = params.data[4 + 8 * set + 1];
    workgroups += Math.ceil((blocks * lanesOfBlock) / s.value('WORKGROUP_SIZE'));
  }
  return workgroups;
}

const FOLDED = ', folded into y above 65535';

/** The workgroups according to the header of a pass: a number per dimension, or one number, to be folded into y. */
export function requestedWorkgroups(
  plan: KernelPlan,
  pass: PassPlan,
  device: DeviceFacts,
): { readonly counts: readonly number[]; readonly isFolded: boolean } {
  const shader = plannedShader(plan, pass);
  const isFolded = shader.dispatch.endsWith(FOLDED);
  const texts = shader.dispatch.replace(FOLDED, '').split(/, (?=[yz] = )/);
  return { counts: texts.map((text) => phraseValue(text.slice('x = '.length), shader, plan, device)), isFolded };
}

/** Returns the values of overrides whose comments contain a formula, by name; `isMinimum`: the override may be larger. */
export function explainedOverrides(
  plan: KernelPlan,
  pass: PassPlan,
  device: DeviceFacts,
): ReadonlyMap<string, { readonly value: number; readonly isMinimum: boolean }> {
  const shader = plannedShader(plan, pass);
  const values = new Map<string, { readonly value: number; readonly isMinimum: boolean }>();
  for (const { name, meaning } of shader.overrides) {
    const formula = /\b(?:ceil|floor)\(.*\)/.exec(meaning)?.[0];
    if (formula === undefined) continue;
    const value = phraseValue(formula, shader, plan, device);
    // 'At least the ...' explains an override that may be larger; '..., at least 1' a formula that may be 0.
    const isPositive = meaning.includes('at least 1');
    values.set(name, { value: isPositive ? Math.max(1, value) : value, isMinimum: meaning.startsWith('At least the') });
  }
  return values;
}

// The parts of a kernel that can be left out to measure their cost, and the kernel without each.

import type { EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelPlan, PassPlan } from '../../../src/core/kernel/kernel.ts';
import { type LeftOutRules, SHARED_PARTS } from './left-out-rules.ts';
import { declaredArrays, indexExpressions, isWritten } from '../gpu/array-accesses.ts';
import { type Insertion, wgslFunctions, type WgslToken, withInsertions } from '../gpu/wgsl-functions.ts';

/** A part of a kernel that can be left out to measure its cost. The results are then wrong. */
export interface LeftOutPart {
  /** 'reads of values', 'barriers', 'pass 2' */
  readonly name: string;
  /** The plan without it. */
  readonly plan: KernelPlan;
}

/**
 * Every part that can be left out by editing a plan's text: the reads of each array, barriers, and passes of several. A
 * read is replaced by a function of its index, so that all dependent code stays.
 */
export function leftOutParts(plan: KernelPlan, rules: LeftOutRules, e: EncodedMatrix): readonly LeftOutPart[] {
  const parts: LeftOutPart[] = [];
  const names = new Set(plan.passes.flatMap((pass) => readArrays(pass, rules)));
  for (const name of names)
    parts.push({ name: `reads of ${name}`, plan: withoutReads(plan, new Set([name]), rules, e) });
  if (names.size > 1) parts.push({ name: 'any of these reads', plan: withoutReads(plan, names, rules, e) });
  const withoutBarriers = rules.keepsBarriers
    ? plan
    : withText(plan, (code) => code.replaceAll('workgroupBarrier();', ''));
  if (withoutBarriers.passes.some((pass, i) => pass !== plan.passes[i]))
    parts.push({ name: 'barriers', plan: withoutBarriers });
  for (const { name, path, replaced } of [...SHARED_PARTS, ...(rules.texts ?? [])]) {
    const without = withText(plan, (code, file) => (file === path ? withReplaced(code, path, replaced) : code));
    if (without.passes.some((pass, i) => pass !== plan.passes[i])) parts.push({ name, plan: without });
  }
  if (plan.passes.length > 1) {
    for (let i = 0; i < plan.passes.length; i++) {
      parts.push({ name: `pass ${i + 1}`, plan: { ...plan, passes: plan.passes.filter((_, k) => k !== i) } });
    }
  }
  return parts;
}

/** Throws RangeError unless a text occurs exactly once. */
function withReplaced(code: string, path: string, replaced: readonly (readonly [string, string])[]): string {
  return replaced.reduce((text, [from, to]) => {
    const parts = text.split(from);
    if (parts.length !== 2)
      throw new RangeError(`${path}: found '${from}' ${parts.length - 1} times, expected it once`);
    return parts.join(to);
  }, code);
}

/** The same plan with other texts; unchanged passes stay the same objects. */
function withText(plan: KernelPlan, change: (code: string, path: string) => string): KernelPlan {
  const passes = plan.passes.map((pass) => {
    const files = pass.files.map((file) => ({ ...file, code: change(file.code, file.path) }));
    return files.every(({ code }, i) => code === pass.files[i].code) ? pass : { ...pass, files };
  });
  return { ...plan, passes };
}

/** Scalars and vectors that a number can be converted to. */
const ELEMENT = /^(?:vec([234])<)?([uif]32)>?$/;

/** The type of an element, resolving the aliases of a pass. */
function elementType(element: string, aliases: ReadonlyMap<string, string>): string | null {
  const type = aliases.get(element) ?? element;
  return ELEMENT.test(type) ? type : null;
}

/** The types that a pass gives another name, by that name. */
function aliasesOf(pass: PassPlan): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { code } of pass.files) {
    for (const [, name, type] of code.matchAll(/^alias (\w+) = ([^;]+);/gm)) types.set(name, type.replaceAll(' ', ''));
  }
  return types;
}

/** The arrays of a pass that it reads and that can be left out, by name, with the type of their elements. */
function elementsOf(pass: PassPlan, { alwaysRead }: LeftOutRules): ReadonlyMap<string, string> {
  const aliases = aliasesOf(pass);
  const types = new Map<string, string>();
  for (const { code } of pass.files) {
    for (const { name, element } of declaredArrays(wgslFunctions(code), pass.bindings)) {
      const type = elementType(element, aliases);
      if (type !== null && !alwaysRead.includes(name)) types.set(name, type);
    }
  }
  return types;
}

/** The names of the arrays that a pass reads, one for every read that can be left out. */
function readArrays(pass: PassPlan, rules: LeftOutRules): readonly string[] {
  const elements = elementsOf(pass, rules);
  return pass.files.flatMap(({ code }) => {
    const parsed = wgslFunctions(code);
    return parsed.functions.flatMap((fn) =>
      indexExpressions(parsed, fn, elements)
        .filter(({ open, close }) => !isWritten(parsed.tokens, close) && !hasAddressTaken(parsed.tokens, open))
        .map(({ name }) => name),
    );
  });
}

/** The plan with every read of the named arrays replaced by a call of a function that computes an element. */
function withoutReads(plan: KernelPlan, names: ReadonlySet<string>, rules: LeftOutRules, e: EncodedMatrix): KernelPlan {
  const passes = plan.passes.map((pass) => {
    const elements = new Map([...elementsOf(pass, rules)].filter(([name]) => names.has(name)));
    const replacedNames = new Set<string>();
    const files = pass.files.map(({ path, code }) => {
      const parsed = wgslFunctions(code);
      const insertions: Insertion[] = [];
      for (const fn of parsed.functions) {
        for (const { open, close, name } of indexExpressions(parsed, fn, elements)) {
          const { tokens } = parsed;
          if (isWritten(tokens, close) || hasAddressTaken(tokens, open)) continue;
          replacedNames.add(name);
          insertions.push({ offset: tokens[open - 1].offset, text: 'left_out_' });
          insertions.push({ offset: tokens[open].offset, text: '(', drop: 1 });
          insertions.push({ offset: tokens[close].offset, text: ')', drop: 1 });
        }
      }
      return { path, code: withInsertions(code, insertions) };
    });
    if (replacedNames.size === 0) return pass;
    const replacements = [...replacedNames].map((name) =>
      replacementFunction(name, elements.get(name) ?? 'u32', rules.replacements?.[name]?.(e)),
    );
    return { ...pass, files: [{ path: 'parts left out', code: replacements.join('') }, ...files] };
  });
  return { ...plan, passes };
}

/**
 * A WGSL function that computes an element from its index `at`, with bits that no compiler can predict and the same
 * number of instructions for each component. `word`: a WGSL expression for one 32-bit component, of its index `place`
 * in the array of components and of `h`, a hash of the element's index.
 */
function replacementFunction(name: string, type: string, word = FINITE): string {
  const [, count = '1', scalar] = ELEMENT.exec(type) ?? [];
  const words = Array.from(
    { length: Number(count) },
    (_, i) => `left_out_word_${name}(${count === '1' ? 'at' : `${count}u * at + ${i}u`}, h ^ ${SALTS[i]})`,
  );
  const vector = count === '1' ? words[0] : `vec${count}<u32>(${words.join(', ')})`;
  const result = scalar === 'u32' ? vector : `bitcast<${type}>(${vector})`;
  return `fn left_out_word_${name}(place: u32, h: u32) -> u32 { return ${word}; }
fn left_out_${name}(at: u32) -> ${type} { let h = at * 2654435769u; return ${result}; }
`;
}

/** A word that is neither infinite nor NaN, as f32 and as two f16 or bf16: those may change the path of a kernel. */
const FINITE = 'h & 0xbfffbfffu';

/** Words XORed into the hash of an index, one for each component of a vector, so that components differ. */
const SALTS = ['0u', '1540483477u', '3266489917u', '668265263u'];

/** Whether the address of the indexed element is taken. */
function hasAddressTaken(tokens: readonly WgslToken[], open: number): boolean {
  return tokens[open - 2].text === '&' && /^[(,=]$/.test(tokens[open - 3].text);
}

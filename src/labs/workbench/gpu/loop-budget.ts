import type { ShaderFile } from '../../../core/kernel/shader.ts';
import { POISON_BITS } from '../../../core/operations/verify.ts';
import { callsIn, lineOf, type WgslFunctions, wgslFunctions } from './wgsl-functions.ts';

/** The beginning of a loop: its file, and the line in it, from 1. */
export interface LoopPosition {
  readonly file: string;
  readonly line: number;
}

/** A program whose loops all end. */
export interface BudgetedProgram {
  readonly files: readonly ShaderFile[];
  /** in order; the first has the number `first` of the options */
  readonly loops: readonly LoopPosition[];
}

export interface BudgetOptions {
  /** iterations that one lane may take in each loop, in all calls together */
  readonly steps: number;
  /** binding of group 0 of the word that reports which loop was left */
  readonly binding: number;
  /**
   * Whether workgroups of a program with barriers check, before they begin, whether another one was stopped, which
   * takes 16 bytes of workgroup memory. Otherwise each of them uses up its own budget.
   */
  readonly stopsLate: boolean;
  /** number of the first loop */
  readonly first: number;
}

/** The word's value before a loop has been left: outputs are filled with it before a run. */
export const NOT_STOPPED = POISON_BITS;

const BARRIERS = new Set(['workgroupBarrier', 'storageBarrier', 'textureBarrier', 'workgroupUniformLoad']);

/** The prefix of every name of the budget. */
export const OWN_PREFIX = 'sparsescope_';

/** WGSL builtins that the budget calls: a program may have functions of these names, and the budget would call those. */
export const BUDGET_CALLS: ReadonlySet<string> = new Set(['atomicLoad', 'atomicMin', 'workgroupUniformLoad']);

/** The file that is put before the others. */
const BUDGET_PATH = 'budget of steps';

/** One file with its functions. */
interface Part {
  readonly path: string;
  readonly found: WgslFunctions;
  /** number of its first loop; the others follow, function by function */
  readonly firstLoop: number;
}

/** Text that is inserted into a file at an offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The same program with a budget of steps in every loop: a lane that takes more iterations leaves the loop, which is reported
 * in a word that the host reads. Line numbers do not change. Within the budget the results are unchanged.
 *
 * Every loop has its own counter in `main`, which is passed down to the function of the loop: the compiler can then prove that
 * a loop that all lanes leave together is still uniform, which barriers in it and after it need. A variable at module scope
 * counts as non-uniform.
 *
 * `files` make up a program that compiles and has no `programFault`; its entry point is main. A program without loops is
 * returned unchanged.
 */
export function withLoopBudget(files: readonly ShaderFile[], options: BudgetOptions): BudgetedProgram {
  const { first, steps, binding } = options;
  const loops: LoopPosition[] = [];
  const parts = files.map(({ path, code }): Part => {
    const found = wgslFunctions(code);
    const firstLoop = first + loops.length;
    for (const loop of found.functions.flatMap((fn) => fn.loops)) {
      loops.push({ file: path, line: lineOf(code, found.tokens[loop.start].at) });
    }
    return { path, found, firstLoop };
  });
  if (loops.length === 0) return { files, loops };
  const counters = countersOf(parts);
  const hasBarriers = parts.some(({ found }) => found.tokens.some(({ text }) => BARRIERS.has(text)));
  const late = hasBarriers ? (options.stopsLate ? LATE_TOGETHER : '') : LATE_ALONE;

  const budgeted = parts.map(({ path, found, firstLoop }): ShaderFile => {
    const { tokens, functions } = found;
    const insertions: Insertion[] = [];
    const insert = (token: number, text: string): void => {
      insertions.push({ at: tokens[token].at + (tokens[token].text === '}' ? 0 : tokens[token].text.length), text });
    };
    let number = firstLoop;
    for (const fn of functions) {
      const own = [...(counters.get(fn.name) ?? [])];
      if (fn.isEntry) {
        const declared = own.map((n) => `var sparsescope_${n} = 0u; let ${counter(n)} = &sparsescope_${n};`);
        insert(fn.open, ` ${declared.join(' ')}${late}`);
      } else if (own.length > 0) {
        const parameters = own.map((n) => `${counter(n)}: ptr<function, u32>`).join(', ');
        insert(fn.paramsOpen, `${parameters}${fn.paramsClose === fn.paramsOpen + 1 ? '' : ', '}`);
      }
      for (const loop of fn.loops) {
        const turns = `*${counter(number)}`;
        insert(loop.open, ` if (${turns} >= ${steps}u) { sparsescope_stop(${number}u); break; } ${turns} += 1u;`);
        number++;
      }
      for (const { at, name } of callsIn(found, fn)) {
        const given = [...(counters.get(name) ?? [])].map(counter).join(', ');
        if (given !== '') insert(at + 1, `${given}${tokens[at + 2].text === ')' ? '' : ', '}`);
      }
      // A loop that could only be left by a return can now end otherwise, and then a value is missing after it.
      if (fn.returns !== null && fn.loops.length > 0) insert(fn.close, `return ${fn.returns}(); `);
    }
    return { path, code: inserted(found.code, insertions) };
  });
  return { files: [{ path: BUDGET_PATH, code: budgetCode(binding) }, ...budgeted], loops };
}

/** The name of the pointer to a loop's counter in a function. */
function counter(loop: number): string {
  return `sparsescope_turns_${loop}`;
}

/**
 * After a loop is cut short its outputs are ignored, so later invocations return immediately, in a program with
 * barriers together with their workgroup.
 */
const LATE_ALONE = ` if (atomicLoad(&sparsescope_stopped[0]) != ${NOT_STOPPED}u) { return; }`;
const LATE_TOGETHER = ` if (atomicLoad(&sparsescope_stopped[0]) != ${NOT_STOPPED}u) { sparsescope_late = 1u; } if (workgroupUniformLoad(&sparsescope_late) != 0u) { return; }`;

function budgetCode(binding: number): string {
  return `// Lanes may leave loops alone when they are stopped, and then nobody looks at what they computed.
diagnostic(off, subgroup_uniformity);
@group(0) @binding(${binding}) var<storage, read_write> sparsescope_stopped: array<atomic<u32>>;
var<workgroup> sparsescope_late: u32;
fn sparsescope_stop(number: u32) {
  atomicMin(&sparsescope_stopped[0], number);
}
`;
}

/** For each function, the numbers of the loops in it and in everything that it calls. */
function countersOf(parts: readonly Part[]): ReadonlyMap<string, ReadonlySet<number>> {
  const counters = new Map<string, Set<number>>();
  for (const { found, firstLoop } of parts) {
    let number = firstLoop;
    for (const { name, loops } of found.functions) counters.set(name, new Set(loops.map(() => number++)));
  }
  const calls = parts.flatMap(({ found }) =>
    found.functions.flatMap((fn) => callsIn(found, fn).map(({ name }) => ({ caller: fn.name, name }))),
  );
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const { caller, name } of calls) {
      const own = counters.get(caller);
      if (!own) continue;
      const before = own.size;
      for (const loop of counters.get(name) ?? []) own.add(loop);
      hasGrown ||= own.size > before;
    }
  }
  return counters;
}

function inserted(code: string, insertions: readonly Insertion[]): string {
  let result = '';
  let from = 0;
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}

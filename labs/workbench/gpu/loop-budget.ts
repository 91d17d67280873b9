// Limits the loops of a user's kernel, so that an endless loop ends and can be reported.

import type { ShaderFile } from '../../../src/core/kernel/shader.ts';
import { POISON_BITS } from '../../../src/core/operations/verify.ts';
import {
  callsIn,
  type Insertion,
  lineOf,
  type WgslFunctions,
  wgslFunctions,
  withInsertions,
} from './wgsl-functions.ts';

/** Where a loop begins: its file, and the line in it, from 1. */
export interface LoopPosition {
  readonly file: string;
  readonly line: number;
}

/** A WGSL program in which every loop counts its iterations and ends after a maximum. */
export interface BudgetedProgram {
  readonly files: readonly ShaderFile[];
  /** in the order of their numbers, which begin with `first` of the options */
  readonly loops: readonly LoopPosition[];
}

export interface BudgetOptions {
  /** maximum iterations of one lane in each loop, in all calls together */
  readonly maxIterations: number;
  /** binding, in group 0, of the word that reports which loop was stopped early */
  readonly binding: number;
  /**
   * Whether workgroups of a program with barriers return at once if a loop was stopped before they begin, which needs
   * 16 bytes of workgroup memory. Otherwise each of them runs until its budget is used up.
   */
  readonly stopsLateWorkgroups: boolean;
  /** number of the first loop */
  readonly first: number;
}

/** The value of the reporting word while no loop was stopped: outputs are filled with this value before a run. */
export const NOT_STOPPED = POISON_BITS;

const BARRIERS = new Set(['workgroupBarrier', 'storageBarrier', 'textureBarrier', 'workgroupUniformLoad']);

/** The prefix of every name that the budget adds. */
export const BUDGET_PREFIX = 'sparsescope_';

/** WGSL builtins that the budget calls, so that a program must not declare functions of these names. */
export const BUDGET_CALLS: ReadonlySet<string> = new Set(['atomicLoad', 'atomicMin', 'workgroupUniformLoad']);

/** The path of the file that is put before the others. */
const BUDGET_PATH = 'budget of iterations';

interface NumberedFile {
  readonly path: string;
  readonly parsed: WgslFunctions;
  /** number of the file's first loop; the others follow, function by function */
  readonly firstLoop: number;
}

/**
 * The same program with a maximum of iterations in every loop: a lane that reaches the maximum leaves the loop, and the
 * program reports the loop's number in a word that the host reads. Line numbers do not change, nor do results if no
 * loop is stopped.
 *
 * Every loop has its own counter in `main`, which is passed down to the function of the loop: the compiler can then
 * prove that a loop that all lanes leave together is still uniform, as barriers in the loop and after it require. A
 * variable at module scope counts as non-uniform.
 *
 * `files` make up a program that compiles and in which `programFault` (program-bounds.ts) finds no fault; its entry
 * point is main. A program without loops is returned unchanged.
 */
export function withLoopBudget(files: readonly ShaderFile[], options: BudgetOptions): BudgetedProgram {
  const { first, maxIterations, binding } = options;
  const loops: LoopPosition[] = [];
  const parts = files.map(({ path, code }): NumberedFile => {
    const parsed = wgslFunctions(code);
    const firstLoop = first + loops.length;
    for (const loop of parsed.functions.flatMap((fn) => fn.loops)) {
      loops.push({ file: path, line: lineOf(code, parsed.tokens[loop.start].offset) });
    }
    return { path, parsed, firstLoop };
  });
  if (loops.length === 0) return { files, loops };
  const counters = countersOf(parts);
  const hasBarriers = parts.some(({ parsed }) => parsed.tokens.some(({ text }) => BARRIERS.has(text)));
  /** at the start of main: ends lanes that begin after a loop was stopped */
  const returnIfLate = hasBarriers ? (options.stopsLateWorkgroups ? STOP_WORKGROUP : '') : STOP_LANE;

  const budgeted = parts.map(({ path, parsed, firstLoop }): ShaderFile => {
    const { tokens, functions } = parsed;
    const insertions: Insertion[] = [];
    /** inserts before a closing brace, or after any other token */
    const insert = (token: number, text: string): void => {
      insertions.push({
        offset: tokens[token].offset + (tokens[token].text === '}' ? 0 : tokens[token].text.length),
        text,
      });
    };
    let number = firstLoop;
    for (const fn of functions) {
      const loopNumbers = [...(counters.get(fn.name) ?? [])];
      if (fn.isEntry) {
        const declared = loopNumbers.map(
          (n) => `var sparsescope_${n} = 0u; let ${counterName(n)} = &sparsescope_${n};`,
        );
        insert(fn.open, ` ${declared.join(' ')}${returnIfLate}`);
      } else if (loopNumbers.length > 0) {
        const parameters = loopNumbers.map((n) => `${counterName(n)}: ptr<function, u32>`).join(', ');
        insert(fn.paramsOpen, `${parameters}${fn.paramsClose === fn.paramsOpen + 1 ? '' : ', '}`);
      }
      for (const loop of fn.loops) {
        const count = `*${counterName(number)}`;
        const stop = `if (${count} >= ${maxIterations}u) { sparsescope_stop(${number}u); break; }`;
        insert(loop.open, ` ${stop} ${count} += 1u;`);
        number++;
      }
      for (const { at, name } of callsIn(parsed, fn)) {
        const args = [...(counters.get(name) ?? [])].map(counterName).join(', ');
        if (args !== '') insert(at + 1, `${args}${tokens[at + 2].text === ')' ? '' : ', '}`);
      }
      // A loop that could only be left by a return can now end otherwise, so WGSL requires a return after it.
      if (fn.returns !== null && fn.loops.length > 0) insert(fn.close, `return ${fn.returns}(); `);
    }
    return { path, code: withInsertions(parsed.code, insertions) };
  });
  return { files: [{ path: BUDGET_PATH, code: budgetCode(binding) }, ...budgeted], loops };
}

/** The name of the pointer to a loop's counter, which functions receive as a parameter. */
function counterName(loop: number): string {
  return `sparsescope_iterations_${loop}`;
}

/**
 * After a loop is stopped, all outputs are ignored, so lanes that start later return at once. In a program with
 * barriers, the lanes of a workgroup have to return together.
 */
const STOP_LANE = ` if (atomicLoad(&sparsescope_stopped[0]) != ${NOT_STOPPED}u) { return; }`;
const STOP_WORKGROUP = ` if (atomicLoad(&sparsescope_stopped[0]) != ${NOT_STOPPED}u) { sparsescope_late = 1u; } if (workgroupUniformLoad(&sparsescope_late) != 0u) { return; }`;

function budgetCode(binding: number): string {
  return `// A stopped lane may leave a loop before the other lanes do: all outputs are then ignored.
diagnostic(off, subgroup_uniformity);
@group(0) @binding(${binding}) var<storage, read_write> sparsescope_stopped: array<atomic<u32>>;
var<workgroup> sparsescope_late: u32;
fn sparsescope_stop(number: u32) {
  atomicMin(&sparsescope_stopped[0], number);
}
`;
}

/** For each function, the numbers of the loops in it and in everything that it calls. */
function countersOf(parts: readonly NumberedFile[]): ReadonlyMap<string, ReadonlySet<number>> {
  const counters = new Map<string, Set<number>>();
  for (const { parsed, firstLoop } of parts) {
    let number = firstLoop;
    for (const { name, loops } of parsed.functions) counters.set(name, new Set(loops.map(() => number++)));
  }
  const calls = parts.flatMap(({ parsed }) =>
    parsed.functions.flatMap((fn) => callsIn(parsed, fn).map(({ name }) => ({ caller: fn.name, name }))),
  );
  // Loops of called functions are added until no set grows.
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const { caller, name } of calls) {
      const callerLoops = counters.get(caller);
      if (!callerLoops) continue;
      const before = callerLoops.size;
      for (const loop of counters.get(name) ?? []) callerLoops.add(loop);
      hasGrown ||= callerLoops.size > before;
    }
  }
  return counters;
}

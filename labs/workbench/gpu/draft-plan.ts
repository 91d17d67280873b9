// Changes the plan of a draft (a kernel that the user changed): guards after outputs, and limits of loops.

import type { BufferPlan, KernelPlan } from '../../../src/core/kernel/kernel.ts';
import { POISON_BITS } from '../../../src/core/operations/verify.ts';
import { type LoopPosition, NOT_STOPPED, withLoopBudget } from './loop-budget.ts';

/** Bytes after every output of a draft (a kernel that the user changed), to detect writes past its end. */
const GUARD_BYTES = 4096;

/** Bytes of the output in whose first word the program reports a loop that exceeded its budget. */
const STOP_REPORT_BYTES = 16;
const STOP_REPORT = 'sparsescope_stopped';

/** A plan with guards after its outputs: bytes that must stay unwritten. */
export interface GuardedPlan {
  readonly plan: KernelPlan;
  /** Separates the words of the outputs from their guards. */
  read(words: Uint32Array<ArrayBuffer>): GuardedWords;
}

/** The words of a plan's outputs, and the writes to their guards. */
export interface GuardedWords {
  readonly words: Uint32Array<ArrayBuffer>;
  /** for each output with writes to its guard: how many words, and the byte offset of the first past the output */
  readonly overruns: readonly { readonly name: string; readonly words: number; readonly firstByte: number }[];
}

/** Adds guards after the outputs: WebGPU drops writes past the end of a binding, so the binding has to be longer. */
export function withGuards(plan: KernelPlan): GuardedPlan {
  const outputs = plan.buffers.flatMap((buffer) => (buffer.role === 'output' ? [buffer] : []));
  const buffers = plan.buffers.map((buffer): BufferPlan =>
    buffer.role === 'output' ? { ...buffer, bytes: buffer.bytes + GUARD_BYTES } : buffer,
  );
  return {
    plan: { ...plan, buffers },
    read(words) {
      const total = outputs.reduce((sum, { bytes }) => sum + bytes / 4, 0);
      const outputWords = new Uint32Array(total);
      const overruns: GuardedWords['overruns'][number][] = [];
      let from = 0;
      let to = 0;
      for (const { name, bytes } of outputs) {
        const length = bytes / 4;
        outputWords.set(words.subarray(from, from + length), to);
        const guard = words.subarray(from + length, from + length + GUARD_BYTES / 4);
        const first = guard.findIndex((word) => word !== POISON_BITS);
        const count = guard.reduce((n, word) => n + (word === POISON_BITS ? 0 : 1), 0);
        if (first >= 0) overruns.push({ name, words: count, firstByte: 4 * first });
        from += length + GUARD_BYTES / 4;
        to += length;
      }
      return { words: outputWords, overruns };
    },
  };
}

/** A plan whose loops end after a number of iterations, and which reports a loop that was stopped early. */
export interface BudgetedPlan {
  readonly plan: KernelPlan;
  /** The words of the original plan's outputs, and the loop that was stopped early; null if none was. */
  read(words: Uint32Array<ArrayBuffer>): {
    readonly words: Uint32Array<ArrayBuffer>;
    readonly stopped: LoopPosition | null;
  };
}

/**
 * Limits every loop of every pass to `maxIterations` per lane. A further storage buffer reports a loop that was stopped
 * early. `stopsLateWorkgroups`: after such a report, workgroups that begin return at once.
 */
export function withBudget(plan: KernelPlan, maxIterations: number, stopsLateWorkgroups = true): BudgetedPlan {
  const loops: LoopPosition[] = [];
  const passes = plan.passes.map((pass) => {
    const budgeted = withLoopBudget(pass.files, {
      maxIterations,
      binding: pass.bindings.length,
      stopsLateWorkgroups,
      first: loops.length,
    });
    if (budgeted.loops.length === 0) return pass;
    loops.push(...budgeted.loops); // bounded: the loops of a few files
    return { ...pass, files: budgeted.files, bindings: [...pass.bindings, STOP_REPORT] };
  });
  if (loops.length === 0) return { plan, read: (words) => ({ words, stopped: null }) };
  return {
    plan: {
      ...plan,
      passes,
      buffers: [...plan.buffers, { role: 'output', name: STOP_REPORT, bytes: STOP_REPORT_BYTES }],
    },
    read(words) {
      const reportStart = words.length - STOP_REPORT_BYTES / 4;
      const stop = words[reportStart];
      return { words: words.slice(0, reportStart), stopped: stop === NOT_STOPPED ? null : (loops[stop] ?? null) };
    },
  };
}

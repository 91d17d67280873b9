// Records the memory accesses of a kernel.

import { SparseScopeError } from '../../../../../src/core/errors.ts';
import { activeSubgroups, arrayLoads } from '../../../theory/access-steps.ts';
import type { Job } from '../../../../../src/core/job.ts';
import { operationById } from '../../../../../src/core/operations/index.ts';
import { completeSizes } from '../../../../../src/core/operations/operation.ts';
import { compileMessages, draftSpec, withAccessTrace, withBudget } from '../../../gpu/index.ts';
import { kernelSupport, forgetPasses, runKernelWords } from '../../../../../src/gpu/index.ts';
import type { BenchHost } from '../../../../../src/engine/bench/bench-host.ts';
import { kernelOf, paramsFor } from '../../../../../src/engine/bench/kernel-of.ts';
import type { MemoryAnswer, MemoryRequest } from './draft-types.ts';
import { runAbandonable } from './run-abandonable.ts';
import { loopLimit } from './loop-limits.ts';

/** Accesses recorded per lane. */
const MAX_RECORDED = 1024;

/** Lanes of a subgroup for a device that reports none. */
const USUAL_SUBGROUP_LANES = 32;

const SEED = 11; // of the kernel's inputs

/**
 * Records which elements the lanes of one workgroup of a kernel read and write, by running a copy of the kernel that
 * stores its indices. Throws SparseScopeError with one message, and CancelledError.
 */
export async function traceMemory(
  host: BenchHost,
  request: MemoryRequest,
  job: Job,
): Promise<Omit<MemoryAnswer, 'generation'>> {
  // Plans the kernel or draft for the open matrix; throws if it cannot run, or has no such pass or workgroup.
  const { kernel, workgroup, pass = 0 } = request;
  const isDraft = Object.keys(request.files).length + Object.keys(request.overrides).length > 0;
  const { format, spec } = kernelOf(host, kernel);
  const operation = operationById(spec.operation);
  const sizes = completeSizes(operation, { ...spec.max, ...request.sizes });
  const { matrix, encode } = await host.openMatrix(job);
  const params = paramsFor(format, spec, request.params, matrix);
  const context = await host.device.open();
  const { facts } = context;
  const support = format.admits(matrix, params);
  const rejected = (reason: string): SparseScopeError =>
    new SparseScopeError(`${kernel} cannot be watched on this matrix: ${reason}`);
  if (!support.ok) throw rejected(support.reason);
  const { encoded } = await encode(format, params, job);
  const draft = draftSpec(spec, request);
  const kernelAdmission = kernelSupport(draft, encoded, facts, sizes);
  if (!kernelAdmission.ok) throw rejected(kernelAdmission.reason);
  const plan = draft.plan(encoded, facts, sizes);
  if (!Number.isInteger(pass) || pass < 0 || pass >= plan.passes.length) {
    throw new SparseScopeError(`pass: found ${pass}, expected a whole number below ${plan.passes.length}`);
  }
  const [x, y] = plan.passes[pass].workgroups;
  if (!Number.isInteger(workgroup) || workgroup < 0 || workgroup >= x * y) {
    throw new SparseScopeError(`workgroup: found ${workgroup}, expected a whole number below ${x * y}`);
  }
  const lanes = facts.limits.maxComputeInvocationsPerWorkgroup;
  // Runs the instrumented copy, whose loops are limited, and reads the trace.
  const traced = withAccessTrace(plan, { pass, workgroup, lanes, max: MAX_RECORDED });
  const budgeted = withBudget(traced.plan, loopLimit(encoded, plan));
  const label = `${kernel} (watched)`;
  try {
    const inputs = operation.inputs(format.decode(encoded), sizes, SEED);
    job.report({ what: 'compiling', done: 0, total: 0 });
    const allWords = await runAbandonable(context, job, async () => {
      // Compiled first without the recording, so that errors have the line numbers of the draft.
      const messages = isDraft ? await compileMessages(context, draft.id, plan) : [];
      const fault = messages.find(({ severity }) => severity === 'error');
      if (fault) {
        const where = fault.file === null ? '' : `${fault.file}, line ${fault.line}: `;
        throw new SparseScopeError(`The draft of ${kernel} does not compile: ${where}${fault.text}`);
      }
      return runKernelWords(context, label, budgeted.plan, inputs, job);
    });
    const { words, stopped } = budgeted.read(allWords);
    if (stopped) {
      throw new SparseScopeError(
        `${kernel} was stopped: the loop in line ${stopped.line} of ${stopped.file} has too many iterations`,
      );
    }
    const { trace } = traced.read(words);
    const subgroup = facts.subgroupMaxSize || USUAL_SUBGROUP_LANES;
    return {
      kernel,
      pass,
      passes: plan.passes.length,
      workgroup,
      workgroups: x * y,
      subgroup,
      subgroups: activeSubgroups(trace, subgroup),
      arrays: arrayLoads(trace, subgroup),
      trace,
    };
  } finally {
    forgetPasses(context, label);
    if (isDraft) forgetPasses(context, draft.id);
  }
}

import { SparseScopeError } from '../../../../core/errors.ts';
import type { Job } from '../../../../core/job.ts';
import { operationById } from '../../../../core/operations/index.ts';
import { completeSizes } from '../../../../core/operations/operation.ts';
import { draftSpec, withAccessTrace, withBudget } from '../../../../gpu/drafts/index.ts';
import { admitKernel, forgetPasses, runKernelWords } from '../../../../gpu/index.ts';
import type { BenchHost } from '../../../../engine/bench/bench-host.ts';
import { kernelOf, paramsFor } from '../../../../engine/bench/kernel-of.ts';
import type { MemoryAnswer, MemoryRequest } from './draft-types.ts';
import { abandonable } from '../../../../engine/bench/abandon.ts';
import { stepsFor } from '../../../../engine/bench/steps.ts';

/** Accesses that are kept of a lane. */
const MOST_KEPT = 1024;

/** Where a device has no subgroups, lanes are looked at in groups of this size. */
const USUAL_WIDTH = 32;

const SEED = 11;

/** See `memory` of the service. Throws SparseScopeError with one sentence, and CancelledError. */
export async function traceMemory(
  host: BenchHost,
  request: MemoryRequest,
  job: Job,
): Promise<Omit<MemoryAnswer, 'generation'>> {
  const { kernel, workgroup, pass = 0 } = request;
  const { format, spec } = kernelOf(host.formats, kernel);
  const operation = operationById(spec.operation);
  const sizes = completeSizes(operation, { ...spec.most, ...request.sizes });
  const { matrix, encode } = host.stage();
  const params = paramsFor(format, spec, request.params, matrix);
  const context = await host.device.open();
  const { facts } = context;
  const admission = format.admits(matrix, params);
  if (!admission.ok) throw new SparseScopeError(`${kernel} cannot be watched on this matrix: ${admission.reason}`);
  const { encoded } = await encode(format, params, job);
  const watched = draftSpec(spec, request);
  const fits = admitKernel(watched, encoded, facts, sizes);
  if (!fits.ok) throw new SparseScopeError(`${kernel} cannot be watched on this matrix: ${fits.reason}`);
  const plan = watched.plan(encoded, facts, sizes);
  const [columns, lines] = plan.passes.at(pass)?.workgroups ?? [0, 0];
  if (!Number.isInteger(workgroup) || workgroup < 0 || workgroup >= columns * lines) {
    throw new SparseScopeError(`workgroup: found ${workgroup}, expected a whole number below ${columns * lines}`);
  }
  const lanes = facts.limits.maxComputeInvocationsPerWorkgroup;
  const traced = withAccessTrace(plan, { pass, workgroup, lanes, most: MOST_KEPT });
  const budgeted = withBudget(traced.plan, stepsFor(encoded, plan));
  const label = `${kernel} (watched)`;
  try {
    const inputs = operation.inputs(format.decode(encoded), sizes, SEED);
    const all = await abandonable(context, job, () => runKernelWords(context, label, budgeted.plan, inputs, job));
    const { words, stopped } = budgeted.read(all);
    if (stopped) {
      throw new SparseScopeError(
        `${kernel} was stopped: the loop in line ${stopped.line} of ${stopped.file} takes too many turns in one lane`,
      );
    }
    const { trace } = traced.read(words);
    return {
      kernel,
      pass,
      passes: plan.passes.length,
      workgroup,
      workgroups: columns * lines,
      subgroup: facts.subgroupMaxSize || USUAL_WIDTH,
      trace,
    };
  } finally {
    forgetPasses(context, label);
  }
}

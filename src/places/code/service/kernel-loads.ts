import { SparseScopeError } from '../../../core/errors.ts';
import type { AnyFormat } from '../../../core/format.ts';
import { loadCountSteps, subgroupLoads } from '../../../core/kernel/load-counts.ts';
import type { KernelLoads } from '../../../core/kernel/loads.ts';
import { standInDevice } from '../../../gpu/index.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import { finishPaced, type WorkerPace } from '../../../engine/pace.ts';
import type { LoadsAnswer, LoadsOf, LoadsRequest, SubgroupAnswer, SubgroupRequest } from './kernel-loads-types.ts';
import { kernelOf, paramsFor } from '../../../engine/bench/kernel-of.ts';

/** Loads of a subgroup listed at most; the rest are only counted. */
const MOST_LOADS = 2 ** 16;

/** See `loads` of the service. Throws SparseScopeError with one sentence, and CancelledError. */
export async function countLoads(
  formats: readonly AnyFormat[],
  request: LoadsRequest,
  stage: BenchMatrix,
  job: ServiceJob,
  pace: WorkerPace,
): Promise<Omit<LoadsAnswer, 'generation'>> {
  const { model, common } = await modelOf(formats, request, stage, job);
  const counts = await finishPaced(loadCountSteps(model, `subgroups of ${request.kernel}`), job, pace);
  return { ...common, arrays: model.arrays.map((array, i) => ({ ...array, ...counts[i] })) };
}

/** See `subgroupLoads` of the service. Throws SparseScopeError with one sentence, and CancelledError. */
export async function loadsOfSubgroup(
  formats: readonly AnyFormat[],
  request: SubgroupRequest,
  stage: BenchMatrix,
  job: ServiceJob,
): Promise<Omit<SubgroupAnswer, 'generation'>> {
  const { model, common } = await modelOf(formats, request, stage, job);
  const { at } = request;
  if ('row' in at) checkNumber('row', at.row, common.rows);
  else checkNumber('subgroup', at.subgroup, model.subgroups);
  const subgroup = 'row' in at ? model.subgroupOf(at.row) : at.subgroup;
  return {
    ...common,
    arrays: model.arrays,
    sites: model.sites,
    subgroup,
    rowsOf: Array.from(model.rowsOf(subgroup)),
    loads: subgroupLoads(model, subgroup, MOST_LOADS),
  };
}

function checkNumber(name: string, found: number, below: number): void {
  if (Number.isInteger(found) && found >= 0 && found < below) return;
  throw new SparseScopeError(`${name}: found ${found}, expected a whole number below ${below}`);
}

async function modelOf(
  formats: readonly AnyFormat[],
  { kernel, params: given }: LoadsRequest,
  stage: BenchMatrix,
  job: ServiceJob,
): Promise<{ readonly model: KernelLoads; readonly common: Omit<LoadsOf, 'generation'> }> {
  const { format, spec } = kernelOf(formats, kernel);
  if (!spec.loads) {
    const ids = formats.flatMap(({ kernels }) => kernels.flatMap(({ id, loads }) => (loads ? [id] : [])));
    throw new SparseScopeError(
      `kernel: found '${kernel}', whose loads no model describes, expected one of ${ids.join(', ')}`,
    );
  }
  const params = paramsFor(format, spec, given, stage.matrix);
  const refuse = (reason: string): never => {
    throw new SparseScopeError(`${kernel} cannot run on this matrix: ${reason}`);
  };
  const admission = format.admits(stage.matrix, params);
  if (!admission.ok) return refuse(admission.reason);
  const { encoded } = await stage.encode(format, params, job);
  const device = standInDevice();
  const fits = spec.fits(encoded, device, {});
  if (!fits.ok) return refuse(fits.reason);
  const model = spec.loads(encoded, device);
  const { rows, cols, nnz } = encoded;
  return { model, common: { kernel, params, rows, cols, nnz, lanes: model.lanes, subgroups: model.subgroups } };
}

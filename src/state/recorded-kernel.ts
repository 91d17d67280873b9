import type { RecordedKernel } from '../core/bench/cases.ts';
import type { BenchReport, Workload } from '../core/report.ts';
import type { BenchEntry, BenchRequest } from '../engine/bench/bench-types.ts';

/** The matrix that kernels run on. */
type BenchMatrix = Pick<Workload, 'rows' | 'cols' | 'density'>;

/**
 * A benchmark request, in which each entry on 'auto' gets a kernel to try first, with tuned constants: the fastest in
 * the report of the most similar matrix on a GPU of this vendor, if there is any. Its code may have changed since: it is
 * only where the run begins. O(reports × rows × entries).
 */
export function withRecordedKernels(
  request: BenchRequest,
  matrix: BenchMatrix,
  vendor: string,
  reports: readonly BenchReport[],
): BenchRequest {
  const { operation, sizes } = request;
  const similar = reports
    .filter(({ workload, environment }) => workload.operation === operation && environment.adapter.vendor === vendor)
    .filter(({ workload }) => Object.entries(sizes).every(([name, size]) => workload.sizes?.[name] === size))
    .map((report) => ({ report, distance: doublings(report.workload, matrix) }))
    .filter(({ distance }) => distance <= MAX_DOUBLINGS)
    .toSorted((a, b) => a.distance - b.distance);
  const recordedOf = (entry: BenchEntry): RecordedKernel | undefined => {
    for (const { report } of similar) {
      const rows = report.rows.filter(({ format, params, medianNs, draft }) => {
        const isSame = Object.entries(entry.params).every(([name, value]) => params[name] === value);
        return medianNs !== null && draft === undefined && format === entry.format && isSame;
      });
      const [fastest] = rows.toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0));
      if (!fastest) continue;
      return { kernel: fastest.kernel, ...(fastest.tuned && { chosen: fastest.tuned.chosen }) };
    }
    return undefined;
  };
  const entries = request.entries.map((entry) => {
    const recordedKernel = entry.kernels === 'auto' ? recordedOf(entry) : undefined;
    return recordedKernel ? { ...entry, recordedKernel } : entry;
  });
  return { ...request, entries };
}

/** How far two matrices differ: doublings of rows, columns and density, added. */
function doublings(a: BenchMatrix, b: BenchMatrix): number {
  return (['rows', 'cols', 'density'] as const).reduce((sum, key) => sum + Math.abs(Math.log2(a[key] / b[key])), 0);
}

/** Matrices that differ by more are not similar. */
const MAX_DOUBLINGS = 3;

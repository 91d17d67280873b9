import { densityText } from '../../core/text/rounded.ts';
import { SparseScopeError } from '../../core/errors.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { BenchRequest, SweepAxis } from './bench-types.ts';

// The runs of a sweep, which repeats a request with one setting changed.

/** A run of a sweep. */
export interface SweepRun {
  /** what differs from the other runs, as text: '0.3 left' */
  readonly name: string;
  readonly request: BenchRequest;
}

/** The runs of a sweep: one for each value of the axis, and for each of its parts (operations). */
export function sweepRuns(request: BenchRequest, axis: SweepAxis): readonly SweepRun[] {
  switch (axis.of) {
    case 'density':
      return axis.values.map((value) => ({
        name: `${densityText(value)} left`,
        request: withSpec(request, (spec) => ({ ...spec, density: value })),
      }));
    case 'shape':
      return axis.values.map(({ rows, cols, entries, distinctRows }) => {
        const atShape = withSpec(request, (spec) => ({ ...spec, rows, cols }), distinctRows);
        return { name: `${rows} × ${cols}`, request: { ...atShape, entries } };
      });
    case 'size':
      return axis.values.map((value) => ({
        name: `${axis.name} ${value}`,
        request: { ...request, sizes: { ...request.sizes, [axis.name]: value } },
      }));
    case 'non-zeros':
      return axis.values.flatMap((mean) => {
        const atMean = withSpec(request, (spec) => ({ ...spec, density: mean / spec.cols }));
        return axis.parts.map((part) => ({
          name: `${part.operation}, ${mean} non-zeros per row`,
          request: { ...atMean, ...part },
        }));
      });
  }
}

/** The request with changed settings of its generated matrix. Throws SparseScopeError if it has none. */
function withSpec(
  request: BenchRequest,
  change: (spec: GenerateSpec) => GenerateSpec,
  distinctRows?: number,
): BenchRequest {
  const { workload } = request;
  if (workload.kind !== 'generated') {
    throw new SparseScopeError(
      'sweep: found the matrix on the stage, expected a generated one, of which any share can be left',
    );
  }
  const spec = change(workload.spec);
  return { ...request, workload: { ...workload, spec, ...(distinctRows === undefined ? {} : { distinctRows }) } };
}

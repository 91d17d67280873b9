import type { BenchCase } from '../src/core/bench.ts';
import type { AnyFormat } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { BenchArguments } from './arguments.ts';

/**
 * The cases of one matrix: every format with each of its parameter sets, and dense in each value type that they use, so
 * that every kernel has a dense one of its own kind beside it.
 */
export function casesOf(matrix: Matrix, formats: readonly AnyFormat[], options: BenchArguments): BenchCase[] {
  const cases: BenchCase[] = [];
  const valueTypes = new Set<unknown>();
  for (const id of options.formats) {
    for (const params of options.params[id]) if (id !== 'dense') valueTypes.add(params.valueType);
  }
  for (const params of options.params.dense ?? []) valueTypes.add(params.valueType);
  for (const format of formats) {
    if (!options.formats.includes(format.id)) continue;
    const sets =
      format.id === 'dense' ? [...valueTypes].map((valueType) => ({ valueType })) : options.params[format.id];
    const kernels = kernelsOf(format, options);
    if (kernels === null) continue;
    for (const params of sets) {
      cases.push({
        format,
        params,
        kernels,
        encode: async (job) => {
          const start = performance.now();
          const encoded = format.encode(matrix, params, job);
          return { encoded, encodeMs: performance.now() - start };
        },
      });
    }
  }
  return cases;
}

/** Null for a format none of whose kernels was asked for. */
function kernelsOf(format: AnyFormat, { kernels, variants }: BenchArguments): BenchCase['kernels'] | null {
  if (kernels === null) return variants;
  const own = format.kernels.map((k) => k.id).filter((id) => kernels.includes(id));
  if (own.length > 0) return own;
  return format.id === 'dense' ? 'auto' : null;
}

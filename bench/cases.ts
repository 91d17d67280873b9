import { type BenchCase, referenceValueType } from '../src/core/bench/cases.ts';
import { type AnyFormat, type ParamField, resolvedParams } from '../src/core/format.ts';
import { referenceFormat } from '../src/formats/registry.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { BenchArguments } from './arguments.ts';

/**
 * The cases of one matrix: every format with each of its parameter sets, and dense in each value type that they use, so
 * that every kernel has a dense counterpart to compare with.
 */
export function casesOf(matrix: Matrix, formats: readonly AnyFormat[], options: BenchArguments): BenchCase[] {
  const cases: BenchCase[] = [];
  for (const format of formats) {
    if (!options.formats.includes(format.id)) continue;
    const sets = format.id === referenceFormat.id ? referenceParams(format, options) : options.params[format.id];
    const kernels = kernelsOf(format, options);
    if (kernels === null) continue;
    for (const given of sets) {
      const params = resolvedParams(format.params, given, matrix);
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

/** The reference in the requested value types, and in those of every other format that it can hold too. */
function referenceParams(
  reference: AnyFormat,
  { formats, params }: BenchArguments,
): readonly Readonly<Record<string, unknown>>[] {
  const field: ParamField<unknown> = reference.params.valueType;
  const known = field.kind === 'choice' ? field.options.map((o) => o.value) : [];
  const wanted = formats.flatMap((id) => params[id].map((p) => p.valueType)).filter((v) => known.includes(v));
  const references = wanted.map((valueType) => referenceValueType(reference, valueType));
  return [...new Set(wanted.length > 0 ? [...references, ...wanted] : [field.default])].map((valueType) => ({
    valueType,
  }));
}

/** Null for a format none of whose kernels was requested. */
function kernelsOf(format: AnyFormat, { kernels, variants }: BenchArguments): BenchCase['kernels'] | null {
  if (kernels === null) return variants;
  const own = format.kernels.map((k) => k.id).filter((id) => kernels.includes(id));
  if (own.length > 0) return own;
  return format.id === referenceFormat.id ? 'auto' : null;
}

// The benchmark cases of the command line, and a check that every request was compared with the reference.

import { type BenchCase, referenceValueType } from '../src/core/bench/cases.ts';
import { type AnyFormat, type ParamField, resolvedParams } from '../src/core/format.ts';
import { referenceFormat } from '../src/formats/registry.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { BenchReport } from '../src/core/report.ts';
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
    for (const requested of sets) {
      const params = resolvedParams(format.params, requested, matrix);
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

/** The reference in the requested value types, and in every other format's value types that it supports. */
function referenceParams(
  reference: AnyFormat,
  { formats, params }: BenchArguments,
): readonly Readonly<Record<string, unknown>>[] {
  const field: ParamField<unknown> = reference.params.valueType;
  const supported = field.kind === 'choice' ? field.options.map((o) => o.value) : [];
  const wanted = formats.flatMap((id) => params[id].map((p) => p.valueType)).filter((v) => supported.includes(v));
  const references = wanted.map((valueType) => referenceValueType(reference, valueType));
  return [...new Set(wanted.length > 0 ? [...references, ...wanted] : [field.default])].map((valueType) => ({
    valueType,
  }));
}

/** The kernels of a format to run; null if the command line names kernels, but none of this format. */
function kernelsOf(format: AnyFormat, { kernels, variants }: BenchArguments): BenchCase['kernels'] | null {
  if (kernels === null) return variants;
  const requested = format.kernels.map((k) => k.id).filter((id) => kernels.includes(id));
  if (requested.length > 0) return requested;
  return format.id === referenceFormat.id ? 'auto' : null;
}

/**
 * One message for each request that was never compared with the reference: a workload in which no kernel ran, or a
 * format, parameters or a kernel that the command line names. A check that compares nothing must fail.
 */
export function unverifiedRequests(
  reports: readonly Pick<BenchReport, 'rows' | 'refused' | 'workload'>[],
  { operation, namedFormats, params, kernels }: BenchArguments,
  formats: readonly AnyFormat[],
): readonly string[] {
  const rows = reports.flatMap((report) => report.rows);
  const rejected = reports.flatMap((report) => report.refused);
  const nothingRanText = (what: string, reason: string): string =>
    `${what}: found no kernel that ran (${reason}), expected at least one`;
  const messages = reports
    .filter((report) => report.rows.length === 0)
    .map(({ workload: { rows: matrixRows, cols, source }, refused: [first] }) =>
      nothingRanText(
        `${operation.id} of ${matrixRows} × ${cols}, ${source}`,
        first?.reason ?? `none is for '${operation.id}' with these formats and parameters`,
      ),
    );
  // Without any row the messages above report it.
  if (rows.length === 0) return messages;
  for (const format of formats.filter(({ id }) => namedFormats.includes(id))) {
    const sets = params[format.id].length > 0 ? params[format.id] : [{}];
    for (const set of sets) {
      const isOfSet = (row: Pick<BenchReport['refused'][number], 'format' | 'params'>): boolean =>
        row.format === format.id &&
        Object.entries(set).every(([name, value]) => value === 'auto' || row.params?.[name] === value);
      if (rows.some(isOfSet)) continue;
      const reason = rejected.find(isOfSet)?.reason ?? `none is for '${operation.id}' with these parameters`;
      const texts = Object.entries(set).map(([name, value]) => `, ${name} ${String(value)}`);
      messages.push(nothingRanText(`${format.id}${texts.join('')}`, reason));
    }
  }
  for (const id of kernels ?? []) {
    if (rows.some(({ kernel }) => kernel === id)) continue;
    const reason = rejected.find(({ kernel }) => kernel === id)?.reason ?? `it is not for '${operation.id}'`;
    messages.push(`${id}: found that it did not run (${reason}), expected that it does`);
  }
  return messages;
}

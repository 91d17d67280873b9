import { GEMM } from '../../../core/operations/index.ts';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { capitalised } from '../../../core/story/words.ts';
import { formats } from '../../../formats/catalog.ts';
import { arithmeticOf, type TitleOf } from '../../../kit/report/report-view.ts';
import { times } from '../../../kit/words/rates.ts';

/** The most tokens that count as a few. */
const FEW = 16;

const KERNELS = formats.flatMap(({ kernels }) => kernels.filter(({ arithmetic }) => arithmetic === 'i8-matrix'));

/** One sentence on how subgroup matrices change a verdict about many tokens, or how to enable them; null for others. */
export function matrixSentence(report: BenchReport, titleOf: TitleOf): string | null {
  const { environment, workload, rows } = report;
  const { operation, sizes = {} } = workload;
  if (environment.isFallback || rows.length === 0) return null;
  const isOffered = KERNELS.some(({ features }) => features.every((each) => environment.features.includes(each)));
  const flag = 'In Chromium, the flag --enable-unsafe-webgpu enables subgroup matrices on GPUs that have them';
  if (!KERNELS.some((kernel) => kernel.operation === operation)) {
    if (operation !== GEMM.id || (sizes.tokens ?? 1) <= FEW) return null;
    return isOffered
      ? 'Subgroup matrices, which this device has, change nothing here: kernels use them only for products in i8.'
      : `${flag}; only products in i8 use them.`;
  }
  if (!isOffered) return `${flag}: i8 kernels that use them were not measured here.`;
  const found = [...new Set(rows.map(({ format }) => format))].flatMap((format) => {
    const own = rows.filter((row) => row.format === format && !row.draft && row.verified.ok);
    const [matrices, dots] = [fastestNs(own, true), fastestNs(own, false)];
    if (matrices === null) return [];
    const gain = dots === null ? '' : ` ${times(dots / matrices)}`;
    return [{ title: titleOf(format), gain }];
  });
  if (found.length === 0) return 'Subgroup matrices, which this device has, make no kernel here faster.';
  const both = found.filter(({ gain }) => gain !== '');
  if (both.length === found.length) {
    const list = both.map(({ title, gain }) => `${title}${gain}`).join(', ');
    return `${capitalised(list)} as fast with subgroup matrices as with dot products.`;
  }
  return `${capitalised(found.map(({ title }) => title).join(' and '))}: with subgroup matrices, which this device has.`;
}

function fastestNs(rows: readonly BenchRow[], byMatrices: boolean): number | null {
  return rows
    .filter((row) => (arithmeticOf(row) === 'i8-matrix') === byMatrices)
    .reduce<number | null>(
      (best, { medianNs }) => (medianNs !== null && (best === null || medianNs < best) ? medianNs : best),
      null,
    );
}

/* The kernel, and the file of it, that the page Code shows for its address, even if a name in it does not exist. */

import type { AnyListedFormat, Shape } from '../../core/format.ts';
import type { KernelCard } from '../../core/kernel/kernel.ts';
import { findKernelCard } from '../../core/scratch/card.ts';
import { refersTo } from '../../core/kernel/shader.ts';
import type { BenchReport } from '../../core/report.ts';
import { WHOLE_TEXT } from './address.ts';
import type { KernelFile, VisiblePass } from '../../engine/kernel-reading/kernel-reading-types.ts';

/** A kernel with its format. */
export interface ListedKernel {
  readonly format: AnyListedFormat;
  readonly kernel: KernelCard;
}

/** The kernel with that id; else one that contains the file, or else any: if possible, the first of `formatId`. */
export function kernelToRead(
  formats: readonly AnyListedFormat[],
  { kernel: id, file }: { readonly kernel: string; readonly file: string },
  files: readonly KernelFile[],
  formatId: string,
): ListedKernel | null {
  const requested = findKernelCard(formats, id);
  if (requested) return requested;
  const all = formats.flatMap((format) => format.kernels.map((kernel): ListedKernel => ({ format, kernel })));
  const ids = files.flatMap(({ path, kernels }) => (refersTo(path, file) ? kernels : []));
  const withFile = all.filter(({ kernel }) => ids.includes(kernel.id));
  const isOfFormat = (listed: ListedKernel): boolean => listed.format.id === formatId;
  return withFile.find(isOfFormat) ?? withFile[0] ?? all.find(isOfFormat) ?? all[0] ?? null;
}

/** Ids of a format's kernels for an operation: those timed on this shape first, by newest report, then by speed. */
export function fastestFirst(
  { kernels }: Pick<AnyListedFormat, 'kernels'>,
  operation: string,
  { rows, cols }: Shape,
  reports: readonly BenchReport[],
): readonly string[] {
  const ids = kernels.filter((kernel) => kernel.operation === operation).map(({ id }) => id);
  const timed = reports
    .filter(({ workload }) => workload.operation === operation && workload.rows === rows && workload.cols === cols)
    .flatMap((report) =>
      report.rows
        .filter(({ kernel, medianNs, verified }) => ids.includes(kernel) && medianNs !== null && verified.ok)
        .toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0))
        .map(({ kernel }) => kernel),
    );
  return [...new Set([...timed, ...ids])];
}

/** A message if the kernel or the file of the address does not exist; null if both do. `files` is empty until loaded. */
export function missingText(
  formats: readonly AnyListedFormat[],
  { kernel, file }: { readonly kernel: string; readonly file: string },
  files: readonly KernelFile[],
  shown: ListedKernel,
): string | null {
  if (kernel !== '' && !findKernelCard(formats, kernel)) {
    return `Link: found no kernel or exercise ‘${kernel}’; ${shown.kernel.id} is shown.`;
  }
  if (file === '' || file === WHOLE_TEXT || files.length === 0 || files.some(({ path }) => refersTo(path, file)))
    return null;
  return `Link: found no file ‘${file}’; the one in which the kernel begins is shown.`;
}

/** The file of a pass to show first: the one with the entry point. */
export function mainFile({ files }: Pick<VisiblePass, 'files'>): VisiblePass['files'][number] {
  return files.findLast(({ code }) => /^fn main\b/m.test(code)) ?? files[files.length - 1];
}

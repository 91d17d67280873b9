import type { AnyListedFormat } from '../../../core/format.ts';
import { baselineFormat, firstFormat } from '../../../formats/catalog.ts';
import { type ChoiceFields, numberChoice, oneOf, textChoice } from '../../../kit/browser/choices.ts';
import type { ListedKernel } from '../kernel-list.ts';
import { type Kind, KINDS } from './kinds.ts';

/** What is chosen for the picture of a kernel's loads, as the address has it. */
export interface MemoryChoices {
  readonly of: Kind;
  /** -1: the first that works on row 0; of a watched kernel, the first that loads from the array */
  readonly subgroup: number;
  /** which load of the kind, from 1 */
  readonly load: number;
  /** id of the kernel beside it; '' for the usual one, 'none' for none */
  readonly with: string;
  /** of a watched kernel: which workgroup, from 0 */
  readonly workgroup: number;
  /** of a watched kernel: which of its passes, from 1 */
  readonly pass: number;
  /** of a watched kernel: the array whose loads are shown, by its name in the text; '' for the usual one */
  readonly array: string;
}

/** The fields of the choices, with the kernels that can stand beside another by their ids. */
export function memoryFields(ids: readonly string[]): ChoiceFields<MemoryChoices> {
  return {
    of: oneOf(KINDS, 'x'),
    subgroup: numberChoice(-1, 2 ** 31 - 1, -1, true),
    load: numberChoice(1, 2 ** 31 - 1, 1, true),
    with: oneOf(['', 'none', ...ids], ''),
    workgroup: numberChoice(0, 2 ** 31 - 1, 0, true),
    pass: numberChoice(1, 64, 1, true),
    array: textChoice(64),
  };
}

/** All kernels whose loads can be worked out. */
export function modelledKernels(formats: readonly AnyListedFormat[]): readonly ListedKernel[] {
  return formats.flatMap((format) =>
    format.kernels.flatMap((kernel) => (kernel.modelled === true ? [{ format, kernel }] : [])),
  );
}

/** The kernel that stands beside another: the one that was chosen, or the usual one; null for none. */
export function kernelBeside(
  modelled: readonly ListedKernel[],
  shown: ListedKernel,
  chosen: string,
): ListedKernel | null {
  if (chosen === 'none') return null;
  const named = modelled.find(({ kernel }) => kernel.id === chosen && kernel.id !== shown.kernel.id);
  if (named) return named;
  const usual = shown.format.id === baselineFormat.id ? firstFormat : baselineFormat;
  const usualKernels = modelled.filter(({ format }) => format.id === usual.id);
  const variant = variantOf(shown);
  // One that shares its rows out alike, or else a subgroup to a row, which most formats have.
  const alike = usualKernels.find((one) => variantOf(one) === variant);
  return alike ?? usualKernels.find((one) => variantOf(one) === 'spmv_subgroup') ?? usualKernels[0] ?? null;
}

/** 'spmv_subgroup' of 'macko/spmv_subgroup'. */
function variantOf({ kernel }: ListedKernel): string {
  return kernel.id.slice(kernel.id.indexOf('/') + 1);
}

/** What a sentence calls a kernel beside another: its format, unless both are of one. */
export function nameBeside({ format, kernel }: ListedKernel, other: ListedKernel | null): string {
  return other?.format.id === format.id ? kernel.id : format.title;
}

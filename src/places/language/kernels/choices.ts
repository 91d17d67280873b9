import type { AnyListedFormat } from '../../../core/format.ts';
import { unsuited } from '../../../core/kernel/kernel.ts';
import { FORWARD, SPMV } from '../../../core/operations/index.ts';
import { type DraftVariant, variantId } from '../../../state/index.ts';

/** A kernel that can be asked for. */
export interface KernelChoice {
  /** of a select, and of addresses for kernels of the application; '' for the first that fits */
  readonly value: string;
  readonly label: string;
  readonly group?: string;
  readonly draft?: DraftVariant;
}

const FIRST: KernelChoice = { value: '', label: 'the first that fits and rounds nothing' };

/** Kernels for one token: of a format with these parameters, and drafts of this session. */
export function kernelChoices(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  drafts: readonly DraftVariant[],
): readonly KernelChoice[] {
  const own = format.kernels
    .filter((card) => card.operation === SPMV.id && unsuited(card, params) === null)
    .map(({ id, title }) => ({ value: id, label: `${id.slice(id.indexOf('/') + 1)}: ${title}`, group: format.title }));
  const known = new Map(drafts.filter(({ operation }) => operation === SPMV.id).map((one) => [draftValue(one), one]));
  const written = [...known].map(([value, draft]) => ({
    value,
    label: `draft ${draft.mark.version} of ${draft.mark.name}`,
    group: 'Drafts, in this session',
    draft,
  }));
  return [FIRST, ...own, ...written];
}

/** Names a draft among the choices, never like a kernel. */
export function draftValue(draft: DraftVariant): string {
  return `draft ${variantId(draft)}`;
}

/** Formats that compute a whole feed-forward block in one kernel. */
export function blockFormats<F extends AnyListedFormat>(formats: readonly F[]): readonly F[] {
  return formats.filter(({ kernels }) => kernels.some(({ operation }) => operation === FORWARD.id));
}

import { findKernelCard } from '../../../../src/core/scratch/card.ts';
import type { AnyListedFormat } from '../../../../src/core/format.ts';
import { type DraftVariant, variantId, type Session } from '../../../../src/state/index.ts';
import type { Draft } from './draft.ts';

/** A version of a draft (a changed kernel) as a further kernel of its format; null unless it ran and was correct. */
export function variantOf(draft: Draft, version: number, formats: readonly AnyListedFormat[]): DraftVariant | null {
  const stored = draft.versions.find(({ number }) => number === version);
  const card = findKernelCard(formats, draft.kernel);
  if (!stored?.result?.ended?.ok || !card) return null;
  const { files, overrides } = stored;
  return {
    draft: draft.id,
    format: card.format.id,
    operation: card.kernel.operation,
    params: draft.params,
    kernel: draft.kernel,
    files,
    overrides,
    mark: { name: draft.name, version },
  };
}

/** Adds a variant to the kernels of this session, or removes it. */
export function toggleVariant({ store }: Pick<Session, 'store'>, variant: DraftVariant): void {
  const id = variantId(variant);
  store.setState(({ variants }) => ({
    variants: variants.some((variant) => variantId(variant) === id)
      ? variants.filter((variant) => variantId(variant) !== id)
      : [...variants, variant],
  }));
}

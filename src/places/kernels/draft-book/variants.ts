import { cardOf } from '../../../core/scratch/card.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import { type DraftVariant, variantId } from '../../../state/session/session-state.ts';
import type { Session } from '../../../state/session/session.ts';
import type { Draft } from './book.ts';

/** A version of a draft as one more kernel of its format; null for a version that was not right, or a kernel that there is not. */
export function variantOf(draft: Draft, version: number, formats: readonly AnyListedFormat[]): DraftVariant | null {
  const found = draft.versions.find(({ number }) => number === version);
  const of = cardOf(formats, draft.kernel);
  if (!found?.result?.ended?.ok || !of) return null;
  const { files, overrides } = found;
  return {
    draft: draft.id,
    format: of.format.id,
    operation: of.kernel.operation,
    params: draft.params,
    kernel: draft.kernel,
    files,
    overrides,
    mark: { name: draft.name, version },
  };
}

/** Puts a variant beside the kernels, or takes it away. */
export function toggleVariant({ store }: Pick<Session, 'store'>, variant: DraftVariant): void {
  const id = variantId(variant);
  store.setState(({ variants }) => ({
    variants: variants.some((one) => variantId(one) === id)
      ? variants.filter((one) => variantId(one) !== id)
      : [...variants, variant],
  }));
}

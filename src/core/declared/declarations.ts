import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat, SparseFormat } from '../format.ts';
import type { AnyDeclaration } from './derive.ts';

/**
 * The declaration (arrays, and encode and decode on them) of each format that is derived from one. The key is its
 * `validate`, a member that such a format never replaces by its own.
 */
const declarations = new WeakMap<AnyFormat['validate'], AnyDeclaration>();

/** Stores the declaration that a format was derived from. */
export const rememberDeclaration = ({ validate }: Pick<AnyFormat, 'validate'>, d: AnyDeclaration): void => {
  declarations.set(validate, d);
};

/** The declaration of a format; null for a format without one. */
export function declarationOf(format: Pick<AnyFormat, 'validate'>): AnyDeclaration | null {
  return declarations.get(format.validate) ?? null;
}

/** The members of a format that follow from how it writes and reads its arrays. */
export type Derived<E extends EncodedMatrix, P> = Pick<
  SparseFormat<E, P>,
  'admits' | 'encodeSteps' | 'decode' | 'multiply' | 'validate' | 'rules' | 'storage' | 'comparison'
> &
  Required<Pick<SparseFormat<E, P>, 'sizeReason'>>;

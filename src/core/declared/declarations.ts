import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat, SparseFormat } from '../format.ts';
import type { FormatDeclaration } from './declaration.ts';
import type { AnyDeclaration } from './declared-arrays.ts';

/* Formats that are derived from a declaration (arrays, with encode and decode): which one, and which members. */

/** Declarations by the `validate` of the derived format, a member that such formats never override. */
const declarations = new WeakMap<AnyFormat['validate'], AnyDeclaration>();

/** Stores the declaration that a format was derived from. */
export const rememberDeclaration = ({ validate }: Pick<AnyFormat, 'validate'>, d: AnyDeclaration): void => {
  declarations.set(validate, d);
};

/** The declaration of a format; null for a format without one. */
export function declarationOf(format: Pick<AnyFormat, 'validate'>): AnyDeclaration | null {
  return declarations.get(format.validate) ?? null;
}

/** The members of a format that are derived from its declaration. */
export type DerivedMembers<E extends EncodedMatrix, P> = Pick<
  SparseFormat<E, P>,
  'admits' | 'encodeSteps' | 'decode' | 'multiply' | 'validate' | 'rules' | 'storage' | 'comparison'
> &
  Required<Pick<SparseFormat<E, P>, 'sizeReason'>>;

/**
 * A format without its story, as `declareFormat` returns it, with its description of zeros. The story is derived where
 * the format is listed (`withStory` in src/story/declared/with-story.ts).
 */
export type DeclaredFormat<E extends EncodedMatrix, P> = Omit<SparseFormat<E, P>, 'story'> &
  DerivedMembers<E, P> &
  Pick<FormatDeclaration<string, object>, 'aboutZeros' | 'frames'>;

/** A declared format with its types erased, like `AnyFormat`. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list contains formats of different types
export type AnyDeclaredFormat = DeclaredFormat<any, any>;

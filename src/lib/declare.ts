import type { DeclaredEncoded, EncodingDeclaration } from '../core/declared/declaration.ts';
import { declareEncoding } from '../core/declared/declare.ts';
import { type Codec, codec, withLibraryError } from './codec.ts';

/**
 * Makes a format from a declaration: parameters, arrays, a generator `encode` that appends rows to the arrays, and
 * `decode`, which finds every cell. Lengths, types, bytes and the checks of `validate` are derived. The format has no
 * kernel, so that `run` and `bench` refuse it. Throws SparseScopeError if the declaration contradicts itself.
 */
export function declare<N extends string, P extends object>(
  declaration: EncodingDeclaration<N, P>,
): Codec<DeclaredEncoded<N, P>, P> {
  const { id, params } = declaration;
  const encoding = withLibraryError(() => declareEncoding(declaration));
  // With title and kernels, it is a whole format, which `ledger` (bytes by class) and `validate` of `Stored` need.
  const whole = { title: id, effort: 1, kernels: [], ...encoding, ...codec({ id, params, ...encoding }) };
  return whole;
}

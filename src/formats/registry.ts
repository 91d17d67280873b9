import type { AnyFormat } from '../core/format.ts';
import { withStory } from '../story/declared/with-story.ts';
import { bitmask } from './bitmask/index.ts';
import { bsr } from './bsr/index.ts';
import { csr } from './csr/index.ts';
import { dense } from './dense/index.ts';
import { ecCsr } from './ec-csr/index.ts';
import { ell } from './ell/index.ts';
import { hybrid } from './hybrid/index.ts';
import { macko } from './macko/index.ts';
import { slideSparse } from './slidesparse/index.ts';
import { twell } from './twell/index.ts';

/**
 * Every format with encoder, decoder and kernels, in the order of the page. The page itself uses catalog.ts. A format that
 * only declares its arrays, encode and decode gets its story here.
 */
export const formats: readonly AnyFormat[] = [
  dense,
  csr,
  bsr,
  ell,
  bitmask,
  macko,
  ecCsr,
  twell,
  hybrid,
  slideSparse,
].map(withStory);

/** The format to which speeds and bytes of all others are relative; every benchmark run times this format too. */
export const referenceFormat: AnyFormat = dense;

/** The usual sparse format, listed with the others where sizes are compared. */
export const baselineFormat: AnyFormat = csr;

/** The format whose story (its explanation step by step, in pictures) is shown first. */
export const firstFormat: AnyFormat = macko;

/** The format with this id. Throws RangeError with the known ids. */
export function formatById(id: string): AnyFormat {
  const format = formats.find((f) => f.id === id);
  if (!format) throw new RangeError(`format: found '${id}', expected one of ${formats.map((f) => f.id).join(', ')}`);
  return format;
}

import { MEASURE } from '../src/places/measure/address.ts';
import { COMPARE } from '../src/places/compare/address.ts';
import { CODE } from '../src/places/code/address.ts';
import { LEARN } from '../src/places/learn/address.ts';
import { WATCH } from '../src/places/watch/address.ts';
import { withLabPages } from '../src/kit/lab.ts';
import { LABS } from '../src/app/labs.ts';
import type { PageEntry } from '../src/state/index.ts';

/** The pages as addresses know them, without src's components: test/place-names.test.ts checks them against src/app/places.ts. */
export const PAGES: readonly PageEntry[] = withLabPages<PageEntry>(
  [WATCH, COMPARE, MEASURE],
  LABS.flatMap(({ pages }) => pages),
  [CODE, LEARN],
);

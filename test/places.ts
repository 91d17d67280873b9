import { MEASURE } from '../src/places/measure/address.ts';
import { COMPARE } from '../src/places/compare/address.ts';
import { CODE } from '../src/places/code/address.ts';
import { LEARN } from '../src/places/learn/address.ts';
import { WATCH } from '../src/places/watch/address.ts';
import { withLabPlaces } from '../src/kit/lab.ts';
import { LABS } from '../src/app/labs.ts';
import type { PlaceEntry } from '../src/state/index.ts';

/** The pages as addresses know them, without src's components: test/place-names.test.ts checks them against src/app/places.ts. */
export const PLACES: readonly PlaceEntry[] = withLabPlaces<PlaceEntry>(
  [WATCH, COMPARE, MEASURE],
  LABS.flatMap(({ places }) => places),
  [CODE, LEARN],
);

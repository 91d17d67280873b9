import { MEASURE } from '../src/places/measure/address.ts';
import { COMPARE } from '../src/places/compare/address.ts';
import { CODE } from '../src/places/code/address.ts';
import { LEARN } from '../src/places/learn/address.ts';
import { WATCH } from '../src/places/watch/address.ts';
import { withLabPlaces } from '../src/kit/lab.ts';
import { LABS } from '../src/app/labs.ts';
import type { PlaceEntry } from '../src/state/index.ts';

/** The places as addresses know them, those of the house without their pages: test/place-names.test.ts holds them to src/app/places.ts. */
export const PLACES: readonly PlaceEntry[] = withLabPlaces<PlaceEntry>(
  [WATCH, COMPARE, MEASURE],
  LABS.flatMap(({ places }) => places),
  [CODE, LEARN],
);

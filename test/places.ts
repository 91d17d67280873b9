import { MEASURE } from '../src/places/measure/address.ts';
import { COMPARE } from '../src/places/compare/address.ts';
import { CODE } from '../src/places/code/address.ts';
import { LANGUAGE } from '../src/labs/language/place/address.ts';
import { LEARN } from '../src/places/learn/address.ts';
import { WATCH } from '../src/places/watch/address.ts';
import type { PlaceEntry } from '../src/state/index.ts';

/** The places as addresses know them, without their pages: test/place-names.test.ts holds them to src/app/places.ts. */
export const PLACES: readonly PlaceEntry[] = [WATCH, COMPARE, MEASURE, LANGUAGE, CODE, LEARN];

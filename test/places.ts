import { BENCHMARK } from '../src/places/benchmark/address.ts';
import { EXPLORE } from '../src/places/explore/address.ts';
import { KERNELS } from '../src/places/kernels/address.ts';
import { LEARN } from '../src/places/learn/address.ts';
import { VISUALIZE } from '../src/places/visualize/address.ts';
import type { PlaceEntry } from '../src/state/index.ts';

/** The places as addresses know them, without their pages: test/place-names.test.ts holds them to src/app/places.ts. */
export const PLACES: readonly PlaceEntry[] = [VISUALIZE, BENCHMARK, EXPLORE, KERNELS, LEARN];

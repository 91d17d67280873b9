import { type PlaceEntry, withView } from '../../state/index.ts';

const ID = 'benchmark';

/** `#1/benchmark?...`: the document alone. */
export const BENCHMARK: PlaceEntry = {
  id: ID,
  title: 'Benchmark',
  links: { runs: (doc) => withView(doc, ID) },
};

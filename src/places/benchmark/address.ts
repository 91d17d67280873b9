import { placeAddress, type PlaceEntry, withView, wordField } from '../../state/index.ts';

const ID = 'benchmark';

export interface Benchmarking {
  /** Nothing follows the place in the path. */
  readonly path: string;
  /** on a software adapter: whether kernels are timed, too */
  readonly software: 'verify' | 'time';
}

export const BENCHMARKING = {
  ...placeAddress<Benchmarking>({
    id: ID,
    path: 'path',
    fields: { software: wordField('x.software', ['verify', 'time']) },
  }),
  hasPath: false,
};

/** `#1/benchmark?...` */
export const BENCHMARK: PlaceEntry = {
  id: ID,
  title: 'Benchmark',
  address: BENCHMARKING,
  links: { runs: (doc) => withView(doc, ID) },
};

import { placeAddress, type PlaceEntry, withView, wordField } from '../../state/index.ts';

const ID = 'measure';

export interface Measuring {
  /** Nothing follows the place in the path. */
  readonly path: string;
  /** on a software adapter: whether kernels are timed, too */
  readonly software: 'verify' | 'time';
}

export const MEASURING = {
  ...placeAddress<Measuring>({
    id: ID,
    path: 'path',
    fields: { software: wordField('x.software', ['verify', 'time']) },
  }),
  hasPath: false,
};

/** `#2/measure?...` */
export const MEASURE: PlaceEntry = {
  id: ID,
  title: 'Measure',
  formerly: 'benchmark',
  address: MEASURING,
  links: { runs: (doc) => withView(doc, ID) },
};

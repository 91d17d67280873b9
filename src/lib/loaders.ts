import type { EncodedMatrix } from '../core/format.ts';
import { wrong } from './arguments.ts';
import { type AnyKernelFormat, type Checks, type Codec, mayLoadChecks } from './codec.ts';
import type { Stored } from './encode.ts';

// Loads parts of formats on demand, by their id.

/** The ids of all formats, in the order of the page. */
export const FORMAT_IDS = [
  'dense',
  'csr',
  'bsr',
  'ell',
  'bitmask',
  'macko',
  'ec-csr',
  'twell',
  'hybrid',
  'slidesparse',
] as const;

type Loads<T> = Readonly<Record<(typeof FORMAT_IDS)[number], () => Promise<T>>>;

// oxlint-disable-next-line typescript/no-explicit-any -- codecs of different types
const CODECS: Loads<Codec<any, any>> = {
  dense: () => import('./codecs/dense.ts').then(({ dense }) => dense),
  csr: () => import('./codecs/csr.ts').then(({ csr }) => csr),
  bsr: () => import('./codecs/bsr.ts').then(({ bsr }) => bsr),
  ell: () => import('./codecs/ell.ts').then(({ ell }) => ell),
  bitmask: () => import('./codecs/bitmask.ts').then(({ bitmask }) => bitmask),
  macko: () => import('./codecs/macko.ts').then(({ macko }) => macko),
  'ec-csr': () => import('./codecs/ec-csr.ts').then(({ ecCsr }) => ecCsr),
  twell: () => import('./codecs/twell.ts').then(({ twell }) => twell),
  hybrid: () => import('./codecs/hybrid.ts').then(({ hybrid }) => hybrid),
  slidesparse: () => import('./codecs/slidesparse.ts').then(({ slideSparse }) => slideSparse),
};

const KERNELS: Loads<AnyKernelFormat> = {
  dense: () => import('./kernels/dense.ts').then(({ dense }) => dense),
  csr: () => import('./kernels/csr.ts').then(({ csr }) => csr),
  bsr: () => import('./kernels/bsr.ts').then(({ bsr }) => bsr),
  ell: () => import('./kernels/ell.ts').then(({ ell }) => ell),
  bitmask: () => import('./kernels/bitmask.ts').then(({ bitmask }) => bitmask),
  macko: () => import('./kernels/macko.ts').then(({ macko }) => macko),
  'ec-csr': () => import('./kernels/ec-csr.ts').then(({ ecCsr }) => ecCsr),
  twell: () => import('./kernels/twell.ts').then(({ twell }) => twell),
  hybrid: () => import('./kernels/hybrid.ts').then(({ hybrid }) => hybrid),
  slidesparse: () => import('./kernels/slidesparse.ts').then(({ slideSparse }) => slideSparse),
};

/** The checks of the formats whose codec does not contain them. */
const CHECKS: Partial<Loads<Checks>> = {
  async dense() {
    const [{ encoding }, { storage }] = await Promise.all([
      import('../formats/dense/encoding.ts'),
      import('../formats/dense/storage.ts'),
    ]);
    return { storage, validate: (e, level) => encoding.validate(e, level) };
  },
  macko: () => import('../formats/macko/encoding.ts').then(({ encoding }) => encoding),
  slidesparse: () => import('../formats/slidesparse/encoding.ts').then(({ encoding }) => encoding),
};

/** What `all` loads for a format. Throws SparseScopeError with the known ids. */
async function loaded<T>(all: Partial<Loads<T>>, id: string): Promise<T> {
  const known = FORMAT_IDS.find((each) => each === id);
  const load = known && all[known];
  if (!load) throw wrong('format', id, `one of ${FORMAT_IDS.join(', ')}`);
  return load();
}

/** The format with its kernels. Rejects with SparseScopeError for an unknown id. */
export const kernelsById = (id: string): Promise<AnyKernelFormat> => loaded(KERNELS, id);
/** The checks of a format whose codec has none. Rejects with SparseScopeError for an unknown id. */
export const checksById = (id: string): Promise<Checks> => loaded(CHECKS, id);

/** The codec of a format, whose checks may be loaded. Throws SparseScopeError for an unknown id. */
// oxlint-disable-next-line typescript/no-explicit-any -- codecs of different types
export async function codecById(id: string): Promise<Codec<any, any>> {
  const codec = await loaded(CODECS, id);
  mayLoadChecks(codec, checksById);
  return codec;
}

/** Lets the checks of the format of a stored matrix be loaded: a program may have stored it with 'sparsescope/core'. */
export function withChecks<E extends EncodedMatrix, P>(stored: Stored<E, P>): Stored<E, P> {
  mayLoadChecks(stored.format, checksById);
  return stored;
}

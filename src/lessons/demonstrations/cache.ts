import { type Question, stepWhere } from '../../story/question.ts';
import type { Panel } from '../../story/scene.ts';
import { counted, say, strong, type Words } from '../../core/text/words.ts';
import { barAt, barsPanel } from './bars.ts';
import { demo, type DemoTrace, shortNumber } from './demonstration.ts';

/** Read speeds of the simulated device from memory and from its cache, in MiB per millisecond. */
const MEMORY_RATE = 4000;
const CACHE_RATE = 12_000;

/** Megabytes (10^6 bytes) in a MiB. MB per microsecond are TB/s. */
const MEGABYTES = 2 ** 20 / 1e6;

type CacheStep =
  /** every product reads the only copy of the matrix */
  | { readonly kind: 'again'; readonly product: number }
  /** number of copies of the matrix that the products read one after another */
  | { readonly kind: 'copies'; readonly copies: number };

/** Where a product read its matrix from, and how long that took. */
interface MatrixRead {
  /** MiB that were in the cache */
  readonly hits: number;
  readonly microseconds: number;
}

/** The numbers of the demonstration, which its lesson can print. */
interface CacheNumbers {
  /** sizes of the cache, of the stored matrix and of the same matrix dense, in MiB */
  readonly cacheMiB: number;
  readonly stored: number;
  readonly dense: number;
  /** fewest copies with which nothing is read from the cache */
  readonly enough: number;
  readonly memoryRate: number;
  readonly cacheRate: number;
  /** microseconds of a product that reads memory alone */
  readonly cold: number;
  /** microseconds of a product that reads the cache alone */
  readonly warm: number;
  /** products that read one copy */
  readonly repeated: readonly MatrixRead[];
  /** the last product for each number of copies, from 1 on */
  readonly byCopies: readonly MatrixRead[];
}

type CacheTrace = DemoTrace<CacheStep, CacheNumbers>;

/** Number of products that read one copy. */
const REPETITIONS = 4;

/** A cache of 1 MiB pieces that evicts the least recently used. */
class Cache {
  readonly #cacheMiB: number;
  /** the least recently used first */
  readonly #pieces = new Set<number>();

  constructor(cacheMiB: number) {
    this.#cacheMiB = cacheMiB;
  }

  /** Reads `count` pieces from `first` on; returns how many were cached. */
  read(first: number, count: number): number {
    let hits = 0;
    for (let piece = first; piece < first + count; piece++) {
      if (this.#pieces.delete(piece)) hits++;
      this.#pieces.add(piece);
      for (const oldest of this.#pieces) {
        if (this.#pieces.size <= this.#cacheMiB) break;
        this.#pieces.delete(oldest);
      }
    }
    return hits;
  }
}

/** How `products` products read `copies` copies of a matrix of `size` MiB alternately, with a cache of `cacheMiB`. */
function readInTurn(cacheMiB: number, size: number, copies: number, products: number): readonly MatrixRead[] {
  const cache = new Cache(cacheMiB);
  return Array.from({ length: products }, (_, i) => {
    const hits = cache.read((i % copies) * size, size);
    return { hits, microseconds: 1000 * (hits / CACHE_RATE + (size - hits) / MEMORY_RATE) };
  });
}

/** The read after which every copy has been read twice. */
const lastRead = (cacheMiB: number, size: number, copies: number): MatrixRead =>
  readInTurn(cacheMiB, size, copies, 2 * copies)[2 * copies - 1];

/** Fewest copies of a matrix of `size` MiB that, read alternately, find nothing in a cache of `cacheMiB`. */
function copiesFor(cacheMiB: number, size: number): number {
  let copies = 1;
  while (lastRead(cacheMiB, size, copies).hits > 0) copies++;
  return copies;
}

/** The apparent TB/s of a read. */
const rateOf = ({ stored }: CacheNumbers, { microseconds }: MatrixRead): string =>
  shortNumber((MEGABYTES * stored) / microseconds);

function narrate({ encoded: result }: CacheTrace, detail: CacheStep | null): readonly Words[] {
  if (detail === null) {
    return say`The cache of this simulated device holds ${strong(`${result.cacheMiB} MiB`)}. The stored matrix takes ${strong(`${result.stored} MiB`)}.`;
  }
  if (detail.kind === 'again') {
    const read = result.repeated[detail.product];
    const origin = read.hits === 0 ? 'everything comes from memory' : 'everything is in the cache';
    const rate = `${rateOf(result, read)} TB/s`;
    return read.hits === 0
      ? say`The first product: ${origin}. It takes ${strong(`${shortNumber(read.microseconds)} µs`)}, which is ${rate}.`
      : say`Product ${detail.product + 1}: ${strong(origin)}. It takes ${shortNumber(read.microseconds)} µs, which looks like ${strong(rate)}.`;
  }
  const read = result.byCopies[detail.copies - 1];
  const all = detail.copies * result.stored;
  return read.hits === 0
    ? say`${counted(detail.copies, 'copy', 'copies')} are read alternately: ${all} MiB, more than fits into the cache. When a copy is read again, ${strong('none of it is in the cache')}.`
    : say`${counted(detail.copies, 'copy', 'copies')} are read alternately: ${all} MiB. Each product still finds ${strong(`${read.hits} of ${result.stored} MiB`)} in the cache.`;
}

/** Where a product found its matrix, in words. */
function originText({ stored }: CacheNumbers, { hits }: MatrixRead): string {
  return hits === 0 ? 'from memory' : hits === stored ? 'from the cache' : 'from both';
}

/** Bars of the products' times, dashed after number `upTo`; the line is the time from memory. */
function readPanel(result: CacheNumbers, id: string, what: string, reads: readonly MatrixRead[], upTo: number): Panel {
  const bars = reads.map((read, i) => {
    const label = id === 'again' ? `product ${i + 1}` : counted(i + 1, 'copy', 'copies');
    const words = `${shortNumber(read.microseconds)} µs, ${originText(result, read)}`;
    return barAt(i, upTo, label, read.microseconds, words, read.hits === 0 ? 'format' : 'padding');
  });
  const line = { value: result.cold, label: `from memory: ${shortNumber(result.cold)} µs` };
  return barsPanel({
    id,
    title: 'time of a product',
    caption: `${what}; the line is the time from memory`,
    bars,
    line,
  });
}

const copiesStep = (trace: CacheTrace, copies: number): number =>
  stepWhere(trace, (d) => d.kind === 'copies' && d.copies === copies);

const copiesForCold: Question<CacheTrace, CacheTrace> = {
  id: 'copies-for-cold',
  unit: 'copies',
  findCase: (trace) => trace,
  ask: ({ encoded: result }) =>
    say`The cache has ${strong(`${result.cacheMiB} MiB`)}, and keeps what was read last. A dense matrix needs ${result.dense} MiB, and ${strong(`${result.stored} MiB`)} as stored here. At least how many copies must be read alternately, so that every product reads only from memory?`,
  answer: (trace) => trace.encoded.enough,
  reason: ({ encoded: result }) =>
    say`${result.enough} × ${result.stored} MiB is ${strong(`${result.enough * result.stored} MiB`)}: more than ${result.cacheMiB}. One copy fewer would still fit.`,
  steps: (trace) => ({
    before: trace.chapters[1].firstStep,
    shows: copiesStep(trace, trace.encoded.enough),
  }),
  misconceptions: [
    {
      id: 'two-take-turns',
      title: 'two copies that take turns are enough',
      answer: () => 2,
      reply: ({ encoded: result }) =>
        say`Two copies take ${2 * result.stored} MiB, and ${strong('both of them')} fit into the cache.`,
      falseAt: (trace) => copiesStep(trace, 2),
    },
    {
      id: 'as-many-as-fit',
      title: 'as many copies as fit into the cache are enough',
      answer: ({ encoded: result }) => Math.floor(result.cacheMiB / result.stored),
      reply: () => say`Those ${strong('all fit')}. Only one copy more does not.`,
      falseAt: (trace) => copiesStep(trace, trace.encoded.enough - 1),
    },
    {
      id: 'as-many-as-of-dense',
      title: 'a sparse matrix needs as many copies as the dense one',
      answer: ({ encoded: result }) => copiesFor(result.cacheMiB, result.dense),
      reply: ({ encoded: result }) =>
        say`That is right for ${result.dense} MiB. What is stored smaller needs ${strong('more copies')}.`,
      falseAt: (trace) => copiesStep(trace, copiesFor(trace.encoded.cacheMiB, trace.encoded.dense)),
    },
  ],
};

/** Demonstrates, for a lesson, how a cache shortens times: products read one copy of a matrix, then several alternately. */
export const cache = demo<CacheStep, CacheNumbers>({
  id: 'cache',
  title: 'Cold and warm',
  run(_window, random, builder) {
    const cacheMiB = 24 + 2 * random.below(20);
    const stored = 5 + random.below(6);
    const dense = stored + 3 + random.below(8);
    const enough = copiesFor(cacheMiB, stored);
    const repeated = readInTurn(cacheMiB, stored, 1, REPETITIONS);
    const byCopies = Array.from({ length: enough }, (_, i) => lastRead(cacheMiB, stored, i + 1));
    builder.chapter('again', 'Again');
    repeated.forEach((_, product) => builder.step({ kind: 'again', product }));
    builder.chapter('copies', 'Copies');
    for (let copies = 2; copies <= enough; copies++) builder.step({ kind: 'copies', copies });
    const [cold, warm] = [(1000 * stored) / MEMORY_RATE, (1000 * stored) / CACHE_RATE];
    const rates = { memoryRate: MEMORY_RATE, cacheRate: CACHE_RATE };
    return { cacheMiB, stored, dense, enough, ...rates, cold, warm, repeated, byCopies };
  },
  panels: (t, detail) =>
    detail?.kind === 'copies'
      ? [readPanel(t.encoded, 'turns', 'copies that take turns', t.encoded.byCopies, detail.copies - 1)]
      : [readPanel(t.encoded, 'again', 'one matrix, again and again', t.encoded.repeated, detail?.product ?? -1)],
  narrate,
  questions: [copiesForCold] as readonly Question[],
});

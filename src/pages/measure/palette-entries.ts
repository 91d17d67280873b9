import type { PagePaletteEntries } from '../../kit/page.ts';
import { detailsCommands } from '../../kit/details-commands.ts';
import { MEASURE } from './address.ts';
import { MEASURE_DETAILS } from './details/MeasureDetails.tsx';

const DETAILS_SEARCH_WORDS: Readonly<Record<(typeof MEASURE_DETAILS)[number]['id'], string>> = {
  devices: 'published cards, compare cards, h100, a100, apple',
  roofline: 'bandwidth, memory bound, compute bound, arithmetic intensity, bottleneck, utilisation, utilization',
  samples: 'histogram, variance, noise, distribution, median, quantiles, raw times',
  verified: 'correctness, error bound, reference, tolerance, trust',
  kernels: 'variants, which kernel is fastest, shaders',
  tokens: 'batch, prefill, spmm, several tokens, batch size',
  worth: 'speed of 6:8, amdahl, whole model, end to end, share of the time, tokens per second, published',
  settings:
    'rounds, operation, gemm, spmv, spmm, feed-forward, sweep, density sweep, shapes, options, 8-bit activations, transpose, configure',
  runs: 'export json, csv, download results, import a report, save results, upload a report, history, hand in',
};

const CANCEL = { id: 'cancel', group: 'Measure', title: 'Cancel the run', searchWords: 'stop, abort, kill' } as const;

/** Entries of the command palette for the page Measure: the page, its details sections, and commands. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords:
    'time, timing, benchmark, speed, latency, microseconds, performance, profile, speedup, gpu, fast, faster',
  description: 'times of A and B, and the times expected from their bytes',
  searchWordsOf: {
    run: 'time, benchmark, start, execute, measure, launch, speed test, on this gpu, test my gpu',
  },
  more: ({ app: { session } }) => [
    ...detailsCommands(MEASURE_DETAILS, DETAILS_SEARCH_WORDS, MEASURE.title, () => session.setView(MEASURE.id)),
    { ...CANCEL, run: session.cancelBench },
  ],
};

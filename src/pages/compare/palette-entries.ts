import type { PagePaletteEntries } from '../../kit/page.ts';
import { detailsCommands } from '../../kit/details-commands.ts';
import { baseOf, containsActivations } from '../../state/index.ts';
import { COMPARE } from './address.ts';
import { COMPARE_DETAILS, detailsOf } from './details/CompareDetails.tsx';

/** Other words by which the palette finds each details section of Compare. */
const DETAILS_SEARCH_WORDS: Readonly<Record<keyof typeof COMPARE_DETAILS, string>> = {
  counted: 'context, lm head, fused matrices, csv, json, save the table, how it is counted',
  smallest: 'activations, row start, tile of a matmul, made anew for every token, twell, why is it larger',
  shown: 'hide a format, choose formats, baselines',
  choice: 'which format for my model, choose, best format, mixed formats, budget, per matrix',
  layers: 'each layer, blocks of a model, q k v o gate up down',
  token: 'tokens per second, decode, latency, throughput, generation speed',
  gaps: 'histogram, distribution, statistics, row lengths, padding, columns, pattern',
  accuracy: 'perplexity, quality, loss, mmlu, published losses, sparsegpt, wanda',
  published: 'paper figures, other gpus, claims, reported speedup',
  'left-out': 'excluded, embedding, lm head, norms, what is not counted',
};

/** Entries of the command palette for the page Compare: the page, its details sections and its keys. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords:
    'smallest, fastest, best, ranking, table, size, bytes, memory, vram, fit, speed, trade-off, chart, break even, crossover, compression ratio, all formats',
  description: 'every format, ranked by bytes and by time',
  // While a row, or the slider of the chart, has the focus.
  keys: {
    title: 'Compare',
    rows: [
      { title: 'Row by row', keys: ['↑', '↓'] },
      { title: 'First row, last row', keys: ['Home', 'End'] },
      // A and B: the two formats that are compared.
      { title: 'Row to A', keys: ['A', 'Enter'] },
      { title: 'Row to B', keys: ['B', 'Shift + Enter'] },
      { title: 'Density, by 1 %', keys: ['←', '→'] },
    ],
  },
  more({ app: { session, document, catalog } }) {
    const { source } = document.getState();
    const base = baseOf(source);
    const isModel = base.kind === 'model' && base.matrix === undefined;
    const level = isModel ? 'model' : containsActivations(catalog, source) ? 'activations' : 'matrix';
    const sections = detailsOf(level, session.store.getState().summary).map((id) => ({
      id,
      title: COMPARE_DETAILS[id],
    }));
    return detailsCommands(sections, DETAILS_SEARCH_WORDS, COMPARE.title, () => session.setView(COMPARE.id));
  },
};

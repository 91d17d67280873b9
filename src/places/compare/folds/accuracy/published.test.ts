import { describe, expect, it } from 'vitest';
import { GATES_SOURCE, PUBLISHED_GATE, PUBLISHED_GATES, PUBLISHED_LOSSES } from './published.ts';

describe('published figures of language models', () => {
  it('accuracies of sparse activations are those of table 1 of the TwELL paper, non-zeros those of its table 3', () => {
    expect(PUBLISHED_GATES).toEqual([
      { model: '0.5B', dense: 40.4, sparse: 40.4 },
      { model: '1B', dense: 44.6, sparse: 44.7 },
      { model: '1.5B', dense: 46.4, sparse: 46.2 },
      { model: '2B', dense: 49.1, sparse: 48.8 },
    ]);
    expect(PUBLISHED_GATE).toEqual({ neurons: 5632, without: 911, with: 29, dead: 0.3 });
    expect(GATES_SOURCE.place).toBe('tables 1 and 3, figure 9');
  });

  it('losses by pruning are those of SlideSparse, figure 2, and EC-SpMV, section 8.4', () => {
    expect(PUBLISHED_LOSSES.map((p) => [p.model, p.pruning, p.before, p.after, p.source.place])).toEqual([
      ['Qwen3', '6:8', 54, 51.6, 'figure 2 and section 2.1'],
      ['Qwen3', '2:4', 54, 15.3, 'figure 2 and section 2.1'],
      ['Llama-2-7B', 'SparseGPT, 70 %', 5.12, 24, 'section 8.4'],
    ]);
  });
});

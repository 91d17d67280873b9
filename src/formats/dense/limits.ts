import type { KernelLimit } from '../../core/kernel/limit.ts';
/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'dense/spmv_subgroup': {
    says: 'The same kernel reaches 94 % of the read speed at 12288 × 12288 and 67 % at 4096 × 4096, where the dispatch alone is a ninth of the time. What small matrices wait for besides, no experiment has shown.',
    known: 'not shown',
  },
  'dense/spmv_workgroup': {
    says: 'Its only difference from its twin with subgroups is that sums are exchanged through workgroup memory: 0.84 to 0.98 of its speed, the less the smaller the matrix.',
    known: 'comparison',
  },
  'dense/spmv_digits_subgroup': {
    says: 'At 12288 × 12288, 29.0 µs where bytes allow 19. Of an earlier form, the pass over x took 2.6 µs of 31.9; without it, 22.7 remained without x and dot products, 17.4 without cells: computing and reading overlap only in part.',
    known: 'parts left out',
  },
  'dense/spmv_digits_workgroup': {
    says: 'As its twin with subgroups, with sums that are exchanged through workgroup memory: 0.95 to 0.99 of its speed at 12288 × 12288.',
    known: 'comparison',
  },
  'dense/gemm_few': {
    says: 'Work for each token beside the weights, of which no part was measured alone: 24 µs for one token, 28 for four, 52 for eight at 4096 × 11008; every eight more are another turn over the weights.',
    known: 'not shown',
  },
  'dense/gemm': {
    says: 'It reaches 56 % of the peak at 2048 tokens; what keeps it from the rest no experiment has isolated. With few tokens most of a tile is empty.',
    known: 'not shown',
  },
  'dense/gemm_split': {
    says: 'It reaches 51 to 56 % of the peak from 64 tokens on, with a second pass that adds the parts; like dense/gemm for a reason that no experiment has isolated.',
    known: 'not shown',
  },
  'dense/gemm_i8': {
    says: 'It reaches 74 % of the dot products that the device makes when it does nothing else. The quantising pass and staging come on top; neither was measured alone.',
    known: 'not shown',
  },
  'dense/gemm_few_wide': {
    says: 'Work for each token beside the weights: at 4096 × 4096, where y = A x takes 11.0 µs, four tokens take 12.6, eight 15.3 and sixteen 25.0. Which part of it costs that was not measured.',
    known: 'not shown',
  },
  'dense/gate': {
    says: 'The tile of dense/gemm: it reaches 56 % of the peak with 2048 tokens, and what keeps it from the rest no experiment has isolated.',
    known: 'comparison',
  },
  'dense/up_down': {
    says: 'Two products in the tile of dense/gemm, 2.68 ms where the gate alone takes 1.34: what keeps that tile from the peak no experiment has isolated.',
    known: 'comparison',
  },
  'dense/forward': {
    says: 'Three products in the tile of dense/gemm, 4.04 ms where the gate alone takes 1.34: what keeps that tile from the peak no experiment has isolated.',
    known: 'comparison',
  },
  'dense/quantise': {
    says: 'It reaches 57 % of the read speed with 8192 tokens of 4096 columns. What the rest waits for was not measured.',
    known: 'not shown',
  },
};

import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'twell/spmv_subgroup': {
    says: 'Waiting for counts and columns, which say what is read next: x, which can be left out, is a fifth. Packed words cannot be, since they say how many there are.',
    known: 'parts left out',
    experiment: { on: '2048 × 5632, 30 non-zeros per row', us: 16.4, without: { 'reading x': 13.2 } },
  },
  'twell/spmv_workgroup': {
    says: 'Like its twin with subgroups: waiting for the counts and columns that say what to read next.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row',
      us: 10.1,
      without: { 'reading x': 8.4, 'reading anything': 8.4 },
    },
  },
  'twell/gate': {
    says: 'The product, not the packing: without three quarters of the multiply-adds seven tenths of the time remain, and dense/gate, which packs nothing, takes 0.97 of it in a tile of 64 × 128 instead of 64 × 256.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 1289.1,
      without: {
        'three quarters of its multiply-adds': 923.6,
        'reading b_values': 1283.5,
        'reading a_values': 1285.2,
        'reading b_words': 1460.5,
        'reading a_words': 1554.6,
        'reading anything': 1402.4,
      },
    },
  },
  'twell/gate_converted': {
    says: 'The product; packing in a separate pass takes 4 %. With the tile that a trial chooses it takes 1.05 times as long as dense/gate, and twell/gate, which packs in its tile, 1.03 times.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 1406.4,
      without: {
        'pass 1': 53.5,
        'three quarters of its multiply-adds': 898.6,
        'pass 2': 1350.5,
        'reading a_values': 1371,
        'reading anything': 1458.5,
      },
    },
  },
  'twell/up_down_subgroup': {
    says: 'Listing the neurons of a token, which no read hides: with nothing read of weights and activations, four fifths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 74,
      without: { 'reading wu': 62.4, 'reading wd': 62.7, 'reading x': 71.3, 'reading anything': 60.8 },
    },
  },
  'twell/up_down_workgroup': {
    says: 'Like its twin with subgroups: listing the neurons of a token.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 81.4,
      without: { 'reading wd': 71.7, 'reading wu': 72.3, 'reading anything': 69.5 },
    },
  },
  'twell/down': {
    says: 'Listing the neurons of a token: with no row of weights read, more than four fifths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 40.1,
      without: { 'reading wd': 33.6, 'reading anything': 33.9 },
    },
  },
  'twell/forward_subgroup': {
    says: 'The product of its gate, 1.29 of 1.37 ms: up and down take what twell/up_down_subgroup takes.',
    known: 'comparison',
  },
  'twell/forward_workgroup': {
    says: 'The product of its gate, as with subgroups.',
    known: 'comparison',
  },
  'twell/convert': {
    says: 'The activations decide how much is read and written, so nothing can be left out without changing the rest.',
    known: 'not shown',
  },
  'twell/unpack': {
    says: 'The words that it reads say how many of them there are, so that leaving them out changes all that follows.',
    known: 'not shown',
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'running', 'list_columns', 'overflow', 'entries', 'hidden'],
  standIns: { indices: anyColumn },
};

import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'hybrid/spmv_subgroup': {
    says: 'A dispatch, and counts that have to be there first: with nothing else read, four fifths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row',
      us: 3.9,
      without: { 'reading x': 3.1, 'reading anything': 3.1 },
    },
  },
  'hybrid/spmv_workgroup': {
    says: 'Like its twin with subgroups, and sums through workgroup memory.',
    known: 'parts left out',
    experiment: { on: '2048 × 5632, 30 non-zeros per row', us: 4.4, without: { 'reading anything': 4.3 } },
  },
  'hybrid/up_down_subgroup': {
    says: 'Two passes, each a little less than half: products for each token and sums over its neurons. With nothing read, four fifths of the time remain: listing neurons and adding up.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 77.8,
      without: {
        'pass 2': 41.5,
        'reading rows_in': 67.4,
        'reading indices': 71.7,
        'reading of_neurons': 73.2,
        'reading of_tokens': 75.3,
        'reading anything': 64.6,
      },
    },
  },
  'hybrid/up_down_workgroup': {
    says: 'Like its twin with subgroups, with sums through workgroup memory in its products.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 87.4,
      without: {
        'pass 2': 50.5,
        'reading rows_in': 76.5,
        'reading indices': 80.5,
        'reading of_neurons': 81.8,
        'reading of_tokens': 84.7,
        'reading anything': 73.5,
      },
    },
  },
  'hybrid/up_down_storing_subgroup': {
    says: 'Two passes, each a little less than half: products for each token and sums over its neurons. With nothing read, four fifths of the time remain: listing neurons and adding up.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 78,
      without: {
        'pass 2': 41.4,
        'reading rows_in': 67.2,
        'reading indices': 71.9,
        'reading of_neurons': 73.8,
        'reading anything': 65.1,
      },
    },
  },
  'hybrid/up_down_storing_workgroup': {
    says: 'Like its twin with subgroups, with sums through workgroup memory in its products.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 87.9,
      without: {
        'pass 2': 51.1,
        'reading rows_in': 77.4,
        'reading indices': 81.2,
        'reading of_neurons': 82.2,
        'reading of_tokens': 85.2,
        'reading anything': 73.8,
      },
    },
  },
  'hybrid/forward_subgroup': {
    says: 'Not measured yet: expected is the product of its gate, which is as large as one of the three of a dense block.',
    known: 'not shown',
  },
  'hybrid/forward_workgroup': {
    says: 'Not measured yet: expected is the product of its gate, as with subgroups.',
    known: 'not shown',
  },
  'hybrid/down': {
    says: 'Reading columns and the rows of weights that they name, one after the other: with nothing read, two thirds of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '2048 × 5632, 30 non-zeros per row, width 2048',
      us: 56.2,
      without: { 'reading indices': 40.8, 'reading rows_in': 43.2, 'reading values': 50.5, 'reading anything': 36.2 },
    },
  },
  'hybrid/backward_subgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/backward_workgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/backward_stored_subgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/backward_stored_workgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/sampled_product_subgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/sampled_product_workgroup': {
    says: 'Its passes resemble those of hybrid/up_down_subgroup, of which parts were left out; nothing was left out of this kernel.',
    known: 'not shown',
  },
  'hybrid/convert': {
    says: 'The activations decide how much is read and written, so nothing can be left out without changing the rest.',
    known: 'not shown',
  },
  'hybrid/convert_from_twell': {
    says: 'The activations decide how much is read and written, so nothing can be left out without changing the rest.',
    known: 'not shown',
  },
  'hybrid/fill': {
    says: 'A gradient is read at scattered places; nothing was left out.',
    known: 'not shown',
  },
  'hybrid/unpack': {
    says: 'Reads a row and writes it in full; nothing was left out.',
    known: 'not shown',
  },
  'hybrid/transpose': {
    says: 'Rows are looked through for a column; nothing was left out.',
    known: 'not shown',
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'tail_map', 'tail_rows', 'running', 'list', 'list_rows', 'packed', 'hidden', 'tail'],
  standIns: { indices: anyColumn },
};

import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** Causes of time other than bytes and arithmetic, on an NVIDIA H200 (docs/limits.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'macko/spmv_staged': {
    says: 'No single part. With nothing read, two thirds of the time remain, and memory alone would take as long: they overlap only in part. Gaps made up at random cost as much as those that are read. With 10 % left: copying x, and short rows of six to seven steps.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 27.9,
      without: { 'reading values': 23.5, 'reading staged': 25.7, 'reading anything': 18.7 },
    },
  },
  'macko/spmv_staged_x16': {
    says: 'No single part: it computes for three quarters of the time, a little more than its twin with x in f32, since every x is unpacked.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 32.5,
      without: {
        'reading values': 27.2,
        'reading deltas': 28.7,
        'the scan': 29.6,
        'reading staged': 31.2,
        'reading anything': 25,
      },
    },
  },
  'macko/spmv_rows': {
    says: 'No single part, as in macko/spmv_staged. Small matrices: at 4096 × 4096 with 50 % left values and gaps alone are read in 7.7 of 10.1 µs; four steps under way before x is copied, instead of two, save 3 % there. Where rows leave processors without work, up to a quarter of the time is saved by other numbers of lanes.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 29,
      without: { 'reading values': 24.3, 'reading staged': 26.4, 'reading anything': 18.7 },
    },
  },
  'macko/spmv_rows_x16': {
    says: 'The same as its twin with x in f32; at 4096 × 4096 it is 4 to 5 % slower, from unpacking every x.',
    known: 'comparison',
  },
  'macko/spmv_panels': {
    says: 'The same as macko/spmv_staged, and a second pass that adds up the sums of the panels.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 32.7,
      without: {
        'reading values': 27.7,
        'reading staged': 30.1,
        'pass 2': 30.2,
        'the scan': 31,
        'reading anything': 23.4,
      },
    },
  },
  'macko/spmv_subgroup_x16': {
    says: 'No single part: reading x and values cost a tenth each, computing takes four fifths.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 31.3,
      without: {
        'reading x': 28.1,
        'reading values': 28.2,
        'the scan': 29.5,
        'reading deltas': 30.3,
        'reading anything': 24.6,
      },
    },
  },
  'macko/spmv_subgroup': {
    says: 'Reading x from caches, more than anything else.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 33.3,
      without: {
        'reading x': 24.5,
        'reading values': 27.1,
        'the scan': 28,
        'reading deltas': 31.5,
        'reading anything': 18.1,
      },
    },
  },
  'macko/spmv_workgroup': {
    says: 'Computing: with nothing read, seven tenths of the time remain. Its scans, of two barriers for four steps, cost nothing that shows.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left',
      us: 39.2,
      without: { 'reading values': 33, 'reading deltas': 37.6, 'reading anything': 27.8 },
    },
  },
  'macko/gemm_pairs': {
    says: 'The same as macko/spmv_staged: two tokens share the word of one, and take 56 µs where one token takes 53, at 12288 × 12288 with 50 % left.',
    known: 'comparison',
  },
  'macko/gemm_fours': {
    says: 'Computing: with nothing read, nine tenths of the time remain.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 4 tokens',
      us: 47.1,
      without: {
        'reading staged': 44.4,
        'reading values': 44.6,
        'pass 2': 44.7,
        'the scan': 45.5,
        'reading deltas': 52.8,
        'reading anything': 42.5,
      },
    },
  },
  'macko/gemm_subgroup': {
    says: 'The gather: the places of four tokens have 16 bytes.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 4 tokens',
      us: 83.5,
      without: {
        'reading quads': 44.8,
        'the scan': 69.4,
        'reading values': 74.5,
        'reading deltas': 78.9,
        'pass 1': 80.7,
        'reading anything': 38.5,
      },
    },
  },
  'macko/gemm_subgroup_x16': {
    says: 'Computing: with nothing read, three quarters of the time remain; the gather as f16 costs a sixth.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 4 tokens',
      us: 58.3,
      without: {
        'reading quads': 48.6,
        'the scan': 51.4,
        'reading values': 54.5,
        'pass 1': 55.4,
        'reading anything': 42.6,
      },
    },
  },
  'macko/gemm_workgroup': {
    says: 'Scans through workgroup memory, and the gather: a quarter of the time each.',
    known: 'parts left out',
    experiment: {
      on: '8192 × 8192, 50 % left, 2 tokens',
      us: 90.2,
      without: {
        'reading quads': 65.4,
        'reading running': 66.9,
        barriers: 79.3,
        'reading values': 84.7,
        'pass 1': 87.3,
        'reading anything': 60.3,
      },
    },
  },
  'macko/convert': {
    says: 'Writing values and gaps: 797 of 1004 µs at 12288 × 12288 with 50 % left, of which a search that starts closer to its target saves 100. From cells on the device it takes a three-hundredth of the time of encoding on the CPU and uploading; from cells that have to be uploaded first, two thirds.',
    known: 'comparison',
  },
};

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['indptr'],
  standIns: {
    deltas: () => '(h & 0x11111111u) + ((h >> 1u) & 0x11111111u)',
    lane_values: () => 'h & 0x00ff00ffu',
    block_values: () => 'h & 0x00ff00ffu',
  },
};

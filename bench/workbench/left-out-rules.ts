import { declarationOf } from '../../src/core/declared/derived.ts';
import { arraysOf } from '../../src/core/declared/derive.ts';
import { type AnyFormat, defaultParams } from '../../src/core/format.ts';
import { anyColumn, ascendingColumn, type LeftOutRules } from '../../src/labs/workbench/gpu/left-out-rules.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. By format. */
const RULES: Readonly<Record<string, LeftOutRules>> = {
  csr: { kept: ['indptr'], standIns: { indices: ascendingColumn } },
  bsr: { kept: ['indptr'], standIns: { indices: (e) => `(${anyColumn(e)}) / 16u` } },
  ell: {
    keepsBarriers: true,
    kept: ['counts', 'running', 'hidden'],
    standIns: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
  },
  bitmask: {
    kept: ['indptr'],
    // Up to 16 bits two columns share a word.
    standIns: { group_columns: (e) => (e.cols > 2 ** 16 ? anyColumn(e) : `(${anyColumn(e)}) * 0x10001u`) },
  },
  macko: {
    kept: ['indptr'],
    standIns: {
      deltas: () => '(h & 0x11111111u) + ((h >> 1u) & 0x11111111u)',
      lane_values: () => 'h & 0x00ff00ffu',
      block_values: () => 'h & 0x00ff00ffu',
    },
  },
  'ec-csr': {
    kept: ['blockPtr', 'rowIndices', 'places', 'partialPtr', 'lists', 'slots'],
    standIns: { baseIndices: anyColumn, deltaIndices: () => 'h & 0x11111111u' },
  },
  twell: {
    keepsBarriers: true,
    kept: ['words', 'counts', 'running', 'list_columns', 'overflow', 'entries', 'hidden'],
    standIns: { indices: anyColumn },
  },
  hybrid: {
    keepsBarriers: true,
    kept: ['words', 'counts', 'tail_map', 'tail_rows', 'running', 'list', 'list_rows', 'packed', 'hidden', 'tail'],
    standIns: { indices: anyColumn },
  },
  slidesparse: {
    kept: [],
    texts: [
      {
        name: 'choosing x, with metadata',
        path: 'slidesparse/row_pair.wgsl',
        replaced: [
          [
            'let first = select(select(four.x, four.y, (nibble & 1u) != 0u), four.z, (nibble & 2u) != 0u);',
            'let first = four.x + four.y;',
          ],
          [
            'let second = select(four.y, select(four.z, four.w, (nibble & 4u) != 0u), (nibble & 8u) != 0u);',
            'let second = four.z + four.w;',
          ],
        ],
      },
      {
        name: 'putting weights back, with metadata',
        path: 'slidesparse/gemm.wgsl',
        replaced: [
          [
            `return select(vec4(0.0), vec4(kept.x), slots == vec4(nibble & 3u))
    + select(vec4(0.0), vec4(kept.y), slots == vec4((nibble >> 2u) & 3u));`,
            'return vec4(kept, kept);',
          ],
        ],
      },
      {
        name: 'neighbouring windows',
        path: 'slidesparse/gemm.wgsl',
        replaced: [
          ['let before = window_slots(max(window, 1u) - 1u);', 'let before = vec4<f32>();'],
          ['let after = window_slots(window + 1u);', 'let after = vec4<f32>();'],
        ],
      },
    ],
  },
};

/** How parts of a format's kernels are left out. Default: whatever is no value is read. */
export function leftOutRules(format: AnyFormat): LeftOutRules {
  const declared = declarationOf(format);
  const arrays = declared ? arraysOf(declared, defaultParams(format.params), { rows: 8, cols: 8 }) : [];
  return RULES[format.id] ?? { kept: arrays.filter(({ role }) => role !== 'values').map(({ name }) => name) };
}

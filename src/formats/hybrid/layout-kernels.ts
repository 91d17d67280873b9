import bf16Bits from '../../../shaders/common/bf16_bits.wgsl?raw';
import hiddenF32 from '../../../shaders/common/hidden_f32.wgsl?raw';
import indicesU16 from '../../../shaders/common/indices_u16.wgsl?raw';
import packTwell from '../../../shaders/common/pack_twell.wgsl?raw';
import valuesBf16 from '../../../shaders/common/values_bf16.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupScan from '../../../shaders/common/workgroup_scan.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import cellsOfSlots from '../../../shaders/hybrid/cells_of_slots.wgsl?raw';
import cellsOfTail from '../../../shaders/hybrid/cells_of_tail.wgsl?raw';
import convertCode from '../../../shaders/hybrid/convert.wgsl?raw';
import convertTail from '../../../shaders/hybrid/convert_tail.wgsl?raw';
import fillCode from '../../../shaders/hybrid/fill.wgsl?raw';
import layoutSizes from '../../../shaders/hybrid/layout_sizes.wgsl?raw';
import packRows from '../../../shaders/hybrid/pack_rows.wgsl?raw';
import patternCode from '../../../shaders/hybrid/pattern.wgsl?raw';
import routeCode from '../../../shaders/hybrid/route.wgsl?raw';
import sourceFull from '../../../shaders/hybrid/source_full.wgsl?raw';
import sourceTransposed from '../../../shaders/hybrid/source_transposed.wgsl?raw';
import sourceTwell from '../../../shaders/hybrid/source_twell.wgsl?raw';
import storedValues from '../../../shaders/hybrid/stored_values.wgsl?raw';
import tailCells from '../../../shaders/hybrid/tail_cells.wgsl?raw';
import transposeCode from '../../../shaders/hybrid/transpose.wgsl?raw';
import transposeTail from '../../../shaders/hybrid/transpose_tail.wgsl?raw';
import unpackCode from '../../../shaders/hybrid/unpack.wgsl?raw';
import { foldWorkgroups, type KernelSpec, type ShaderFile, type SizedPass } from '../../core/kernel/kernel.ts';
import { hybridKernel, input, output, type Part, scratch, stored } from './kernel-parts.ts';
import type { HybridEncoded } from './layout.ts';
import { MOST_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';
import { cellsOf, filledArrays, madeArrays, type MadeShape, wordBytes } from './read-hybrid.ts';

/**
 * Kernels that make a hybrid, or take one apart. Of the encoded matrix, those that make one take the shape and the room
 * that its parameters give. Every array is written whole, with 0 in empty slots and free rows, as the encoder does.
 */

const LANES = 128;
/** Lanes of the one workgroup that goes through all counts. */
const ROUTE_LANES = 256;

/** TwELL between the rows in full and the hybrid: tiles of 256 columns with 63 places each. */
export const TWELL_BETWEEN = { tileWidth: 256, slots: 64 } as const;

const file = (path: string, code: string): ShaderFile => ({ path, code });
const WORKGROUP_INDEX = file('common/workgroup_index.wgsl', workgroupIndex);
const WORKGROUP_SCAN = file('common/workgroup_scan.wgsl', workgroupScan);
const BF16_BITS = file('common/bf16_bits.wgsl', bf16Bits);
const SIZES = file('hybrid/layout_sizes.wgsl', layoutSizes);
const PACK_ROWS = file('hybrid/pack_rows.wgsl', packRows);
const TAIL_CELLS = file('hybrid/tail_cells.wgsl', tailCells);
const INDICES = file('common/indices_u16.wgsl', indicesU16);
const STORED: readonly ShaderFile[] = [
  file('common/values_bf16.wgsl', valuesBf16),
  INDICES,
  file('hybrid/pattern.wgsl', patternCode),
  file('hybrid/stored_values.wgsl', storedValues),
];
const STORED_NAMES = ['values', 'indices', 'counts', 'tailMap', 'tail'] as const;

/** A source of rows with the buffers that it reads. */
interface Source {
  readonly files: readonly ShaderFile[];
  readonly bindings: readonly string[];
}

const FULL: Source = { files: [BF16_BITS, file('hybrid/source_full.wgsl', sourceFull)], bindings: ['h'] };
const TWELL: Source = { files: [file('hybrid/source_twell.wgsl', sourceTwell)], bindings: ['words'] };
const TRANSPOSED: Source = {
  files: [...STORED, file('hybrid/source_transposed.wgsl', sourceTransposed)],
  bindings: STORED_NAMES,
};

/** The hybrid that holds the transposed matrix, with the same parameters. */
export function transposedShape(e: HybridEncoded): MadeShape {
  const [rows, cols] = [e.cols, e.rows];
  return { rows, cols, slots: slotsOf(cols, e), tailCapacity: tailCapacityOf(rows, cols, e) };
}

const tilesOf = ({ cols }: MadeShape): number => Math.ceil(cols / TWELL_BETWEEN.tileWidth);

/** Sizes of all passes that make `made`. */
function sizesOf(e: HybridEncoded, made: MadeShape): SizedPass['params'] {
  const { tileWidth, slots } = TWELL_BETWEEN;
  const source = [e.rows, e.cols, e.slots];
  const target = [made.rows, made.cols, made.slots, made.tailCapacity];
  return {
    role: 'params',
    name: 'sizes',
    data: Uint32Array.of(...source, ...target, tilesOf(made), slots, tileWidth),
  };
}

/** Names of the arrays that are made; `withStatistics`: of every row as well. */
const MADE = { values: 'values made', indices: 'indices made', counts: 'counts made' } as const;

/** The three passes that make a hybrid: slots, the routing of long rows, the tail. */
function makingSteps(
  e: HybridEncoded,
  made: MadeShape,
  source: Source,
  slots: { readonly files: readonly ShaderFile[]; readonly statistics: readonly string[] },
  tail: ShaderFile,
): readonly SizedPass[] {
  const params = sizesOf(e, made);
  const cells = made.tailCapacity * made.cols;
  return [
    {
      params,
      pass: {
        files: [WORKGROUP_INDEX, WORKGROUP_SCAN, SIZES, ...source.files, PACK_ROWS, ...slots.files],
        constants: { WORKGROUP_SIZE: LANES, MOST_SLOTS: e.rowSlots },
        bindings: ['sizes', ...source.bindings, ...Object.values(MADE), ...slots.statistics],
        workgroups: foldWorkgroups(Math.ceil(made.rows / 2)),
      },
      multiplyAdds: 0,
    },
    {
      params,
      pass: {
        files: [WORKGROUP_SCAN, SIZES, file('hybrid/route.wgsl', routeCode)],
        constants: { WORKGROUP_SIZE: ROUTE_LANES },
        bindings: ['sizes', MADE.counts, 'tailMap made', 'tailRows made'],
        workgroups: [1, 1, 1],
      },
      multiplyAdds: 0,
    },
    {
      params,
      pass: {
        files: [WORKGROUP_INDEX, SIZES, ...source.files, TAIL_CELLS, tail],
        constants: { WORKGROUP_SIZE: LANES },
        bindings: ['sizes', ...source.bindings, 'tailRows made', 'tail made'],
        workgroups: foldWorkgroups(Math.ceil(cells / 2 / LANES)),
      },
      multiplyAdds: 0,
    },
  ];
}

const CONVERT_SLOTS = {
  files: [file('common/workgroup_sum.wgsl', workgroupSum), file('hybrid/convert.wgsl', convertCode)],
  statistics: ['statistics'],
} as const;
const CONVERT_TAIL = file('hybrid/convert_tail.wgsl', convertTail);

/** Outputs of the passes that make a hybrid, in the order of `madeArrays`. */
function madeParts({ rows, cols, slots, tailCapacity }: MadeShape, withStatistics: boolean): readonly Part[] {
  return [
    output(MADE.values, wordBytes(rows * slots)),
    output(MADE.indices, wordBytes(rows * slots)),
    output(MADE.counts, 4 * rows),
    ...(withStatistics ? [output('statistics', 8 * rows)] : []),
    output('tailMap made', 4 * rows),
    output('tailRows made', 4 * tailCapacity),
    output('tail made', wordBytes(tailCapacity * cols)),
  ];
}

/** One of the two parts of a hybrid with the pattern of `e`, out of rows in full. */
function fillStep(
  e: HybridEncoded,
  part: {
    readonly files: readonly ShaderFile[];
    /** what `e` holds there, and what says where its elements lie */
    readonly bindings: readonly [held: string, places: string];
    readonly filled: string;
    readonly elements: number;
  },
): SizedPass {
  const { files, bindings, filled, elements } = part;
  return {
    params: sizesOf(e, e),
    pass: {
      files: [WORKGROUP_INDEX, BF16_BITS, SIZES, ...files, file('hybrid/fill.wgsl', fillCode)],
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['sizes', ...bindings, 'g', filled],
      workgroups: foldWorkgroups(Math.ceil(elements / 2 / LANES)),
    },
    multiplyAdds: 0,
  };
}

/** h in full into TwELL, as the gate would have left it. */
function twellStep(e: HybridEncoded): SizedPass {
  const tiles = tilesOf(e);
  const { slots, tileWidth } = TWELL_BETWEEN;
  return {
    params: { role: 'params', name: 'twell sizes', data: Uint32Array.of(e.rows, e.cols, tiles, slots, tileWidth) },
    pass: {
      files: [
        WORKGROUP_INDEX,
        BF16_BITS,
        file('common/hidden_f32.wgsl', hiddenF32),
        file('common/pack_twell.wgsl', packTwell),
      ],
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['twell sizes', 'h', 'words'],
      workgroups: foldWorkgroups(Math.ceil((e.rows * tiles) / LANES)),
    },
    multiplyAdds: 0,
  };
}

/** Workgroup memory of a pass that packs rows into slots: two rows, prefix sums, sums. */
const packMemory = ({ rowSlots }: HybridEncoded): number => 12 * LANES + 8 * rowSlots;

export const layoutKernels: readonly KernelSpec<HybridEncoded>[] = [
  hybridKernel({
    id: 'hybrid/convert',
    operation: 'convert',
    title: 'a workgroup for two rows, then the tail',
    roundings: 1,
    lanes: ROUTE_LANES,
    memoryBytes: packMemory,
    read: (e, words) => cellsOf(e, madeArrays(e, words, true)),
    partsOf: (e) => ({
      steps: makingSteps(e, e, FULL, CONVERT_SLOTS, CONVERT_TAIL),
      buffers: [input('h', e.rows * e.cols, 'f32'), ...madeParts(e, true)],
    }),
  }),
  hybridKernel({
    id: 'hybrid/convert_from_twell',
    operation: 'convert',
    title: 'packed TwELL first, then the hybrid out of it',
    roundings: 1,
    lanes: ROUTE_LANES,
    memoryBytes: packMemory,
    read: (e, words) => cellsOf(e, madeArrays(e, words, true)),
    partsOf: (e) => ({
      steps: [twellStep(e), ...makingSteps(e, e, TWELL, CONVERT_SLOTS, CONVERT_TAIL)],
      buffers: [
        input('h', e.rows * e.cols, 'f32'),
        scratch('words', 4 * e.rows * tilesOf(e) * TWELL_BETWEEN.slots),
        ...madeParts(e, true),
      ],
    }),
  }),
  hybridKernel({
    id: 'hybrid/fill',
    operation: 'fill',
    title: 'a lane for two slots, then for two cells of the tail',
    roundings: 1,
    outputType: 'bf16',
    lanes: LANES,
    memoryBytes: () => 0,
    read: (e, words) => cellsOf(e, filledArrays(e, words)),
    partsOf: (e) => ({
      steps: [
        fillStep(e, {
          files: [INDICES, file('hybrid/cells_of_slots.wgsl', cellsOfSlots)],
          bindings: ['values', 'indices'],
          filled: 'values made',
          elements: e.values.length,
        }),
        fillStep(e, {
          files: [file('hybrid/cells_of_tail.wgsl', cellsOfTail)],
          bindings: ['tail', 'tailRows'],
          filled: 'tail made',
          elements: e.tail.length,
        }),
      ],
      buffers: [
        ...stored(e, ['values', 'indices', 'tailRows', 'tail']),
        // Of the rows in full, what lies outside of the pattern is not read.
        { ...input('g', e.rows * e.cols, 'f32'), movedBytes: 4 * e.nnz },
        output('values made', wordBytes(e.values.length)),
        output('tail made', wordBytes(e.tail.length)),
      ],
    }),
  }),
  hybridKernel({
    id: 'hybrid/unpack',
    operation: 'unpack',
    title: 'a workgroup per row',
    roundings: 1,
    lanes: LANES,
    memoryBytes: () => 0,
    partsOf: (e) => ({
      steps: [
        {
          params: sizesOf(e, e),
          pass: {
            files: [WORKGROUP_INDEX, SIZES, ...STORED, file('hybrid/unpack.wgsl', unpackCode)],
            constants: { WORKGROUP_SIZE: LANES },
            bindings: ['sizes', ...STORED_NAMES, 'h'],
            workgroups: foldWorkgroups(e.rows),
          },
          multiplyAdds: 0,
        },
      ],
      buffers: [...stored(e, STORED_NAMES), output('h', 4 * e.rows * e.cols)],
    }),
  }),
  hybridKernel({
    id: 'hybrid/transpose',
    operation: 'transpose',
    title: 'a workgroup for two columns, then the tail',
    roundings: 1,
    lanes: ROUTE_LANES,
    memoryBytes: packMemory,
    refusal: ({ rows }) =>
      rows > MOST_COLUMNS
        ? `found ${rows} rows, expected at most ${MOST_COLUMNS} for 16-bit columns of the transpose`
        : null,
    read(e, words) {
      const shape = transposedShape(e);
      return cellsOf(shape, madeArrays(shape, words, false));
    },
    partsOf(e) {
      const made = transposedShape(e);
      const slots = { files: [file('hybrid/transpose.wgsl', transposeCode)], statistics: [] };
      return {
        steps: makingSteps(e, made, TRANSPOSED, slots, file('hybrid/transpose_tail.wgsl', transposeTail)),
        buffers: [...stored(e, STORED_NAMES), ...madeParts(made, false)],
      };
    },
  }),
];

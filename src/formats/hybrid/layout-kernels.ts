/**
 * Kernels that make a hybrid, or take one apart. Of the encoded matrix, those that make one take the shape and the room
 * that its parameters give. Every array is written whole, with 0 in empty slots and free rows, as the encoder does.
 */

import tailShader from '../../../shaders/hybrid/tail.wgsl';
import sourceShader from '../../../shaders/hybrid/source.wgsl';
import hidden from '../../../shaders/common/hidden.wgsl';
import packTwell from '../../../shaders/common/pack_twell.wgsl';
import convert from '../../../shaders/hybrid/convert.wgsl';
import fill from '../../../shaders/hybrid/fill.wgsl';
import route from '../../../shaders/hybrid/route.wgsl';
import transpose from '../../../shaders/hybrid/transpose.wgsl';
import unpack from '../../../shaders/hybrid/unpack.wgsl';
import type { WorkgroupNeeds } from '../../core/kernel/device-limits.ts';
import { foldWorkgroups, type KernelSpec, type SizedPass } from '../../core/kernel/kernel.ts';
import { input, multiPassKernel, output, type Part, scratch } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import type { HybridEncoded } from './layout.ts';
import { MAX_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';
import { cellsOf, filledArrays, convertedArrays, type ConvertedShape, wordBytes } from './read-hybrid.ts';
import { storedIn } from './stored-parts.ts';

const LANES = 128;
/** Lanes of the one workgroup that goes through all counts. */
const ROUTE_LANES = 256;

/** TwELL between the rows in full and the hybrid: tiles of 256 columns with 63 places each. */
const TWELL_BETWEEN = { tileWidth: 256, slots: 64 } as const;

const STORED_NAMES = ['values', 'indices', 'counts', 'tailMap', 'tail'] as const;

/** A source of rows with the buffers that it reads. */
interface Source {
  readonly piece: ShaderModule;
  readonly bindings: readonly string[];
}

const FULL: Source = { piece: sourceShader.variants.full, bindings: ['h'] };
/** Rows in full as a gate leaves them: bf16, a whole number of fours. */
export const FULL_BF16: Source = { piece: sourceShader.variants.full_bf16, bindings: ['hidden'] };
const TWELL: Source = { piece: sourceShader.variants.twell, bindings: ['words'] };
const TRANSPOSED: Source = { piece: sourceShader.variants.transposed, bindings: STORED_NAMES };

/** The hybrid that holds the transposed matrix, with the same parameters. */
export function transposedShape(e: HybridEncoded): ConvertedShape {
  const [rows, cols] = [e.cols, e.rows];
  return { rows, cols, slots: slotsOf(cols, e), tailCapacity: tailCapacityOf(rows, cols, e) };
}

const tilesOf = ({ cols }: ConvertedShape): number => Math.ceil(cols / TWELL_BETWEEN.tileWidth);

/** Sizes of all passes that make `made`. */
function sizesOf(e: HybridEncoded, made: ConvertedShape): SizedPass['params'] {
  const { tileWidth, slots } = TWELL_BETWEEN;
  const source = [e.rows, e.cols, e.slots];
  const target = [made.rows, made.cols, made.slots, made.tailCapacity];
  return {
    role: 'params',
    name: 'sizes',
    data: Uint32Array.from([...source, ...target, tilesOf(made), slots, tileWidth]),
  };
}

/** Names of the buffers of the slots that are made. */
const SLOT_BUFFERS = { values: 'values made', indices: 'indices made', counts: 'counts made' } as const;
/** Names of the buffers of everything that is made. */
export const HYBRID_BUFFERS = {
  ...SLOT_BUFFERS,
  tailMap: 'tailMap made',
  tailRows: 'tailRows made',
  tail: 'tail made',
} as const;

/**
 * The three passes that make a hybrid: slots, the routing of long rows, the tail. `overflow`: the name of a buffer in which
 * rows without room are marked.
 */
export function makingSteps(
  e: HybridEncoded,
  made: ConvertedShape,
  source: Source,
  slots: { readonly shader: ShaderModule; readonly statistics: readonly string[] },
  tail: ShaderModule,
  overflow?: string,
): readonly SizedPass[] {
  const params = sizesOf(e, made);
  const cells = made.tailCapacity * made.cols;
  return [
    {
      params,
      pass: {
        files: shaderFiles(slots.shader, [source.piece]),
        constants: { WORKGROUP_SIZE: LANES, MOST_SLOTS: e.rowSlots },
        bindings: ['sizes', ...source.bindings, ...Object.values(SLOT_BUFFERS), ...slots.statistics],
        workgroups: foldWorkgroups(Math.ceil(made.rows / 2)),
      },
    },
    {
      params,
      pass: {
        files: shaderFiles(route.variants[overflow === undefined ? 'made' : 'told']),
        constants: { WORKGROUP_SIZE: ROUTE_LANES },
        bindings: [
          'sizes',
          HYBRID_BUFFERS.counts,
          HYBRID_BUFFERS.tailMap,
          HYBRID_BUFFERS.tailRows,
          ...(overflow ? [overflow] : []),
        ],
        workgroups: [1, 1, 1],
      },
    },
    {
      params,
      pass: {
        files: shaderFiles(tail, [source.piece]),
        constants: { WORKGROUP_SIZE: LANES },
        bindings: ['sizes', ...source.bindings, HYBRID_BUFFERS.tailRows, HYBRID_BUFFERS.tail],
        workgroups: foldWorkgroups(Math.ceil(cells / 2 / LANES)),
      },
    },
  ];
}

export const CONVERT_SLOTS = { shader: convert, statistics: ['statistics'] } as const;

/** A hybrid that is made on the way. */
export function scratchParts({ rows, cols, slots, tailCapacity }: ConvertedShape): readonly Part[] {
  return [
    scratch(HYBRID_BUFFERS.values, wordBytes(rows * slots)),
    scratch(HYBRID_BUFFERS.indices, wordBytes(rows * slots)),
    scratch(HYBRID_BUFFERS.counts, 4 * rows),
    scratch('statistics', 8 * rows),
    scratch(HYBRID_BUFFERS.tailMap, 4 * rows),
    scratch(HYBRID_BUFFERS.tailRows, 4 * tailCapacity),
    scratch(HYBRID_BUFFERS.tail, wordBytes(tailCapacity * cols)),
  ];
}

/** Outputs of the passes that make a hybrid, in the order of `convertedArrays`; `withStatistics`: of every row as well. */
function convertedParts({ rows, cols, slots, tailCapacity }: ConvertedShape, withStatistics: boolean): readonly Part[] {
  return [
    output(SLOT_BUFFERS.values, wordBytes(rows * slots)),
    output(SLOT_BUFFERS.indices, wordBytes(rows * slots)),
    output(SLOT_BUFFERS.counts, 4 * rows),
    ...(withStatistics ? [output('statistics', 8 * rows)] : []),
    output(HYBRID_BUFFERS.tailMap, 4 * rows),
    output(HYBRID_BUFFERS.tailRows, 4 * tailCapacity),
    output(HYBRID_BUFFERS.tail, wordBytes(tailCapacity * cols)),
  ];
}

/** One of the two parts of a hybrid with the pattern of `e`, out of rows in full. */
function fillStep(
  e: HybridEncoded,
  part: {
    readonly shader: ShaderModule;
    /** what `e` holds there, and what says where its elements lie */
    readonly bindings: readonly [held: string, places: string];
    readonly filled: string;
    readonly elements: number;
  },
): SizedPass {
  const { shader, bindings, filled, elements } = part;
  return {
    params: sizesOf(e, e),
    pass: {
      files: shaderFiles(shader),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['sizes', ...bindings, 'g', filled],
      workgroups: foldWorkgroups(Math.ceil(elements / 2 / LANES)),
    },
  };
}

/** h in full into TwELL, as the gate would have left it. */
function twellStep(e: HybridEncoded): SizedPass {
  const tiles = tilesOf(e);
  const { slots, tileWidth } = TWELL_BETWEEN;
  return {
    params: { role: 'params', name: 'twell sizes', data: Uint32Array.of(e.rows, e.cols, tiles, slots, tileWidth) },
    pass: {
      files: shaderFiles(packTwell, [hidden.variants.f32]),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['twell sizes', 'h', 'words'],
      workgroups: foldWorkgroups(Math.ceil((e.rows * tiles) / LANES)),
    },
  };
}

/** Workgroup memory of a pass that packs rows into slots: two rows, prefix sums, sums. */
const packMemory = ({ rowSlots }: HybridEncoded): number => 12 * LANES + 8 * rowSlots;

/** What the passes that make a hybrid need. */
export const makingNeeds = (e: HybridEncoded): WorkgroupNeeds => ({ lanes: ROUTE_LANES, memoryBytes: packMemory(e) });

export const layoutKernels: readonly KernelSpec<HybridEncoded>[] = [
  multiPassKernel({
    id: 'hybrid/convert',
    operation: 'convert',
    title: 'a workgroup for two rows, then the tail',
    roundings: 1,
    needs: makingNeeds,
    read: (e, words) => cellsOf(e, convertedArrays(e, words, true)),
    partsOf: (e) => ({
      steps: makingSteps(e, e, FULL, CONVERT_SLOTS, tailShader.variants.convert),
      buffers: [input('h', e.rows * e.cols, 'f32'), ...convertedParts(e, true)],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/convert_from_twell',
    operation: 'convert',
    title: 'packed TwELL first, then the hybrid from it',
    roundings: 1,
    needs: makingNeeds,
    read: (e, words) => cellsOf(e, convertedArrays(e, words, true)),
    partsOf: (e) => ({
      steps: [twellStep(e), ...makingSteps(e, e, TWELL, CONVERT_SLOTS, tailShader.variants.convert)],
      buffers: [
        input('h', e.rows * e.cols, 'f32'),
        scratch('words', 4 * e.rows * tilesOf(e) * TWELL_BETWEEN.slots),
        ...convertedParts(e, true),
      ],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/fill',
    operation: 'fill',
    title: 'a lane for two slots, then for two cells of the tail',
    roundings: 1,
    outputType: 'bf16',
    needs: () => ({ lanes: LANES, memoryBytes: 0 }),
    read: (e, words) => cellsOf(e, filledArrays(e, words)),
    partsOf: (e) => ({
      steps: [
        fillStep(e, {
          shader: fill.variants.slots,
          bindings: ['values', 'indices'],
          filled: 'values made',
          elements: e.values.length,
        }),
        fillStep(e, {
          shader: fill.variants.tail,
          bindings: ['tail', 'tailRows'],
          filled: 'tail made',
          elements: e.tail.length,
        }),
      ],
      buffers: [
        ...storedIn(e, ['values', 'indices', 'tailRows', 'tail']),
        // Of the rows in full, what lies outside of the pattern is not read.
        { ...input('g', e.rows * e.cols, 'f32'), movedBytes: 4 * e.nnz },
        output('values made', wordBytes(e.values.length)),
        output('tail made', wordBytes(e.tail.length)),
      ],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/unpack',
    operation: 'unpack',
    title: 'a workgroup per row',
    roundings: 1,
    needs: () => ({ lanes: LANES, memoryBytes: 0 }),
    partsOf: (e) => ({
      steps: [
        {
          params: sizesOf(e, e),
          pass: {
            files: shaderFiles(unpack),
            constants: { WORKGROUP_SIZE: LANES },
            bindings: ['sizes', ...STORED_NAMES, 'h'],
            workgroups: foldWorkgroups(e.rows),
          },
        },
      ],
      buffers: [...storedIn(e, STORED_NAMES), output('h', 4 * e.rows * e.cols)],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/transpose',
    operation: 'transpose',
    title: 'a workgroup for two columns, then the tail',
    roundings: 1,
    needs: makingNeeds,
    refusal: ({ rows }) =>
      rows > MAX_COLUMNS
        ? `found ${rows} rows, expected at most ${MAX_COLUMNS} for 16-bit columns of the transpose`
        : null,
    read(e, words) {
      const shape = transposedShape(e);
      return cellsOf(shape, convertedArrays(shape, words, false));
    },
    partsOf(e) {
      const made = transposedShape(e);
      const slots = { shader: transpose, statistics: [] };
      return {
        steps: makingSteps(e, made, TRANSPOSED, slots, tailShader.variants.transpose),
        buffers: [...storedIn(e, STORED_NAMES), ...convertedParts(made, false)],
      };
    },
  }),
];

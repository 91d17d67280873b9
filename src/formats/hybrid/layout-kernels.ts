/*
 * Kernels that convert dense or TwELL to the hybrid (short rows in slots, long ones dense in a tail), and that fill,
 * unpack or transpose a hybrid. Conversions use only shape and capacities of the encoded matrix `e`. They write every
 * array whole, with 0 in empty slots and in free rows of the tail, as the encoder does.
 */

import tailShader from '../../../shaders/hybrid/tail.wgsl';
import sourceShader from '../../../shaders/hybrid/source.wgsl';
import convert from '../../../shaders/hybrid/convert.wgsl';
import fill from '../../../shaders/hybrid/fill.wgsl';
import route from '../../../shaders/hybrid/route.wgsl';
import transpose from '../../../shaders/hybrid/transpose.wgsl';
import unpack from '../../../shaders/hybrid/unpack.wgsl';
import type { WorkgroupNeeds } from '../../core/kernel/device-limits.ts';
import { packPass } from '../../core/kernel/gated-block-passes.ts';
import { splitWorkgroups, type KernelSpec, type PassPlan, type SizedPass } from '../../core/kernel/kernel.ts';
import {
  input,
  multiPassKernel,
  output,
  type Part,
  scratch,
  storedArrays,
  storedParts,
} from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import type { HybridArray, HybridEncoded } from './layout.ts';
import { MAX_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';
import { cellsOf, filledArrays, convertedArrays, type ConvertedShape, wordBytes } from './read-hybrid.ts';

const LANES = 128;
/** Lanes of the one workgroup that goes through all counts. */
const ROUTE_LANES = 256;

/** TwELL as an intermediate format: tiles of 256 columns with 64 words each, one of them the count. */
const TWELL_TILES = { tileWidth: 256, slots: 64 } as const;

/** Arrays that the first pass of a conversion writes, and arrays of its second pass, which lists the rows of the tail. */
const SLOT_ARRAYS = ['values', 'indices', 'counts'] as const;
const ROUTE_ARRAYS = ['counts', 'tailMap', 'tailRows'] as const;

/** Arrays of the hybrid that is read, in the order of their bindings. */
const STORED_NAMES = ['values', 'indices', 'counts', 'tailMap', 'tail'] as const;

/** The source of a conversion: the shader module that reads its rows, and the buffers of that module. */
interface Source {
  readonly module: ShaderModule;
  readonly bindings: readonly string[];
}

const FULL: Source = { module: sourceShader.variants.full, bindings: ['h'] }; // dense rows in f32
/** Dense rows as a gate writes them: bf16, padded to a multiple of 4 columns. */
export const FULL_BF16: Source = { module: sourceShader.variants.full_bf16, bindings: ['hidden'] };
const TWELL: Source = { module: sourceShader.variants.twell, bindings: ['words'] };
const TRANSPOSED: Source = { module: sourceShader.variants.transposed, bindings: STORED_NAMES };

/** Shape and capacities of the transposed matrix in the hybrid, with the same parameters. */
export function transposedShape(e: HybridEncoded): ConvertedShape {
  const [rows, cols] = [e.cols, e.rows];
  return { rows, cols, slots: slotsOf(cols, e), tailCapacity: tailCapacityOf(rows, cols, e) };
}

const tilesOf = ({ cols }: ConvertedShape): number => Math.ceil(cols / TWELL_TILES.tileWidth);

/** The uniform of all passes that convert to a hybrid of `shape`. */
function sizesOf(e: HybridEncoded, shape: ConvertedShape): SizedPass['params'] {
  const { tileWidth, slots } = TWELL_TILES;
  const source = [e.rows, e.cols, e.slots];
  const target = [shape.rows, shape.cols, shape.slots, shape.tailCapacity];
  const data = Uint32Array.from([...source, ...target, tilesOf(shape), slots, tileWidth]);
  return { role: 'params', name: 'sizes', data };
}

/** The name of the output buffer for an array that a conversion writes. */
export const outputName = (array: HybridArray): string => `${array} made`;

/**
 * The passes of a conversion: fill slots, list the tail's rows, fill the tail. `slotsPass`: the shader of the first pass,
 * and the buffers of statistics that it writes; `tailModule`: the shader of the last pass; `overflow`: the buffer of rows
 * that do not fit.
 */
export function convertPasses(
  e: HybridEncoded,
  shape: ConvertedShape,
  source: Source,
  slotsPass: { readonly shader: ShaderModule; readonly statistics: readonly string[] },
  tailModule: ShaderModule,
  overflow?: string,
): readonly SizedPass[] {
  const params = sizesOf(e, shape);
  const tailCells = shape.tailCapacity * shape.cols;
  const passes: readonly PassPlan[] = [
    {
      files: shaderFiles(slotsPass.shader, [source.module]),
      constants: { WORKGROUP_SIZE: LANES, MOST_SLOTS: e.rowSlots },
      bindings: ['sizes', ...source.bindings, ...SLOT_ARRAYS.map(outputName), ...slotsPass.statistics],
      workgroups: splitWorkgroups(Math.ceil(shape.rows / 2)),
    },
    {
      files: shaderFiles(route.variants[overflow === undefined ? 'silent' : 'reporting']),
      constants: { WORKGROUP_SIZE: ROUTE_LANES },
      bindings: ['sizes', ...ROUTE_ARRAYS.map(outputName), ...(overflow ? [overflow] : [])],
      workgroups: [1, 1, 1],
    },
    {
      files: shaderFiles(tailModule, [source.module]),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['sizes', ...source.bindings, outputName('tailRows'), outputName('tail')],
      workgroups: splitWorkgroups(Math.ceil(tailCells / 2 / LANES)),
    },
  ];
  return passes.map((pass) => ({ params, pass }));
}

/** The first pass of a conversion. Statistics of a row: its sum of magnitudes, and how many tiles lost non-zeros. */
export const CONVERT_SLOTS = { shader: convert, statistics: ['statistics'] } as const;

/**
 * The buffers that a conversion writes, in the order in which `convertedArrays` reads them. `makePart`: `scratch` for
 * an intermediate result.
 */
export function convertedParts(
  { rows, cols, slots, tailCapacity }: ConvertedShape,
  withStatistics: boolean,
  makePart: typeof output = output,
): readonly Part[] {
  return [
    makePart(outputName('values'), wordBytes(rows * slots)),
    makePart(outputName('indices'), wordBytes(rows * slots)),
    makePart(outputName('counts'), 4 * rows),
    ...(withStatistics ? [makePart('statistics', 8 * rows)] : []),
    makePart(outputName('tailMap'), 4 * rows),
    makePart(outputName('tailRows'), 4 * tailCapacity),
    makePart(outputName('tail'), wordBytes(tailCapacity * cols)),
  ];
}

/** The pass that fills `array`, with the pattern of `e`, from dense rows; `locations`: the array of columns or rows. */
function fillPass(e: HybridEncoded, shader: ShaderModule, array: 'values' | 'tail', locations: HybridArray): SizedPass {
  return {
    params: sizesOf(e, e),
    pass: {
      files: shaderFiles(shader),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['sizes', array, locations, 'g', outputName(array)],
      workgroups: splitWorkgroups(Math.ceil(e[array].length / 2 / LANES)),
    },
  };
}

/** The most lanes (of routing) and the most workgroup memory (of packing rows into slots) of a conversion's passes. */
export const convertNeeds = ({ rowSlots }: HybridEncoded): WorkgroupNeeds => {
  const slotsOfTwoRows = 2 * 4 * rowSlots;
  const prefixSumsAndSums = 12 * LANES;
  return { lanes: ROUTE_LANES, memoryBytes: prefixSumsAndSums + slotsOfTwoRows };
};

/** The WebGPU kernels that convert, fill, unpack and transpose. */
export const layoutKernels: readonly KernelSpec<HybridEncoded>[] = [
  multiPassKernel({
    id: 'hybrid/convert',
    operation: 'convert',
    title: 'a workgroup for two rows, then the tail',
    extraRoundings: 1,
    needs: convertNeeds,
    read: (e, words) => cellsOf(e, convertedArrays(e, words, true)),
    partsOf: (e) => ({
      passes: convertPasses(e, e, FULL, CONVERT_SLOTS, tailShader.variants.convert),
      buffers: [input('h', e.rows * e.cols, 'f32'), ...convertedParts(e, true)],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/convert_from_twell',
    operation: 'convert',
    title: 'packed TwELL first, then the hybrid from it',
    extraRoundings: 1,
    needs: convertNeeds,
    read: (e, words) => cellsOf(e, convertedArrays(e, words, true)),
    partsOf: (e) => ({
      passes: [
        packPass(e, TWELL_TILES, { buffer: 'h', type: 'f32' }, LANES),
        ...convertPasses(e, e, TWELL, CONVERT_SLOTS, tailShader.variants.convert),
      ],
      buffers: [
        input('h', e.rows * e.cols, 'f32'),
        scratch('words', 4 * e.rows * tilesOf(e) * TWELL_TILES.slots),
        ...convertedParts(e, true),
      ],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/fill',
    operation: 'fill',
    title: 'a lane for two slots, then for two cells of the tail',
    extraRoundings: 1,
    outputType: 'bf16',
    needs: () => ({ lanes: LANES, memoryBytes: 0 }),
    read: (e, words) => cellsOf(e, filledArrays(e, words)),
    partsOf: (e) => ({
      passes: [
        fillPass(e, fill.variants.slots, 'values', 'indices'),
        fillPass(e, fill.variants.tail, 'tail', 'tailRows'),
      ],
      buffers: [
        ...storedParts(storedArrays(e, ['values', 'indices', 'tailRows', 'tail'])),
        // Dense cells outside of the pattern are not read.
        { ...input('g', e.rows * e.cols, 'f32'), movedBytes: 4 * e.nnz },
        output(outputName('values'), wordBytes(e.values.length)),
        output(outputName('tail'), wordBytes(e.tail.length)),
      ],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/unpack',
    operation: 'unpack',
    title: 'a workgroup per row',
    extraRoundings: 1,
    needs: () => ({ lanes: LANES, memoryBytes: 0 }),
    partsOf: (e) => ({
      passes: [
        {
          params: sizesOf(e, e),
          pass: {
            files: shaderFiles(unpack),
            constants: { WORKGROUP_SIZE: LANES },
            bindings: ['sizes', ...STORED_NAMES, 'h'],
            workgroups: splitWorkgroups(e.rows),
          },
        },
      ],
      buffers: [...storedParts(storedArrays(e, STORED_NAMES)), output('h', 4 * e.rows * e.cols)],
    }),
  }),
  multiPassKernel({
    id: 'hybrid/transpose',
    operation: 'transpose',
    title: 'a workgroup for two columns, then the tail',
    extraRoundings: 1,
    needs: convertNeeds,
    rejection: ({ rows }) =>
      rows > MAX_COLUMNS
        ? `found ${rows} rows, expected at most ${MAX_COLUMNS} for 16-bit columns of the transpose`
        : null,
    read(e, words) {
      const shape = transposedShape(e);
      return cellsOf(shape, convertedArrays(shape, words, false));
    },
    partsOf(e) {
      const shape = transposedShape(e);
      const slotsPass = { shader: transpose, statistics: [] };
      return {
        passes: convertPasses(e, shape, TRANSPOSED, slotsPass, tailShader.variants.transpose),
        buffers: [...storedParts(storedArrays(e, STORED_NAMES)), ...convertedParts(shape, false)],
      };
    },
  }),
];

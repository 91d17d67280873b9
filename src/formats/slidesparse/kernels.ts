import windowX from '../../../shaders/slidesparse/window_x.wgsl';
import values from '../../../shaders/slidesparse/values.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import metadataShader from '../../../shaders/slidesparse/metadata.wgsl';
import spmv from '../../../shaders/slidesparse/spmv.wgsl';
import type { KernelSpec, ShaderKernel } from '../../core/kernel/kernel.ts';
import { storedArrays, storedScales } from '../../core/kernel/multi-pass-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { gemmKernels } from './gemm-kernels.ts';
import { type SlideSparseEncoded, nibbleAt } from './layout.ts';
import { windowsPerGroup } from './params.ts';
import { EMPTY_NIBBLE } from './group-table.ts';

const ROWS_PER_WORKGROUP = 2;

/** The shader modules that read kept values, and the scale of a row (`at_5`: in binding 5, after y). */
const VALUES: Readonly<Record<SlideSparseEncoded['valueType'], readonly ShaderModule[]>> = {
  f16: [values.variants.f16, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_5],
};

/** The buffers; `metadata`: in the order of windows (four columns, two kept values each) by default, or of lanes. */
function buffers(e: SlideSparseEncoded, metadata = e.metadata): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.windowsPerRow],
    arrays: storedArrays({ ...e, metadata }, ['values', 'metadata']),
    xType: 'f32',
    trailing: storedScales(e),
  };
}

/** How x is read: four columns at a time for 2:4; in pairs for other patterns, whose windows overlap by two columns. */
function xOf(e: SlideSparseEncoded): {
  readonly piece: ShaderModule;
  readonly constants: Readonly<Record<string, number>>;
} {
  if (e.halfGroup === 2) return { piece: windowX.variants.fours, constants: {} };
  return { piece: windowX.variants.pairs, constants: { WINDOWS_PER_GROUP: windowsPerGroup(e) } };
}

/** y = A x, two rows at a time; `byLane`: with metadata in the order in which lanes read it. */
function rowPairKernel({
  byLane,
  ...kernel
}: ShaderKernel & { readonly byLane: boolean }): KernelSpec<SlideSparseEncoded> {
  return rowKernel({
    ...kernel,
    extraRoundings: 3, // of a product, in scaling the sum, and of an i8 value as decoded for the check
    lanes: 128,
    memoryBytesPerLane: 8,
    rowsPerWorkgroup: () => ROWS_PER_WORKGROUP,
    buffers: (e) => buffers(e),
    ...(byLane && {
      // The format does not store metadata in this order.
      derivedArray: {
        buffers: (e) => buffers(e, metadataByLane(e)),
        bytes: (e) => ['metadata ordered by lane', metadataByLaneBytes(e)],
      },
    }),
    pieces: (e) => [...VALUES[e.valueType], xOf(e).piece, metadataShader.variants[byLane ? 'by_lane' : 'natural']],
    constants: (e, lanes) => ({
      FULL_STEPS: Math.floor(Math.floor(e.windowsPerRow / BLOCK) / (lanes / LANES)),
      ...xOf(e).constants,
    }),
  });
}

/** The WebGPU kernels of SlideSparse: y = A x, and products with many tokens. */
export const kernels: readonly KernelSpec<SlideSparseEncoded>[] = [
  rowPairKernel({
    id: 'slidesparse/spmv_subgroup',
    title: 'metadata ordered by lane',
    features: ['subgroups'],
    byLane: true,
    shader: spmv.variants.subgroup,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_natural',
    title: 'metadata in the order of windows',
    features: ['subgroups'],
    byLane: false,
    shader: spmv.variants.subgroup,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_workgroup',
    title: 'metadata ordered by lane, without subgroups',
    features: [],
    byLane: true,
    shader: spmv.variants.workgroup,
  }),
  ...gemmKernels,
];

/** Windows (four columns with two stored values) that 32 lanes process together: each lane four pairs. */
export const BLOCK = 256;
/** Lanes that process a block together. */
const LANES = 32;
/** Neighbouring windows that a lane processes at a time: a pair. */
const PAIR = 2;

/** Bytes of `metadataByLane`. */
export function metadataByLaneBytes(e: SlideSparseEncoded): number {
  return e.rows * Math.ceil(e.windowsPerRow / BLOCK) * LANES * 4;
}

/** Index, within a block, of the window whose nibble is the j-th in a lane's word. */
function windowOfLane(lane: number, j: number): number {
  return (Math.floor(j / PAIR) * LANES + lane) * PAIR + (j % PAIR);
}

/**
 * The metadata in the order in which a kernel's lanes read it: word `lane` of a block contains the nibbles of its windows
 * 2 lane, 2 lane + 1, then those 64, 128 and 192 further on, low first. Rows are rounded up to whole blocks of 256
 * windows, that is 32 words. Only a kernel reads this layout, which the format does not store. O(windows).
 */
export function metadataByLane(e: SlideSparseEncoded): Uint32Array {
  const blocks = Math.ceil(e.windowsPerRow / BLOCK);
  const words = new Uint32Array(e.rows * blocks * LANES);
  let at = 0;
  for (let row = 0; row < e.rows; row++) {
    for (let block = 0; block < blocks; block++) {
      for (let lane = 0; lane < LANES; lane++) {
        let word = 0;
        for (let j = 0; j < BLOCK / LANES; j++) {
          const window = block * BLOCK + windowOfLane(lane, j);
          word |= (window < e.windowsPerRow ? nibbleAt(e, row, window) : EMPTY_NIBBLE) << (4 * j);
        }
        words[at++] = word;
      }
    }
  }
  return words;
}

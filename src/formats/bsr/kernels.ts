import gemm from '../../../shaders/bsr/gemm.wgsl';
import spmv from '../../../shaders/bsr/spmv.wgsl';
import cells from '../../../shaders/bsr/cells.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type DeviceFacts,
  splitWorkgroups,
  type KernelSpec,
  type ShaderKernel,
  subgroupVariants,
} from '../../core/kernel/kernel.ts';
import {
  input,
  multiPassKernel,
  output,
  storedArrays,
  storedParts,
  storedScales,
} from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import type { BsrEncoded } from './layout.ts';
import { blocksAlong } from './params.ts';

/** A multiple of every block size, and few enough for every device. */
const MIN_LANES = 64;
const MAX_LANES = 256;

/** Lanes of a workgroup: about half as many as an average block row has columns in its blocks. */
function lanesFor({ rows, blockSize, indices }: BsrEncoded, { limits }: DeviceFacts): number {
  const blocks = indices.length / Math.max(1, blocksAlong(rows, blockSize));
  const enough = nextPowerOfTwo((blocks * blockSize) / 2);
  return Math.max(MIN_LANES, Math.min(MAX_LANES, enough, limits.maxComputeInvocationsPerWorkgroup));
}

/** Tokens that a lane has sums for. */
const MAX_TOKENS = 16;
/** Workgroup memory of a lane: sums of four tokens in f32. */
const GEMM_BYTES_PER_LANE = 16;

/** Shader modules that read cells of each type, and their scales (binding 6). */
const CELLS: Readonly<Record<BsrEncoded['valueType'], readonly ShaderModule[]>> = {
  f16: [cells.variants.f16, rowScale.variants.none],
  f32: [cells.variants.f32, rowScale.variants.none],
  i8: [cells.variants.i8, rowScale.variants.at_6],
};

function buffers(e: BsrEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, 1],
    arrays: storedArrays(e, ['data', 'indices', 'indptr']),
    xType: 'f32',
    trailing: storedScales(e),
  };
}

/** y = A x, a workgroup for each block row. */
function spmvKernel(kernel: ShaderKernel): KernelSpec<BsrEncoded> {
  return rowKernel({
    ...kernel,
    extraRoundings: 2,
    lanes: lanesFor,
    memoryBytesPerLane: 4,
    rowsPerWorkgroup: (_device, _lanes, e) => e.blockSize,
    buffers,
    pieces: (e) => CELLS[e.valueType],
    constants: (e) => ({ BLOCK: e.blockSize }),
  });
}

/** Y = X Aᵀ for up to 16 tokens, a workgroup for each block row. */
function gemmKernel({ shader, ...kernel }: ShaderKernel): KernelSpec<BsrEncoded> {
  return multiPassKernel({
    ...kernel,
    operation: 'gemm',
    extraRoundings: 2,
    max: { tokens: MAX_TOKENS },
    needs: (e, device) => ({ lanes: lanesFor(e, device), memoryBytes: GEMM_BYTES_PER_LANE * lanesFor(e, device) }),
    choices: (e, device) => [laneChoice(lanesFor(e, device), device, GEMM_BYTES_PER_LANE)],
    partsOf(e, { tokens }, device, { lanes = lanesFor(e, device) } = {}) {
      const { arrays, trailing = [] } = buffers(e);
      const stored = storedParts([...arrays, ...trailing]);
      const pass = {
        files: shaderFiles(shader, CELLS[e.valueType]),
        constants: { BLOCK: e.blockSize, WORKGROUP_SIZE: lanes, QUADS: Math.ceil(tokens / 4) },
        bindings: ['params', ...arrays.map(({ name }) => name), 'x', 'y', ...trailing.map(({ name }) => name)],
        workgroups: splitWorkgroups(blocksAlong(e.rows, e.blockSize)),
      };
      const params = { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols, tokens) } as const;
      return {
        passes: [{ params, pass, multiplyAdds: tokens * e.data.length }],
        buffers: [...stored, input('x', tokens * e.cols, 'f32'), output('y', 4 * tokens * e.rows)],
      };
    },
  });
}

/** The WebGPU kernels of BSR, for y = A x and for Y = X Aᵀ with up to 16 tokens. */
export const kernels: readonly KernelSpec<BsrEncoded>[] = [
  ...subgroupVariants('bsr/spmv', 'workgroup per block row', spmv, spmvKernel),
  ...subgroupVariants('bsr/gemm', 'up to 16 tokens', gemm, gemmKernel),
];

import gemm from '../../../shaders/bsr/gemm.wgsl';
import spmv from '../../../shaders/bsr/spmv.wgsl';
import cells from '../../../shaders/bsr/cells.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type DeviceFacts,
  foldWorkgroups,
  type KernelSpec,
  type ShaderKernel,
  type SizedPass,
} from '../../core/kernel/kernel.ts';
import { input, multiPassKernel, output, storedPart } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import type { BsrEncoded } from './layout.ts';
import { blocksAlong } from './params.ts';

/** A multiple of every block size, and as many lanes as every device runs. */
const MIN_LANES = 64;
const MAX_LANES = 256;

/**
 * Enough lanes for the blocks of a mean block row in about two turns: a turn waits for an index, and then for the part of
 * x that it names, so many turns in sequence are slow.
 */
function lanesFor({ rows, blockSize, indices }: BsrEncoded, { limits }: DeviceFacts): number {
  const blocks = indices.length / Math.max(1, blocksAlong(rows, blockSize));
  const wanted = nextPowerOfTwo((blocks * blockSize) / 2);
  return Math.max(MIN_LANES, Math.min(MAX_LANES, wanted, limits.maxComputeInvocationsPerWorkgroup));
}

/** Tokens that a lane has sums for. */
const MAX_TOKENS = 16;

/** How cells of each type are read, and their scales. */
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
    arrays: [
      { name: 'data', data: e.data },
      { name: 'indices', data: e.indices },
      { name: 'indptr', data: e.indptr },
    ],
    xType: 'f32',
    ...(e.valueType === 'i8' ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

/** y = A x, a workgroup for each block row. */
function spmvKernel(kernel: ShaderKernel): KernelSpec<BsrEncoded> {
  return rowKernel({
    ...kernel,
    roundings: 2,
    lanes: lanesFor,
    memoryBytesPerLane: 4,
    rowsPerWorkgroup: (_device, _lanes, e) => e.blockSize,
    buffers,
    pieces: (e) => CELLS[e.valueType],
    constants: (e) => ({ BLOCK: e.blockSize }),
  });
}

/** Y = X Aᵀ for up to 16 tokens, a workgroup for each block row. */
function gemmKernel({ shader, ...named }: ShaderKernel): KernelSpec<BsrEncoded> {
  return multiPassKernel({
    ...named,
    operation: 'gemm',
    roundings: 2,
    max: { tokens: MAX_TOKENS },
    needs: (e, device) => ({ lanes: lanesFor(e, device), memoryBytes: 16 * lanesFor(e, device) }),
    choices: (e, device) => [laneChoice(lanesFor(e, device), device, 16)],
    partsOf(e, { tokens }, device, { lanes = lanesFor(e, device) } = {}) {
      const { arrays, trailing = [] } = buffers(e);
      const step: SizedPass = {
        params: { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols, tokens) },
        pass: {
          files: shaderFiles(shader, CELLS[e.valueType]),
          constants: { BLOCK: e.blockSize, WORKGROUP_SIZE: lanes, QUADS: Math.ceil(tokens / 4) },
          bindings: ['params', ...arrays.map(({ name }) => name), 'x', 'y', ...trailing.map(({ name }) => name)],
          workgroups: foldWorkgroups(blocksAlong(e.rows, e.blockSize)),
        },
        multiplyAdds: tokens * e.data.length,
      };
      const stored = [...arrays, ...trailing].map(({ name, data }) => storedPart(name, data));
      return {
        steps: [step],
        buffers: [...stored, input('x', tokens * e.cols, 'f32'), output('y', 4 * tokens * e.rows)],
      };
    },
  });
}

/** The WebGPU kernels of BSR, for y = A x and for Y = X Aᵀ with up to 16 tokens. */
export const kernels: readonly KernelSpec<BsrEncoded>[] = [
  spmvKernel({
    id: 'bsr/spmv_subgroup',
    title: 'workgroup per block row, summed by subgroups',
    features: ['subgroups'],
    shader: spmv.variants.subgroup,
  }),
  spmvKernel({
    id: 'bsr/spmv_workgroup',
    title: 'workgroup per block row, without subgroups',
    features: [],
    shader: spmv.variants.workgroup,
  }),
  gemmKernel({
    id: 'bsr/gemm_subgroup',
    title: 'up to 16 tokens, summed by subgroups',
    features: ['subgroups'],
    shader: gemm.variants.subgroup,
  }),
  gemmKernel({
    id: 'bsr/gemm_workgroup',
    title: 'up to 16 tokens, without subgroups',
    features: [],
    shader: gemm.variants.workgroup,
  }),
];

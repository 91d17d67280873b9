import { I8_SUBGROUP_MATRIX } from '../core/kernel/gemm-i8-subgroup-plan.ts';
import type { DeviceFacts } from '../core/kernel/kernel.ts';
import { SUBGROUP_MATRIX } from '../core/kernel/subgroup-matrix.ts';
import { type CsrMatrix, csrMatrix } from '../core/matrix/index.ts';

// A matrix and a device for planning a kernel when its WGSL is needed before there is a real matrix or device.

/** A matrix that every format supports: a 1 in each row, one column further to the right than in the row above. */
export function exampleMatrix(rows: number, cols: number): CsrMatrix {
  return csrMatrix({
    rows,
    cols,
    indptr: Uint32Array.from({ length: rows + 1 }, (_, r) => r),
    indices: Uint32Array.from({ length: rows }, (_, r) => r % cols),
    data: new Float32Array(rows).fill(1),
  });
}

/** A desktop GPU, all of whose subgroups have `subgroup` lanes. */
export function exampleDevice(subgroup = 32): DeviceFacts {
  return {
    features: new Set(['subgroups', SUBGROUP_MATRIX, I8_SUBGROUP_MATRIX]),
    limits: {
      maxStorageBufferBindingSize: 2 ** 31 - 4,
      maxBufferSize: 2 ** 31 - 4,
      maxComputeWorkgroupStorageSize: 48 * 1024,
      maxComputeInvocationsPerWorkgroup: 1024,
      maxComputeWorkgroupSizeX: 1024,
      maxComputeWorkgroupsPerDimension: 65_535,
      maxStorageBuffersPerShaderStage: 8,
    },
    subgroupMinSize: subgroup,
    subgroupMaxSize: subgroup,
    isFallback: false,
  };
}

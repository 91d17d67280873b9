/**
 * Kinds of matrices that the units of a device multiply: M x K components by K x N, with M x N sums. WebGPU lists them
 * separately from its feature. In `DeviceFacts.features` each is a feature of its own, named as in the refusal of a
 * kernel: 'needs NAME, which this device does not have'.
 */
export interface SubgroupMatrixKind {
  readonly componentType: string;
  readonly resultComponentType: string;
  readonly M: number;
  readonly N: number;
  readonly K: number;
}

/** 'chromium-experimental-subgroup-matrix': behind a flag in browsers, and among the unsafe APIs of Dawn. */
export const SUBGROUP_MATRIX = 'chromium-experimental-subgroup-matrix';

/** 'subgroup matrices of i8 with sums in i32, 16 × 16 × 32' */
export function subgroupMatrixFeature({ componentType, resultComponentType, M, N, K }: SubgroupMatrixKind): string {
  return `subgroup matrices of ${componentType} with sums in ${resultComponentType}, ${M} × ${N} × ${K}`;
}

/**
 * A feature in the same list: WGSL writes types of matrices with rows before columns. Older versions of the
 * experimental feature have columns first, and only compiling a sample tells which (src/gpu/device.ts).
 */
export const ROWS_FIRST = 'subgroup matrices with rows first';

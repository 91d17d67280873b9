/**
 * A product that the matrix units of a device compute: M x K components by K x N, with M x N sums. WebGPU lists these
 * products apart from its features; in `DeviceFacts.features` each is a feature, named by `subgroupMatrixFeature`.
 */
export interface SubgroupMatrixKind {
  readonly componentType: string;
  readonly resultComponentType: string;
  readonly M: number;
  readonly N: number;
  readonly K: number;
}

/** The WebGPU feature: behind a flag in browsers, and among the unsafe APIs of Dawn. */
export const SUBGROUP_MATRIX = 'chromium-experimental-subgroup-matrix';

/** The name of a kind: 'subgroup matrices of i8 with sums in i32, 16 × 16 × 32'. */
export function subgroupMatrixFeature({ componentType, resultComponentType, M, N, K }: SubgroupMatrixKind): string {
  return `subgroup matrices of ${componentType} with sums in ${resultComponentType}, ${M} × ${N} × ${K}`;
}

/**
 * In `DeviceFacts.features` if WGSL writes types of matrices with rows before columns. Older versions of the
 * experimental feature have columns first, and only compiling a sample shows which (src/gpu/device.ts).
 */
export const ROWS_FIRST = 'subgroup matrices with rows first';

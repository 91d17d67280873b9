/**
 * Kinds of matrices that the units of a device multiply: M x K components by K x N, with M x N sums. WebGPU lists them
 * separately from the feature; here each is a feature, named as in a refusal.
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
 * Types of matrices are written with rows before columns; older versions have it the other way round, and only the
 * compiler can tell which.
 */
export const ROWS_FIRST = 'subgroup matrices with rows first';

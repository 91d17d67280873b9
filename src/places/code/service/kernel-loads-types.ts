import type { ArrayCounts, SubgroupLoads } from '../../../core/kernel/load-counts.ts';
import type { LoadedArray, LoadSite } from '../../../core/kernel/loads.ts';

/** A kernel whose loads are modelled on the open matrix. */
export interface LoadsRequest {
  readonly kernel: string;
  /** parameters of its format that differ from their defaults */
  readonly params: Readonly<Record<string, unknown>>;
}

/** One of its subgroups: by index, or the first that works on a row. */
export interface SubgroupRequest extends LoadsRequest {
  readonly at: { readonly subgroup: number } | { readonly row: number };
}

/** Common to both answers. */
export interface LoadsOf {
  readonly generation: number;
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** lanes of a subgroup, those of a desktop GPU: no device is asked */
  readonly lanes: number;
  readonly subgroups: number;
}

/** The cost of all loads of a kernel on the open matrix, by array. */
export interface LoadsAnswer extends LoadsOf {
  readonly arrays: readonly (LoadedArray & ArrayCounts)[];
}

/** The loads of one subgroup. */
export interface SubgroupAnswer extends LoadsOf {
  readonly arrays: readonly LoadedArray[];
  readonly sites: readonly LoadSite[];
  readonly subgroup: number;
  /** the rows it works on */
  readonly rowsOf: readonly number[];
  readonly loads: SubgroupLoads;
}

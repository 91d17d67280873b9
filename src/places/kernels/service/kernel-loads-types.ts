import type { ArrayCounts, SubgroupLoads } from '../../../core/kernel/load-counts.ts';
import type { LoadedArray, LoadSite } from '../../../core/kernel/loads.ts';

/** A kernel whose loads are worked out on the open matrix. */
export interface LoadsRequest {
  readonly kernel: string;
  /** parameters of its format that differ from their defaults */
  readonly params: Readonly<Record<string, unknown>>;
}

/** One subgroup of it: by its number, or the first that works on a row. */
export interface SubgroupRequest extends LoadsRequest {
  readonly at: { readonly subgroup: number } | { readonly row: number };
}

/** What both answers say of the kernel. */
export interface LoadsOf {
  readonly generation: number;
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** lanes of a subgroup; no device is asked, a desktop GPU is taken for it */
  readonly lanes: number;
  readonly subgroups: number;
}

/** What all loads of a kernel cost on the open matrix, by array. */
export interface LoadsAnswer extends LoadsOf {
  readonly arrays: readonly (LoadedArray & ArrayCounts)[];
}

/** What one subgroup loads. */
export interface SubgroupAnswer extends LoadsOf {
  readonly arrays: readonly LoadedArray[];
  readonly sites: readonly LoadSite[];
  readonly subgroup: number;
  /** that it works on */
  readonly rowsOf: readonly number[];
  readonly loads: SubgroupLoads;
}

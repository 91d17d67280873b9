import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, ascendingColumn } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'csr/spmv_staged': {
    says: 'Memory: 92 % of the read speed at 12288 × 12288 and density 0.5. Of 109.4 µs, 108.4 remain without reading x, 76.8 without values, 43.0 without indices.',
    known: 'parts left out',
  },
  'csr/spmv_subgroup': {
    says: 'It takes 126.8 µs at 12288 × 12288 and density 0.5, where a workgroup per row takes 112.2 and the staged kernel 109.4 for the same bytes. Why, no experiment has shown.',
    known: 'not shown',
  },
  'csr/spmv_workgroup': {
    says: 'Memory: 90 % of the read speed at 12288 × 12288 and density 0.5. Of 112.1 µs, 106.5 remain without reading x and 81.3 without values.',
    known: 'parts left out',
  },
  'csr/spmv_scalar': {
    says: 'A lane for each row: 2855 µs at 12288 × 12288 and density 0.5, where a workgroup for each row takes 112. Neighbouring lanes then read far apart, and there are few of them; which of both it is was not measured.',
    known: 'not shown',
  },
  'csr/gemm_subgroup': {
    says: 'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 16 bytes takes 100 of 159 µs. Nothing was left out to see whether that is so.',
    known: 'count',
  },
  'csr/gemm_subgroup_x16': {
    says: 'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 8 bytes takes 59 of 125 µs. Nothing was left out to see whether that is so.',
    known: 'count',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = { kept: ['indptr'], standIns: { indices: ascendingColumn } };

import { namedArrays } from '../../../../src/core/encoded/encoded.ts';
import type { BufferPlan, KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { withDeclaredDispatch, fitsStarter } from './starter-kernel.ts';
import { scratchCard } from '../../../../src/core/scratch/card.ts';
import type { UserEncoded } from '../user-encoding.ts';
import { userFormatId } from '../user-format-source.ts';
import { arraysText, declaredInputs } from '../../../../src/core/declared/accessors.ts';

/** The paths of the two files of a user's kernel: generated declarations of the arrays, and the author's text. */
export function kernelPaths(name: string): { readonly arrays: string; readonly code: string } {
  const id = userFormatId(name);
  return { arrays: `${id}/arrays.wgsl`, code: `${id}/kernel.wgsl` };
}

/**
 * A user's kernel of y = A x on the arrays of the user's format: generated bindings, then the WGSL `text`. The
 * override ROWS_PER_WORKGROUP sets the number of workgroups; format parameters are constants.
 */
export function userKernel(name: string, title: string, text: string): KernelSpec<UserEncoded> {
  const paths = kernelPaths(name);
  return {
    ...scratchCard({ id: userFormatId(name), title }),
    extraRoundings: 1,
    fits: fitsStarter,
    plan(e, device) {
      const { params, arrays } = e.own;
      const bound = declaredInputs(arrays, params);
      const memory = namedArrays(e);
      const sparse = bound.arrays.flatMap(({ name: bindingName }, i): BufferPlan[] => {
        const data = memory.get(arrays[i].key);
        return data ? [{ role: 'sparse', name: bindingName, data }] : [];
      });
      const buffers: readonly BufferPlan[] = [
        {
          role: 'params',
          name: 'params',
          data: Uint32Array.of(e.rows, e.cols, e.nnz, ...arrays.map(({ length }) => length)), // bounded: 16 arrays
        },
        ...sparse,
        { role: 'input', name: 'x', type: 'f32' },
        { role: 'output', name: 'y', bytes: 4 * e.rows },
      ];
      let bytes = 4 * (e.rows + e.cols);
      for (const data of memory.values()) bytes += data.byteLength;
      const pass = {
        files: [
          { path: paths.arrays, code: arraysText(title, bound) },
          { path: paths.code, code: text },
        ],
        constants: Object.fromEntries(bound.params.map((param) => [param.name, param.value])),
        bindings: buffers.map((buffer) => buffer.name),
        workgroups: [1, 1, 1], // withDeclaredDispatch sets them
      } as const;
      return { buffers, passes: [withDeclaredDispatch(pass, e, device)], bytes };
    },
    declaredPass: withDeclaredDispatch,
    operation: SPMV.id,
  };
}

import type { KernelSpec } from '../../core/kernel.ts';
import type { SlideSparseEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<SlideSparseEncoded>[] = [];

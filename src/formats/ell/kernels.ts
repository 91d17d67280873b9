import type { KernelSpec } from '../../core/kernel.ts';
import type { EllEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<EllEncoded>[] = [];

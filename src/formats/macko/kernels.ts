import type { KernelSpec } from '../../core/kernel.ts';
import type { MackoEncoded } from './layout.ts';

export const kernels: readonly KernelSpec<MackoEncoded>[] = [];

import { createStore, get, set, type UseStore } from 'idb-keyval';
import { DRAFT_BOUNDS } from '../../../core/bounds/bounds.ts';
import { hasAll, isTextUpTo } from '../../../state/checks.ts';

/** What is kept of a kernel, by the name of its format. */
interface KeptKernel {
  /** of its own file, in WGSL */
  readonly text: string;
}

/** Keeps kernels of formats of one's own beyond the visit. Everything may reject: storage can be blocked, full, or gone. */
export interface KernelStore {
  load(name: string): Promise<KeptKernel | null>;
  save(name: string, kernel: KeptKernel): Promise<void>;
}

const isKept = hasAll({ text: isTextUpTo(DRAFT_BOUNDS.length) });

/** In this browser's IndexedDB. What cannot be read counts as none. */
export function browserKernelStore(): KernelStore {
  let store: UseStore | null = null;
  // Opened on first use: without IndexedDB, even that throws.
  const opened = (): UseStore => (store ??= createStore('sparsescope-own-kernels', 'kernels'));
  return {
    async load(name) {
      const found: unknown = await get(name, opened());
      return isKept(found) ? (found as KeptKernel) : null;
    },
    save: (name, kernel) => set(name, kernel, opened()),
  };
}

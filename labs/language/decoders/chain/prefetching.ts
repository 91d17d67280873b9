// Changes a product's kernel so that it also touches the weights of the next product.

import type { KernelPlan } from '../../../../src/core/kernel/kernel.ts';
import { storageBindings, withStoreFunction } from './adding.ts';
import type { StageDevice } from './stage-device.ts';

/**
 * Bytes between two prefetched words. GPUs translate addresses page by page, and WebGPU does not expose the size of a
 * page. Of 128 KiB to 8 MiB, 512 KiB and 1 MiB gained most on an H100.
 */
const PAGE_BYTES = 2 ** 20;
/** Small enough that small models, which tests run on software adapters, have pages too. */
const PAGE_BYTES_IN_SOFTWARE = 2 ** 10;

/** The bindings that `prefetchingPlan` adds: arrays of the next product by index, and memory that is never read. */
export const PREFETCH_BINDINGS = { array: (index: number) => `next array ${index}`, neverRead: 'never read' } as const;

/**
 * The plan of a matrix product whose kernel also reads one word of every page of the next product's arrays; `arrays`:
 * their lengths in bytes. Their addresses are then translated before the next product needs them. A GPU remembers too
 * few translations for a whole model: without this, dense matrices take 4 % longer on an H100
 * (docs/performance-lessons.md). Each row reads a word of at most one page. Arrays shorter than a page, and arrays for
 * which the device has no binding, are left out. If no array remains, or the kernel does not store each row once, returns
 * `plan` unchanged.
 */
export function prefetchingPlan(
  plan: KernelPlan,
  arrays: readonly number[],
  { limits, isFallback }: StageDevice,
): KernelPlan {
  const pageBytes = isFallback ? PAGE_BYTES_IN_SOFTWARE : PAGE_BYTES;
  const pass = plan.passes.at(-1);
  const output = plan.buffers.find(({ role }) => role === 'output');
  if (!plan.isStoredOnce || !pass || output?.role !== 'output') return plan;
  const parts = arrays
    .flatMap((bytes, index) => (bytes < pageBytes ? [] : [{ index, pages: Math.ceil(bytes / pageBytes) }]))
    .slice(0, Math.max(0, limits.maxStorageBuffersPerShaderStage - storageBindings(plan, pass) - 1));
  if (parts.length === 0) return plan;
  const pages = parts.map((part) => part.pages);
  const count = pages.reduce((sum, n) => sum + n, 0);
  // A power of two, so that a row needs one instruction to skip the read.
  const rowsOfPage = 2 ** Math.max(0, Math.floor(Math.log2(output.bytes / 4 / count)));
  const files = withStoreFunction(
    pass.files,
    pass.bindings.indexOf(output.name),
    'chain/prefetch.wgsl',
    'store_and_prefetch',
    (stored) => prefetchCode(stored, pages, rowsOfPage, pageBytes / 4, pass.bindings.length),
  );
  const names = [...parts.map(({ index }) => PREFETCH_BINDINGS.array(index)), PREFETCH_BINDINGS.neverRead];
  return {
    ...plan,
    passes: [...plan.passes.slice(0, -1), { ...pass, files, bindings: [...pass.bindings, ...names] }],
  };
}

function prefetchCode(
  output: string,
  pages: readonly number[],
  rowsOfPage: number,
  pageWords: number,
  binding: number,
): string {
  let before = 0;
  const words = pages.map((n, i) => {
    const first = before;
    before += n;
    return `  if (page < ${before}u) { return prefetched_${i}[(page - ${first}u) * ${pageWords}u]; }`;
  });
  return `
// Some rows also read a word of a page of the next product, so that the page's address is translated before it is needed.
${pages.map((_, i) => `@group(0) @binding(${binding + i}) var<storage, read> prefetched_${i}: array<u32>;`).join('\n')}
@group(0) @binding(${binding + pages.length}) var<storage, read_write> never_read: array<u32>;

fn prefetched_word(page: u32) -> u32 {
${words.join('\n')}
  return 0u;
}

// Instead of a store.
fn store_and_prefetch(row: u32, value: f32) {
  ${output}[row] = value;
  // The word decides whether something is stored, so that compilers cannot remove the read.
  if ((row & ${rowsOfPage - 1}u) == 0u && prefetched_word(row / ${rowsOfPage}u) == 0xffffffffu) { never_read[0] = row; }
}
`;
}

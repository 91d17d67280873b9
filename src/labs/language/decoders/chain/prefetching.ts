import type { KernelPlan } from '../../../../core/kernel/kernel.ts';
import { withStoreFunction } from './adding.ts';
import type { StageDevice } from './stages.ts';

/**
 * Bytes between the words that are read. A device looks addresses up by pages of memory; how large they are, it does not say.
 * Of 128 KiB to 8 MiB, half a MiB and one gained most on an H100.
 */
const PAGE_BYTES = 2 ** 20;
/** Software adapters look nothing up: there, the matrices of small models have pages as well. */
const PAGE_BYTES_IN_SOFTWARE = 2 ** 10;

/** What `prefetchingPlan` binds besides: arrays of the next product by their index, and memory that is never read. */
export const PREFETCH = { array: (index: number) => `next array ${index}`, unread: 'unread' } as const;

/**
 * The plan of a product whose kernel also reads a word of every page of the arrays of the next product, of so many bytes each,
 * so that their addresses are looked up by then. A model lies in more memory than a device keeps addresses for: without this,
 * dense matrices take 4 % longer on an H100 (docs/archive/performance-log.md). A row reads one page at most. Left out are
 * arrays shorter than a page, and those for which the device has no binding. The same plan if that is all of them, or if the
 * kernel does not store each row once.
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
  const params = new Set(plan.buffers.flatMap(({ name, role }) => (role === 'params' ? [name] : [])));
  const used = pass.bindings.filter((name) => !params.has(name)).length;
  const parts = arrays
    .flatMap((bytes, index) => (bytes < pageBytes ? [] : [{ index, pages: Math.ceil(bytes / pageBytes) }]))
    .slice(0, Math.max(0, limits.maxStorageBuffersPerShaderStage - used - 1));
  if (parts.length === 0) return plan;
  const pages = parts.map((part) => part.pages);
  const count = pages.reduce((sum, some) => sum + some, 0);
  // A power of two, so that most rows find out by one instruction that they read nothing.
  const rowsOfPage = 2 ** Math.max(0, Math.floor(Math.log2(output.bytes / 4 / count)));
  const files = withStoreFunction(
    pass.files,
    pass.bindings.indexOf(output.name),
    'chain/prefetch.wgsl',
    'store_and_prefetch',
    (stored) => prefetchCode(stored, pages, rowsOfPage, pageBytes / 4, pass.bindings.length),
  );
  const names = [...parts.map(({ index }) => PREFETCH.array(index)), PREFETCH.unread];
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
  const words = pages.map((some, i) => {
    const first = before;
    before += some;
    return `  if (page < ${before}u) { return prefetched_${i}[(page - ${first}u) * ${pageWords}u]; }`;
  });
  return `
// Some rows also read a word of a page that the next product reads, so that its address is known by then.
${pages.map((_, i) => `@group(0) @binding(${binding + i}) var<storage, read> prefetched_${i}: array<u32>;`).join('\n')}
@group(0) @binding(${binding + pages.length}) var<storage, read_write> never_read: array<u32>;

fn prefetched_word(page: u32) -> u32 {
${words.join('\n')}
  return 0u;
}

// Instead of a store.
fn store_and_prefetch(row: u32, value: f32) {
  ${output}[row] = value;
  // No compiler leaves the word out, since it decides what is stored here.
  if ((row & ${rowsOfPage - 1}u) == 0u && prefetched_word(row / ${rowsOfPage}u) == 0xffffffffu) { never_read[0] = row; }
}
`;
}

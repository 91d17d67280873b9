/**
 * A hash of each kernel's text and plan, by its id. A recording (measurements that come with the page) holds the hashes
 * of its day: the page can say which kernels have changed since. By scripts/format-catalog.ts, loaded on demand.
 */
export { hashes } from 'virtual:kernel-hashes';

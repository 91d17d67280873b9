/**
 * A hash of each kernel's text and plan, by the id of the kernel. A recording holds the hashes of its day, so that the page can
 * say which kernels have changed since. Made by scripts/format-catalog.ts, loaded on demand.
 */
export { hashes } from 'virtual:kernel-hashes';

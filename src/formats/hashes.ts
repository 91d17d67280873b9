/**
 * A hash of each kernel's text and plan, by kernel id, made by scripts/format-catalog.ts. The page compares these with
 * the hashes in a recording (measurements that come with the page) to show which kernels have changed.
 */
export { hashes } from 'virtual:kernel-hashes';

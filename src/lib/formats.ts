/** Every format with its kernels: 'sparsescope/formats'. */
export { formatById, formats } from '../formats/registry.ts';

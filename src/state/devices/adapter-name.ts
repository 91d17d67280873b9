import type { Environment } from '../../core/report.ts';

/** The name of a GPU (adapter), as the browser gives it; with the maker's name if it lacks that. */
export function adapterName({ adapter }: Environment): string {
  const name = adapter.description || adapter.device || adapter.architecture;
  if (name === '') return adapter.vendor || 'not named by the browser';
  return name.toLowerCase().includes(adapter.vendor.toLowerCase()) ? name : `${adapter.vendor} ${name}`;
}

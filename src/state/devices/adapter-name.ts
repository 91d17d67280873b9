import type { Environment } from '../../core/report.ts';

/** The browser's name of a GPU (adapter), with the vendor before it unless the name contains the vendor. */
export function adapterName({ adapter }: Environment): string {
  const name = adapter.description || adapter.device || adapter.architecture;
  if (name === '') return adapter.vendor || 'not named by the browser';
  return name.toLowerCase().includes(adapter.vendor.toLowerCase()) ? name : `${adapter.vendor} ${name}`;
}

import type { Environment } from '../../core/report.ts';

/** A GPU as its browser names it. */
export function adapterName({ adapter }: Environment): string {
  const name = adapter.description || adapter.device || adapter.architecture;
  if (name === '') return adapter.vendor || 'not named by the browser';
  return name.toLowerCase().includes(adapter.vendor.toLowerCase()) ? name : `${adapter.vendor} ${name}`;
}

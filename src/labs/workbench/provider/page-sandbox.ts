import { runtime } from 'virtual:own-runtime';
import { Sandbox } from '../own/sandbox/sandbox.ts';

let sandbox: Sandbox | null = null;

/** The sandbox of this page, made when a module is run for the first time. */
export function pageSandbox(): Sandbox {
  return (sandbox ??= new Sandbox({ address: './sandbox.html', runtime }));
}

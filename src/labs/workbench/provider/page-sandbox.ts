import { runtime } from 'virtual:own-runtime';
import { Sandbox } from '../own/sandbox/sandbox.ts';

let sandbox: Sandbox | null = null;

/** The sandbox in which this page runs formats that a person wrote or a link brought; made when one is run first. */
export function pageSandbox(): Sandbox {
  return (sandbox ??= new Sandbox({ address: './sandbox.html', runtime }));
}

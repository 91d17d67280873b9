import { runtime } from 'virtual:own-runtime';
import { Sandbox } from '../own/sandbox/sandbox.ts';

let sandbox: Sandbox | null = null;

/** The sandbox in which this page runs the code of the user's formats, also from links; made when needed. */
export function pageSandbox(): Sandbox {
  return (sandbox ??= new Sandbox({ address: './sandbox.html', runtime }));
}

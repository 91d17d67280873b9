import { isZip } from '../archives/zip.ts';
import type { ContainerFormat } from '../container.ts';
import { windows1252Text } from '../source.ts';

/** The number with which the legacy format begins, as opcode LONG1 of its first pickle. */
const MAGIC = String.fromCharCode(0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19);

/** A file of torch.save: a state dict, a checkpoint that contains some, or a tensor; an archive, or the legacy format. */
export const torch: ContainerFormat = {
  id: 'pt',
  title: 'PyTorch checkpoint',
  extensions: ['.pt', '.pth', '.ckpt'],
  reads: 'parts',
  sniff: (head) => isLegacyTorch(head) || (isZip(head) && /(^|\/)data\.pkl$/.test(firstName(head))),
  // Few files are of this kind: its reader is loaded for them.
  open: async (source, context) => (await import('./torch-file.ts')).openTorch(source, context),
};

/** Whether a file begins with a pickle of the magic number, after the protocol and perhaps a frame. */
export function isLegacyTorch(head: Uint8Array): boolean {
  // bounded: the first bytes of a file. No text decoder has a separate character for each byte.
  const text = String.fromCharCode(...head.subarray(0, 32));
  return head[0] === 0x80 && [2, 11].includes(text.indexOf(MAGIC));
}

/** The name of the first file of a zip archive, from its local header. */
function firstName(head: Uint8Array): string {
  return windows1252Text(head.subarray(30, 30 + head[26] + 256 * head[27]));
}

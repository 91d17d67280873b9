import { isZip } from '../archives/zip.ts';
import { ReadError } from '../../core/errors.ts';
import { type ContainerFormat, randomAccess } from '../container.ts';
import { readHead, windows1252Text } from '../source.ts';

/** The number with which the legacy format begins, as opcode LONG1 of its first pickle. */
const MAGIC = String.fromCharCode(0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19);

/** A file of torch.save: a state dict, a checkpoint that contains some, or a tensor; an archive, or the legacy format. */
export const torch: ContainerFormat = {
  id: 'pt',
  title: 'PyTorch checkpoint',
  extensions: ['.pt', '.pth', '.ckpt'],
  reads: 'parts',
  sniff: (head) => isLegacy(head) || (isZip(head) && /(^|\/)data\.pkl$/.test(firstName(head))),
  async open(source, context) {
    const file = randomAccess(source, 'a PyTorch checkpoint');
    const head = await readHead(file, 32);
    if (!isZip(head) && !isLegacy(head)) {
      throw new ReadError('byte 0: found neither a zip archive nor a pickle of torch.save, expected one of these');
    }
    // Few files are of this kind: its reader is loaded for them.
    const { openLegacyTorch, openTorchArchive } = await import('./torch-file.ts');
    return isZip(head) ? openTorchArchive(file, context) : openLegacyTorch(file, context.job);
  },
};

/** Whether a file begins with a pickle of the magic number, after the protocol and perhaps a frame. */
function isLegacy(head: Uint8Array): boolean {
  // bounded: the first bytes of a file. No text decoder has a separate character for each byte.
  const text = String.fromCharCode(...head.subarray(0, 32));
  return head[0] === 0x80 && [2, 11].includes(text.indexOf(MAGIC));
}

/** The name of the first file of a zip archive, from its local header. */
function firstName(head: Uint8Array): string {
  return windows1252Text(head.subarray(30, 30 + head[26] + 256 * head[27]));
}

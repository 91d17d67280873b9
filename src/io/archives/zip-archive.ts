import { windows1252Text } from '../windows-1252.ts';
import { openArchive } from './archive.ts';
import { type Container, type ContainerContext, type ContainerFormat, partsOf } from '../container.ts';
import type { FileSource } from '../source.ts';
import { isZip, readZipDirectory, zipMember } from './zip.ts';

/** A zip archive of matrix files. NumPy's and PyTorch's are zip too, and recognised earlier. */
export const zip: ContainerFormat = {
  id: 'zip',
  title: 'zip archive',
  extensions: ['.zip'],
  reads: 'parts',
  sniff: (head) => isZip(head) && !windows1252Text(head).includes('data.pkl'),
  open,
};

async function open(source: FileSource, context: ContainerContext): Promise<Container> {
  const file = partsOf(source, 'a zip archive');
  const members = await readZipDirectory(file, context.maxDecompressedBytes);
  return openArchive(
    'zip',
    members.map((member) => ({ name: member.name, size: member.size, open: () => zipMember(file, member) })),
    context,
  );
}

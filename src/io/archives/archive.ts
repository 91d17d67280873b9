import { clip } from '../../core/bounds/quote.ts';
import { ReadError } from '../../core/errors.ts';
import type { Container, ContainerContext, TensorInfo } from '../container.ts';
import type { FileSource } from '../source.ts';

// Opens the matrix files in a tar or zip archive as tensors.

/** A file in an archive. */
export interface ArchiveMember {
  readonly name: string;
  /** bytes when unpacked */
  readonly size: number;
  open(): FileSource;
}

/** Endings of files that are opened in an archive: files of one matrix, and files of several tensors. */
const MATRIX_ENDINGS = ['mtx', 'npy', 'smtx', 'csv', 'tsv', 'edges', 'edgelist'];
const CONTAINER_ENDINGS = ['npz', 'safetensors', 'gguf', 'pt', 'pth'];
const MATRIX_NAME = new RegExp(`\\.(${MATRIX_ENDINGS.join('|')})$`, 'i');
const CONTAINER_NAME = new RegExp(`\\.(${CONTAINER_ENDINGS.join('|')})$`, 'i');
const OPENED_IN_ARCHIVES = [...MATRIX_ENDINGS, ...CONTAINER_ENDINGS].map((ending) => `.${ending}`);

/** Whether a file in an archive is one that is opened there. */
export function isOpenedInArchive(name: string): boolean {
  return MATRIX_NAME.test(name) || CONTAINER_NAME.test(name);
}

/** Folders and files that operating systems and archivers add. */
const SYSTEM_FILE =
  /(?:^|[/\\])(?:__MACOSX|\.AppleDouble|\.Spotlight-V100|\.fseventsd|PaxHeaders?(?:\.\d+)?|\._[^/\\]*|\.DS_Store|(?:eh)?thumbs\.db|desktop\.ini|pax_global_header|@LongLink)(?:$|[/\\])/i;

/** Whether a file was added by an operating system or an archiver: `__MACOSX/._w.npz`, `Thumbs.db`, an unpacked tar header. */
export function isSystemFile(name: string): boolean {
  return SYSTEM_FILE.test(name);
}

/**
 * Opens the matrix files of an archive as tensors with their names; preferred is name/name.mtx, as in archives of the
 * SuiteSparse collection. If the only matrix file holds several tensors, opens that file itself. Throws ReadError if
 * there is nothing to open.
 */
export async function openArchive(
  title: string,
  members: readonly ArchiveMember[],
  context: ContainerContext,
): Promise<Container> {
  const readable = members.filter(({ name }) => isOpenedInArchive(name));
  if (readable.length === 0) {
    const names = members.slice(0, 3).map((m) => m.name);
    throw new ReadError(
      `${title}: found ${members.length} ${members.length === 1 ? 'file' : 'files'}${names.length > 0 ? ` such as ${names.join(', ')}` : ''}, expected one that ends in ${OPENED_IN_ARCHIVES.slice(0, -1).join(', ')} or ${OPENED_IN_ARCHIVES.at(-1)}`,
    );
  }
  const [first] = readable;
  if (readable.length === 1 && CONTAINER_NAME.test(first.name) && !leavesArchive(first.name)) {
    return context.openInner(first.open());
  }
  const tensors = readable.map(({ name, size }): TensorInfo => {
    const dtype = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    return { name, shape: [], dtype, bytes: size, refused: rejection(name) };
  });
  const main = tensors.find(
    ({ name, refused: rejection }) => rejection === null && /^(?:\.\/)?([^/]+)\/\1\.mtx$/.test(name),
  );
  return {
    tensors,
    preferred: main?.name ?? null,
    async read(name, job) {
      const member = members.find((m) => m.name === name);
      if (!member) throw new ReadError(`${title}: found no '${name}'`);
      const result = await context.readInner(member.open(), job);
      const others = tensors.filter((t) => t.name !== name).map((t) => t.name);
      if (others.length === 0) return result;
      const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
      return {
        ...result,
        notes: [...result.notes, `The archive has other matrices: ${others.slice(0, 3).map(clip).join(', ')}${more}.`],
      };
    },
  };
}

/** Why a file of an archive cannot be opened; null if it can. */
function rejection(name: string): string | null {
  if (leavesArchive(name)) return 'found a path out of the archive';
  return CONTAINER_NAME.test(name) ? 'found several tensors among other files; unpack them first' : null;
}

/** Whether a path is absolute or contains '..'. */
function leavesArchive(name: string): boolean {
  return /^([/\\]|[a-z]:)/i.test(name) || name.split(/[/\\]/).includes('..');
}

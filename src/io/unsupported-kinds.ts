import { ReadError } from '../core/errors.ts';
import { quotedValue } from '../core/bounds/quote.ts';

/** A kind of file that is recognised but not supported, with the sentence that says what to do instead. */
interface UnsupportedKind {
  readonly title: string;
  /** what to do instead, as an instruction */
  readonly remedy: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** how such a file begins, a character for a byte */
  readonly begins: readonly (string | RegExp)[];
  /** whether such a file may be text */
  readonly isText?: true;
}

const SAVE_ARRAYS = 'save its arrays with numpy.save';

const KINDS: readonly UnsupportedKind[] = [
  {
    title: 'a pointer of Git LFS, not the file itself',
    remedy: 'fetch the file with git lfs pull',
    extensions: [],
    begins: ['version https://git-lfs.github.com/spec/'],
  },
  {
    title: 'a web page, not the file itself',
    remedy: 'download the file that the page is about',
    extensions: [],
    begins: [/^(\u00ef\u00bb\u00bf)?\s*(<!--[^]*?-->\s*)?<(!doctype\s+html|html|head|body|meta|title|script)\b/i],
  },
  {
    title: 'a MATLAB or Octave file',
    remedy: 'write its matrix as .mtx with mmwrite, or with scipy.io.loadmat and scipy.io.mmwrite',
    extensions: ['.mat'],
    begins: ['MATLAB ', '# Created by Octave'],
  },
  {
    title: 'an HDF5 file',
    remedy: 'write its matrix as .mtx with h5py and scipy.io.mmwrite',
    extensions: ['.h5', '.hdf5', '.h5ad'],
    begins: ['\u0089HDF\r\n\u001a\n'],
  },
  {
    title: 'an R file',
    remedy: 'write its matrix as .mtx with Matrix::writeMM',
    extensions: ['.rds', '.rda', '.rdata'],
    begins: ['RDX2\n', 'RDX3\n', 'RDA2\n', 'RDA3\n', 'X\n\0\0\0\u0002', 'X\n\0\0\0\u0003'],
  },
  {
    title: 'a PyTorch checkpoint',
    remedy: SAVE_ARRAYS,
    extensions: ['.pt', '.pth', '.ckpt'],
    begins: [/^PK[^]*data\.pkl/],
  },
  {
    title: 'a Python pickle',
    remedy: SAVE_ARRAYS,
    extensions: ['.pkl', '.pickle'],
    begins: ['\u0080\u0002', '\u0080\u0003', '\u0080\u0004', '\u0080\u0005'],
  },
  {
    title: 'a bzip2, xz or Zstandard file',
    remedy: 'decompress it, or compress it with gzip',
    extensions: ['.bz2', '.xz', '.zst'],
    begins: ['BZh', '\u00fd7zXZ\0', '\u0028\u00b5\u002f\u00fd'],
  },
  {
    title: 'a Rutherford-Boeing or Harwell-Boeing file',
    remedy: 'convert it to Matrix Market (.mtx)',
    extensions: ['.rb', '.rua', '.rsa', '.rra', '.pua', '.psa', '.cua', '.hb'],
    // The third line begins with a matrix type, such as RUA, and the second with counts of lines.
    begins: [/^.*\n\s*\d+\s+\d+.*\n[rcpiq][sauzhr][ae]\s+\d+\s+\d+.*\n/i],
    isText: true,
  },
];

/** Throws ReadError if a file that begins with `head` is of a known, unsupported kind; `where`: its name. */
export function refuseUnsupported(head: Uint8Array, where = ''): void {
  // bounded: the first bytes of a file. No decoder of text has a character of its own for each byte.
  const text = String.fromCharCode(...head);
  const isBeginning = (begin: string | RegExp): boolean =>
    typeof begin === 'string' ? text.startsWith(begin) : begin.test(text);
  const kind = KINDS.find(({ begins }) => begins.some(isBeginning));
  if (kind) throw new ReadError(`${where && `${where}: `}found ${kind.title}; ${kind.remedy}`);
}

/**
 * Throws ReadError for text under a name whose ending means binary content, and for a name of an unsupported kind.
 * `supported`: the supported binary format that the ending means, in words; null if there is none.
 */
export function refuseByName(head: Uint8Array, name: string, supported: string | null): void {
  const kind = KINDS.find(({ extensions }) => extensions.some((ending) => name.toLowerCase().endsWith(ending)));
  const expected = supported ?? (kind?.isText ? null : kind?.title);
  // An empty file has no bytes to be wrong; its reader says what is missing.
  const text = expected ? textOf(head) : null;
  if (text) {
    const [line] = text.trim().split(/[\r\n]/, 1);
    throw new ReadError(`found text that begins with ${quotedValue(line)}, expected the bytes of ${expected}`);
  }
  if (kind && supported === null) throw new ReadError(`found ${kind.title}; ${kind.remedy}`);
}

/** Bytes decoded as UTF-8, the last character perhaps incomplete; null if they are not text. */
function textOf(head: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /[^\P{Cc}\t\n\f\r]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

import { latin1Text } from './latin1.ts';

/** A kind of file that is recognised but not supported, with the sentence that says what to do instead. */
interface UnsupportedKind {
  readonly title: string;
  /** what to convert it to, as an instruction */
  readonly remedy: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  matches(head: Uint8Array): boolean;
}

/** Bytes of a string of characters below 256. */
function startsWith(head: Uint8Array, text: string, at = 0): boolean {
  if (head.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) if (head[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

function contains(head: Uint8Array, text: string): boolean {
  return latin1Text(head).includes(text);
}

const isZip = (head: Uint8Array): boolean => startsWith(head, 'PK\u0003\u0004');
const never = (): boolean => false;

const KINDS: readonly UnsupportedKind[] = [
  {
    title: 'a MATLAB file',
    remedy: 'save the matrix with mmwrite as .mtx',
    extensions: ['.mat'],
    matches: (head) => startsWith(head, 'MATLAB '),
  },
  {
    title: 'an HDF5 file',
    remedy: 'save one dataset with numpy.save as .npy',
    extensions: ['.h5', '.hdf5'],
    matches: (head) => startsWith(head, '\u0089HDF\r\n\u001a\n'),
  },
  {
    title: 'a PyTorch checkpoint',
    remedy: 'save one tensor with numpy.save as .npy',
    extensions: ['.pt', '.pth', '.ckpt'],
    matches: (head) => isZip(head) && contains(head, 'data.pkl'),
  },
  {
    title: 'a Python pickle',
    remedy: 'save one array with numpy.save as .npy',
    extensions: ['.pkl', '.pickle'],
    matches: (head) => head.length > 2 && head[0] === 0x80 && head[1] >= 2 && head[1] <= 5,
  },
  {
    title: 'a table of text',
    remedy: 'name it .csv or .tsv',
    extensions: ['.txt', '.dat'],
    matches: never,
  },
  {
    title: 'a bzip2, xz or Zstandard file',
    remedy: 'decompress it, or compress it with gzip',
    extensions: ['.bz2', '.xz', '.zst'],
    matches: (head) =>
      startsWith(head, 'BZh') || startsWith(head, '\u00fd7zXZ\u0000') || startsWith(head, '\u0028\u00b5\u002f\u00fd'),
  },
  {
    title: 'a Rutherford-Boeing or Harwell-Boeing file',
    remedy: 'convert it to Matrix Market (.mtx)',
    extensions: ['.rb', '.rua', '.rsa', '.rra', '.pua', '.psa', '.cua', '.hb'],
    matches: isHarwellBoeing,
  },
];

/** Whether the third line begins with a matrix type, such as RUA, and the second with counts of lines. */
function isHarwellBoeing(head: Uint8Array): boolean {
  const lines = latin1Text(head).split('\n', 4);
  return lines.length > 3 && /^\s*\d+\s+\d+/.test(lines[1]) && /^[rcpiq][sauzhr][ae]\s+\d+\s+\d+/i.test(lines[2]);
}

/** Title and remedy of a file that is recognised but not supported, by content and then by name; null for any other. */
export function unsupportedKind(head: Uint8Array, name: string): { title: string; remedy: string } | null {
  const lowerName = name.toLowerCase();
  return (
    KINDS.find((kind) => kind.matches(head)) ??
    KINDS.find((kind) => kind.extensions.some((ending) => lowerName.endsWith(ending))) ??
    null
  );
}

import { ReadError } from '../core/errors.ts';
import { quotedValue } from '../core/bounds/quote.ts';

/** A kind of file that is recognised but not supported, with a message that explains what to do instead. */
interface UnsupportedKind {
  readonly title: string;
  /** what to do instead, as an instruction */
  readonly remedy: string;
  /** endings of file names, with the dot, in lower case */
  readonly extensions: readonly string[];
  /** the first bytes of such a file, one character for each byte */
  readonly signatures: readonly (string | RegExp)[];
  /** matches the name of a file that every zip archive of this kind contains */
  readonly member?: RegExp;
  /** whether such a file may be text */
  readonly isText?: true;
}

const SAVE_ARRAYS = 'save its arrays with numpy.save';
const SAVE_SHEET = 'save its sheet as .csv';
const SAVE_TABLE = 'write it as .csv with pandas, or save its numbers with numpy.save';
const TRANSFER_AGAIN = 'fetch it again as binary';

const KINDS: readonly UnsupportedKind[] = [
  {
    title: 'a pointer of Git LFS, not the file itself',
    remedy: 'fetch the file with git lfs pull',
    extensions: [],
    signatures: ['version https://git-lfs.github.com/spec/'],
  },
  {
    title: 'a web page, not the file itself',
    remedy: 'download the file that the page is about',
    extensions: [],
    signatures: [/^(\u00ef\u00bb\u00bf)?\s*(<!--[^]*?-->\s*)?<(!doctype\s+html|html|head|body|meta|title|script)\b/i],
  },
  {
    title: 'a MATLAB or Octave file',
    remedy: 'write its matrix as .mtx with mmwrite, or with scipy.io.loadmat and scipy.io.mmwrite',
    extensions: ['.mat'],
    signatures: ['MATLAB ', '# Created by Octave'],
  },
  {
    title: 'an HDF5 file',
    remedy: 'write its matrix as .mtx with h5py and scipy.io.mmwrite',
    extensions: ['.h5', '.hdf5', '.h5ad', '.hdf'],
    signatures: ['\u0089HDF\r\n\u001a\n'],
  },
  {
    title: 'an R file',
    remedy: 'write its matrix as .mtx with Matrix::writeMM',
    extensions: ['.rds', '.rda', '.rdata'],
    signatures: ['RDX2\n', 'RDX3\n', 'RDA2\n', 'RDA3\n', 'X\n\0\0\0\u0002', 'X\n\0\0\0\u0003'],
  },
  {
    title: 'a TorchScript program',
    remedy: 'save its weights with torch.save(model.state_dict(), ...)',
    extensions: [],
    signatures: [],
    member: /(^|\/)constants\.pkl$/,
  },
  {
    title: 'a PyTorch checkpoint that was packed again',
    remedy: 'write it with torch.save',
    extensions: [],
    signatures: [],
    member: /(^|\/)data\.pkl$/,
  },
  {
    title: 'a Python pickle',
    remedy: SAVE_ARRAYS,
    extensions: ['.pkl', '.pickle', '.joblib'],
    // The last are of protocol 0, which is text: a class of a module, or a list or dictionary that is the first thing.
    signatures: ['\u0080\u0002', '\u0080\u0003', '\u0080\u0004', '\u0080\u0005', /^c[\w.]+\n\w+\n/, /^\([ld]p0\n/],
  },
  {
    title: 'an Excel workbook',
    remedy: SAVE_SHEET,
    extensions: ['.xlsx', '.xlsm', '.xlsb', '.xls'],
    // The older files of all programs of Office begin so.
    signatures: ['\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
    member: /^xl\/workbook\.(xml|bin)$/,
  },
  {
    title: 'an OpenDocument spreadsheet or text',
    remedy: 'save its table as .csv',
    extensions: ['.ods', '.odt'],
    signatures: [],
    member: /^content\.xml$/,
  },
  {
    title: 'a document of an office program',
    remedy: 'save its table as .csv',
    extensions: ['.docx', '.pptx', '.rtf'],
    signatures: ['{\\rtf'],
    member: /^(word\/document|ppt\/presentation)\.xml$/,
  },
  {
    title: 'a model of Keras',
    remedy: 'save the weights of its layers with numpy.save',
    extensions: ['.keras'],
    signatures: [],
    member: /^model\.weights\.h5$/,
  },
  {
    title: 'an ONNX model',
    remedy: 'save its weights as safetensors, or with onnx.numpy_helper and numpy.save',
    extensions: ['.onnx'],
    // A message of Protocol Buffers: the version of its representation, then a text or the graph. It has no mark.
    signatures: [
      // oxlint-disable-next-line no-control-regex -- the search is for these
      /^\u0008[\u0001-\u001f](\u0012[^]([\w. -]|[\u001a\u0022])|[\u001a\u0022][^][\w. -]|\u003a[^]|\u0042[^])/,
    ],
  },
  {
    title: 'a TensorFlow Lite model',
    remedy: SAVE_ARRAYS,
    extensions: ['.tflite'],
    signatures: [/^[^]{4}TFL3/],
  },
  {
    title: 'a GGML file, which GGUF has replaced',
    remedy: 'convert it to GGUF with convert_llama_ggml_to_gguf.py of llama.cpp',
    extensions: ['.ggml', '.ggjt'],
    // Marks of 32 bits, mostly in little-endian order: the last letter comes first.
    signatures: ['lmgg', 'fmgg', 'tjgg', 'algg', 'ggml', 'ggmf', 'ggjt'],
  },
  {
    title: 'a Parquet file',
    remedy: SAVE_TABLE,
    extensions: ['.parquet'],
    signatures: ['PAR1', 'PARE'],
  },
  {
    title: 'an Arrow or Feather file',
    remedy: SAVE_TABLE,
    extensions: ['.arrow', '.feather', '.ipc'],
    // The last is a stream, whose first message is marked and has a length.
    signatures: ['ARROW1', 'FEA1', /^\u00ff{4}[^]{2}\0\0/],
  },
  {
    title: 'an ORC, Avro or SQLite file',
    remedy: SAVE_TABLE,
    extensions: ['.orc', '.avro', '.sqlite', '.db'],
    // oxlint-disable-next-line no-control-regex -- the search is for these
    signatures: [/^ORC[\0-\u001f\u0080-\u00ff]/, 'Obj\u0001', 'SQLite format 3\0'],
  },
  {
    title: 'a PETSc binary file',
    remedy: 'write its matrix as .mtx with PetscBinaryIO and scipy.io.mmwrite',
    extensions: ['.petsc'],
    // The numbers of the classes of matrices, vectors and index sets.
    signatures: ['\0\u0012\u007b\u0050', '\0\u0012\u007b\u004e', '\0\u0012\u007b\u0052', '\u0050\u007b\u0012\0'],
  },
  {
    title: 'a NetCDF file',
    remedy: 'save its variable with scipy.io.netcdf_file and numpy.save',
    extensions: ['.nc', '.cdf'],
    signatures: ['CDF\u0001', 'CDF\u0002', 'CDF\u0005'],
  },
  {
    title: 'a PDF',
    remedy: 'copy its table into a .csv',
    extensions: ['.pdf'],
    signatures: ['%PDF-'],
  },
  {
    title: 'an image',
    remedy: 'save its pixels with Pillow and numpy.save',
    extensions: ['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.tif', '.tiff', '.webp', '.svg'],
    signatures: [
      '\u0089PNG',
      '\u00ff\u00d8\u00ff',
      'GIF87a',
      'GIF89a',
      /^BM[^]{4}\0{4}/,
      'II*\0',
      'MM\0*',
      /^RIFF[^]{4}WEBP/,
      /^(<\?xml[^>]*>\s*)?<svg\b/,
    ],
  },
  {
    title: 'a JSON list',
    remedy: 'write it as .csv, or with numpy.save(..., numpy.array(json.load(...)))',
    extensions: [],
    signatures: [/^(\u00ef\u00bb\u00bf)?\s*\[\s*([[{"\]]|[-\d.eE+\s]+[,\]])/],
  },
  {
    title: 'JSON that is no index of a model',
    remedy: 'write its numbers as .csv',
    extensions: ['.json', '.jsonl', '.ipynb'],
    signatures: [],
    isText: true,
  },
  {
    title: 'an .npy file whose bytes were taken for text and changed',
    remedy: TRANSFER_AGAIN,
    extensions: [],
    signatures: ['\u00ef\u00bf\u00bdNUMPY', '\u00c2\u0093NUMPY', '?NUMPY'],
  },
  {
    title: 'a gzip file whose bytes were taken for text and changed',
    remedy: TRANSFER_AGAIN,
    extensions: [],
    signatures: ['\u001f\u00ef\u00bf\u00bd\u0008', '\u001f\u00c2\u008b\u0008'],
  },
  {
    title: 'an HDF5 file whose line ends were changed',
    remedy: TRANSFER_AGAIN,
    extensions: [],
    signatures: ['\u0089HDF\n\u001a\n', '\u0089HDF\r\r\n\u001a\r\n', '\u0089HDF\r\n\u001a\r\n'],
  },
  {
    title: 'a bzip2, xz or Zstandard file',
    remedy: 'decompress it, or compress it with gzip',
    extensions: ['.bz2', '.xz', '.zst'],
    signatures: ['BZh', '\u00fd7zXZ\0', '\u0028\u00b5\u002f\u00fd'],
  },
  {
    title: 'a 7z, RAR, LZ4 or compress file',
    remedy: 'unpack it, or pack it with zip or gzip',
    extensions: ['.7z', '.rar', '.lz4', '.z'],
    signatures: ['7z\u00bc\u00af\u0027\u001c', 'Rar!\u001a\u0007', '\u0004\u0022\u004d\u0018', '\u001f\u009d'],
  },
  {
    title: 'a Rutherford-Boeing or Harwell-Boeing file',
    remedy: 'convert it to Matrix Market (.mtx)',
    extensions: ['.rb', '.rua', '.rsa', '.rra', '.pua', '.psa', '.cua', '.hb'],
    // The third line begins with a matrix type, such as RUA, and the second with counts of lines.
    signatures: [/^.*\n\s*\d+\s+\d+.*\n[rcpiq][sauzhr][ae]\s+\d+\s+\d+.*\n/i],
    isText: true,
  },
];

/** Throws ReadError if a file that begins with `head` is of a known, unsupported kind; `where`: its name. */
export function rejectUnsupported(head: Uint8Array, where = ''): void {
  // bounded: the first bytes of a file. No text decoder has a separate character for each byte.
  const text = String.fromCharCode(...head);
  const isBeginning = (begin: string | RegExp): boolean =>
    typeof begin === 'string' ? text.startsWith(begin) : begin.test(text);
  const kind = KINDS.find(({ signatures }) => signatures.some(isBeginning));
  if (kind) throw new ReadError(`${where && `${where}: `}found ${kind.title}; ${kind.remedy}`);
}

/** Throws ReadError if a zip archive with files of these names is of a known, unsupported kind. */
export function rejectMembers(names: readonly string[]): void {
  const kind = KINDS.find(({ member }) => member && names.some((name) => member.test(name)));
  if (kind) throw new ReadError(`found ${kind.title}; ${kind.remedy}`);
}

/**
 * Throws ReadError for text under a name whose ending means binary content, and for a name of an unsupported kind.
 * `supported`: the supported binary format that the ending means, in words; null if there is none.
 */
export function rejectByName(head: Uint8Array, name: string, supported: string | null): void {
  const kind = KINDS.find(({ extensions }) => extensions.some((ending) => name.toLowerCase().endsWith(ending)));
  const expected = supported ?? (kind?.isText ? null : kind?.title);
  // An empty file has no wrong bytes; its reader reports what is missing.
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

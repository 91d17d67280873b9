import { ReadError } from '../core/errors.ts';
import type { Region } from '../core/matrix/index.ts';

// The list of the example matrices that come with the application.

/** Path of the gallery's index, from the root of the site. */
const GALLERY_INDEX_PATH = 'examples/index.json';

/** Activations that the page can compute: their norms are needed to prune the weights that multiply them. */
export type KnownInputs = 'digits';

/** A matrix that is part of the application. */
export interface GalleryEntry {
  /** value in the URL; must never change */
  readonly id: string;
  readonly name: string;
  /** file name in the folder of the index */
  readonly file: string;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** what the matrix demonstrates, in one line */
  readonly about: string;
  /** how the matrix was made, in full */
  readonly provenance: string;
  /** SPDX identifier */
  readonly licence: string;
  /** the vectors that the matrix is multiplied by, if known: images of drawn digits, the training set first */
  readonly inputs?: KnownInputs;
  /** activations: outputs of a layer after its ReLU; absent: weights, or anything else */
  readonly holds?: 'activations';
  /** the cells to show first; by default those around the first non-zero */
  readonly window?: Region;
}

/** Path of an entry's file, from the root of the site. */
export function galleryFilePath(entry: Pick<GalleryEntry, 'file'>): string {
  return `examples/${entry.file}`;
}

/** Reads the index by its path from the root of the site. Throws ReadError if it is malformed. */
export async function loadGallery(fetchText: (path: string) => Promise<string>): Promise<readonly GalleryEntry[]> {
  const text = await fetchText(GALLERY_INDEX_PATH);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ReadError(`${GALLERY_INDEX_PATH}: found '${text.slice(0, 40)}', expected JSON`);
  }
  return parseGallery(json);
}

/** The entries of an index. Throws ReadError that names entry, field, found and expected. */
export function parseGallery(json: unknown): readonly GalleryEntry[] {
  if (!Array.isArray(json)) throw new ReadError(`${GALLERY_INDEX_PATH}: found no list of matrices`);
  const entries = json.map((value: unknown, i) => parseEntry(value, i));
  for (const [i, { id }] of entries.entries()) {
    const first = entries.findIndex((other) => other.id === id);
    if (first < i) throw wrong(i, 'id', id, `another one than entry ${first}`);
  }
  return entries;
}

function parseEntry(value: unknown, index: number): GalleryEntry {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const text = (name: string): string => {
    const field: unknown = fields.get(name);
    if (typeof field !== 'string' || field === '') throw wrong(index, name, field, 'text');
    return field;
  };
  const count = (name: string, from = fields): number => {
    const field: unknown = from.get(name);
    if (typeof field !== 'number' || !Number.isInteger(field) || field < 0) {
      throw wrong(index, name, field, 'a whole number');
    }
    return field;
  };
  const id = text('id');
  if (!/^[a-z0-9-]+$/.test(id)) throw wrong(index, 'id', id, 'lower case letters, digits and hyphens');
  const file = text('file');
  if (!/^[a-z0-9.-]+$/.test(file)) throw wrong(index, 'file', file, 'a file name without folders');
  const inputs: unknown = fields.get('inputs');
  if (inputs !== undefined && inputs !== 'digits') throw wrong(index, 'inputs', inputs, "'digits' or nothing");
  const holds: unknown = fields.get('holds');
  if (holds !== undefined && holds !== 'activations') throw wrong(index, 'holds', holds, "'activations' or nothing");
  const window: unknown = fields.get('window');
  const windowFields = new Map(typeof window === 'object' && window !== null ? Object.entries(window) : []);
  return {
    id,
    name: text('name'),
    file,
    rows: count('rows'),
    cols: count('cols'),
    nnz: count('nnz'),
    about: text('about'),
    provenance: text('provenance'),
    licence: text('licence'),
    ...(inputs !== undefined && { inputs }),
    ...(holds !== undefined && { holds }),
    ...(window !== undefined && {
      window: {
        row: count('row', windowFields),
        col: count('col', windowFields),
        rows: count('rows', windowFields),
        cols: count('cols', windowFields),
      },
    }),
  };
}

function wrong(index: number, field: string, found: unknown, expected: string): ReadError {
  return new ReadError(
    `${GALLERY_INDEX_PATH}, entry ${index}: found ${field} ${JSON.stringify(found) ?? 'missing'}, expected ${expected}`,
  );
}

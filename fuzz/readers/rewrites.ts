// Rewrites matrix files so that their bytes change and the matrix stays the same, for the fuzz target of readers.

import { gunzipSync, gzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import type { Random } from '../../src/core/number/random.ts';
import { pick } from '../pieces.ts';

/** Writes the same matrix in another way; null if the file cannot be rewritten. */
type Rewrite = (bytes: Uint8Array, random: Random) => Uint8Array | null;

/** Rewrites by the extension of the file. */
const REWRITES: Readonly<Record<string, Rewrite>> = {
  npy: rewrittenNpy,
  npz: rewrittenZip,
  zip: rewrittenZip,
  gz: rewrittenGzip,
  mtx: rewrittenMtx,
  csv: rewrittenTable,
  tsv: rewrittenTable,
  txt: rewrittenTable,
  tar: (bytes, random) => joined(bytes, new Uint8Array(512 * random.below(20))),
};

/** Returns a file with the same content in other bytes; null for a kind of file without a rewrite. */
export function rewritten(file: string, bytes: Uint8Array, random: Random): Uint8Array | null {
  const rewrite = REWRITES[file.slice(file.lastIndexOf('.') + 1)];
  return rewrite ? rewrite(bytes, random) : null;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(...all: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(all));
}

/** Encodes a text of latin1 characters as UTF-8, or as UTF-16 of either byte order with a byte order mark. */
function textBytes(text: string, random: Random): Uint8Array {
  const encoding = pick(random, ['utf-16be', 'utf-16le', 'utf-8', 'utf-8'] as const);
  if (encoding === 'utf-8') return encode(text);
  const isLittleEndian = encoding === 'utf-16le';
  const view = new DataView(new ArrayBuffer(2 + 2 * text.length));
  view.setUint16(0, 0xfeff, isLittleEndian);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + 2 * i, text.charCodeAt(i), isLittleEndian);
  return new Uint8Array(view.buffer);
}

/** Rewrites the header with another order of keys, other blanks and quotes, in another version. */
function rewrittenNpy(bytes: Uint8Array, random: Random): Uint8Array | null {
  const major = bytes[6];
  const start = major === 1 ? 10 : 12;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const header = Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
  const values = /^\{'descr': ('[^']*'), 'fortran_order': (\w+), 'shape': (\([^)]*\)), \}\s*$/.exec(header);
  if (!values) return null;
  const keys = ['descr', 'fortran_order', 'shape'].map((key, i) => [key, values[i + 1]] as const);
  // The keys are rotated by this number of positions.
  const rotation = random.below(3);
  const quote = pick(random, ["'", '"']);
  const space = (): string => ' '.repeat(random.below(3));
  const fields = [...keys.slice(rotation), ...keys.slice(0, rotation)].map(([key, value]) => {
    const newValue = value.replaceAll("'", pick(random, ["'", '"'])).replaceAll(', ', `,${space()}`);
    return `${quote}${key}${quote}${space()}:${space()}${newValue}`;
  });
  const newHeader = `{${space()}${fields.join(`${space()},${space()}`)}${pick(random, [',', ''])}${space()}}`;
  const version = pick(random, [1, 2, 3]);
  const padded = `${newHeader}${' '.repeat(random.below(70))}\n`;
  const head = new Uint8Array(version === 1 ? 10 : 12);
  head.set(bytes.subarray(0, 6));
  head[6] = version;
  const headView = new DataView(head.buffer);
  if (version === 1) headView.setUint16(8, padded.length, true);
  else headView.setUint32(8, padded.length, true);
  return joined(head, encode(padded), bytes.subarray(start + length));
}

/** Rewrites a zip archive with another order of entries, at other compression levels. */
function rewrittenZip(bytes: Uint8Array, random: Random): Uint8Array {
  const entries = Object.entries(unzipSync(bytes)).map(([name, content]) => [random.u32(), name, content] as const);
  entries.sort(([a], [b]) => a - b);
  return zipSync(
    Object.fromEntries(
      entries.map(([, name, content]) => [
        name,
        [content, { level: pick(random, [0, 1, 6, 9] as const), mtime: '2020-01-01' }],
      ]),
    ),
  );
}

/** Compresses at another level, into one or two gzip members. */
function rewrittenGzip(bytes: Uint8Array, random: Random): Uint8Array {
  const content = gunzipSync(bytes);
  const middle = random.below(2) === 0 ? 0 : random.below(content.length);
  const level = pick(random, [0, 1, 9]);
  const members = middle === 0 ? [content] : [content.subarray(0, middle), content.subarray(middle)];
  return joined(...members.map((member) => gzipSync(member, { level })));
}

/** Rewrites a Matrix Market file with other line ends, comments, blanks and capitals, and another order of entries. */
function rewrittenMtx(bytes: Uint8Array, random: Random): Uint8Array {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const [banner, ...rest] = lines;
  const comments = rest.filter((line) => line.startsWith('%'));
  const [size, ...entries] = rest.filter((line) => !line.startsWith('%'));
  if (/coordinate/i.test(banner)) {
    for (let i = entries.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [entries[i], entries[j]] = [entries[j], entries[i]];
    }
  }
  const blank = (): string => pick(random, [' ', '  ', '\t']);
  const withOtherBlanks = (line: string): string =>
    pick(random, ['', ' ']) + line.trim().split(/\s+/).join(blank()) + pick(random, ['', ' ']);
  const words = banner.split(/\s+/).map((word, i) => (i > 0 && random.below(2) === 0 ? word.toUpperCase() : word));
  const newComments = Array.from({ length: random.below(3) }, () => `%${blank()}a comment, 1 2 3`);
  const end = pick(random, ['\n', '\r\n']);
  // The banner begins with two percent signs or, as some programs write it, with one.
  const newBanner = words.join(' ').slice(random.below(2));
  const written = [
    newBanner,
    ...comments,
    ...newComments,
    ...[size, ...entries].map(withOtherBlanks),
    ...pick(random, [[], ['']]),
  ];
  return textBytes(written.join(end), random);
}

/** Rewrites a table with other line ends, with or without the last one, after comments. */
function rewrittenTable(bytes: Uint8Array, random: Random): Uint8Array | null {
  if (bytes[0] > 0x7f) return null;
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const comments = Array.from({ length: random.below(3) }, () => `${pick(random, ['#', '%', '//', ' # '])} 1, 2;3`);
  const written = [...comments, ...lines, ...pick(random, [[], ['']])];
  return textBytes(written.join(pick(random, ['\n', '\r\n'])), random);
}

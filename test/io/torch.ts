import { archive } from './zip.ts';

// For tests: builds pickles as torch.save writes them, and pickles that PyTorch would not write.

/** For tests: bytes of a pickle. In a text, each letter is one byte. */
export type Ops = string | readonly Ops[];

/** For tests: the opcodes for a value. */
export function value(content: string | number | boolean | null | readonly Ops[]): Ops {
  if (content === null) return 'N';
  if (typeof content === 'boolean') return content ? '\u0088' : '\u0089';
  if (typeof content === 'string') return ['X', littleEndian(content.length, 4), content];
  if (typeof content === 'number') return ['\u008a\u0008', littleEndian(content, 8)];
  return ['(', content, 't'];
}

/** For tests: a call of a function of a module. */
export const call = (module: string, name: string, ...args: readonly Ops[]): Ops => [
  'c',
  `${module}\n${name}\n`,
  value(args),
  'R',
];

/** For tests: a dictionary with texts as keys. */
export const dict = (entries: Readonly<Record<string, Ops>>): Ops => [
  '}(',
  ...Object.entries(entries).map(([key, content]): Ops => [value(key), content]),
  'u',
];

/** For tests: a storage of f32, or of another class. */
export const storage = (key: string, count: number, storageClass = 'FloatStorage'): Ops => [
  value([value('storage'), ['ctorch\n', `${storageClass}\n`], value(key), value('cpu'), value(count)]),
  'Q',
];

/** For tests: a tensor of whole numbers as offset, shape and strides. */
export const tensor = (content: Ops, offset: number, shape: readonly number[], strides: readonly number[]): Ops =>
  call(
    'torch._utils',
    '_rebuild_tensor_v2',
    content,
    value(offset),
    value(shape.map(value)),
    value(strides.map(value)),
    value(false),
    call('collections', 'OrderedDict'),
  );

/** For tests: a pickle of protocol 2. */
export function pickle(content: Ops): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(textOf(['\u0080\u0002', content, '.']), (letter) => letter.charCodeAt(0));
}

function textOf(content: Ops): string {
  return typeof content === 'string' ? content : content.map(textOf).join('');
}

/** For tests: the archive of torch.save, with the bytes of storages by key and perhaps other files. */
export function torchFile(
  content: Ops,
  storages: Readonly<Record<string, ArrayBufferView<ArrayBuffer>>>,
  otherFiles: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array<ArrayBuffer> {
  const data = Object.entries(storages).map(([key, { buffer, byteOffset, byteLength }]) => [
    `m/data/${key}`,
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
  return archive({ 'm/data.pkl': pickle(content), ...otherFiles, ...Object.fromEntries(data) }, 'stored');
}

/** A number as bytes in little-endian order. */
function littleEndian(number: number, bytes: number): string {
  const signed = BigInt.asUintN(8 * bytes, BigInt(number));
  return Array.from({ length: bytes }, (_, i) => String.fromCharCode(Number((signed >> BigInt(8 * i)) & 255n))).join(
    '',
  );
}

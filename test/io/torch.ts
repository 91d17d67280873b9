import { archive } from './zip.ts';

// For tests: pickles as torch.save writes them, put together by hand, also ones that PyTorch would not write.

/** For tests: bytes of a pickle; a text is one letter for a byte. */
export type Ops = string | readonly Ops[];

/** For tests: the opcodes for a value. */
export function value(of: string | number | boolean | null | readonly Ops[]): Ops {
  if (of === null) return 'N';
  if (typeof of === 'boolean') return of ? '\u0088' : '\u0089';
  if (typeof of === 'string') return ['X', little(of.length, 4), of];
  if (typeof of === 'number') return ['\u008a\u0008', little(of, 8)];
  return ['(', of, 't'];
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
  ...Object.entries(entries).map(([key, of]): Ops => [value(key), of]),
  'u',
];

/** For tests: a storage of f32, or of another class. */
export const storage = (key: string, count: number, storageClass = 'FloatStorage'): Ops => [
  value([value('storage'), ['ctorch\n', `${storageClass}\n`], value(key), value('cpu'), value(count)]),
  'Q',
];

/** For tests: a tensor of whole numbers as offset, shape and strides. */
export const tensor = (of: Ops, offset: number, shape: readonly number[], strides: readonly number[]): Ops =>
  call(
    'torch._utils',
    '_rebuild_tensor_v2',
    of,
    value(offset),
    value(shape.map(value)),
    value(strides.map(value)),
    value(false),
    call('collections', 'OrderedDict'),
  );

/** For tests: a pickle of protocol 2. */
export function pickle(of: Ops): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(textOf(['\u0080\u0002', of, '.']), (letter) => letter.charCodeAt(0));
}

function textOf(of: Ops): string {
  return typeof of === 'string' ? of : of.map(textOf).join('');
}

/** For tests: the archive of torch.save, with the bytes of storages by key and perhaps other files. */
export function torchFile(
  of: Ops,
  storages: Readonly<Record<string, ArrayBufferView<ArrayBuffer>>>,
  others: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array<ArrayBuffer> {
  const data = Object.entries(storages).map(([key, { buffer, byteOffset, byteLength }]) => [
    `m/data/${key}`,
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
  return archive({ 'm/data.pkl': pickle(of), ...others, ...Object.fromEntries(data) }, 'stored');
}

function little(number: number, bytes: number): string {
  const signed = BigInt.asUintN(8 * bytes, BigInt(number));
  return Array.from({ length: bytes }, (_, i) => String.fromCharCode(Number((signed >> BigInt(8 * i)) & 255n))).join(
    '',
  );
}

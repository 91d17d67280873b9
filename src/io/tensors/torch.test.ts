import { describe, expect, it } from 'vitest';
import { corpusBytes } from '../../../test/corpus.ts';
import { call, dict, type Ops, pickle, storage, tensor, torchFile, value } from '../../../test/io/torch.ts';
import { archive } from '../../../test/io/zip.ts';
import { CancelledError } from '../../core/errors.ts';
import { toDense } from '../../core/matrix/index.ts';
import { countMatrix, listTensors, type MatrixFile, readMatrix } from '../read.ts';

const SIX = Float32Array.of(1, 2, 3, 4, 5, 6);
const matrixTensor = tensor(storage('0', 6), 0, [2, 3], [3, 1]);
const open = (content: Ops, storages: Parameters<typeof torchFile>[1] = { 0: SIX }): MatrixFile => ({
  name: 'm.pt',
  bytes: torchFile(content, storages),
});
const rejection = async (file: MatrixFile): Promise<string> =>
  readMatrix(file).then(
    () => 'opened',
    (error: unknown) => (error instanceof Error ? error.message.replaceAll('\u202f', ',') : ''),
  );

/** A tensor of CSR or CSC, 2 x 3, with two entries. */
const compressed = (layout: string, pointers: readonly number[], indices: readonly number[]): MatrixFile => {
  const part = (key: string, count: number, name: string): Ops => tensor(storage(key, count, name), 0, [count], [1]);
  const content = call(
    'torch._utils',
    '_rebuild_sparse_tensor',
    call('torch.serialization', '_get_layout', value(`torch.sparse_${layout}`)),
    value([
      part('p', pointers.length, 'IntStorage'),
      part('i', indices.length, 'IntStorage'),
      part('v', 2, 'FloatStorage'),
      value([value(2), value(3)]),
    ]),
  );
  return open(content, { p: Int32Array.from(pointers), i: Int32Array.from(indices), v: SIX.slice(0, 2) });
};

/** Nested lists, each of which contains the list before it twice: there are 2^levels paths to the innermost. */
const nested = (levels: number): Ops => [
  ']q\u0000',
  Array.from({ length: levels }, (): Ops => ['0](h\u0000h\u0000eq\u0000']),
];

const HOSTILE: readonly (readonly [about: string, file: MatrixFile, message: string])[] = [
  ['a function', open(['cos\nsystem\n', value([value('ls')]), 'R']), 'byte 2 of the pickle: found os.system, expected'],
  [
    'a function by its parts',
    open([value('posix'), value('system'), '\u0093', value([]), 'R']),
    'found posix.system, expected the tensors, lists and dictionaries of a state dict',
  ],
  ['a function of the builtins', open('c__builtin__\neval\n'), 'found __builtin__.eval'],
  ['a type that is called', open(call('torch', 'FloatStorage')), 'found a call of torch.FloatStorage'],
  ['a long name', open(['c', 'a'.repeat(2000), '\nb\n']), 'name: found 2,000 bytes, expected at most 1,024'],
  ['an unknown opcode', open('I1\n'), 'byte 2 of the pickle: found opcode 0x49, expected one of a state dict'],
  ['another protocol', open('\u0080\u0006'), 'found protocol 6, expected at most 5'],
  ['an empty stack', open('\u0085'), 'found 0 values on the stack, expected 1'],
  ['values before a mark', open('N(\u0085'), 'found 0 values on the stack, expected 1'],
  ['no mark', open('t'), 'found no mark on the stack'],
  ['an unknown reference', open('h\u0007'), 'found a reference to value 7, expected one that was read'],
  ['a key alone', open(['}(', value('a'), 'u']), 'found a key without a value'],
  ['items of a number', open(['K\u0001', 'Na']), 'found items of what is no list'],
  ['a huge number', open(['\u008b\u0000\u0000\u0001\u0000']), 'number: found 65,536 bytes, expected at most 255'],
  ['a text beyond the end', open('X\u00ff\u00ff\u00ff\u00ff'), 'of the pickle: found the end, expected more'],
  ['no end', { name: 'm.pt', bytes: archive({ 'm/data.pkl': pickle('N').slice(0, -1) }) }, 'found the end'],
  ['too many opcodes', open('N0'.repeat(2 ** 21)), 'pickle: found 4,194,305 opcodes, expected at most 4,194,304'],
  ['lists that repeat lists', open(nested(40)), 'checkpoint: found 1,048,577 objects, expected at most 1,048,576'],
  ['a list in itself', open(']q\u0000h\u0000a'), 'levels of lists and dictionaries, expected at most 64'],
  [
    'two tensors of one name',
    open(dict({ 'a.b': matrixTensor, a: dict({ b: matrixTensor }) })),
    "found two tensors named 'a.b'",
  ],
  [
    'a subclass within itself',
    open(
      call(
        'torch._tensor',
        '_rebuild_from_type_v2',
        'ctorch._tensor\n_rebuild_from_type_v2\n',
        'ctorch\nTensor\n',
        ')',
      ),
    ),
    'found a tensor of a subclass',
  ],
  ['a negative stride', open(tensor(storage('0', 6), 5, [2, 3], [-3, 1])), 'found -3 as strides'],
  ['strides of another length', open(tensor(storage('0', 6), 0, [2, 3], [1])), 'found 1 stride, expected 2'],
  [
    'a view beyond its storage',
    open(tensor(storage('0', 6), 1, [2, 3], [3, 1])),
    'm.pt: tensor: found 6 elements from element 1, expected them within the storage of 6',
  ],
  [
    'a number that a view repeats',
    open(tensor(storage('0', 6), 0, [2 ** 30, 2 ** 30], [0, 0])),
    'elements that repeat a storage of 6, expected at most 262144; save tensor.clone()',
  ],
  ['a storage that is missing', open(matrixTensor, {}), 'm.pt: tensor: found no m/data/0 in the archive'],
  ['a storage that is short', open(matrixTensor, { 0: SIX.slice(1) }), 'found 20 bytes in m/data/0, expected 24'],
  [
    'another byte order',
    { name: 'm.pt', bytes: torchFile(matrixTensor, { 0: SIX }, { 'm/byteorder': Uint8Array.of(0x78) }) },
    "byteorder: found 'x', expected little or big",
  ],
  [
    'a shape of more cells than there are numbers',
    open(tensor(storage('0', 6), 0, Array<number>(40).fill(2 ** 50), Array<number>(40).fill(1))),
    'found ',
  ],
  ['no tensor', open(dict({ epoch: value(3) })), 'm.pt: found no tensor'],
  ['pointers that descend', compressed('csc', [0, 2, 1, 2], [0, 1]), 'tensor, pointers: found 1 after 2'],
  ['pointers that end early', compressed('csr', [0, 1, 1], [0, 1]), 'tensor, pointers: found 0 to 1, expected 0 to 2'],
  ['pointers beyond the entries', compressed('csr', [0, 1, 9], [0, 1]), 'found 9 at index 2, expected from 0 to 2'],
  [
    'a column too far',
    compressed('csr', [0, 1, 2], [0, 3]),
    'tensor, indices: found 3 at index 1, expected from 0 to 2',
  ],
  [
    'a negative row',
    compressed('csc', [0, 1, 2, 2], [0, -1]),
    'tensor, indices: found -1 at index 1, expected from 0 to 1',
  ],
  ['too few pointers', compressed('csc', [0, 1, 2], [0, 1]), 'found indices of shape (3), expected (4)'],
  ['no content', { name: 'm.pt', bytes: Uint8Array.of(1, 2, 3) }, 'byte 0: found neither a zip archive nor a pickle'],
];

describe('a checkpoint', () => {
  it.each(HOSTILE)('with %s is rejected, and nothing is executed', async (_, file, message) => {
    expect(await rejection(file)).toContain(message);
  });

  it('opens under any name by its content', async () => {
    const { bytes } = open(value([value('a.npy'), matrixTensor])) as { bytes: Uint8Array };
    for (const name of ['pytorch_model.bin', 'm', 'm.csv', 'm.zip']) {
      const { matrix, format, tensor: chosen } = await readMatrix({ name, bytes });
      expect([format, chosen, ...toDense(matrix)]).toEqual(['pt', '1', ...SIX]);
    }
  });

  it.each([
    [
      [2, 3],
      [3, 1],
    ],
    [
      [3, 2],
      [1, 3],
    ],
    [
      [2, 2],
      [3, 2],
    ],
    // As many cells as elements from the first to the last, but not the same.
    [
      [3, 2],
      [0, 5],
    ],
    [
      [2, 1],
      [1, 9],
    ],
  ])('counts a view of shape %j and strides %j as it reads it', async (shape, strides) => {
    const file = open(tensor(storage('0', 6), 0, shape, strides), { 0: Float32Array.of(1, 0, 3, 0, 5, 0) });
    const { matrix, ...rest } = await readMatrix(file);
    expect(await countMatrix(file)).toEqual({ ...rest, rows: matrix.rows, cols: matrix.cols, nnz: matrix.nnz });
  });

  it('names its tensors by the keys on the way to them, and states types and bytes', async () => {
    const f16Tensor = tensor(storage('1', 4, 'HalfStorage'), 1, [3], [1]);
    const content = dict({
      model: dict({ w: matrixTensor, 'x.y': f16Tensor }),
      list: [']', matrixTensor, 'a'],
      epoch: value(7),
    });
    const { tensors } = await listTensors(open(content, { 0: SIX, 1: new Uint16Array(4) }));
    expect(tensors?.map(({ name, shape, dtype, bytes, refused }) => [name, shape, dtype, bytes, refused])).toEqual([
      ['model.w', [2, 3], 'f32', 24, null],
      ['model.x.y', [3], 'f16', 6, null],
      ['list.0', [2, 3], 'f32', 24, null],
    ]);
  });

  it('may contain dictionaries as Python 2 wrote them, namespaces, and attributes of dictionaries', async () => {
    const pairs = call('collections', 'OrderedDict', [']', value([value('w'), matrixTensor]), 'a']);
    const space = ['cargparse\nNamespace\n)\u0081', dict({ t: matrixTensor }), 'b'];
    const counts = call('collections', 'Counter', dict({ a: value(1) }));
    const { tensors } = await listTensors(open(dict({ pairs, counts, args: space })));
    expect(tensors?.map(({ name }) => name)).toEqual(['pairs.w', 'args.__dict__.t']);
  });

  it('is read soon however often it names a long list', async () => {
    const items = Array.from({ length: 50_000 }, (): Ops => '(NNt');
    const again = 'h\u0002h\u0001\u0085R0h\u0003h\u0003b0'.repeat(50_000);
    const content = [[']q\u0001(', items, 'e0ccollections\nOrderedDict\nq\u00020}q\u00030'], again, matrixTensor];
    expect((await readMatrix(open(content))).matrix.nnz).toBe(6);
  });

  it('rounds a view of f64 once, and counts only the numbers of the view', async () => {
    const content = tensor(storage('0', 6, 'DoubleStorage'), 0, [2, 2], [3, 2]);
    const { matrix, notes } = await readMatrix(open(content, { 0: Float64Array.of(0.1, 0.2, 0.5, 1e300, 0.3, 4) }));
    expect([...toDense(matrix)]).toEqual([Math.fround(0.1), 0.5, Infinity, 4]);
    expect(notes.join(' ')).toMatch(/^1 value .*1 value /);
  });

  it('sums duplicates of a sparse tensor in f64, as they are in the file', async () => {
    const { notes, matrix } = await readMatrix(compressed('csr', [0, 2, 2], [1, 1]));
    expect([...toDense(matrix)]).toEqual([0, 3, 0, 0, 0, 0]);
    expect(notes).toEqual(['1 cell has duplicate entries, summed.']);
  });

  it('can be cancelled while its pickle is read', async () => {
    const job = { report: () => {}, cancelled: false };
    const reading = readMatrix(open('N0'.repeat(10 ** 6)), {}, job);
    setTimeout(() => (job.cancelled = true));
    await expect(reading).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('a checkpoint of the legacy format', () => {
  const head = corpusBytes('torch/bare-legacy.pt').slice(0, corpusBytes('torch/bare-legacy.pt').indexOf(0x7d) - 2);
  const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts));
  const count = (n: number): Uint8Array => new Uint8Array(BigUint64Array.of(BigInt(n)).buffer);
  const legacy = (content: Ops, keys: Ops, ...storages: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
    joined(head, pickle('}'), pickle(content), pickle(keys), ...storages);
  const KEY = [']', value('0'), 'a'];
  const cells = joined(count(6), new Uint8Array(SIX.buffer));

  it('may have a pickle that is longer than the part that is read first', async () => {
    const content = dict({ text: value('a'.repeat(400_000)), w: matrixTensor });
    const { matrix } = await readMatrix({ name: 'm', bytes: legacy(content, KEY, cells) });
    expect([...toDense(matrix)]).toEqual([...SIX]);
  });

  it('that ends early lists which tensors are missing', async () => {
    const content = dict({ a: matrixTensor, b: tensor(storage('1', 6), 0, [6], [1]) });
    const bytes = legacy(content, [']', value('0'), 'a', value('1'), 'a'], cells, cells.slice(0, -1));
    const { tensors, truncation } = await listTensors({ name: 'm', bytes });
    expect(tensors?.map(({ refused }) => refused?.replace(/\d+/g, 'N') ?? null)).toEqual([
      null,
      'found N bytes at byte N, expected them within the file of N',
    ]);
    expect(truncation).toMatch(/the file ends 1 byte early, and 1 of 2 tensors cannot be read$/);
    expect((await readMatrix({ name: 'm', bytes }, { tensor: 'a' })).matrix.nnz).toBe(6);
  });

  it.each([
    ['another count of elements', legacy(matrixTensor, KEY, count(5)), 'found 24 bytes at byte'],
    ['a wrong count', legacy(matrixTensor, KEY, count(7), cells.slice(8)), 'found a storage of 7 elements, expected 6'],
    [
      'a key of no storage',
      legacy(matrixTensor, [']', value('9'), 'a']),
      "found the key '9', expected one of a storage",
    ],
    ['no keys', legacy(matrixTensor, 'N'), 'found no list of storages'],
    ['a storage without a key', legacy(matrixTensor, ']'), 'tensor: found no storage 0 in the file'],
    ['another version', joined(head.slice(0, -6), pickle(value(9))), 'found version 9 of torch.save, expected 1001'],
    [
      'two sizes of a storage',
      legacy(value([matrixTensor, tensor(storage('0', 7), 0, [7], [1])]), KEY, cells),
      'found storage 0 with two sizes, expected one',
    ],
    ['no end', head, 'of the pickle: found the end, expected more'],
  ])('with %s is rejected', async (_, bytes, message) => {
    expect(await rejection({ name: 'm', bytes })).toContain(message);
  });
});

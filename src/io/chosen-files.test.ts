import { describe, expect, it } from 'vitest';
import { ggufFile } from '../../test/io/gguf.ts';
import { bytesOf, safetensorsFile } from '../../test/io/safetensors.ts';
import { toDense } from '../core/matrix/index.ts';
import { listTensors, readMatrix } from './read.ts';

interface ChosenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const text = (name: string, content: string): ChosenFile => ({ name, bytes: new TextEncoder().encode(content) });
const tensors = (name: string, content: Readonly<Record<string, number>>): ChosenFile => ({
  name,
  bytes: safetensorsFile(
    Object.fromEntries(
      Object.entries(content).map(([tensor, value]) => [
        tensor,
        { dtype: 'F32', shape: [1, 1], bytes: bytesOf(Float32Array.of(value)) },
      ]),
    ),
  ),
});
const mtx = (name: string, value: number): ChosenFile =>
  text(name, `%%MatrixMarket matrix array real general\n1 1\n${value}\n`);

const CONFIG = text('config.json', '{"hidden_size": 1}');
const ONE = tensors('model-00001-of-00002.safetensors', { 'layers.0': 1, 'layers.2': 3 });
const TWO = tensors('model-00002-of-00002.safetensors', { 'layers.1': 2 });

async function opened(files: readonly ChosenFile[], tensor?: string): Promise<unknown[]> {
  const found = await readMatrix(files, tensor === undefined ? {} : { tensor });
  return [found.file, found.format, found.tensor, [...toDense(found.matrix)], found.notes];
}

describe('several files at once', () => {
  it('are one list of tensors where they are shards without an index', async () => {
    for (const files of [
      [ONE, TWO],
      [CONFIG, TWO, ONE],
    ]) {
      expect((await listTensors(files)).tensors?.map(({ name }) => name)).toEqual(['layers.0', 'layers.1', 'layers.2']);
    }
    expect(await opened([TWO, ONE], 'layers.1')).toEqual([ONE.name, 'safetensors', 'layers.1', [2], []]);
    expect(await opened([CONFIG, ONE, TWO], 'layers.2')).toEqual([
      ONE.name,
      'safetensors',
      'layers.2',
      [3],
      ['Not opened: config.json.'],
    ]);
  });

  it('say which shards are missing, and whose', async () => {
    const [first, third] = [tensors('w-1-of-3.safetensors', { a: 1 }), tensors('w-3-of-3.safetensors', { b: 2 })];
    const other = tensors('v-2-of-3.safetensors', { a: 5 });
    expect(await opened([third, other, first], 'b')).toEqual([
      'w-1-of-3.safetensors',
      'safetensors',
      'b',
      [2],
      ['2 of the 3 files of these tensors were opened together.', 'Not opened: v-2-of-3.safetensors.'],
    ]);
  });

  it('are one list of tensors where a GGUF file was split', async () => {
    const part = (name: string, tensor: string, value: number): ChosenFile => ({
      name,
      bytes: ggufFile([{ name: tensor, kind: 0, shape: [1, 32], bytes: bytesOf(new Float32Array(32).fill(value)) }]),
    });
    const files = [part('w-00001-of-00002.gguf', 'a', 1), part('w-00002-of-00002.gguf', 'b', 2)];
    expect((await opened(files, 'b')).slice(0, 4)).toEqual([
      'w-00001-of-00002.gguf',
      'gguf',
      'b',
      Array<number>(32).fill(2),
    ]);
  });

  it('are refused where two shards have the same tensor, or one is broken', async () => {
    const again = tensors(TWO.name, { 'layers.0': 2 });
    await expect(readMatrix([ONE, again])).rejects.toThrow('model-00002-of-00002.safetensors: found layers.0 twice');
    const broken = { name: TWO.name, bytes: TWO.bytes.subarray(0, 4) };
    await expect(readMatrix([ONE, broken])).rejects.toThrow(
      /^model-00002-of-00002\.safetensors: byte 4: found the end/,
    );
  });

  it('are passed over where they are no matrix, and all others are named in a note', async () => {
    const one = mtx('one.mtx', 7);
    expect(await opened([one, mtx('two.mtx', 8)])).toEqual(['one.mtx', 'mtx', null, [7], ['Not opened: two.mtx.']]);
    expect(await opened([CONFIG, tensors('w.safetensors', { a: 4 })])).toEqual([
      'w.safetensors',
      'safetensors',
      'a',
      [4],
      ['Not opened: config.json.'],
    ]);
    const beside = ['README.md', 'tokenizer.json', 'merges.txt', 'vocab.json'].map((name) => text(name, 'x'));
    expect((await opened([...beside, text('empty.mtx', ''), text('w.unknown', '1,2\n3,4\n')])).at(-1)).toEqual([
      'Not opened: empty.mtx, README.md, tokenizer.json and 2 more.',
    ]);
    expect((await opened([text('.DS_Store', 'x'), text('._one.mtx', 'x'), one])).at(-1)).toEqual([]);
  });

  it('are read by the index among them', async () => {
    const index = text(
      'model.safetensors.index.json',
      JSON.stringify({ weight_map: { 'layers.0': ONE.name, 'layers.1': TWO.name } }),
    );
    expect(await opened([CONFIG, ONE, TWO, index], 'layers.1')).toEqual([
      index.name,
      'safetensors-index',
      'layers.1',
      [2],
      ['Not opened: config.json.'],
    ]);
  });

  it('are refused by the first where none is a matrix', async () => {
    await expect(readMatrix([CONFIG, text('a.md', 'x')])).rejects.toThrow(
      /^config\.json: found a file of an unknown kind/,
    );
  });
});

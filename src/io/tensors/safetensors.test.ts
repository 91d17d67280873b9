import { describe, expect, it } from 'vitest';
import { toDense } from '../../core/matrix/index.ts';
import { listTensors, type MatrixFile, readMatrix } from '../read.ts';
import { safetensorsFile, type TestTensor } from '../../../test/io/safetensors.ts';

describe('safetensors', () => {
  it('reads only the header and the bytes of the chosen tensor', async () => {
    const w: TestTensor = { dtype: 'F32', shape: [1024, 256], bytes: new Uint8Array(2 ** 20) };
    const bytes = safetensorsFile({ a: w, b: { dtype: 'U8', shape: [1, 2], bytes: Uint8Array.of(3, 4) }, c: w });
    const read: number[] = [];
    const blob = new Blob([bytes]);
    const counting = Object.assign(blob, {
      slice(from: number, to: number) {
        read.push(to - from);
        return Blob.prototype.slice.call(blob, from, to);
      },
    });
    const { matrix } = await readMatrix(counting, { tensor: 'b' });
    expect([...toDense(matrix)]).toEqual([3, 4]);
    expect(read.length).toBeGreaterThan(2);
    expect(read.reduce((sum, n) => sum + n, 0)).toBeLessThan(1000);
  });
});

describe('sharded safetensors', () => {
  const tensorOf = (value: number): TestTensor => ({ dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(value) });
  const index: MatrixFile = {
    name: 'model.safetensors.index.json',
    bytes: new TextEncoder().encode(
      '{"metadata": {}, "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}',
    ),
  };
  const first: MatrixFile = { name: 'model-1.safetensors', bytes: safetensorsFile({ a: tensorOf(1) }) };
  const second: MatrixFile = { name: 'model-2.safetensors', bytes: safetensorsFile({ b: tensorOf(2) }) };

  it('opens a tensor of any file that was given with the index', async () => {
    const { matrix } = await readMatrix([second, index, first], { tensor: 'b' });
    expect([...toDense(matrix)]).toEqual([2]);
  });

  it('rejects an index of more tensors than any model has', async () => {
    const names = Array.from({ length: 250_001 }, (_, i) => `"${i}":"a"`).join();
    const bytes = new TextEncoder().encode(`{"weight_map": {${names}}}`);
    await expect(listTensors({ name: 'model.safetensors.index.json', bytes })).rejects.toThrow(
      'weight_map: found 250\u202f001 tensors, expected at most 250\u202f000',
    );
  });

  it('reports that a file is a pointer of Git LFS', async () => {
    const bytes = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n');
    await expect(listTensors([index, { name: 'model-1.safetensors', bytes }])).rejects.toThrow(
      'model.safetensors.index.json: model-1.safetensors: found a pointer of Git LFS, not the file itself; fetch the file with git lfs pull',
    );
  });

  it('names the missing file', async () => {
    const { tensors } = await listTensors([index, first]);
    expect(tensors?.map((t) => t.refused)).toEqual([null, 'found no model-2.safetensors next to the index']);
    await expect(readMatrix(index)).rejects.toThrow(
      'found the index alone, expected also its 2 files, such as model-1.safetensors: open them all together',
    );
  });
});

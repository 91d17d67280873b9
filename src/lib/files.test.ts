import { describe, expect, it } from 'vitest';
import { bytesOf, safetensorsFile } from '../../test/io/safetensors.ts';
import { CancelledError, ReadError } from '../core/errors.ts';
import { listTensors, readMatrix } from './files.ts';

const weights = { dtype: 'F32', shape: [2, 2], bytes: bytesOf(Float32Array.of(1, 0, 2, 0)) };
const bytes = safetensorsFile({ a: weights, b: weights, c: { ...weights, shape: [1, 2, 2] } });

describe('listTensors', () => {
  it('lists what readMatrix opens by name, and says why it rejects the others', async () => {
    const { tensors, ...rest } = await listTensors({ name: 'layers.safetensors', bytes });
    expect(rest).toEqual({ format: 'safetensors', preferred: null, truncation: null });
    const listed = { dtype: 'f32', shape: [2, 2], bytes: 16, rejected: null };
    expect(tensors).toEqual([
      { name: 'a', ...listed },
      { name: 'b', ...listed },
      { name: 'c', ...listed, shape: [1, 2, 2], rejected: expect.stringMatching(/^found .*, expected /) as string },
    ]);
    for (const { name, rejected } of tensors) {
      const opened = readMatrix({ name: 'layers.safetensors', bytes }, { tensor: name });
      if (rejected === null) await expect(opened).resolves.toMatchObject({ tensor: name });
      else await expect(opened).rejects.toThrow(rejected);
    }
  });

  it('lists nothing for one matrix, and the tensor that needs no name', async () => {
    const mtx = new TextEncoder().encode('%%MatrixMarket matrix coordinate real general\n2 2 0\n');
    const none = { format: 'mtx', tensors: [], preferred: null, truncation: null };
    expect(await listTensors({ name: 'a.mtx', bytes: mtx })).toEqual(none);
    expect(await listTensors(new File([safetensorsFile({ w: weights })], 'w'))).toMatchObject({ preferred: 'w' });
  });

  it('reports where a file ends too early, and rejects what is no file of matrices', async () => {
    expect(await listTensors({ name: 'cut', bytes: bytes.subarray(0, -1) })).toMatchObject({
      truncation: expect.stringMatching(/^found .*, expected .*: the file ends 1 byte early/) as string,
    });
    await expect(listTensors({ name: 'x', bytes: new Uint8Array(0) })).rejects.toThrow(ReadError);
    const job = { report: () => {}, cancelled: true };
    await expect(listTensors({ name: 'x', bytes }, job)).rejects.toThrow(CancelledError);
  });
});

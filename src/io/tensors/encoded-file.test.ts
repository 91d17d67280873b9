import { expect, it } from 'vitest';
import { npyFile, npyWithHeader } from '../../../test/io/npy.ts';
import { archive, floats } from '../../../test/io/zip.ts';
import { ReadError } from '../../core/errors.ts';
import { type EncodedFile, readEncodedFile } from './encoded-file.ts';

const opened = (values: Uint8Array): Promise<EncodedFile> => {
  const facts = new TextEncoder().encode('{"format":"coo","rows":"1"}');
  return readEncodedFile({ name: 'a.npz', bytes: archive({ 'meta.json': facts, 'values.npy': values }) });
};

it('reads the arrays of a format', async () => {
  expect((await opened(floats([2], [1, -2]))).arrays).toEqual({ values: Float32Array.of(1, -2) });
});

const dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

it.each([
  [
    'of big-endian numbers',
    npyFile({ descr: '>f4', shape: [2] }, [1, 2], (view, at, value) => view.setFloat32(at, value)),
    'a.npz: found values of another type, expected the arrays of a format in .npz or .safetensors',
  ],
  ['that is cut within a number', npyWithHeader(dictionary, 6), 'a.npz: found 6 bytes of values, expected 8'],
  ['with more numbers than its shape', npyWithHeader(dictionary, 12), 'a.npz: found 12 bytes of values, expected 8'],
])('refuses an array %s', async (_, values, sentence) => {
  await expect(opened(values)).rejects.toThrow(new ReadError(sentence));
});

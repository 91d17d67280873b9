import { expect, it } from 'vitest';
import { npyFile, npyWithHeader } from '../../../test/io/npy.ts';
import { archive, floats } from '../../../test/io/zip.ts';
import { ReadError } from '../../core/errors.ts';
import { safetensorsFile, safetensorsWith } from '../../../test/io/safetensors.ts';
import { type EncodedFile, OtherFileError, readEncodedFile } from './encoded-file.ts';

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
  ['that ends within a number', npyWithHeader(dictionary, 6), 'a.npz: found 6 bytes of values, expected 8'],
  ['with more numbers than its shape', npyWithHeader(dictionary, 12), 'a.npz: found 12 bytes of values, expected 8'],
])('rejects an array %s', async (_, values, message) => {
  await expect(opened(values)).rejects.toThrow(new ReadError(message));
});

const text = (words: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(words);
const EXPECTED = 'expected the arrays of a format in .npz or .safetensors';

it.each([
  ['a text', text('%%MatrixMarket matrix'), 'found a file of another kind'],
  ['nothing', text(''), 'found a file of another kind'],
  ['a safetensors file of a model', safetensorsFile({}), 'found no format with rows in its metadata'],
  ['a safetensors file without metadata', safetensorsWith('{}'), 'found no metadata'],
  ['an archive of arrays', archive({ 'values.npy': floats([2], [1, 2]) }), 'found no metadata'],
  [
    'an archive with metadata of others',
    archive({ 'meta.json': text('{"format":"pt"}') }),
    'found no format with rows in its metadata',
  ],
])('distinguishes %s from a broken file', async (_, bytes, found) => {
  const reading = readEncodedFile({ name: 'a', bytes });
  await expect(reading).rejects.toThrow(OtherFileError);
  await expect(reading).rejects.toThrow(`a: ${found}, ${EXPECTED}`);
});

it('rejects a file with a truncated header as broken, with the name of the file', async () => {
  const reading = readEncodedFile({ name: 'a', bytes: safetensorsFile({}).subarray(0, 20) });
  await expect(reading).rejects.not.toThrow(OtherFileError);
  await expect(reading).rejects.toThrow(/^a: header: found 12 of \d+ bytes: the file ends /);
});

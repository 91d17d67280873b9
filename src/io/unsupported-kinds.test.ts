import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archive, floats } from '../../test/io/zip.ts';
import { readMatrix } from './read.ts';

const latin1 = (content: string): Uint8Array<ArrayBuffer> => Uint8Array.from(content, (c) => c.charCodeAt(0));
const byte = latin1('x');

/** The first bytes of files of each kind, as programs write them, and the name of the kind in messages. */
const KINDS: readonly (readonly [kind: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ['an Excel workbook; save its sheet as .csv', archive({ '[Content_Types].xml': byte, 'xl/workbook.xml': byte })],
  ['an Excel workbook; save its sheet as .csv', archive({ 'docProps/app.xml': byte, 'xl/workbook.bin': byte })],
  ['an Excel workbook', latin1('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1\0\0')],
  ['an OpenDocument spreadsheet or text', archive({ mimetype: byte, 'content.xml': byte })],
  ['a document of an office program', archive({ 'word/document.xml': byte })],
  ['a model of Keras', archive({ 'config.json': byte, 'model.weights.h5': byte })],
  ['a PyTorch checkpoint that was packed again', archive({ ['a'.repeat(600)]: byte, 'archive/data.pkl': byte })],
  ['a TorchScript program', archive({ 'm/data.pkl': byte, 'm/constants.pkl': byte })],
  ['a TorchScript program', archive({ 'm/data/0': byte, 'm/data.pkl': byte, 'm/constants.pkl': byte })],
  ['an ONNX model', latin1('\u0008\u0008\u0012\u0007pytorch\u001a\u00052.1.0')],
  ['an ONNX model', latin1('\u0008\u0003\u0012\u0009onnx-test:')],
  ['an ONNX model', latin1('\u0008\u000a:\u0080\u0001\u000a\u0010')],
  ['a TensorFlow Lite model', latin1('\u001c\0\0\0TFL3')],
  ['a GGML file, which GGUF has replaced', latin1('lmgg\0\0\0\0')],
  ['a GGML file', latin1('tjgg\u0003\0\0\0')],
  ['a GGML file', latin1('fmgg\u0001\0\0\0')],
  ['a Parquet file', latin1('PAR1\u0015\u0004')],
  ['an Arrow or Feather file', latin1('ARROW1\0\0')],
  ['an Arrow or Feather file', latin1('FEA1\0\0\0\0')],
  ['an Arrow or Feather file', latin1('\u00ff\u00ff\u00ff\u00ff\u00a8\0\0\0')],
  ['an ORC, Avro or SQLite file', latin1('Obj\u0001\u0004')],
  ['a PETSc binary file', latin1('\0\u0012{P\0\0\0\u0003')],
  ['a NetCDF file', latin1('CDF\u0001\0\0')],
  ['a PDF; copy its table into a .csv', latin1('%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n<< >>\n')],
  ['an image', latin1('\u0089PNG\r\n\u001a\n')],
  ['an image', latin1('GIF89a\0')],
  ['an image', latin1('BM\u0036\u0010\u000e\0\0\0\0\0')],
  ['a JSON list', latin1('[[1, 2], [3, 4]]')],
  ['a JSON list', latin1('\u00ef\u00bb\u00bf[\n  1.5,\n  2\n]')],
  ['a JSON list', latin1('[{"a": 1}]')],
  ['a Python pickle', latin1('cnumpy.core.multiarray\n_reconstruct\np0\n')],
  ['a Python pickle', latin1('(lp0\nI1\n')],
  ['a 7z, RAR, LZ4 or compress file', latin1('7z\u00bc\u00af\u0027\u001c')],
  ['an .npy file whose bytes were taken for text', latin1('\u00ef\u00bf\u00bdNUMPY\u0001\0')],
  ['a gzip file whose bytes were taken for text', latin1('\u001f\u00ef\u00bf\u00bd\u0008\0')],
  ['an HDF5 file whose line ends were changed', latin1('\u0089HDF\n\u001a\n')],
  ['an HDF5 file; ', latin1('\u0089HDF\r\n\u001a\n')],
  ['a MATLAB or Octave file; ', latin1('MATLAB 7.3 MAT-file, Platform')],
];

it.each(KINDS)('%s is named by its content, whatever its name, and in gzip', async (kind, bytes) => {
  for (const name of ['a', 'a.csv', 'a.npy', 'a.safetensors', 'a.txt', 'a.mtx', 'a.zip']) {
    await expect(readMatrix({ name, bytes }), name).rejects.toThrow(`${name}: found ${kind}`);
  }
  await expect(readMatrix({ name: 'a.gz', bytes: new Uint8Array(gzipSync(bytes)) })).rejects.toThrow(
    `a.gz: found ${kind}`,
  );
});

it('a table or an .npz that begins like a file of an unsupported kind is still read', async () => {
  for (const text of ['BMI,age\n21,40\n', 'ORC,PAR\n1,2\n', 'CDF,Obj\n1,2\n', 'GIF,seven\n1,2\n', '%PDF\n1,2\n3,4\n']) {
    expect((await readMatrix({ name: 'a.csv', bytes: latin1(text) })).matrix.cols, text).toBe(2);
  }
  const npz = archive({ 'content.npy': floats([1, 1], [1]) });
  expect((await readMatrix({ name: 'a', bytes: npz })).matrix.rows).toBe(1);
});

it('a file whose content is of no known kind is named by the ending of its name', async () => {
  for (const [name, kind] of [
    ['config.json', 'JSON that is no index of a model'],
    ['model.onnx', 'an ONNX model'],
    ['a.mat', 'a MATLAB or Octave file'],
  ]) {
    const bytes = name.endsWith('.json') ? latin1('{"a": 1}') : latin1('\u0001\u0002\u0003');
    await expect(readMatrix({ name, bytes })).rejects.toThrow(`${name}: found ${kind}`);
  }
});

it('the supported kinds are listed in full for a file of no known kind', async () => {
  const message = await readMatrix({ name: 'a', bytes: latin1('\u0001\u0002\u0003') }).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  for (const ending of '.npy .mtx .smtx .csv .tsv .txt .npz .safetensors .gguf .pt .pth .tar .tgz .zip .gz'.split(
    ' ',
  )) {
    expect(message).toContain(ending);
  }
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safetensorsWith } from '../../../test/io/safetensors.ts';
import { CancelledError } from '../../core/errors.ts';
import { NO_JOB, type Progress } from '../../core/job.ts';
import { fileSource } from '../source.ts';
import { isSafetensors, missingBytes, readSafetensorsHeader, type StoredTensor } from './safetensors-header.ts';

const readAll = (bytes: Uint8Array): Promise<readonly StoredTensor[]> =>
  readSafetensorsHeader(fileSource({ name: '', bytes }), NO_JOB);
const rejectionOf = async (bytes: Uint8Array): Promise<string> => {
  const error: unknown = await readAll(bytes).then(
    () => new Error('nothing was wrong'),
    (e: unknown) => e,
  );
  return error instanceof Error ? error.message : '';
};
const bytesText = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);

/** A type with its bytes; null for a type that the page does not know. */
const TYPES = [
  ['F64', 8],
  ['BF16', 2],
  ['F8_E4M3', 1],
  ['I64', 8],
  ['BOOL', 1],
  ['F4', null],
] as const;

it('lists the tensors that a file was written with, wherever they are, and what is missing of each', async () => {
  const tensor = fc.record({
    type: fc.constantFrom(...TYPES),
    shape: fc.array(fc.nat(3), { maxLength: 3 }),
    gap: fc.constantFrom(0, 0, 1, 5),
  });
  const files = fc.record({
    tensors: fc.array(tensor, { maxLength: 5 }),
    hasMetadata: fc.boolean(),
    isReversed: fc.boolean(),
    missingCount: fc.constantFrom(0, 0, 1, 2, 7, 30),
  });
  await fc.assert(
    fc.asyncProperty(files, async ({ tensors, hasMetadata, isReversed, missingCount }) => {
      let end = 0;
      const expectedTensors = tensors.map(({ type: [dtype, size], shape, gap }, i) => {
        const from = end + gap;
        end = from + shape.reduce((product, n) => product * n, size ?? 1);
        return { name: `t${i}`, dtype, shape, from, to: end, type: size === null ? null : dtype.toLowerCase() };
      });
      const entries = expectedTensors.map(({ name, dtype, shape, from, to }) => [
        name,
        { dtype, shape, data_offsets: [from, to] },
      ]);
      if (isReversed) expectedTensors.reverse();
      const ordered = isReversed ? entries.toReversed() : entries;
      const metadata = hasMetadata ? [['__metadata__', { format: 'pt' }]] : [];
      const header = JSON.stringify(Object.fromEntries([...metadata, ...ordered]));
      const writtenBytes = Math.max(0, end - missingCount);
      const readTensors = await readAll(safetensorsWith(header, new Uint8Array(writtenBytes)));
      const dataStart = 8 + header.length;
      expect(readTensors).toEqual(
        expectedTensors.map(({ from, to, ...facts }) => {
          const presentBytes = Math.max(0, writtenBytes - from);
          const message = `found ${presentBytes} of ${bytesText(to - from)}: the file ends ${bytesText(end - writtenBytes)} early`;
          return {
            ...facts,
            from: dataStart + from,
            to: dataStart + to,
            truncation: to > writtenBytes ? message : null,
          };
        }),
      );
      if (readTensors.length > 0) expect(missingBytes(readTensors, dataStart + writtenBytes)).toBe(end - writtenBytes);
    }),
    { numRuns: 100 },
  );
});

it('rejects tensors that overlap by a byte, in either order, but not next to each other or empty', async () => {
  const fileOf = (a: readonly number[], b: readonly number[]): Uint8Array => {
    const entry = ([from, to]: readonly number[]): object => ({
      dtype: 'U8',
      shape: [to - from],
      data_offsets: [from, to],
    });
    return safetensorsWith(JSON.stringify({ a: entry(a), b: entry(b) }), new Uint8Array(9));
  };
  expect(await rejectionOf(fileOf([0, 3], [2, 4]))).toBe('b: found its bytes inside the bytes of a');
  expect(await rejectionOf(fileOf([2, 4], [0, 3]))).toBe('a: found its bytes inside the bytes of b');
  for (const [a, b] of [
    [
      [0, 3],
      [3, 4],
    ],
    [
      [3, 4],
      [0, 3],
    ],
    [
      [0, 3],
      [1, 1],
    ],
  ])
    await expect(readAll(fileOf(a, b))).resolves.toHaveLength(2);
});

it('rejects fields that a tensor cannot have, and shortens long ones in the message', async () => {
  const messageOf = (fields: object | null): Promise<string> =>
    rejectionOf(safetensorsWith(JSON.stringify({ w: fields }), new Uint8Array(9)));
  const validFields = { dtype: 'U8', shape: [3], data_offsets: [0, 3] };
  const counts = 'expected a list of whole numbers';
  const cases: readonly (readonly [fields: object | null, message: string])[] = [
    [null, 'found dtype missing, expected the name of a type'],
    [{ ...validFields, dtype: 8 }, 'found dtype 8, expected the name of a type'],
    [{ ...validFields, shape: undefined }, `found shape missing, ${counts}`],
    [{ ...validFields, shape: 3 }, `found shape 3, ${counts}`],
    [{ ...validFields, shape: ['3'] }, `found shape ["3"], ${counts}`],
    [{ ...validFields, shape: [1.5, 2] }, `found shape [1.5,2], ${counts}`],
    [{ ...validFields, shape: [-1, -3] }, `found shape [-1,-3], ${counts}`],
    [{ ...validFields, shape: Array(90).fill('a') }, `found shape ${'["a",'.padEnd(60, '"a",')}, ${counts}`],
    [{ ...validFields, data_offsets: '03' }, 'found data_offsets "03", expected begin and end'],
    [{ ...validFields, data_offsets: [0] }, 'found data_offsets [0], expected begin and end'],
    [{ ...validFields, data_offsets: [0, 3, 6] }, 'found data_offsets [0,3,6], expected begin and end'],
    [{ ...validFields, data_offsets: [3, 0] }, 'found data_offsets [3,0], expected begin and end'],
    [{ ...validFields, data_offsets: [0, 1] }, 'found 1 byte for shape (3) of U8, expected 3'],
    [{ ...validFields, data_offsets: [2, 4] }, 'found 2 bytes for shape (3) of U8, expected 3'],
    [{ ...validFields, shape: [1, 2] }, 'found 3 bytes for shape (1, 2) of U8, expected 2'],
  ];
  for (const [fields, message] of cases) expect(await messageOf(fields)).toBe(`w: ${message}`);
});

it('rejects a header that is no object, is longer than the file, or longer than any header may be', async () => {
  const object = 'expected an object of tensors';
  expect(await rejectionOf(safetensorsWith(' \n[]'))).toBe(`byte 8: found a list, ${object}`);
  expect(await rejectionOf(safetensorsWith('{"a": [}'))).toBe(`byte 8: found no JSON, ${object}`);
  expect(await rejectionOf(safetensorsWith('{"a": 1 ['))).toBe(`byte 8: found no JSON, ${object}`);
  const tensor = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}';
  expect(await rejectionOf(safetensorsWith(`{"a":${tensor},"a":${tensor}}`))).toBe(
    "header: found 'a' twice, expected each name once",
  );
  const pointer = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n');
  expect(await rejectionOf(pointer)).toBe(
    'found a pointer of Git LFS, not the file itself; fetch the file with git lfs pull',
  );
  const file = safetensorsWith('{"a": {}}');
  expect(await rejectionOf(file.slice(0, -1))).toBe('header: found 8 of 9 bytes: the file ends 1 byte early');
  expect(await rejectionOf(file.slice(0, -2))).toBe('header: found 7 of 9 bytes: the file ends 2 bytes early');
  expect(await rejectionOf(file.with(7, 1))).toBe(
    'byte 0: found a header of 72057594037927945 bytes, expected at most 9',
  );
  const declaring = (length: number): Promise<string> => {
    const bytes = file.slice();
    new DataView(bytes.buffer).setUint32(0, length, true);
    return rejectionOf(bytes);
  };
  expect(await declaring(25_000_000)).toBe(
    'header: found 9 of 25000000 bytes: the file ends 24\u202f999\u202f991 bytes early',
  );
  expect(await declaring(25_000_001)).toBe('byte 0: found a header of 25000001 bytes, expected at most 9');
});

it('recognises a file by the length of its header and the brace after it', () => {
  const head = safetensorsWith('{}').slice(0, 10);
  expect(isSafetensors(head)).toBe(true);
  expect(isSafetensors(head.subarray(0, 9))).toBe(false);
  for (const i of [4, 5, 6, 7, 8]) expect(isSafetensors(head.with(i, 1))).toBe(false);
  for (const i of [0, 1, 2, 3, 9]) expect(isSafetensors(head.with(i, 1))).toBe(true);
});

it('rejects more tensors than any file has, reports its progress until then, and can be cancelled', async () => {
  const value = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}';
  const header = `{${Array.from({ length: 50_001 }, (_, i) => `"${i}":${value}`).join()}}`;
  const source = fileSource({ name: '', bytes: safetensorsWith(header) });
  const reports: Progress[] = [];
  const job = { cancelled: false, report: (progress: Progress) => void reports.push(progress) };
  await expect(readSafetensorsHeader(source, job)).rejects.toThrow(
    'header: found 50\u202f001 tensors, expected at most 50\u202f000',
  );
  expect(reports).toHaveLength(Math.floor(50_000 / 256));
  expect(reports[0]).toEqual({ what: 'Reading the header', done: 256 * value.length, total: header.length });
  expect(reports.at(-1)?.done).toBe(256 * value.length * reports.length);
  job.cancelled = true;
  await expect(readSafetensorsHeader(source, job)).rejects.toThrow(CancelledError);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedArray } from '../../core/format.ts';
import { finish, NO_JOB } from '../../core/job.ts';
import { csrMatrix, denseMatrix, toCsr } from '../../core/matrix/index.ts';
import type { NamedTensor } from '../tensors/named-tensors.ts';
import { readNpyHeader } from '../numpy/npy.ts';
import { readMatrix } from '../read.ts';
import { readSafetensorsHeader } from '../tensors/safetensors-header.ts';
import { fileSource, readBytes, readHead } from '../source.ts';
import { writeNpzSteps, writeSparseNpzSteps } from './write-npz.ts';
import { writeSafetensors } from './write-safetensors.ts';
import { readZipDirectory, zipMember } from '../archives/zip.ts';

const KINDS = {
  f32: Float32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
} as const;

const tensors: fc.Arbitrary<readonly NamedTensor[]> = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,9}$/),
      type: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
      bytes: fc.uint8Array({ maxLength: 40 }),
    }),
    { selector: (t) => t.name, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ name, type, bytes }) => {
      const kind = KINDS[type];
      const data: NamedArray = new kind(bytes.slice(0, bytes.length - (bytes.length % kind.BYTES_PER_ELEMENT)).buffer);
      return { name, type, data };
    }),
  );

const rawBytes = (data: NamedArray): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

describe('arrays, written and read', () => {
  const facts = fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true });

  it('.npz: names, types, lengths, every bit, and facts', async () => {
    await fc.assert(
      fc.asyncProperty(tensors, facts, async (writtenTensors, metadata) => {
        const source = fileSource(new Blob([...finish(writeNpzSteps(writtenTensors, metadata))]));
        const members = await readZipDirectory(source, 2 ** 20);
        expect(members.map((m) => m.name)).toEqual([...writtenTensors.map((t) => `${t.name}.npy`), 'meta.json']);
        for (const [i, { type, data }] of writtenTensors.entries()) {
          const member = zipMember(source, members[i]);
          const { dataOffset, shape, type: found } = await readNpyHeader(member);
          expect(`${found.kind}${8 * found.bytes}`).toBe(type === 'bf16' ? 'u16' : type);
          expect(shape).toEqual([data.length]);
          expect((await readHead(member, 10_000)).subarray(dataOffset)).toEqual(rawBytes(data));
        }
        const meta = await readHead(zipMember(source, members[writtenTensors.length]), 2 ** 20);
        expect(JSON.parse(new TextDecoder().decode(meta))).toEqual(metadata);
      }),
      { numRuns: 30 },
    );
  });

  it('.safetensors: names, types, lengths and every bit, aligned, and facts', async () => {
    await fc.assert(
      fc.asyncProperty(tensors, facts, async (writtenTensors, metadata) => {
        const blob = new Blob([...writeSafetensors(writtenTensors, metadata)]);
        const source = fileSource(blob);
        const storedTensors = await readSafetensorsHeader(source, NO_JOB);
        const length = Number(new DataView(await blob.slice(0, 8).arrayBuffer()).getBigUint64(0, true));
        expect(JSON.parse(await blob.slice(8, 8 + length).text())).toMatchObject({ __metadata__: metadata });
        expect(storedTensors).toHaveLength(writtenTensors.length);
        for (const { name, type, data } of writtenTensors) {
          const found = storedTensors.find((t) => t.name === name);
          expect(found).toMatchObject({ type, shape: [data.length] });
          const [from, to] = [found?.from ?? 0, found?.to ?? 0];
          expect(from % data.BYTES_PER_ELEMENT).toBe(0);
          expect(await readBytes(source, from, to)).toEqual(rawBytes(data));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a matrix as scipy writes it', () => {
  it('opens again as the same matrix', async () => {
    const sizes = fc.tuple(fc.nat(8), fc.nat(8));
    const matrices = sizes.chain(([rows, cols]) =>
      fc
        .array(fc.oneof(fc.constant(0), fc.float()), { minLength: rows * cols, maxLength: rows * cols })
        .map((cells) => toCsr(denseMatrix(rows, cols, Float32Array.from(cells)))),
    );
    const property = fc.asyncProperty(matrices, async (m) => {
      expect(toCsr((await readMatrix(new Blob([...finish(writeSparseNpzSteps(m))]))).matrix)).toEqual(csrMatrix(m));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

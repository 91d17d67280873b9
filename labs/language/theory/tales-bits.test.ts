// What the weights of the model `tales` take in a lossless code.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { finish, NO_JOB } from '../../../src/core/job.ts';
import { fileSource } from '../../../src/io/source.ts';
import { openSafetensors } from '../../../src/io/tensors/safetensors.ts';
import { losslessSteps } from '../../../src/theory/lossless-bits.ts';

it('the exponents of tales have 2.57 bits of entropy: 10.6 bits a weight in bf16, but 13.6 in f16, as it is stored', async () => {
  const bytes = new Uint8Array(readFileSync('labs/language/public/models/tales/model.safetensors'));
  const container = await openSafetensors(fileSource({ name: 'model.safetensors', bytes }), NO_JOB);
  const matrices = [];
  for (const { name, shape } of container.tensors)
    if (shape.length === 2) matrices.push((await container.read(name, NO_JOB)).matrix);
  expect(matrices.length).toBeGreaterThan(30);
  const { type, exponentBits, bits, bitsAsBf16 } = finish(losslessSteps(matrices));
  expect(type).toBe('f16');
  expect(exponentBits).toBeCloseTo(2.57, 2);
  expect(bitsAsBf16).toBeCloseTo(10.57, 2);
  expect(bitsAsBf16 / 16).toBeCloseTo(0.66, 2);
  expect(bits).toBeCloseTo(13.57, 2);
  expect(bits / 16).toBeCloseTo(0.85, 2);
});

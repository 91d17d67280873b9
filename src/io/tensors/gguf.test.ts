import { expect, it } from 'vitest';
import { ggufFile } from '../../../test/io/gguf.ts';
import { bytesOf } from '../../../test/io/safetensors.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';

it.each([4, 10] as const)('readMatrix reads a GGUF whose alignment is a u32 or a u64 (type %i)', async (type) => {
  const tensor = (name: string, value: number) => {
    return { name, kind: 0, shape: [1, 2], bytes: bytesOf(Float32Array.of(value, value + 1)) };
  };
  const bytes = ggufFile([tensor('a', 1), tensor('b', 3)], 3, type);
  const { matrix } = await readMatrix({ name: 'a', bytes }, { tensor: 'b' });
  expect([...toDense(matrix)]).toEqual([3, 4]);
});

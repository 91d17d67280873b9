import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SparseScopeError } from '../core/errors.ts';
import { Random } from '../core/number/random.ts';
import { generate } from '../generate/generate.ts';
import { readMatrix } from './read.ts';
import { corpusBytes } from '../../test/corpus.ts';
import { ggufFile } from '../../test/io/gguf.ts';
import { npyFile } from '../../test/io/npy.ts';
import { int64, safetensorsFile } from '../../test/io/safetensors.ts';
import { tarFile } from '../../test/io/tar.ts';
import {
  call as torchCall,
  storage as torchStorage,
  tensor as torchTensor,
  torchFile,
  value as torchValue,
} from '../../test/io/torch.ts';
import { cases } from '../../test/scheduled.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';
import { writeMtx } from './write/write-mtx.ts';

/**
 * Mutated files of each of 19 kinds; in `npm run test:all` 14,250 in all. The fuzzer (fuzz/readers) tries others, and
 * measures how long they take.
 */
const RUNS = cases(120, 750);
/** Readers have tables, batches and buffers of fixed sizes, below this; other arrays have at most four times the file. */
const FIXED_BYTES = 2 ** 20;

/** Bytes of the largest typed array that was made. */
let largestBytes = 0;

/** Makes `largestBytes` track every typed array that is created, from any source. */
function watchAllocations(): void {
  const kinds = { Uint8Array, Uint16Array, Uint32Array, Int8Array, Int32Array, Float32Array, Float64Array };
  for (const [name, kind] of Object.entries(kinds)) {
    const watched: unknown = new Proxy(kind, {
      construct(target, args: unknown[], newTarget) {
        const array = Reflect.construct(target, args, newTarget === watched ? target : newTarget) as ArrayBufferView;
        largestBytes = Math.max(largestBytes, array.byteLength);
        return array;
      },
    });
    vi.stubGlobal(name, watched);
  }
}

async function originals(): Promise<Readonly<Record<string, Uint8Array>>> {
  const m = generate({ pattern: 'uniform', rows: 12, cols: 9, density: 0.4, seed: 1 });
  const mtx = new Uint8Array(await new Blob([...writeMtx(m)]).arrayBuffer());
  const cells = Array.from({ length: 30 }, (_, i) => i - 7);
  const npy = npyFile({ descr: '>f8', shape: [5, 6], isFortranOrder: true, version: 2 }, cells, (v, at, x, le) =>
    v.setFloat64(at, x, le),
  );
  const array = new TextEncoder().encode(
    `%%MatrixMarket matrix array real symmetric\n% x\n3 3\n${'1.5\r\n'.repeat(6)}`,
  );
  const f16Bytes = new Uint8Array(60).map((_, i) => i);
  const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);
  const sparse = sparseFiles('csr', [3, 4], floats([4], [1, 2, 3, 4]), {
    'indptr.npy': integers([0, 2, 2, 4]),
    'indices.npy': integers([0, 2, 1, 3]),
  });
  return {
    mtx,
    npy,
    array,
    'mtx.gz': new Uint8Array(gzipSync(mtx)),
    'sparse.npz': archive(sparse),
    'stored.npz': archive({ 'a.npy': npy }, 'stored'),
    'a.safetensors': safetensorsFile({ w: { dtype: 'F16', shape: [5, 6], bytes: f16Bytes } }),
    'packed.safetensors': safetensorsFile({
      'w.compressed': { dtype: 'BF16', shape: [4], bytes: f16Bytes.slice(0, 8) },
      'w.bitmask': { dtype: 'U8', shape: [2, 2], bytes: Uint8Array.of(3, 0, 1, 2) },
      'w.shape': int64(2, 12),
      'w.row_offsets': int64(0, 2),
    }),
    'a.gguf': ggufFile([{ name: 'w', kind: 1, shape: [5, 6], bytes: f16Bytes }]),
    'a.pt': torchFile(torchTensor(torchStorage('0', 30, 'HalfStorage'), 0, [5, 6], [1, 5]), { 0: f16Bytes }),
    'legacy.pt': corpusBytes('torch/bare-legacy.pt'),
    'sparse.pt': torchFile(
      torchCall(
        'torch._utils',
        '_rebuild_sparse_tensor',
        torchCall('torch.serialization', '_get_layout', torchValue('torch.sparse_coo')),
        torchValue([
          torchTensor(torchStorage('0', 4, 'LongStorage'), 0, [2, 2], [2, 1]),
          torchTensor(torchStorage('1', 2, 'DoubleStorage'), 0, [2], [1]),
          torchValue([torchValue(3), torchValue(4)]),
        ]),
      ),
      { 0: BigInt64Array.of(0n, 2n, 1n, 3n), 1: Float64Array.of(1, 0.1) },
    ),
    'a.tar': tarFile([{ name: 'a/a.mtx', bytes: mtx }]),
    'a.tar.gz': new Uint8Array(gzipSync(tarFile([{ name: 'a/a.mtx', bytes: mtx }]))),
    'a.zip': archive({ 'w.safetensors': safetensorsFile({ w: { dtype: 'F16', shape: [5, 6], bytes: f16Bytes } }) }),
    'table.gz': new Uint8Array(gzipSync(text('1,2,3\n4,5,6\n'))),
    'a.smtx': text('3, 4, 4\n0 2 2 4\n1 3 0 2\n'),
    'cells.csv': text(',a,b\nx,1,2.5\ny,"3",-4e2\n'),
    'entries.csv': text('row,col,value\n0,1,2\n3,2,1\n'),
  };
}

/** A copy with up to four changes: a flipped bit, a changed byte, a truncation, a repeated piece. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let out = bytes.slice();
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const offset = random.below(Math.max(1, out.length));
    switch (random.below(4)) {
      case 0:
        out[offset] ^= 1 << random.below(8);
        break;
      case 1:
        out[offset] = '0123456789-.eE \n%\u0000'.charCodeAt(random.below(18));
        break;
      case 2:
        out = out.slice(0, offset);
        break;
      default: {
        const piece = out.slice(offset, offset + random.below(20));
        const longer = new Uint8Array(out.length + piece.length);
        longer.set(out.subarray(0, offset));
        longer.set(piece, offset);
        longer.set(out.subarray(offset), offset + piece.length);
        out = longer;
      }
    }
  }
  return out;
}

beforeAll(watchAllocations);
afterAll(() => void vi.unstubAllGlobals());

const KINDS =
  `mtx npy array mtx.gz sparse.npz stored.npz a.safetensors packed.safetensors a.gguf a.pt legacy.pt sparse.pt a.tar a.tar.gz a.zip
  table.gz a.smtx cells.csv entries.csv`.split(/\s+/);

it.each(KINDS)(
  'a mutated %s file opens or is rejected with a message, and allocates no array much larger than the file',
  async (kind) => {
    const original = (await originals())[kind];
    await expect(readMatrix({ name: kind, bytes: original })).resolves.toBeDefined();
    const random = new Random(20);
    for (let run = 0; run < RUNS; run++) {
      const bytes = mutated(original, random);
      largestBytes = 0;
      const result = await readMatrix({ name: kind, bytes }).catch((error: unknown) => error);
      expect(largestBytes, `run ${run}: ${String(result)}`).toBeLessThanOrEqual(
        Math.max(FIXED_BYTES, 4 * bytes.length),
      );
      const isFine = result instanceof SparseScopeError || (typeof result === 'object' && result && 'matrix' in result);
      expect(isFine, `run ${run}: ${String(result)}`).toBe(true);
    }
  },
);

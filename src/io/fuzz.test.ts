import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SparseScopeError } from '../core/errors.ts';
import { Random } from '../core/random.ts';
import { generate } from '../generate/generate.ts';
import { readMatrix } from './read.ts';
import { npyFile } from './testing-npy.ts';
import { writeMtx } from './write-mtx.ts';

const RUNS = 1500;
const SLOWEST_MS = 2000;

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
  return { mtx, npy, array, 'mtx.gz': new Uint8Array(gzipSync(mtx)) };
}

/** A copy with up to four changes: a bit, a byte of a number or the like, a cut, a piece twice. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let out = bytes.slice();
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(Math.max(1, out.length));
    switch (random.below(4)) {
      case 0:
        out[at] ^= 1 << random.below(8);
        break;
      case 1:
        out[at] = '0123456789-.eE \n%\u0000'.charCodeAt(random.below(18));
        break;
      case 2:
        out = out.slice(0, at);
        break;
      default: {
        const piece = out.slice(at, at + random.below(20));
        const longer = new Uint8Array(out.length + piece.length);
        longer.set(out.subarray(0, at));
        longer.set(piece, at);
        longer.set(out.subarray(at), at + piece.length);
        out = longer;
      }
    }
  }
  return out;
}

it.each(['mtx', 'npy', 'array', 'mtx.gz'])(
  'a mutated %s file opens or gets a sentence, soon',
  async (kind) => {
    const original = (await originals())[kind];
    await expect(readMatrix({ name: kind, bytes: original })).resolves.toBeDefined();
    const random = new Random(20);
    for (let run = 0; run < RUNS; run++) {
      const bytes = mutated(original, random);
      const start = performance.now();
      const result = await readMatrix({ name: kind, bytes }).catch((error: unknown) => error);
      expect(performance.now() - start, `run ${run}`).toBeLessThan(SLOWEST_MS);
      const isFine = result instanceof SparseScopeError || (typeof result === 'object' && result && 'matrix' in result);
      expect(isFine, `run ${run}: ${String(result)}`).toBe(true);
    }
  },
  60_000,
);

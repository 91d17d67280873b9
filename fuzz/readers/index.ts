// Fuzz target for readers of files: edited files are rejected with a message, or read correctly.

import type { Random } from '../../src/core/number/random.ts';
import { defineTarget, type Target } from '../target.ts';
import { bytesOf, randomFile } from './corpus.ts';
import { type Edit, fewerEdits, randomEdits } from './edits.ts';
import { bytesOfCase, type ReaderCase, readerFault } from './laws.ts';
import { SciPy } from './scipy.ts';

/** One in this many files is first rewritten by rewrites.ts. */
const REWRITTEN = 4;

function randomCase(random: Random): ReaderCase {
  const { file, tensor } = randomFile(random);
  const rewrite = random.below(REWRITTEN) === 0 ? random.u32() : null;
  const base: ReaderCase = { file, tensor, rewrite, edits: [] };
  const isKept = rewrite !== null && random.below(2) === 0;
  return isKept ? base : { ...base, edits: randomEdits(random, rewrite === null ? bytesOf(file) : bytesOfCase(base)) };
}

interface WrittenCase extends Omit<ReaderCase, 'edits'> {
  readonly edits: readonly { readonly at: number; readonly remove: number; readonly insert: string }[];
}

/** The target. `againstScipy`: compares with the matrix that SciPy reads. */
export function readersTarget(againstScipy: boolean): Target {
  let scipy: SciPy | null = null;
  return defineTarget<ReaderCase>({
    id: 'readers',
    unit: 'mutants',
    share: 0.35,
    maxSteps: null,
    generate: randomCase,
    check: (c) => {
      if (againstScipy) scipy ??= new SciPy();
      return readerFault(c, scipy);
    },
    *smaller(c) {
      if (c.rewrite !== null && c.edits.length > 0) yield { ...c, rewrite: null };
      for (const edits of fewerEdits(c.edits)) yield { ...c, edits };
    },
    toJson: (c) => ({
      ...c,
      edits: c.edits.map((edit) => ({ ...edit, insert: Buffer.from(edit.insert).toString('base64') })),
    }),
    fromJson: (value) => {
      const { edits, ...rest } = value as WrittenCase;
      const read = edits.map((edit): Edit => ({ ...edit, insert: new Uint8Array(Buffer.from(edit.insert, 'base64')) }));
      // JSON omits undefined.
      return { ...rest, tensor: rest.tensor, edits: read };
    },
  });
}

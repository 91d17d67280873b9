// The file of tuning results.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TuningMemory, TuningResult } from '../src/gpu/index.ts';

/** The file in which the command line stores the results of trials: which settings of a kernel are fastest. */
export const TUNING_FILE = '.cache/tuning.json';

/** Stores trial results in a JSON file, which every call reads again; a missing or invalid file counts as empty. */
export function tuningFile(path: string): TuningMemory {
  const read = (): Record<string, TuningResult> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, TuningResult>;
    } catch {
      return {};
    }
  };
  return {
    recall: async (key) => read()[key] ?? null,
    async keep(key, result) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${JSON.stringify({ ...read(), [key]: result }, null, 1)}\n`);
    },
  };
}

/** Deletes the file; no file is no error. */
export function forgetTuning(path: string): void {
  rmSync(path, { force: true });
}

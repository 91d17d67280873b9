import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TuningMemory, TuningResult } from '../src/gpu/index.ts';

/** The file in which the command line stores what trials found. */
export const TUNING_FILE = '.cache/tuning.json';

/** A memory in a JSON file, read again for every question; one that is missing or not JSON is empty. */
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

/** Deletes everything in the file. */
export function forgetTuning(path: string): void {
  rmSync(path, { force: true });
}

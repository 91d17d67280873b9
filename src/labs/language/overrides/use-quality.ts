import { readRecordedQuality, type RecordedQuality, type RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { modelFile, useModelFile } from './model-files.ts';

/** The measured quality of a shipped model, requested once; null if there are none. */
export const recordedQuality = modelFile('quality.json', readRecordedQuality);

/** The measured quality of a shipped model; null until they are loaded, and if there are none. */
export function useQuality(id: string): RecordedQuality | null {
  return useModelFile(recordedQuality, id);
}

/** The unstructured rows of one pruning method in f16, not trained further, by falling density, dense first. */
export function rowsOfMethod({ rows }: RecordedQuality, way: string): readonly RecordedRow[] {
  return rows
    .filter((row) => row.valueType === 'f16' && row.trained === undefined && row.pattern === undefined)
    .filter((row) => row.way === way || row.way === 'none')
    .toSorted((a, b) => b.density - a.density);
}

/** Bits per tale, a held-out text, beyond what it costs under the grammar that generated it. */
export function lostBitsPerTale({ floor, bytes, tales }: RecordedQuality, bitsPerByte: number): number {
  return ((bitsPerByte - floor.exact) * bytes) / tales;
}

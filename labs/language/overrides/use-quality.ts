// The recorded quality of shipped models: how it is loaded, and rows looked up in it.

import { readRecordedQuality, type RecordedQuality, type RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { modelFile, useModelFile } from './model-files.ts';

/** Loads the measured quality of a shipped model, once; null if it was not measured. */
export const recordedQuality = modelFile('quality.json', readRecordedQuality);

/** The measured quality of a shipped model; null until it is loaded, and if it was not measured. */
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

/** Bits that the model needs for a held-out tale in addition to the bits of the grammar, on average. */
export function lostBitsPerTale({ floor, bytes, tales }: RecordedQuality, bitsPerByte: number): number {
  return ((bitsPerByte - floor.exact) * bytes) / tales;
}

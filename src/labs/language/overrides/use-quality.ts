import { readRecordedQuality, type RecordedQuality, type RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { modelFile, useModelFile } from './model-files.ts';

/** The measurements of a shipped model, requested once; null if there are none. */
export const recordedQuality = modelFile('quality.json', readRecordedQuality);

/** The measurements of a shipped model; null until they are loaded, and if there are none. */
export function useQuality(id: string): RecordedQuality | null {
  return useModelFile(recordedQuality, id);
}

/** The rows of one way of pruning in f16 without training, by falling density, the dense model first. */
export function rowsOfMethod({ rows }: RecordedQuality, way: string): readonly RecordedRow[] {
  return rows
    .filter((row) => row.valueType === 'f16' && row.trained === undefined && row.pattern === undefined)
    .filter((row) => row.way === way || row.way === 'none')
    .toSorted((a, b) => b.density - a.density);
}

/** Bits per tale above the floor, the least that any model needs. */
export function lostBitsPerTale({ floor, bytes, tales }: RecordedQuality, bitsPerByte: number): number {
  return ((bitsPerByte - floor.exact) * bytes) / tales;
}

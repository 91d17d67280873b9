import { useEffect, useState } from 'react';
import { readRecordedQuality, type RecordedQuality, type RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { isBrought } from '../theory/brought.ts';
import { modelUrl } from './model-url.ts';

const loading = new Map<string, Promise<RecordedQuality | null>>();

async function load(id: string): Promise<RecordedQuality | null> {
  try {
    const response = await fetch(`${modelUrl(id)}quality.json`);
    return response.ok ? readRecordedQuality(await response.json()) : null;
  } catch {
    // Requested again when it is next shown.
    loading.delete(id);
    return null;
  }
}

/** The measurements of a shipped model, requested once; null if there are none. */
export function recordedQuality(id: string): Promise<RecordedQuality | null> {
  if (isBrought(id)) return Promise.resolve(null);
  const asked = loading.get(id) ?? load(id);
  loading.set(id, asked);
  return asked;
}

/** The measurements of a shipped model; null until they are loaded, and if there are none. */
export function useQuality(id: string): RecordedQuality | null {
  const [found, setFound] = useState<{ readonly id: string; readonly quality: RecordedQuality | null } | null>(null);
  useEffect(() => {
    let isShown = true;
    void recordedQuality(id).then((quality) => {
      if (isShown) setFound({ id, quality });
    });
    return () => {
      isShown = false;
    };
  }, [id]);
  return found?.id === id ? found.quality : null;
}

/** The rows of one way of pruning in f16 without training, by falling density, the dense model first. */
export function rowsOfMethod({ rows }: RecordedQuality, way: string): readonly RecordedRow[] {
  return rows
    .filter((row) => row.valueType === 'f16' && row.trained === undefined && row.pattern === undefined)
    .filter((row) => row.way === way || row.way === 'none')
    .toSorted((a, b) => b.density - a.density);
}

/** Bits per tale above the floor. */
export function lostBitsPerTale({ floor, bytes, tales }: RecordedQuality, bitsPerByte: number): number {
  return ((bitsPerByte - floor.exact) * bytes) / tales;
}

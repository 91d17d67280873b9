import { useEffect, useState } from 'react';
import { isBrought } from '../../theory/brought.ts';
import { modelUrl } from '../../overrides/model-url.ts';
import { type FiringRecord, readFiringRecord } from './record.ts';

const loading = new Map<string, Promise<FiringRecord | null>>();

async function load(id: string): Promise<FiringRecord | null> {
  if (isBrought(id)) return null;
  try {
    const response = await fetch(`${modelUrl(id)}firing.json`);
    return response.ok ? readFiringRecord(await response.json()) : null;
  } catch {
    // Requested again when it is next shown.
    loading.delete(id);
    return null;
  }
}

/** The firing record of a shipped model; null until it is loaded, and if there is none. */
export function useRecord(id: string): FiringRecord | null {
  const [found, setFound] = useState<{ readonly id: string; readonly record: FiringRecord | null } | null>(null);
  useEffect(() => {
    let isShown = true;
    const asked = loading.get(id) ?? load(id);
    loading.set(id, asked);
    void asked.then((record) => {
      if (isShown) setFound({ id, record });
    });
    return () => {
      isShown = false;
    };
  }, [id]);
  return found?.id === id ? found.record : null;
}

import { useEffect, useState } from 'react';
import { isBrought } from '../theory/brought.ts';

/** Absolute URL of the folder of a shipped model, with the '/' at its end; for a brought model its id. */
export function modelUrl(id: string): string {
  return isBrought(id) ? id : new URL(`models/${id}/`, document.baseURI).href;
}

/** The JSON file of this name of every shipped model, each requested once; null for a model without one. */
export function modelFile<T>(name: string, read: (json: unknown) => T): (id: string) => Promise<T | null> {
  const loading = new Map<string, Promise<T | null>>();
  const load = async (id: string): Promise<T | null> => {
    if (isBrought(id)) return null;
    try {
      const response = await fetch(`${modelUrl(id)}${name}`);
      return response.ok ? read(await response.json()) : null;
    } catch {
      // Requested again when it is next shown.
      loading.delete(id);
      return null;
    }
  };
  return (id) => {
    const asked = loading.get(id) ?? load(id);
    loading.set(id, asked);
    return asked;
  };
}

/** What a model's file says; null until it is loaded, and if there is none. */
export function useModelFile<T>(file: (id: string) => Promise<T | null>, id: string): T | null {
  const [found, setFound] = useState<{ readonly id: string; readonly content: T | null } | null>(null);
  useEffect(() => {
    let isShown = true;
    void file(id).then((content) => {
      if (isShown) setFound({ id, content });
    });
    return () => {
      isShown = false;
    };
  }, [file, id]);
  return found?.id === id ? found.content : null;
}

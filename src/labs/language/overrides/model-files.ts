import { useEffect, useState } from 'react';
import type { ModelAddress } from '../models/loaded-models.ts';
import { isBrought } from '../theory/brought.ts';

/** The address of a model for the worker: a shipped one's folder; the id of a brought one, opened from the reader's files. */
export function modelAddress(id: string): ModelAddress {
  return { id, url: isBrought(id) ? id : new URL(`models/${id}/`, document.baseURI).href };
}

/** A function that loads the JSON file `name` of a shipped model, once for each; null for a model without one. */
export function modelFile<T>(name: string, read: (json: unknown) => T): (id: string) => Promise<T | null> {
  const loading = new Map<string, Promise<T | null>>();
  const load = async (id: string): Promise<T | null> => {
    if (isBrought(id)) return null;
    try {
      const response = await fetch(`${modelAddress(id).url}${name}`);
      return response.ok ? read(await response.json()) : null;
    } catch {
      // Requested again when it is next shown.
      loading.delete(id);
      return null;
    }
  };
  return (id) => {
    const file = loading.get(id) ?? load(id);
    loading.set(id, file);
    return file;
  };
}

/** The content of a model's file; null until it is loaded, and if there is none. */
export function useModelFile<T>(file: (id: string) => Promise<T | null>, id: string): T | null {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly content: T | null } | null>(null);
  useEffect(() => {
    let isShown = true;
    void file(id).then((content) => {
      if (isShown) setLoaded({ id, content });
    });
    return () => {
      isShown = false;
    };
  }, [file, id]);
  return loaded?.id === id ? loaded.content : null;
}

// The files next to a shipped model, such as its recorded quality.

import { useEffect, useState } from 'react';
import type { ModelAddress } from '../models/loaded-models.ts';
import { isImported } from '../theory/imported.ts';

/**
 * Where the worker finds a model: its folder on the site; for an imported model (opened from a user's files), its id.
 */
export function modelAddress(id: string): ModelAddress {
  return { id, url: isImported(id) ? id : new URL(`models/${id}/`, document.baseURI).href };
}

/** A function that loads the JSON file `name` from a model's folder, once per model; null if there is no such file. */
export function modelFile<T>(name: string, read: (json: unknown) => T): (id: string) => Promise<T | null> {
  const loading = new Map<string, Promise<T | null>>();
  const load = async (id: string): Promise<T | null> => {
    if (isImported(id)) return null;
    try {
      const response = await fetch(`${modelAddress(id).url}${name}`);
      return response.ok ? read(await response.json()) : null;
    } catch {
      // The file is requested again when it is next needed.
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

/** The content of a model's file, read by `load`; null until it is loaded, and if there is none. */
export function useModelFile<T>(load: (id: string) => Promise<T | null>, id: string): T | null {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly content: T | null } | null>(null);
  useEffect(() => {
    let isShown = true;
    void load(id).then((content) => {
      if (isShown) setLoaded({ id, content });
    });
    return () => {
      isShown = false;
    };
  }, [load, id]);
  return loaded?.id === id ? loaded.content : null;
}

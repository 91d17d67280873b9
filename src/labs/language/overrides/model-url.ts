import { isBrought } from '../theory/brought.ts';

/** Absolute URL of the folder of a shipped model, with the '/' at its end; of one that a person brought its id. */
export function modelUrl(id: string): string {
  return isBrought(id) ? id : new URL(`models/${id}/`, document.baseURI).href;
}

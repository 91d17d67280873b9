import { isBrought } from '../theory/brought.ts';

/** Absolute URL of the folder of a shipped model, with the '/' at its end; for a brought model its id. */
export function modelUrl(id: string): string {
  return isBrought(id) ? id : new URL(`models/${id}/`, document.baseURI).href;
}

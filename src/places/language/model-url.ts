/** Absolute URL of the folder of a shipped model, with the '/' at its end. */
export function modelUrl(id: string): string {
  return new URL(`models/${id}/`, document.baseURI).href;
}

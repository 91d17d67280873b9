import type { ModelRequest } from '../../../engine/models/brought-models.ts';

/** Files that a model may consist of; others in its folder are not sent to the worker. */
const OF_A_MODEL = /(^config\.json|^tokenizer\.json|\.safetensors(\.index\.json)?|\.gguf)$/i;

/** Endings for the system's picker. */
export const ACCEPTED = '.json,.safetensors,.gguf';

/** Files of a model at most: the largest published ones have some 200. */
const MAX_FILES = 1000;

/** A file that was picked, alone or with the folder that it is in: 'folder/config.json'. */
export type PickedFile = File & { readonly webkitRelativePath?: string };

/** The model that picked files are, without those of folders inside their folder. */
export function requestOf(files: readonly PickedFile[]): ModelRequest {
  const pathOf = (file: PickedFile): readonly string[] => (file.webkitRelativePath || file.name).split('/');
  const min = files.reduce((found, file) => Math.min(found, pathOf(file).length), Number.POSITIVE_INFINITY);
  const own = files.filter((file) => pathOf(file).length === min && OF_A_MODEL.test(file.name)).slice(0, MAX_FILES);
  const folder = files.length > 0 && min > 1 ? (pathOf(files[0]).at(0) ?? '') : '';
  return { kind: 'files', files: own, folder: folder || 'model' };
}

let asked: HTMLInputElement | null = null;

/** Asks for a folder through the system's picker; `open` gets all files in it, and in folders inside. */
export function pickFolder(open: (files: readonly PickedFile[]) => void): void {
  asked?.remove();
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.hidden = true;
  input.addEventListener('change', () => {
    if (input.files && input.files.length > 0) open([...input.files]);
  });
  // WebKit forgets an input that nothing holds while the picker is open.
  document.body.append(input);
  asked = input;
  input.click();
}

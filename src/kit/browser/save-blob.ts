import type { MatrixFileKind } from '../../engine/matrix/matrix-types.ts';
import type { App } from '../app-context.ts';

/** Saves a file to the person's downloads. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the address before the next task runs.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Like `saveBlob`, for text of a given media type. */
export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Saves the open matrix as a file of this kind. */
export async function saveMatrix(kind: MatrixFileKind, { session }: App): Promise<void> {
  const name = session.store.getState().summary?.name;
  if (name === undefined) return;
  const blob = await session.matrixFile(kind);
  if (blob) saveBlob(`${fileName(name)}.${kind}`, blob);
}

/** Saves the open matrix in the current format: its arrays, under their documented names. */
export async function saveArrays(kind: 'npz' | 'safetensors', { session, document }: App): Promise<void> {
  const name = session.store.getState().summary?.name;
  const { format } = document.getState();
  if (name === undefined) return;
  const blob = await session.encodingFile(format, kind);
  if (blob) saveBlob(`${fileName(name)}-${format}.${kind}`, blob);
}

/** A title as a file name without ending: every character other than letters, digits and dots becomes a hyphen. */
export function fileName(title: string): string {
  const plain = title
    .replace(/\.(mtx|npy|npz|safetensors|gguf|pt|pth|ckpt|bin|smtx|csv|tsv|gz|tar|json)\b/gi, '')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return plain === '' ? 'matrix' : plain;
}

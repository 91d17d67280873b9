import { useEffect, useState } from 'react';
import { useApp } from '../../kit/app-context.ts';

/** What can be opened, as a person reads it and as a file picker takes it. */
export const OPENS = [
  'safetensors, including sharded (with the index) or packed by compressed-tensors',
  'NumPy and SciPy: .npy, .npz',
  'Matrix Market: .mtx, as the SuiteSparse collection packs it: .tar.gz',
  'GGUF: F32, F16 and BF16 tensors',
  'patterns and tables: .smtx, .csv, .tsv',
  'any of these in gzip or zip',
] as const;
export const ACCEPTED_FILES = '.npy,.mtx,.mm,.smtx,.csv,.tsv,.npz,.safetensors,.gguf,.tar,.tgz,.zip,.gz,.json';

/** Takes files that are dropped anywhere on the page, and shows while they hover what will happen. */
export function DropTarget() {
  const { session, announce } = useApp();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      // Leaving one element for another inside the page names where it goes; leaving the page does not.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = event.dataTransfer?.files;
      if (!files || files.length === 0) return;
      announceMore(files, announce);
      void session.openFiles([...files]);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
    };
  }, [session, announce]);
  if (!over) return null;
  return (
    <div className="drop-veil">
      <h2>Drop a matrix to open it</h2>
      <ul>
        {OPENS.map((kind) => (
          <li key={kind}>{kind}</li>
        ))}
      </ul>
      <p className="faint">It is read on this page and sent nowhere.</p>
    </div>
  );
}

/** Of several files one is opened, unless one is an index that names the others. */
function announceMore(files: FileList, announce: (message: string) => void): void {
  const first = files.item(0);
  if (!first || files.length === 1 || [...files].some(({ name }) => name.endsWith('.index.json'))) return;
  announce(`${files.length} files were dropped; opening the first, ${first.name}.`);
}

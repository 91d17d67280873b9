import { Suspense, useEffect, useState } from 'react';
import { useApp } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';

const DropVeil = lazyPart(async () => (await import('./DropVeil.tsx')).DropVeil);

/** What can be opened, as a file picker reads it; `OPENS` is for people. */
export const ACCEPTED_FILES =
  '.npy,.mtx,.mm,.smtx,.csv,.tsv,.txt,.dat,.npz,.safetensors,.gguf,.tar,.tgz,.zip,.gz,.json';

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
  return (
    over && (
      <Suspense fallback={null}>
        <DropVeil />
      </Suspense>
    )
  );
}

/** Of several files one is opened, unless one is an index that names the others. */
function announceMore(files: FileList, announce: (message: string) => void): void {
  const first = files.item(0);
  if (!first || files.length === 1 || [...files].some(({ name }) => name.endsWith('.index.json'))) return;
  announce(`${files.length} files dropped; opening the first, ${first.name}.`);
}

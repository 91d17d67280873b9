import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';

/** What can be opened, as a person reads it and as a file picker takes it. */
export const OPENS = ['Matrix Market: .mtx, .mtx.gz', 'NumPy array: .npy'] as const;
export const ACCEPTED_FILES = '.mtx,.gz,.npy';

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
      const file = files?.item(0);
      if (!file) return;
      if (files && files.length > 1) announce(`${files.length} files were dropped; opening the first, ${file.name}.`);
      void session.openFile(file);
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
      <p className="faint">It is read here in the page and goes nowhere else.</p>
    </div>
  );
}

/** Asks for a file through the system's picker and opens it. */
export function pickFile(open: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = ACCEPTED_FILES;
  input.addEventListener('change', () => {
    const file = input.files?.item(0);
    if (file) open(file);
  });
  input.click();
}

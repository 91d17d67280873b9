import { Suspense, useEffect, useState } from 'react';
import { useApp } from '../../kit/app-context.ts';
import { belongsToField } from '../../kit/shortcuts.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { OPENED_ENDINGS } from '../../state/index.ts';

const DropVeil = lazyPart(async () => (await import('./DropVeil.tsx')).DropVeil);

/** The file endings that a file picker offers. */
export const ACCEPTED_FILES = OPENED_ENDINGS.join(',');

/** Opens files that are dropped on the page, and matrices that are pasted into it. */
export function DropTarget() {
  const { session } = useApp();
  const [isDraggedOver, setDraggedOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDraggedOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      // Null only when the pointer leaves the page: between elements, this is the next element.
      if (event.relatedTarget === null) setDraggedOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDraggedOver(false);
      const files = event.dataTransfer?.files;
      if (!files || files.length === 0) return;
      void session.openFiles([...files]);
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (belongsToField(event)) return;
      const file = pastedFile(event.clipboardData?.getData('text/plain') ?? '', session.openFileNames());
      if (!file) return;
      event.preventDefault();
      void session.openFile(file);
    };
    const listeners = new AbortController();
    addEventListener('paste', onPaste, listeners);
    addEventListener('dragover', onDragOver, listeners);
    addEventListener('dragleave', onDragLeave, listeners);
    addEventListener('drop', onDrop, listeners);
    return () => listeners.abort();
  }, [session]);
  return (
    isDraggedOver && (
      <Suspense fallback={null}>
        <DropVeil />
      </Suspense>
    )
  );
}

/** A pasted text is a matrix if more than this share of its cells is numeric. */
const MIN_NUMERIC_SHARE = 0.5;

/**
 * Makes a file of a pasted text if the text is a matrix, else null. Rows are lines, or end with ' / '; cells are
 * separated by tabs, spaces, commas or semicolons. Invalid cells are reported by the reader of the file. `taken`: names
 * in use.
 */
export function pastedFile(text: string, taken: ReadonlySet<string>): File | null {
  const lines = text.split(/\r\n?|\n|\s\/\s/).filter((line) => line.trim() !== '');
  // A spreadsheet uses tabs, and may have a comma within a number.
  const separator = text.includes('\t') ? '\t' : [';', ','].find((sign) => text.includes(sign));
  const rows = lines.map((line) => (separator === undefined ? line.trim().split(/\s+/) : line.split(separator)));
  const cells = rows.flat();
  const numbers = cells.filter((cell) => /\d/.test(cell) && !Number.isNaN(Number(cell.trim().replace(',', '.'))));
  if (cells.length < 2 || numbers.length <= MIN_NUMERIC_SHARE * cells.length) return null;
  const kind = separator === ';' || separator === ',' ? 'csv' : 'tsv';
  const name = (count: number): string => `pasted${count === 1 ? '' : `-${count}`}.${kind}`;
  let count = 1;
  while (taken.has(name(count))) count++;
  return new File([rows.map((row) => `${row.join(separator ?? '\t')}\n`).join('')], name(count));
}

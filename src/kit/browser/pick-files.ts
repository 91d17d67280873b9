/** The file field of the last call; it stays in the document until the next one. */
let lastInput: HTMLInputElement | null = null;

interface PickerOptions {
  readonly accept: string;
  readonly multiple: boolean;
  /** lets the user choose a folder: all files in it and in its subfolders */
  readonly isFolder?: boolean;
}

/** Opens the system's file picker and passes the files to `open`. In WebKit the field has to be in the document. */
export function pickFiles(
  { accept, multiple, isFolder = false }: PickerOptions,
  open: (files: readonly File[]) => void,
): void {
  lastInput?.remove();
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.multiple = multiple;
  input.webkitdirectory = isFolder;
  input.hidden = true;
  input.addEventListener('change', () => {
    if (input.files && input.files.length > 0) open([...input.files]);
  });
  document.body.append(input);
  lastInput = input;
  input.click();
}

let asked: HTMLInputElement | null = null;

/**
 * Asks for files through the system's picker; `open` gets them, at least one, unless the person changes their mind.
 * The input stays in the document until the next time: WebKit forgets one that nothing holds while the picker is open.
 */
export function pickFiles(
  { accept, multiple }: { readonly accept: string; readonly multiple: boolean },
  open: (files: readonly File[]) => void,
): void {
  asked?.remove();
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.multiple = multiple;
  input.hidden = true;
  input.addEventListener('change', () => {
    if (input.files && input.files.length > 0) open([...input.files]);
  });
  document.body.append(input);
  asked = input;
  input.click();
}

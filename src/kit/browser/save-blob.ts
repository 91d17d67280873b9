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

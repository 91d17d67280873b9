/** Loads the kernel editor on demand, since its code is as large as the code of the page's first screen. */
export const loadEditor = async () => (await import('./KernelEditor.tsx')).KernelEditor;

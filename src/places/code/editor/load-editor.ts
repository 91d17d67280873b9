/** The editor, which is as much code as the page's first screen: for whoever is about to edit. */
export const loadEditor = async () => (await import('./KernelEditor.tsx')).KernelEditor;

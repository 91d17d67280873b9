/** The editor, which is as much code as the page's first screen: loaded when someone is about to edit. */
export const loadEditor = async () => (await import('./KernelEditor.tsx')).KernelEditor;

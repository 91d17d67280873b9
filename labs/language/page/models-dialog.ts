import { createStore } from 'zustand/vanilla';

/** Whether the dialog that lists language models is open: a button of the page and the command palette open it. */
export const isModelsDialogOpen = createStore<boolean>(() => false);

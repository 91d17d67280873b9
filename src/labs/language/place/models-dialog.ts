import { createStore } from 'zustand/vanilla';

/** Whether the dialog with the list of models is open: a button of the page and the search open it. */
export const modelsDialog = createStore<boolean>(() => false);

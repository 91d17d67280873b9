import { createStore } from 'zustand/vanilla';

/** Whether the list of models is open, and the way to bring one: a button of the place opens it, and the search of everything. */
export const modelsDialog = createStore<boolean>(() => false);

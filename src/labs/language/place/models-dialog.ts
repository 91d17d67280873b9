import { createStore } from 'zustand/vanilla';

/** Whether the list of models is open, where a person can also bring one: a button of the place and the search open it. */
export const modelsDialog = createStore<boolean>(() => false);

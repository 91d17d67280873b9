import { createStore } from 'zustand/vanilla';

/** Whether the form for a question set is open, above the list of lessons. */
export const isSetDialogOpen = createStore(() => false);

/** The title of that form. */
export const SET_TITLE = 'Make a question set';

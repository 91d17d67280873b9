import { createStore } from 'zustand/vanilla';

/** Whether questions are being put together, above the list of lessons. */
export const makingSet = createStore(() => false);

/** What is put together. */
export const SET_TITLE = 'Make a question set';

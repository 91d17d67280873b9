import { createStore } from 'zustand/vanilla';

/** Whether questions are being put together, above the list of lessons. */
export const makingSet = createStore(() => false);

import { createStore } from 'zustand/vanilla';

/** Whether the dialog that makes a set of questions is open. */
export const isQuestionSetDialogOpen = createStore(() => false);

/** The title of that dialog. */
export const QUESTION_SET_TITLE = 'Make a question set';

/** Loaded on demand: people's stored formats, the question whether one from a link may run, and opening them. */
export { StoredFormats } from './StoredFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormats } from './open-linked-formats.ts';

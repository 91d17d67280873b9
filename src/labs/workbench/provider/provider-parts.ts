/** For other places, loaded together when needed: people's stored formats, consent to one in a link, opening them. */
export { StoredFormats } from './StoredFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormats } from './open-linked-formats.ts';

/* Parts of the page for custom formats, loaded on demand: a list, the consent to run code, the opening. */
export { StoredFormats } from './StoredFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormatsOfLink } from './open-linked-formats.ts';

/** What the workbench offers other places for people's formats, which the page loads together when first needed. */
export { StoredFormats } from './StoredFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormats } from './open-linked-formats.ts';

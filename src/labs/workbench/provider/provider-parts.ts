/** The parts of the provider of formats that the page loads at once. */
export { KeptFormats } from './KeptFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormats } from './open-linked-formats.ts';

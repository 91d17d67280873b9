/** What the page loads at once of the provider of formats. */
export { KeptFormats } from './KeptFormats.tsx';
export { ModuleQuestion } from './ModuleQuestion.tsx';
export { openFormats } from './wanted.ts';

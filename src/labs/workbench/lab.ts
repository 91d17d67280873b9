import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Lab } from '../../kit/lab.ts';

const wanted = () => import('../../kit/own/wanted.ts');
loadLater(wanted);

export const workbench: Lab = {
  places: [],
  provider: {
    open: async (app, formats) => (await wanted()).openFormats(app, formats),
    Offers: lazyPart(async () => (await import('../../kit/own/KeptFormats.tsx')).KeptFormats),
    Question: lazyPart(async () => (await import('../../kit/own/ModuleQuestion.tsx')).ModuleQuestion),
  },
  Exercise: lazyPart(async () => (await import('../../places/code/exercises/ExerciseCard.tsx')).ExerciseCard),
};

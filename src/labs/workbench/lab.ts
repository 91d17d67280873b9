import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Lab } from '../../kit/lab.ts';
import { workbenchPlace } from './place/place.ts';

const wanted = () => import('./provider/wanted.ts');
loadLater(wanted);

export const workbench: Lab = {
  places: [workbenchPlace],
  provider: {
    open: async (app, formats) => (await wanted()).openFormats(app, formats),
    Offers: lazyPart(async () => (await import('./provider/KeptFormats.tsx')).KeptFormats),
    Question: lazyPart(async () => (await import('./provider/ModuleQuestion.tsx')).ModuleQuestion),
  },
  Exercise: lazyPart(async () => (await import('./place/exercises/ExerciseCard.tsx')).ExerciseCard),
};

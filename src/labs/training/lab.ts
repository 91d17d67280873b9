import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Command, CommandContext } from '../../kit/command.ts';
import type { Lab } from '../../kit/lab.ts';
import type { Place } from '../../kit/place.ts';
import { type Choices, placeState, withChosen } from '../../state/index.ts';
import { TRAINING, TRAINING_ADDRESS } from './place/address.ts';

/** The story, and runs that other words find. */
const FOUND: readonly (Pick<Command, 'id' | 'title' | 'also'> & { readonly choices: Choices })[] = [
  {
    id: 'story',
    title: 'Story: where zeros come from',
    also: 'L1, dead neurons, animation',
    choices: { story: 'yes' },
  },
  { id: 'without', title: 'Training without L1', also: 'dense activations, no regularisation', choices: { l1: '0' } },
  {
    id: 'reinitialised',
    title: 'Training that reinitialises dead neurons',
    also: 'revive dead neurons, equation 6',
    choices: { reinit: 'yes' },
  },
  { id: 'warmed', title: 'Training with a warm-up of L1', also: 'schedule, warmup', choices: { warmup: 'yes' } },
];

const trainingPlace: Place = {
  ...TRAINING,
  Page: lazyPart(async () => (await import('./place/TrainingPage.tsx')).TrainingPage),
  // Its network has no matrix of the chooser.
  hasOwnSubject: () => true,
  shows: {
    has: (doc) => placeState(doc, TRAINING_ADDRESS).choices.story === 'yes',
    Picture: lazyPart(async () => (await import('./place/story/TrainingStory.tsx')).StoryPicture),
  },
  figures: {
    facts: async (document) => (await import('./place/lesson.ts')).facts(document),
    Figure: lazyPart(async () => (await import('./place/Curves.tsx')).LessonFigure),
  },
  finds: () =>
    Promise.resolve({
      place: 'train, l1, regularisation, regularization, loss curve, learning curve, dead neurons, adam, optimiser',
      about: 'where the zeros of activations come from',
      more: ({ app: { document } }: CommandContext) =>
        FOUND.map(({ id, title, also = '', choices }) => ({
          id: `${TRAINING.id}-${id}`,
          group: 'Section' as const,
          title,
          also,
          leads: TRAINING.title,
          run: () => document.setState(withChosen(document.getState(), TRAINING_ADDRESS, choices)),
        })),
    }),
};

export const training: Lab = { places: [trainingPlace] };

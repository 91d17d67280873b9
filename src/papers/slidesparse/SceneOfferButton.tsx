import type { SceneOffer } from '../../core/story/scene.ts';
import type { Placement } from '../../theory/sliding-windows.ts';
import { useApp } from '../../kit/app-context.ts';
import { board, boardTexts, takeUp } from './board.ts';

/** What the questions of Explore do with what a story offers them, and their address then. */
const TAKERS = {
  windows: (subject: unknown) => {
    takeUp(subject as Placement);
    return boardTexts(board.getState());
  },
};

/** Takes what the step is about to a place of Explore, to be changed there. Nothing where no place takes it. */
export function TakeUp({ offer }: { readonly offer: SceneOffer }) {
  const { session } = useApp();
  const { place } = offer;
  if (!isTaken(place)) return null;
  const go = (): void => {
    session.follow('question', { id: place, choices: TAKERS[place](offer.subject) });
  };
  return (
    <button type="button" className="text-button" title={offer.hint} onClick={go}>
      {offer.label}
    </button>
  );
}

function isTaken(place: string): place is keyof typeof TAKERS {
  return Object.hasOwn(TAKERS, place);
}

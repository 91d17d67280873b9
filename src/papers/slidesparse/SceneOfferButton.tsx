import type { SceneOffer } from '../../core/story/scene.ts';
import type { Placement } from '../../theory/sliding-windows.ts';
import { useApp } from '../../kit/app-context.ts';
import { board, boardTexts, showGroup } from './board.ts';

/** By page: shows there what a story offers, and returns its address. */
const RECEIVERS = {
  windows: (subject: unknown) => {
    showGroup(subject as Placement);
    return boardTexts(board.getState());
  },
};

/** Opens what the step is about where it can be changed. Nothing if no place receives it. */
export function SceneOfferButton({ offer }: { readonly offer: SceneOffer }) {
  const { session } = useApp();
  const { place } = offer;
  if (!hasReceiver(place)) return null;
  const go = (): void => {
    session.follow('group', RECEIVERS[place](offer.subject));
  };
  return (
    <button type="button" className="text-button" title={offer.hint} onClick={go}>
      {offer.label}
    </button>
  );
}

function hasReceiver(place: string): place is keyof typeof RECEIVERS {
  return Object.hasOwn(RECEIVERS, place);
}

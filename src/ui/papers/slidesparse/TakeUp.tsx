import type { SceneOffer } from '../../../core/story/scene.ts';
import type { Placement } from '../../../theory/sliding-windows.ts';
import { useApp } from '../../app-context.ts';
import { takeUp } from './board.ts';

/** What the places of Explore do with what a story offers them. */
const TAKERS: Readonly<Record<string, ((subject: unknown) => void) | undefined>> = {
  windows: (subject) => takeUp(subject as Placement),
};

/** Takes what the step is about to a place of Explore, to be changed there. Nothing where no place takes it. */
export function TakeUp({ offer }: { readonly offer: SceneOffer }) {
  const { session } = useApp();
  const take = TAKERS[offer.place];
  if (!take) return null;
  const go = (): void => {
    take(offer.subject);
    session.setView('explore');
  };
  return (
    <button type="button" className="text-button" title={offer.hint} onClick={go}>
      {offer.label}
    </button>
  );
}

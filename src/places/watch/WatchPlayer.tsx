import { useEffect } from 'react';
import { useApp, useCurrentFormat, useDocument } from '../../kit/app-context.ts';
import { cssColorOf } from '../../kit/format-color.ts';
import { Player } from '../../kit/stage/Player.tsx';
import { placeState } from '../../state/index.ts';
import { WATCHING } from './address.ts';
import { setEveryStep } from './every-step.ts';

/** The player of one story or two, by key moments unless the address says otherwise. */
export function WatchPlayer() {
  const app = useApp();
  const { player, formats } = app;
  const a = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format);
  const everyStep = useDocument((doc) => placeState(doc, WATCHING).every === '1');
  useEffect(() => {
    player.setEveryStep(everyStep);
    // Elsewhere, as when presenting, the player goes by every step.
    return () => player.setEveryStep(true);
  }, [player, everyStep]);
  const b = formats.find(({ id }) => id === against);
  return (
    <Player
      player={player}
      moments={{
        a: { title: a.title, color: cssColorOf(a.id) },
        b: b ? { title: b.title, color: cssColorOf(b.id) } : null,
        onEveryStep: (on) => setEveryStep(app, on),
      }}
    />
  );
}

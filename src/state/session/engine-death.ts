import { asSentence } from '../sentence.ts';
import type { Opening } from './opening.ts';
import type { SessionContext } from './session-context.ts';

/** A title within a sentence: 'Opening fc2-70' as 'opening fc2-70'. */
function lowered(title: string): string {
  return title[0].toLowerCase() + title.slice(1);
}

/** Whenever the engine dies: says so, and opens the matrix again in the next one. */
export function watchDeaths(
  { engine, store }: SessionContext,
  opening: Pick<Opening, 'lose' | 'reopen'>,
  refreshDevice: () => Promise<void>,
): void {
  const say = (message: string): void => store.setState({ error: asSentence(message) });
  let deaths = 0;
  let reopening = false;
  engine.onDeath(({ how, isFinal }) => {
    const mine = ++deaths;
    const { bench: runs, opening: opens, saving: saves } = store.getState();
    const job = runs.running?.job ?? opens ?? saves;
    const what = `The engine ${how}${job ? ` while ${lowered(job.title)}` : ''}`;
    opening.lose();
    if (isFinal) return say(`${what}, again and again; reload the page`);
    void refreshDevice();
    // A matrix that has just brought the engine down would do so again.
    if (reopening) return say(`${what}; it was started again, without the matrix`);
    reopening = true;
    void opening.reopen().then((outcome) => {
      reopening = false;
      if (mine === deaths) say(`${what}; it was started again${outcome}`);
    });
  });
}

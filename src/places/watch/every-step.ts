import type { App } from '../../kit/app-context.ts';
import { placeState, withPlace } from '../../state/index.ts';
import { WATCHING } from './address.ts';

/** Chooses between key moments and every step. */
export function setEveryStep({ document }: Pick<App, 'document'>, everyStep: boolean): void {
  const doc = document.getState();
  document.setState(withPlace(doc, WATCHING, { ...placeState(doc, WATCHING), every: everyStep ? '1' : '0' }));
}

import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../state/index.ts';

export interface Comparing {
  readonly choices: Choices;
}

/** `#2/compare?x.NAME=...` */
export const COMPARING = placeAddress<Comparing>({ id: 'compare', fields: {}, choices: 'choices' });

export const COMPARE: PlaceEntry = {
  id: COMPARING.id,
  title: 'Compare',
  address: COMPARING,
  comparesFormats: true,
  isOfFirst: true,
  links: { formats: (doc) => withChosen(doc, COMPARING) },
};

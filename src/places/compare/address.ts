import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../state/index.ts';

/** The state of the Compare place: choices of its parts, which parse them. */
export interface CompareFields {
  readonly choices: Choices;
}

/** `#2/compare?x.NAME=...` */
export const COMPARE_FIELDS = placeAddress<CompareFields>({ id: 'compare', fields: {}, choices: 'choices' });

/** Compare in the list of places: its title, address, and the links that it answers. */
export const COMPARE: PlaceEntry = {
  id: COMPARE_FIELDS.id,
  title: 'Compare',
  address: COMPARE_FIELDS,
  comparesFormats: true,
  startsWithFirstMatrix: true,
  links: { formats: (doc) => withChosen(doc, COMPARE_FIELDS) },
};

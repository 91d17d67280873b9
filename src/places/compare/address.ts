import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../state/index.ts';

/** What an address says of the page Compare: texts by name, parsed by its table, chart and folds. */
export interface CompareFields {
  readonly choices: Choices;
}

/** `#2/compare?x.NAME=...` */
export const COMPARE_FIELDS = placeAddress<CompareFields>({ id: 'compare', fields: {}, choices: 'choices' });

/** Compare in the list of pages: its title, address, and the named link by which other pages lead here. */
export const COMPARE: PlaceEntry = {
  id: COMPARE_FIELDS.id,
  title: 'Compare',
  address: COMPARE_FIELDS,
  comparesFormats: true,
  startsWithFirstMatrix: true,
  links: { formats: (doc) => withChosen(doc, COMPARE_FIELDS) },
};

import { type Choices, pageAddress, type PageEntry, withChosen } from '../../state/index.ts';

/** The settings of the page Compare in an address: texts by name, which its table, chart and sections parse. */
export interface CompareFields {
  readonly choices: Choices;
}

/** How an address contains these settings: `#2/compare?x.NAME=...`, 2 being the version of addresses. */
export const COMPARE_FIELDS = pageAddress<CompareFields>({ id: 'compare', fields: {}, choices: 'choices' });

/** Compare in the list of pages: its title, address, and the named link by which other pages lead here. */
export const COMPARE: PageEntry = {
  id: COMPARE_FIELDS.id,
  title: 'Compare',
  address: COMPARE_FIELDS,
  comparesFormats: true,
  startsWithFirstMatrix: true,
  links: { formats: (doc) => withChosen(doc, COMPARE_FIELDS) },
};

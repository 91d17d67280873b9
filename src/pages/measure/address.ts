import {
  type Choices,
  pageAddress,
  type PageEntry,
  pageState,
  type DocumentPages,
  textField,
  withPage,
} from '../../state/index.ts';

const ID = 'measure';

/** The state of the page Measure that its address stores. */
export interface MeasureFields {
  /** ids of the open details sections, joined with dots */
  readonly fold: string;
  /** choices inside the sections, which parse them */
  readonly choices: Choices;
}

/** `#2/measure?x.fold=...` */
export const MEASURE_FIELDS = pageAddress<MeasureFields>({
  id: ID,
  fields: { fold: textField('x.fold') },
  choices: 'choices',
  quiet: ['fold'], // without an entry in the history
});

/** Measure in the application's list of pages, with its address `#2/measure?...` and the links that lead to it. */
export const MEASURE: PageEntry = {
  id: ID,
  title: 'Measure',
  address: MEASURE_FIELDS,
  startsWithFirstMatrix: true, // an address that names no matrix opens that of the first screen
  links: {
    runs: (doc) => withDetails(doc, 'kernels'), // all kernels tried
    settings: (doc) => withDetails(doc, 'settings'), // settings and sweeps
    speedupInModel: (doc) => withDetails(doc, 'worth'), // the details 'from kernel to model'
  },
};

/** The ids of the open details sections: 'settings.runs' is two. */
export function openDetails(section: string): readonly string[] {
  return section.split('.').filter((id) => id !== '');
}

/** The document (page state) with the page Measure open, and one more of its details sections. */
export function withDetails<D extends DocumentPages>(doc: D, id: string): D {
  const state = pageState(doc, MEASURE_FIELDS);
  const open = openDetails(state.fold);
  return withPage(doc, MEASURE_FIELDS, { ...state, fold: open.includes(id) ? state.fold : [...open, id].join('.') });
}

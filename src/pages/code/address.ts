import { pageAddress, type PageEntry, textField, wholeField, withPage } from '../../state/index.ts';

/** The value of `file` for the text of all files, as compiled. */
export const WHOLE_TEXT = 'all';

/** The state of the page Code in its address. */
export interface CodeFields {
  /** id of a kernel; '' for a kernel of format A, the first of the page */
  readonly kernel: string;
  /** shown file, relative to shaders/; '' for the one with the inner loop; or `WHOLE_TEXT` */
  readonly file: string;
  /** line of that file, from 1; 0 for none */
  readonly line: number;
}

/** The parts of every address of Code. A lab (an optional part of the app, in labs) may add fields. */
export const CODE_ADDRESS = {
  id: 'code',
  path: 'kernel',
  fields: { file: textField('file'), line: wholeField('line') },
} as const;

/** `#2/code/FORMAT/KERNEL?file=...&line=...` */
export const CODE_FIELDS = pageAddress<CodeFields>(CODE_ADDRESS);

/** Code in the list of pages: its title, address, and the named link by which other pages lead here. */
export const CODE: PageEntry = {
  id: CODE_FIELDS.id,
  title: 'Code',
  address: CODE_FIELDS,
  links: {
    code: (doc, { file, line }) => withPage(doc, CODE_FIELDS, { file, line }),
  },
};

import {
  type Choices,
  placeAddress,
  type PlaceEntry,
  textField,
  wholeField,
  withPlace,
  wordField,
} from '../../state/index.ts';

/** The tabs of a kernel: its code, or what its lanes load. */
export const KERNEL_PARTS = ['code', 'memory'] as const;

/** In place of a file: the text of all of them, as it is compiled. */
export const WHOLE_TEXT = 'all';

/** What the Code place shows. */
export interface Reading {
  /** id of a kernel; '' for the first of the format on the stage */
  readonly kernel: string;
  /** file on show, relative to shaders/; '' for the one with the inner loop; or `WHOLE_TEXT` */
  readonly file: string;
  /** line of that file, from 1; 0 for none in particular */
  readonly line: number;
  /** id of a draft of the kernel, kept in this browser; '' for the kernel itself */
  readonly draft: string;
  /** a draft carried by the link; '' for none */
  readonly code: string;
  /** a format of one's own carried by the link: its module, deflated; '' for none */
  readonly module: string;
  readonly part: (typeof KERNEL_PARTS)[number];
  /** choices of that part, which alone knows how to read them */
  readonly choices: Choices;
}

/** In place of a kernel: formats of one's own, and behind a slash the name of one, or of an exercise. */
const OWN = 'own';

/** The address of a format of one's own; without a name, of all of them. */
export function ownPath(name = ''): string {
  return name === '' ? OWN : `${OWN}/${name}`;
}

/** The name in the address of a format of one's own: '' for all of them, null where the address is of a kernel. */
export function ownAt(kernel: string): string | null {
  if (kernel === OWN) return '';
  return kernel.startsWith(`${OWN}/`) ? kernel.slice(OWN.length + 1) : null;
}

/** `#2/code/FORMAT/KERNEL?file=...&line=...` */
export const READING = placeAddress<Reading>({
  id: 'code',
  path: 'kernel',
  fields: {
    file: textField('file'),
    line: wholeField('line'),
    draft: textField('draft'),
    code: textField('code', { isLong: true }),
    module: textField('own-format', { isLong: true }),
    part: wordField('part', KERNEL_PARTS),
  },
  choices: 'choices',
});

export const CODE: PlaceEntry = {
  id: READING.id,
  title: 'Code',
  address: READING,
  links: {
    code: (doc, { file, line }) => withPlace(doc, READING, { file, line }),
    exercise: (doc, kernel) => withPlace(doc, READING, { kernel }),
    ownFormat: (doc, name) => withPlace(doc, READING, { kernel: ownPath(name) }),
  },
};

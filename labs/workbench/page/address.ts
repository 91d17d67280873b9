// The fields of the page Workbench in addresses.

import { CODE, type CodeFields, CODE_ADDRESS } from '../../../src/pages/code/address.ts';
import { type Choices, pageAddress, type PageEntry, textField, withPage, wordField } from '../../../src/state/index.ts';

/** The two parts of a kernel's page: its code, and the memory loads of its lanes. */
export const KERNEL_PARTS = ['code', 'memory'] as const;

/** What an address of the page Code can name with the Workbench lab, in which users write kernels and formats. */
export interface WorkbenchFields extends CodeFields {
  /** id of a draft of the kernel, stored in this browser; '' for the kernel itself */
  readonly draft: string;
  /** a draft in the link; '' for none */
  readonly code: string;
  /** a custom format in the link: its module, deflated; '' for none */
  readonly module: string;
  readonly part: (typeof KERNEL_PARTS)[number];
  /** settings of the current part, by name, as texts */
  readonly choices: Choices;
}

/** Replaces a kernel's id in an address: the list of custom formats, or, before '/' and a name, one of them. */
const FORMATS_PATH = 'own';

/**
 * Returns what replaces a kernel's id in the address of a custom format; without a name, of the list of all formats.
 */
export function userFormatPath(name = ''): string {
  return name === '' ? FORMATS_PATH : `${FORMATS_PATH}/${name}`;
}

/** Returns the fields of the address of a custom format, or of the list of all of them. */
export const userFormatAddress = (name = ''): Pick<WorkbenchFields, 'kernel'> => ({ kernel: userFormatPath(name) });

/** Returns the name of the custom format in a `userFormatPath`; '' for the list, null for the id of a kernel. */
export function userFormatAt(kernel: string): string | null {
  if (kernel === FORMATS_PATH) return '';
  return kernel.startsWith(`${FORMATS_PATH}/`) ? kernel.slice(FORMATS_PATH.length + 1) : null;
}

/** The address of a kernel, possibly with a draft or a part of it, or of a custom format. */
export const WORKBENCH_FIELDS = pageAddress<WorkbenchFields>({
  ...CODE_ADDRESS,
  fields: {
    ...CODE_ADDRESS.fields,
    draft: textField('draft'),
    code: textField('code', { isLong: true }),
    module: textField('own-format', { isLong: true }),
    part: wordField('part', KERNEL_PARTS),
  },
  choices: 'choices',
});

declare module '../../../src/state/page-entry.ts' {
  interface LinkTargets {
    /** an exercise by the path of its address */
    readonly exercise: string;
    /** a custom format, by its name; '' for the page of all of them */
    readonly ownFormat: string;
  }
}

/** The entry of the page Code, with the address and links of the lab. */
export const WORKBENCH: PageEntry = {
  ...CODE,
  address: WORKBENCH_FIELDS,
  links: {
    code: (doc, { file, line }) => withPage(doc, WORKBENCH_FIELDS, { file, line }),
    exercise: (doc, kernel) => withPage(doc, WORKBENCH_FIELDS, { kernel }),
    ownFormat: (doc, name) => withPage(doc, WORKBENCH_FIELDS, userFormatAddress(name)),
  },
};

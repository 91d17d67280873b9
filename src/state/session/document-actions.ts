import { paramAccepts, paramExpectation } from '../../core/format.ts';
import type { Region } from '../../core/matrix/index.ts';
import {
  type AppDocument,
  defaultChoice,
  MAX_TOKENS,
  paramFields,
  type ParamValue,
  type FormatChoice,
  equalChoices,
  choiceA,
  withFormatB,
  withFormat,
  withNeededParams,
  withParam,
  withChoiceA,
  withSwapped,
  withTokens,
  withView,
  withWindow,
} from '../document.ts';
import { followLink, type LinkArguments, type LinkTargets } from '../page-entry.ts';
import { asMessage } from '../error-messages.ts';
import { isLinkProblem } from '../url-fields.ts';
import { windowProblem } from '../window.ts';
import type { SessionContext } from './session-context.ts';

/** The actions by which the user changes the document. An invalid value is rejected with a message. */
export function createDocumentActions({ catalog, document, store }: SessionContext) {
  const change = (doc: AppDocument): void => {
    const before = document.getState();
    document.setState(doc);
    const hasChanged = (['format', 'params', 'formatB', 'tokens'] as const).some((key) => doc[key] !== before[key]);
    // The problems of the link that opened the page no longer matter.
    if (hasChanged) store.setState(({ problems }) => ({ problems: problems.filter((one) => !isLinkProblem(one)) }));
  };
  const reject = (message: string): void => store.setState({ error: asMessage(message) });
  const unknownFormat = (format: string): void =>
    reject(`format: found '${format}', expected one of ${catalog.formats.map((f) => f.id).join(', ')}`);
  /** The problem with a parameter; null if it is valid. */
  const paramProblem = (format: string, name: string, value: ParamValue): string | null => {
    const spec = catalog.formats.find((f) => f.id === format)?.params ?? {};
    const field = paramFields(spec).find(([key]) => key === name)?.[1];
    if (!field) return `${format}: found parameter '${name}', which the format lacks`;
    if (paramAccepts(field, value)) return null;
    return `${format}, ${field.label}: found ${String(value)}, expected ${paramExpectation(field)}`;
  };
  /** A choice with all parameters of its format; null, with a message, if a parameter is invalid. */
  const complete = ({ format, params }: FormatChoice): FormatChoice | null => {
    const defaults = defaultChoice(catalog, format);
    if (!defaults) return (unknownFormat(format), null);
    const problem = Object.entries(params).flatMap(([name, value]) => paramProblem(format, name, value) ?? [])[0];
    if (problem !== undefined) return (reject(problem), null);
    return { format, params: { ...defaults.params, ...params } };
  };
  return {
    /** Goes to a page such as Compare, by its id. */
    setView(view: string): void {
      // Else the app could go on showing the page of a document that is being restored (`arriving`).
      store.setState({ arriving: null });
      change(withView(document.getState(), view));
    },
    /** Follows a link to the page that answers it. */
    follow<K extends keyof LinkTargets>(link: K, ...target: LinkArguments<K>): void {
      const next = followLink(catalog.pages, document.getState(), link, ...target); // bounded: one argument at most
      if (next !== null) change(next);
    },
    setFormat(format: string): void {
      if (!catalog.formats.some((f) => f.id === format)) return unknownFormat(format);
      const now = document.getState();
      const next = withNeededParams(withFormat(now, format), catalog);
      // Nothing is compared with itself: if B is already the new A, the two are exchanged.
      change(now.format !== format && equalChoices(choiceA(next), now.formatB) ? withSwapped(now) : next);
    },
    setParam(format: string, name: string, value: ParamValue): void {
      const problem = paramProblem(format, name, value);
      if (problem !== null) return reject(problem);
      change(withParam(document.getState(), format, name, value));
    },
    /** Sets A: a format with parameters; missing parameters get the format's defaults. */
    setChoiceA(choice: FormatChoice): void {
      const whole = complete(choice);
      if (whole) change(withChoiceA(document.getState(), whole));
    },
    /** Sets B, like `setChoiceA`; null for only A. */
    setAgainst(choice: FormatChoice | null): void {
      const whole = choice && complete(choice);
      if (choice === null || whole) change(withFormatB(document.getState(), whole));
    },
    /** Exchanges A and B; does nothing without B. */
    swap(): void {
      change(withSwapped(document.getState()));
    },
    setTokens(tokens: number): void {
      const isCount = Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_TOKENS;
      if (!isCount) return reject(`tokens: found ${tokens}, expected a whole number from 1 to ${MAX_TOKENS}`);
      change(withTokens(document.getState(), tokens));
    },
    /** Sets the window; a window outside the matrix or above 64 × 64 is rejected. */
    setWindow(window: Region): void {
      const { summary } = store.getState();
      const problem = summary && windowProblem(window, summary);
      if (problem) return reject(problem);
      if (summary) change(withWindow(document.getState(), window));
    },
  };
}

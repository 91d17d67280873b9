import type { Region } from '../../core/matrix/index.ts';
import {
  type AppDocument,
  defaultStored,
  MAX_TOKENS,
  type ParamValue,
  paramAccepts,
  paramExpectation,
  paramFields,
  type Stored,
  withAgainst,
  withFormat,
  withParam,
  withStored,
  withSwapped,
  withTokens,
  withView,
  withWindow,
} from '../document.ts';
import { followLink, type LinkArguments, type LinkTargets } from '../place-address.ts';
import { asSentence } from '../sentence.ts';
import { windowProblem } from '../window.ts';
import type { SessionContext } from './session-context.ts';

/** What a person changes of the document. A wrong value is refused with a sentence. */
export interface DocumentActions {
  setView(view: string): void;
  /** Follows a link to whichever place offers it. */
  follow<K extends keyof LinkTargets>(link: K, ...target: LinkArguments<K>): void;
  setFormat(format: string): void;
  setParam(format: string, name: string, value: ParamValue): void;
  /** A: a format with parameters; those that it does not name are the format's defaults. */
  setStored(stored: Stored): void;
  /** B, like `setStored`; null for A alone. */
  setAgainst(stored: Stored | null): void;
  /** Exchanges A and B; nothing where A is alone. */
  swap(): void;
  /** From 1 to `MAX_TOKENS`. */
  setTokens(tokens: number): void;
  /** A window outside the matrix or above 64 × 64 is refused. */
  setWindow(window: Region): void;
}

export function createDocumentActions({ catalog, document, store }: SessionContext): DocumentActions {
  const change = (doc: AppDocument): void => document.setState(doc);
  const refuse = (message: string): void => store.setState({ error: asSentence(message) });
  const unknownFormat = (format: string): void =>
    refuse(`format: found '${format}', expected one of ${catalog.formats.map((f) => f.id).join(', ')}`);
  /** What is wrong with a parameter; null where nothing is. */
  const paramProblem = (format: string, name: string, value: ParamValue): string | null => {
    const spec = catalog.formats.find((f) => f.id === format)?.params ?? {};
    const field = paramFields(spec).find(([key]) => key === name)?.[1];
    if (!field) return `${format}: found parameter '${name}', expected one that the format has`;
    if (paramAccepts(field, value)) return null;
    return `${format}, ${field.label}: found ${String(value)}, expected ${paramExpectation(field)}`;
  };
  /** With every parameter of the format; null, and refused, where something is wrong with it. */
  const complete = ({ format, params }: Stored): Stored | null => {
    const usual = defaultStored(catalog, format);
    if (!usual) return (unknownFormat(format), null);
    const problem = Object.entries(params).flatMap(([name, value]) => paramProblem(format, name, value) ?? [])[0];
    if (problem !== undefined) return (refuse(problem), null);
    return { format, params: { ...usual.params, ...params } };
  };
  return {
    setView(view) {
      change(withView(document.getState(), view));
    },
    follow(link, ...target) {
      const next = followLink(catalog.places, document.getState(), link, ...target); // bounded: one argument at most
      if (next !== null) change(next);
    },
    setFormat(format) {
      if (catalog.formats.some((f) => f.id === format)) return change(withFormat(document.getState(), format));
      unknownFormat(format);
    },
    setParam(format, name, value) {
      const problem = paramProblem(format, name, value);
      if (problem !== null) return refuse(problem);
      change(withParam(document.getState(), format, name, value));
    },
    setStored(stored) {
      const whole = complete(stored);
      if (whole) change(withStored(document.getState(), whole));
    },
    setAgainst(stored) {
      const whole = stored && complete(stored);
      if (stored === null || whole) change(withAgainst(document.getState(), whole));
    },
    swap() {
      change(withSwapped(document.getState()));
    },
    setTokens(tokens) {
      const isCount = Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_TOKENS;
      if (!isCount) return refuse(`tokens: found ${tokens}, expected a whole number from 1 to ${MAX_TOKENS}`);
      change(withTokens(document.getState(), tokens));
    },
    setWindow(window) {
      const { summary } = store.getState();
      const problem = summary && windowProblem(window, summary);
      if (problem) return refuse(problem);
      if (summary) change(withWindow(document.getState(), window));
    },
  };
}

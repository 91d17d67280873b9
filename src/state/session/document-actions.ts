import type { Region } from '../../core/matrix/index.ts';
import {
  type AppDocument,
  type ParamValue,
  paramAccepts,
  paramExpectation,
  paramFields,
  withFormat,
  withParam,
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
  /** A window outside the matrix or above 64 × 64 is refused. */
  setWindow(window: Region): void;
}

export function createDocumentActions({ catalog, document, store }: SessionContext): DocumentActions {
  const change = (doc: AppDocument): void => document.setState(doc);
  const refuse = (message: string): void => store.setState({ error: asSentence(message) });
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
      refuse(`format: found '${format}', expected one of ${catalog.formats.map((f) => f.id).join(', ')}`);
    },
    setParam(format, name, value) {
      const spec = catalog.formats.find((f) => f.id === format)?.params ?? {};
      const field = paramFields(spec).find(([key]) => key === name)?.[1];
      if (!field) return refuse(`${format}: found parameter '${name}', expected one that the format has`);
      if (paramAccepts(field, value)) return change(withParam(document.getState(), format, name, value));
      refuse(`${format}, ${field.label}: found ${String(value)}, expected ${paramExpectation(field)}`);
    },
    setWindow(window) {
      const { summary } = store.getState();
      const problem = summary && windowProblem(window, summary);
      if (problem) return refuse(problem);
      if (summary) change(withWindow(document.getState(), window));
    },
  };
}

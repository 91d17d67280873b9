// A fuzz target: damaged notes of imported models, as a browser stores them.

import { ReadError } from '../../../src/core/errors.ts';
import { readNote } from '../models/imported-model.ts';
import { BROUGHT_MODEL } from '../test/fake-imported.ts';
import { importedText } from '../page/bring/model-words.ts';
import { alikeFault, storedTarget } from '../../../fuzz/records/stored.ts';
import type { Find } from '../../../fuzz/target.ts';
import { errorFault } from '../../../fuzz/words.ts';

function noteFault(text: string): Find | null {
  let about;
  try {
    about = readNote(BROUGHT_MODEL.id, text);
  } catch (error) {
    return errorFault(error, ReadError);
  }
  importedText(about);
  const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context } = about.config;
  const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context, heads / kvHeads];
  const isWhole = sizes.every((size) => Number.isInteger(size) && size > 0);
  const isText = [about.from, about.config.name, ...about.files].every((text) => typeof text === 'string');
  if (!isWhole || !isText) return { law: 'a note that is read is of a model', message: JSON.stringify(about) };
  return alikeFault(about, readNote(about.id, JSON.stringify(about)));
}

/** Broken notes of models that a browser keeps. */
export const notesTarget = storedTarget('notes', 0.005, { note: { whole: BROUGHT_MODEL, check: noteFault } });

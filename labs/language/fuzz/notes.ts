// A fuzz target: damaged notes of imported models, as a browser stores them.

import { ReadError } from '../../../src/core/errors.ts';
import { readSavedModel } from '../models/imported-model.ts';
import { BROUGHT_MODEL } from '../test/fake-imported.ts';
import { importedText } from '../page/bring/model-words.ts';
import { differenceFault, storedTarget } from '../../../fuzz/records/stored.ts';
import type { Fault } from '../../../fuzz/target.ts';
import { errorFault } from '../../../fuzz/words.ts';

function noteFault(text: string): Fault | null {
  let about;
  try {
    about = readSavedModel(BROUGHT_MODEL.id, text);
  } catch (error) {
    return errorFault(error, ReadError);
  }
  importedText(about); // must not throw
  const { hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context } = about.config;
  const sizes = [hidden, intermediate, layers, heads, kvHeads, headDim, vocabulary, context, heads / kvHeads];
  const isWhole = sizes.every((size) => Number.isInteger(size) && size > 0);
  const isText = [about.from, about.config.name, ...about.files].every((text) => typeof text === 'string');
  if (!isWhole || !isText) return { law: 'a stored note is read as a valid model', message: JSON.stringify(about) };
  return differenceFault(about, readSavedModel(about.id, JSON.stringify(about)));
}

/** Share of the time of a fuzz run. */
const TIME_SHARE = 0.005;

/** Damaged notes of imported models. */
export const notesTarget = storedTarget('notes', TIME_SHARE, { note: { valid: BROUGHT_MODEL, check: noteFault } });

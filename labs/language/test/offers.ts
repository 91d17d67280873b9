// For tests: the models that come with the page, with everything recorded about them.

import { readFileSync } from 'node:fs';
import { readRecordedQuality, type RecordedQuality } from '../decoders/quality/recorded-quality.ts';
import type { FactsByPage } from '../../../src/lessons/prepare.ts';
import { LANGUAGE } from '../page/address.ts';
import { lessonAddress } from '../page/lesson/address.ts';
import { readFiringRecord } from '../page/neurons/firing-record.ts';
import { readRecordedTexts } from '../page/text/recorded-texts.ts';
import { factsOf } from '../page/lesson/facts.ts';

/** What was recorded of a model that comes with the page. */
export function shippedQuality(model: string): RecordedQuality {
  return readRecordedQuality(JSON.parse(readFileSync(`labs/language/public/models/${model}/quality.json`, 'utf8')));
}

/** What was recorded of the neurons of the model with ReLU. */
export function shippedFiring(): ReturnType<typeof readFiringRecord> {
  return readFiringRecord(JSON.parse(readFileSync('labs/language/public/models/tales-relu/firing.json', 'utf8')));
}

/** The texts that the model of the page wrote. */
export function shippedTexts(): ReturnType<typeof readRecordedTexts> {
  return readRecordedTexts(JSON.parse(readFileSync('labs/language/public/models/tales/texts.json', 'utf8')));
}

/** The facts that the page provides to lessons, without the page itself. */
export const OFFERS: FactsByPage = new Map([
  [
    LANGUAGE.id,
    {
      facts: async (document) => {
        const address = lessonAddress(document);
        return factsOf(address, shippedQuality(address.model));
      },
    },
  ],
]);

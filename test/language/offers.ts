import { readFileSync } from 'node:fs';
import {
  readRecordedQuality,
  type RecordedQuality,
} from '../../src/labs/language/decoders/quality/recorded-quality.ts';
import type { FactsByPlace } from '../../src/lessons/prepare.ts';
import { LANGUAGE } from '../../src/labs/language/place/address.ts';
import { lessonAddress } from '../../src/labs/language/place/lesson/address.ts';
import { factsOf } from '../../src/labs/language/place/lesson/facts.ts';

/** What was recorded of a model that comes with the page. */
export function shippedQuality(model: string): RecordedQuality {
  return readRecordedQuality(JSON.parse(readFileSync(`public/models/${model}/quality.json`, 'utf8')));
}

/** What the place offers to lessons, without its page. */
export const OFFERS: FactsByPlace = new Map([
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

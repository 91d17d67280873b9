import type { Request } from '../messages.ts';
import { fromText, toText } from '../text-codec.ts';
import { answerTo, failure, type OwnModule } from './answer.ts';

/** Answers a request as a text: what the realm of a module in Node is asked by. `address`: as it is in the module's stacks. */
export function answerText(module: OwnModule, address: string, text: string): string {
  return toText(answerTo(module, address, fromText(text) as Request));
}

/** Why a module could not be evaluated. */
export function failureText(error: unknown, address: string): string {
  return toText(failure(error, address));
}

import type { Request } from '../module-messages.ts';
import { fromText, toText } from '../text-codec.ts';
import { answerTo, failure, type UserFormatModule } from './answer.ts';

/** Answers a request as a text: how the Node sandbox sends a request. `address`: the module's address in stack traces. */
export function answerText(module: UserFormatModule, address: string, text: string): string {
  return toText(answerTo(module, address, fromText(text) as Request));
}

/** Why a module could not be evaluated. */
export function failureText(error: unknown, address: string): string {
  return toText(failure(error, address));
}

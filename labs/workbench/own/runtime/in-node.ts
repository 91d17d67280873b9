import type { Request } from '../module-messages.ts';
import { fromText, toText } from '../text-codec.ts';
import { answerTo, failure, type UserFormatModule } from './answer.ts';

// Called in the child process of Node that runs a custom format, and exchanges only texts with its parent.

/** The answer of a user's module to a request, both as texts. `address`: the module's, in stack traces. */
export function answerText(module: UserFormatModule, address: string, text: string): string {
  return toText(answerTo(module, address, fromText(text) as Request));
}

/** The answer, as a text, of a module that could not be evaluated. */
export function failureText(error: unknown, address: string): string {
  return toText(failure(error, address));
}

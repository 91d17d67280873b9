import { Suspense, useEffect, useState } from 'react';
import type { ModuleDescription, UserArray } from '../../own/parse-answers.ts';
import { requestSetup } from '../../own/module-requests.ts';
import type { UserParams } from '../../own/module-messages.ts';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { pageSandbox } from '../../provider/page-sandbox.ts';
import { asMessage, messageFor } from '../../../../src/state/index.ts';
import { type ModuleWithPlayer, useModuleState } from './use-live-module.ts';

const UserKernelPage = lazyPart(async () => (await import('../user-kernel/UserKernelPage.tsx')).UserKernelPage, {
  isPreloaded: false,
});

const evaluate = (text: string) => pageSandbox().evaluate(text);

interface KernelOfModuleProps {
  /** the module as it runs, with the player of its animation */
  readonly live: ModuleWithPlayer;
  readonly name: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** The page for writing the kernel of a custom format, once the arrays of its JavaScript module are known. */
export function KernelOfModule({ live, name, text, onClose }: KernelOfModuleProps) {
  const description = useModuleState(live, (s) => s.description);
  const params = useModuleState(live, (s) => s.params);
  // Laws: what every format must satisfy, such as that decode undoes encode; null until all are tested.
  const laws = useModuleState(live, (s) => (s.lawsMs === null ? null : s.laws));
  const arrays = useArrays(text, description, params);
  const waiting = <p className="text-quiet p-6">Reading its arrays …</p>;
  if (typeof arrays === 'string') {
    return (
      <div className="p-6">
        <p role="alert">{arrays}</p>
        <TextButton onClick={onClose}>Back to the module</TextButton>
      </div>
    );
  }
  if (description === null || arrays === null) return waiting;
  return (
    <Suspense fallback={waiting}>
      <UserKernelPage format={{ name, text, description, params, arrays, laws, evaluate }} onClose={onClose} />
    </Suspense>
  );
}

/** The arrays of a module; null until they are known; a message if it has none. */
function useArrays(
  text: string,
  description: ModuleDescription | null,
  params: UserParams,
): readonly UserArray[] | string | null {
  const [arrays, setArrays] = useState<readonly UserArray[] | string | null>(null);
  useEffect(() => {
    if (description === null) return;
    let isCurrent = true;
    const runners = evaluate(text);
    requestSetup(runners, description, params)
      .then(
        (outcome) =>
          isCurrent &&
          setArrays(outcome.kind === 'done' ? outcome.result.arrays : 'The module was stopped before it named arrays.'),
        (error: unknown) => isCurrent && setArrays(asMessage(messageFor(error))),
      )
      .finally(() => runners.end());
    return () => {
      isCurrent = false;
      runners.end();
    };
  }, [text, description, params]);
  return arrays;
}

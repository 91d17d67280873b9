import type { Exercise } from '../../../lessons/exercises/index.ts';
import { useSession } from '../../../kit/app-context.ts';
import { shownRun } from '../drafts/draft-words.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { ExerciseVerdict } from './ExerciseVerdict.tsx';
import { verdictOf } from './verdict.ts';

/** How far a kernel is that answers an exercise. */
export function KernelVerdict({ exercise, draft }: { readonly exercise: Exercise; readonly draft: Draft }) {
  const device = useSession((s) => s.device);
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  return <ExerciseVerdict progress={exercise.id} {...verdictOf(exercise, draft, shownRun(draft), isSoftware)} />;
}

import { useEffect } from 'react';
import { exerciseIdOf, exercises, type Exercise } from '../../exercises/index.ts';
import { paramFields } from '../../../../src/state/index.ts';
import type { WorkbenchFields } from '../address.ts';
import { findKernelCard } from '../../../../src/core/scratch/card.ts';
import type { AnyListedFormat } from '../../../../src/core/format.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import type { DraftState } from '../drafts/use-draft.ts';
import { useKernelLibrary, useDrafts } from '../drafts/use-kernel-library.ts';

/** The kernel exercise that an address names; null if it names none, or an unknown exercise. */
export function exerciseOf({ kernel }: Pick<WorkbenchFields, 'kernel'>): Exercise | null {
  const id = exerciseIdOf(kernel);
  return exercises.find((exercise) => exercise.id === id) ?? null;
}

/** The reader's answer to an exercise, a draft of a kernel that is created on first use; null without an exercise. */
export function useAnswer(exercise: Exercise | null): DraftState | null {
  const { formats } = useApp();
  const library = useKernelLibrary();
  const loaded = useDrafts((state) => state.loaded);
  const drafts = useDrafts((state) => state.drafts);
  useEffect(() => {
    if (exercise === null || !loaded) return;
    const { id, kernel, title } = exercise;
    library.answer({
      exercise: id,
      kernel,
      name: title,
      params: paramsOf(exercise, formats),
      start: { [`${kernel}.wgsl`]: exercise.start },
    });
  }, [exercise, loaded, library, formats]);
  if (exercise === null) return null;
  const draft = drafts.find((candidate) => candidate.exercise === exercise.id);
  return draft ? { kind: 'ready', draft, isChanged: false } : { kind: 'waiting' };
}

/** The format's parameters in an exercise, converted from text to the declared types. */
function paramsOf(
  { kernel, params }: Exercise,
  formats: readonly AnyListedFormat[],
): Readonly<Record<string, unknown>> {
  const fields = new Map(paramFields(findKernelCard(formats, kernel)?.format.params ?? {}));
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      const field = fields.get(name);
      const value =
        field?.kind === 'choice' ? field.options.find((option) => String(option.value) === text)?.value : Number(text);
      return [name, value];
    }),
  );
}

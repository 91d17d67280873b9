import { useStore } from 'zustand';
import type { Scene } from '../../../story/scene.ts';
import { useApp } from '../../../kit/app-context.ts';
import { SceneTables } from '../../../kit/stage/SceneTables.tsx';

/** The details section 'tables': the picture as tables, and a description of the element under the pointer. */
export function Tables({ scene }: { readonly scene: Scene | null }) {
  const { hover } = useApp();
  const label = useStore(hover, ({ mark }) => mark?.label ?? null);
  return (
    <>
      <p className={label === null ? 'text-quiet min-h-11' : 'min-h-11'}>{label ?? 'Point at a cell.'}</p>
      {scene && <SceneTables scene={scene} />}
    </>
  );
}

import { Fragment } from 'react';
import { useStore } from 'zustand';
import { writingModel } from '../../../kit/frame/writing-model.ts';
import { useCrumbs } from './use-crumbs.ts';

/** Model, layer and matrix, or the one name of a matrix of no model, with its shape. */
export function OfLabel() {
  const { names, about } = useCrumbs();
  const last = names.length - 1;
  const writing = useStore(writingModel);
  if (writing) return <b>{writing.name}</b>;
  return (
    <>
      {names.map((name, i) => {
        const isMiddle = i > 0 && i < last;
        return (
          // Names may repeat: a model may be called as one of its matrices.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={i}>
            {i > 0 && (
              <span className={isMiddle ? 'crumb-sign word-middle' : 'crumb-sign'} aria-hidden="true">
                {' › '}
              </span>
            )}
            {i === last && last > 1 && (
              <span className="word-gap" aria-hidden="true">
                {'… › '}
              </span>
            )}
            <b className={isMiddle ? 'word-middle' : undefined}>{name}</b>
          </Fragment>
        );
      })}
      {about !== null && <span className="word-quiet crumb-about number"> {about}</span>}
    </>
  );
}

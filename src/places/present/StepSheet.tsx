import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Transcript, type TranscriptProps } from './Transcript.tsx';

interface StepSheetProps extends TranscriptProps {
  readonly onDone: () => void;
}

/** A transcript on paper, in two columns. Prints itself, once. */
export function StepSheet({ onDone, ...transcript }: StepSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    let gone = false;
    const end = (): void => done();
    window.addEventListener('afterprint', end);
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])].map((img) => img.decode().catch(() => {}));
    void Promise.all(pictures).then(() => {
      if (!gone) window.print();
    });
    return () => {
      gone = true;
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return createPortal(
    <div ref={sheet} className="step-sheet">
      <Transcript {...transcript} />
    </div>,
    document.body,
  );
}

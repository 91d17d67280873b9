import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';

export const STAGE_PANEL_ID = 'stage-panel';

/** The formats, each with its colour. Arrow keys go from one to the next. */
export const FormatTabs = memo(function FormatTabs() {
  const { formats, session } = useApp();
  const current = useDocument((doc) => doc.format);
  const list = useRef<HTMLDivElement>(null);

  // With many formats on a narrow screen the current one may be out of view.
  useEffect(() => {
    const row = list.current;
    const tab = document.getElementById(`tab-${current}`);
    if (!row || !tab) return;
    // Scrolls only the row: scrollIntoView would move the page as well.
    const { left, right } = tab.getBoundingClientRect();
    const room = row.getBoundingClientRect();
    if (left < room.left) row.scrollLeft += left - room.left;
    else if (right > room.right) row.scrollLeft += right - room.right;
  }, [current]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = formats.findIndex((f) => f.id === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: formats.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = (to + formats.length) % formats.length;
    session.setFormat(formats[index].id);
    list.current?.querySelectorAll('button')[index]?.focus();
  };

  return (
    <div ref={list} className="format-tabs" role="tablist" aria-label="Format" onKeyDown={onKeyDown}>
      {formats.map((format) => (
        <button
          key={format.id}
          type="button"
          role="tab"
          className="format-tab"
          id={`tab-${format.id}`}
          aria-selected={format.id === current}
          aria-controls={STAGE_PANEL_ID}
          tabIndex={format.id === current ? 0 : -1}
          title={format.summary}
          style={{ '--swatch': cssColorOf(format.id) }}
          onClick={({ detail }) => {
            session.setFormat(format.id);
            // After a pointer click, keys control the steps; with the keyboard, arrows move between formats.
            if (detail > 0) document.getElementById(STAGE_PANEL_ID)?.focus({ preventScroll: true });
          }}
        >
          <Swatch format={format.id} />
          <span className="name" data-text={format.title}>
            {format.title}
          </span>
        </button>
      ))}
    </div>
  );
});

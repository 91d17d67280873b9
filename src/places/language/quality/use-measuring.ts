import { useEffect } from 'react';
import { type App, useApp } from '../../../kit/app-context.ts';
import type { language } from '../service/service.ts';
import { createMeasuring, type Measuring } from './measuring.ts';

const measuringOfApp = new WeakMap<App['session'], Measuring>();

/** The page's measurements of a model: they stay when the place is left. */
export function useMeasuring(model: string): Measuring {
  const { session, engine } = useApp();
  const known = measuringOfApp.get(session);
  const measuring = known ?? createMeasuring(engine.service<typeof language>('language'));
  if (!known) measuringOfApp.set(session, measuring);
  useEffect(() => measuring.show(model), [measuring, model]);
  return measuring;
}

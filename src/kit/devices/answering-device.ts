import { createStore } from 'zustand/vanilla';
import type { Device } from '../../state/devices/device.ts';

/** The device whose times the shown place has: what it asks may need another than a matrix alone. null: it shows none. */
export const answeringDevice = createStore<Device | null>(() => null);

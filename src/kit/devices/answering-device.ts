import { createStore } from 'zustand/vanilla';
import type { Device } from '../../state/devices/device.ts';

/**
 * The device whose times the current place shows: its question may need another one than a matrix alone. null: it shows no
 * times.
 */
export const answeringDevice = createStore<Device | null>(() => null);

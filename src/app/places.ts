import type { Overlay, Place, Standalone } from '../kit/place.ts';
import { benchmark } from '../places/benchmark/place.ts';
import { embed } from '../places/embed/place.ts';
import { explore } from '../places/explore/place.ts';
import { kernels } from '../places/kernels/place.ts';
import { learn } from '../places/learn/place.ts';
import { present } from '../places/present/place.ts';
import { visualize } from '../places/visualize/place.ts';

/** The places of the page, in the order of the header. The first one is shown where an address names none. */
export const PLACES: readonly Place[] = [visualize, benchmark, explore, kernels, learn];

/** What presents a stage. */
export const OVERLAY: Overlay = present;

/** What other pages frame. */
export const STANDALONE: Standalone = embed;

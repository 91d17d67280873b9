// Written by `npm run labs`: what only labs/training uses. Delete this file when that lab is gone for good.
export type { UPDATE } from '../src/core/operations/index.ts';
export type { Products, TOKEN_GROUP } from '../src/core/wasm/product.ts';
export type { PageFigureProps, PageShowProps } from '../src/kit/page-parts.ts';
export type { isEngineDeath } from '../src/state/index.ts';
export type { DrawingLayout } from '../src/story/drawing-space.ts';

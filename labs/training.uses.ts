// Written by `npm run labs`: exports and packages that only labs/training uses. Nothing imports this file. It keeps knip, which
// finds unused exports, from reporting them while that folder is removed. Delete it when the lab is gone for good.
export type { UPDATE } from '../src/core/operations/index.ts';
export type { Products, TOKEN_GROUP } from '../src/core/wasm/product.ts';
export type { PageFigureProps, PageShowProps } from '../src/kit/page-parts.ts';
export type { isEngineDeath } from '../src/state/index.ts';
export type { DrawingLayout } from '../src/story/drawing-space.ts';

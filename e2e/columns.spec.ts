import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const widthOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.width ?? 0;

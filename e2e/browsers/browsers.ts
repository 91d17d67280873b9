// The browsers in which e2e/browsers.spec.ts runs.

import { firefoxPath, webKitPrograms } from '../../scripts/other-browsers.mjs';
import type { Driver } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const firefox = firefoxPath();
const webKit = webKitPrograms();

/** The browsers other than Chromium, which most specs use; `start` is null for a browser that is not installed. */
export const OTHER_BROWSERS: readonly { readonly name: string; readonly start: (() => Promise<Driver>) | null }[] = [
  { name: 'Firefox', start: firefox ? () => startFirefox(firefox) : null },
  { name: 'WebKit', start: webKit ? () => startWebKit(webKit) : null },
];

import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Custom properties carry data from a component to its stylesheet. */
    [name: `--${string}`]: string | number | undefined;
  }
}

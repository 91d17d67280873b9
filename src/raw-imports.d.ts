/** Vite's `?raw` imports: the text of a file as a string. */
declare module '*?raw' {
  const text: string;
  // oxlint-disable-next-line import/no-default-export -- the shape that Vite gives to raw imports
  export default text;
}

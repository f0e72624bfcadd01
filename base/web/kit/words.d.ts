// Catalogues of base/i18n, made into modules by build.mjs.
declare module 'words:*' {
  const catalogue: Record<string, string>;
  export default catalogue;
}

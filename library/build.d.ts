/** Declarations of build.js. */
export function buildLibrary(root: string, folder: string): Promise<object[]>;
export function writeDeclarations(root: string, folder: string): void;

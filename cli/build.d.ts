/** Declarations of build.js. */
export function buildCommand(root: string, folder: string): Promise<object[]>;

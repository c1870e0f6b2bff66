/** For programs in TypeScript; what it is is said where it is. */
export function buildCommand(root: string, folder: string): Promise<object[]>;

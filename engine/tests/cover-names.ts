/** What tests take one of each of. */
export const COVERS = ['steps', 'transitions', 'pairs'] as const;

export type Cover = (typeof COVERS)[number];

/** The address of the state that generated code expands. */
export const CURRENT = 128;

/** The words by which a line is known to begin a declaration, without parsing; each is in one of the two sets. */

/** Words that begin a declaration wherever they begin a line: nothing inside of one begins so. */
export const ALWAYS_DECLARATION: ReadonlySet<string> = new Set(
    'param type record enum channel event function process invariant'.split(' '),
);

/** Words that begin a declaration only outside of braces. */
export const OUTSIDE_DECLARATION: ReadonlySet<string> = new Set(
    'model import const var init allow deadlock assert property assume fair strong run expect constraint'.split(' '),
);

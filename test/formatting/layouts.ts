/** The same tokens and comments with other whitespace between them, chosen at random. */
import * as fc from 'fast-check';

/** Tokens and comments of a text in their order. */
export function piecesOf(text: string): readonly string[] {
    const pieces = text.match(/\/\/[^\n\r]*|"[^"\n\r]*"|\w+|:=|==|!=|<=|>=|&&|\|\||\.\.|[^\s\w]/g) ?? [];
    return pieces.map(piece => piece.trimEnd());
}

/** The whitespace between two pieces; empty if the author's whitespace stays. */
const SPACES: readonly (string | undefined)[] = [
    ...[undefined, undefined, undefined, undefined, undefined, undefined],
    ...[' ', ' ', ' ', '  ', '\t', '        '],
    ...['\n', '\n', '\n    ', '\n\n', '\n\n\n\n  ', '\r\n'],
];

/** `text` with some of its whitespace replaced. Pieces stay separated, and a comment ends its line. */
export function layouts(text: string): fc.Arbitrary<string> {
    const matches = [...text.matchAll(/(\/\/[^\n\r]*|"[^"\n\r]*"|\w+|:=|==|!=|<=|>=|&&|\|\||\.\.|[^\s\w])(\s*)/g)];
    return fc.array(fc.nat(SPACES.length - 1), { minLength: matches.length, maxLength: matches.length }).map(choices =>
        matches
            .map(([, piece = '', between = ''], index) => {
                const chosen = SPACES[choices[index] ?? 0] ?? between;
                const isComment = piece.startsWith('//');
                const space = isComment && !/[\n\r]/.test(chosen) ? `\n${chosen}` : chosen;
                return piece + (space === '' && index < matches.length - 1 ? ' ' : space);
            })
            .join(''),
    );
}

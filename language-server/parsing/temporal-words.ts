/**
 * Temporal words: in a property or an assumption, names become words of the language where an operator can stand.
 * Everywhere else they stay names. Two words that belong together become one token, with one space in its image.
 *
 * A property begins with `property NAME =`, and ends where an operand is complete and nothing continues it.
 */
import type { Lexer, LexerResult } from 'langium';

type Token = LexerResult['tokens'][number];

const PREFIX_WORDS: readonly string[] = ['always', 'eventually', 'infinitely often', 'possible'];
const INFIX_WORDS: readonly string[] = ['until', 'weak until', 'leads to', 'takes'];

export const TEMPORAL_WORDS: ReadonlySet<string> = new Set([...PREFIX_WORDS, ...INFIX_WORDS]);

/** Words that begin a declaration with temporal words. */
const BEGINNERS = new Set(['property', 'assume', 'run']);
/** Tokens behind an operand that do not end the expression. */
const CONTINUING = new Set(
    (
        '( [ ) ] } . .. , : ? + - * div mod == != < <= > >= in && || implies at then else where ' +
        'union minus intersect subset is'
    ).split(' '),
);
/** Signs and words of the language that begin a condition; names and numbers are others. */
const BEGIN_CONDITIONS = new Set('( ! forall exists count sum min max the if true false'.split(' '));
/** Words that an expression never contains. */
const OUTSIDE_EXPRESSIONS = new Set(
    (
        '; := any assert break choose const enum event for invariant let loop or param process return skip terminate ' +
        'var when while'
    ).split(' '),
);
/** Words that may be names, and begin a declaration if a name follows them. */
const BEGIN_DECLARATIONS = new Set(
    'model type record import init constraint channel function procedure allow deadlock property assume run expect fair strong process'.split(
        ' ',
    ),
);
/** Tokens before a name that is no operand. */
const BEFORE_NAME = new Set(['.', 'at', 'takes', 'in']);

/** The tokens of `text`. `types` has the type of each token by its name. */
export function withTemporalWords(text: string, tokens: Token[], types: Lexer['definition']): Token[] {
    if (!tokens.some(({ image }) => BEGINNERS.has(image))) {
        return tokens;
    }
    const result: Token[] = [];
    let isInside = false;
    let isComplete = false;
    let index = 0;
    for (let token = tokens[index]; token !== undefined; token = tokens[index]) {
        const { image } = token;
        if (isInside && (OUTSIDE_EXPRESSIONS.has(image) || image === '=')) {
            isInside = false;
        }
        const last = isInside ? lastOfWord(text, tokens, index, isComplete) : undefined;
        if (last !== undefined) {
            const word = wordOf(tokens, index, last);
            result.push(joinedToken(token, tokens[last] ?? token, word, types[word] ?? token.tokenType));
            isComplete = false;
            index = last + 1;
            continue;
        }
        if (isInside && isComplete && !CONTINUING.has(image)) {
            isInside = false;
        }
        if (!isInside) {
            isInside = image === '=' && BEGINNERS.has(tokens[index - 2]?.image ?? '');
            isComplete = false;
        } else {
            isComplete = isEndOfOperand(image);
        }
        result.push(token);
        index++;
    }
    return result;
}

/** The index of the last token of the temporal word that begins at `index`; undefined if none does. */
function lastOfWord(text: string, tokens: readonly Token[], index: number, isComplete: boolean): number | undefined {
    if (BEFORE_NAME.has(tokens[index - 1]?.image ?? '')) {
        return undefined;
    }
    const words = isComplete ? INFIX_WORDS : PREFIX_WORDS;
    return [index, index + 1].find(
        last =>
            words.includes(wordOf(tokens, index, last)) &&
            isOneWord(text, tokens[index], tokens[last]) &&
            (isComplete || beginsCondition(tokens, last + 1)),
    );
}

function wordOf(tokens: readonly Token[], first: number, last: number): string {
    return tokens
        .slice(first, last + 1)
        .map(({ image }) => image)
        .join(' ');
}

/** Whether there is only space between two tokens: a comment must not get lost. */
function isOneWord(text: string, first: Token | undefined, last: Token | undefined): boolean {
    const between = first === last ? '' : text.slice((first?.endOffset ?? 0) + 1, last?.startOffset);
    return between.trim() === '';
}

/** Whether a condition begins here, or the text ends before it. */
function beginsCondition(tokens: readonly Token[], index: number): boolean {
    const image = tokens[index]?.image;
    if (image === undefined || BEGIN_CONDITIONS.has(image)) {
        return true;
    }
    if (!/^\w/.test(image) || CONTINUING.has(image) || OUTSIDE_EXPRESSIONS.has(image)) {
        return false;
    }
    const next = tokens[index + 1]?.image ?? '';
    return !BEGIN_DECLARATIONS.has(image) || !/^\w/.test(next) || CONTINUING.has(next);
}

function isEndOfOperand(image: string): boolean {
    return (
        image === ')' ||
        image === ']' ||
        image === '}' ||
        image === 'true' ||
        image === 'false' ||
        (/^\w/.test(image) && !BEGIN_CONDITIONS.has(image) && !CONTINUING.has(image))
    );
}

function joinedToken(first: Token, last: Token, image: string, tokenType: Token['tokenType']): Token {
    return {
        ...first,
        image,
        endOffset: last.endOffset ?? first.startOffset,
        endLine: last.endLine ?? first.startLine ?? 0,
        endColumn: last.endColumn ?? first.startColumn ?? 0,
        tokenType,
        tokenTypeIdx: tokenType.tokenTypeIdx ?? first.tokenTypeIdx,
    };
}

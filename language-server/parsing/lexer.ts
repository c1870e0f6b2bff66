/**
 * The lexer, with a guard before the parser: a text that nests or chains without end would exhaust the stack of every
 * recursive algorithm behind it. Beyond the limits the rest of the text is dropped and one error says so.
 */
import { DefaultLexer, type LexerResult, type TokenizeOptions } from 'langium';

/** Brackets that are open at once. */
export const NESTING_LIMIT = 100;

/** Operators and `else`s between two separators (`;`, `,`, a brace): the length of one chain. */
export const CHAIN_LIMIT = 500;

/** `name` of the lexing error that reports a limit. */
export const TOO_DEEP = 'too-deep';

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const SEPARATORS = new Set('; , { } := = model param const type enum var event process invariant'.split(' '));
/** Tokens after which the grammar descends one level without a bracket. */
const CHAINING = new Set('+ - * div mod == != < <= > >= && || ! implies forall exists if then else where :'.split(' '));

export class OrbitLexer extends DefaultLexer {
    override tokenize(text: string, options?: TokenizeOptions): LexerResult {
        const result = super.tokenize(text, options);
        const tooDeep = firstTokenBeyondLimits(result.tokens.map(token => token.image));
        const token = result.tokens[tooDeep];
        if (token === undefined) {
            return result;
        }
        const error = {
            offset: token.startOffset,
            line: token.startLine,
            column: token.startColumn,
            length: token.image.length,
            message: TOO_DEEP,
        };
        return { ...result, tokens: result.tokens.slice(0, tooDeep), errors: [error] };
    }
}

/** The index of the first token that nests or chains too deeply, or -1. */
function firstTokenBeyondLimits(images: readonly string[]): number {
    // One entry for each open bracket. An `else if` is nested in the one before it, although braces lie between.
    const levels = [{ chain: 0, elseIfs: 0 }];
    for (let index = 0; index < images.length; index++) {
        const image = images[index] ?? '';
        if (OPENING.has(image)) {
            levels.push({ chain: 0, elseIfs: 0 });
        } else if (CLOSING.has(image) && levels.length > 1) {
            levels.pop();
        }
        const level = levels[levels.length - 1];
        if (level === undefined) {
            return -1;
        }
        if (SEPARATORS.has(image)) {
            level.chain = 0;
        } else if (CHAINING.has(image)) {
            level.chain++;
        }
        if (image === 'else') {
            level.elseIfs = images[index + 1] === 'if' ? level.elseIfs + 1 : 0;
        }
        if (levels.length > NESTING_LIMIT + 1 || level.chain > CHAIN_LIMIT || level.elseIfs > CHAIN_LIMIT) {
            return index;
        }
    }
    return -1;
}

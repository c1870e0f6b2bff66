/**
 * The lexer with limits: deep nesting or long chains would exhaust the stack, a long text takes minutes. Beyond a limit
 * the rest of the text is dropped with one error.
 */
import { DefaultLexer, type LangiumCoreServices, type LexerResult, type TokenizeOptions } from 'langium';
import { withTemporalWords } from './temporal-words.js';

/** Depths of nesting that the stack of a thread is enough for. */
export interface NestingLimits {
    /** How deep the syntax tree may be: open brackets, prefix operators, `else if`s and labels. */
    readonly depth: number;
    /** Operators in one expression, between two separators (`;`, `,`, a brace). */
    readonly chain: number;
}

/** The parser needs about ten kilobytes of stack for a nested loop, and a thread has one megabyte or a little less. */
const NESTING_LIMITS: NestingLimits = { depth: 50, chain: 500 };

/** A web worker has half a megabyte. */
export const NESTING_LIMITS_IN_BROWSERS: NestingLimits = { depth: 25, chain: 250 };

/** Characters and tokens of a text. A model of five thousand lines has a third of them. */
export const CHARACTER_LIMIT = 2_000_000;
export const TOKEN_LIMIT = 200_000;

/** What the `message` of a lexing error begins with, or is, that reports a limit. */
export const TOO_DEEP = 'the text is nested too deeply here';
export const TOO_LONG = 'too-long';

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const SEPARATORS = new Set(
    (
        '; , { } := = model import param const type record enum var init channel event function process invariant ' +
        'property assume allow let return'
    ).split(' '),
);
/** Fields of fields nest like operators. */
const OPERATORS = new Set([
    ...'+ - * div mod == != < <= > >= in && || implies . until'.split(' '),
    'weak until',
    'leads to',
]);
/** Tokens after which the syntax tree is deeper without a bracket. A label after a label and a sign are others. */
const PREFIXES = new Set([...'! forall exists if of always eventually possible'.split(' '), 'infinitely often']);

export class OrbitLexer extends DefaultLexer {
    private readonly limits: NestingLimits;

    constructor(services: LangiumCoreServices, limits = NESTING_LIMITS) {
        super(services);
        this.limits = limits;
    }

    override tokenize(text: string, options?: TokenizeOptions): LexerResult {
        if (text.length > CHARACTER_LIMIT) {
            const error = { offset: CHARACTER_LIMIT, line: 1, column: 1, length: 1, message: TOO_LONG };
            return { ...super.tokenize('', options), errors: [error] };
        }
        const lexed = super.tokenize(text, options);
        const result = { ...lexed, tokens: withTemporalWords(text, lexed.tokens, this.definition) };
        const tooLong = result.tokens[TOKEN_LIMIT];
        if (tooLong !== undefined) {
            return { ...result, tokens: [], errors: [limitError(tooLong, TOO_LONG)] };
        }
        const { depth, chain } = this.limits;
        const tooDeep = firstTokenBeyond(
            this.limits,
            result.tokens.map(({ image }) => image),
        );
        const token = result.tokens[tooDeep];
        if (token === undefined) {
            return result;
        }
        const message = `${TOO_DEEP}; at most ${depth} levels and ${chain} operators in one expression are possible`;
        return { ...result, tokens: result.tokens.slice(0, tooDeep), errors: [limitError(token, message)] };
    }
}

type LexingError = LexerResult['errors'][number];

function limitError(token: LexerResult['tokens'][number], message: string): LexingError {
    const { startOffset: offset, startLine: line, startColumn: column, image } = token;
    return { offset, line, column, length: image.length, message };
}

/** The counts since the last open bracket. */
interface Level {
    operators: number;
    prefixes: number;
    elseIfs: number;
}

/** The index of the first token that nests or chains too deeply, or -1. */
function firstTokenBeyond({ depth, chain }: NestingLimits, images: readonly string[]): number {
    const outer: Level[] = [];
    let outerDepth = 0;
    let level: Level = { operators: 0, prefixes: 0, elseIfs: 0 };
    const depthOf = ({ prefixes, elseIfs }: Level): number => 1 + prefixes + elseIfs;
    for (let index = 0; index < images.length; index++) {
        const image = images[index] ?? '';
        const previous = images[index - 1] ?? ';';
        if (OPENING.has(image)) {
            outer.push(level);
            outerDepth += depthOf(level);
            level = { operators: 0, prefixes: 0, elseIfs: 0 };
        } else if (CLOSING.has(image)) {
            level = outer.pop() ?? level;
            outerDepth = Math.max(0, outerDepth - depthOf(level));
        }
        if (SEPARATORS.has(image)) {
            level.operators = 0;
            level.prefixes = 0;
        } else if (
            (PREFIXES.has(image) && previous !== 'else') ||
            (image === '-' && beginsOperand(previous)) ||
            (image === ':' && images[beforeLabel(images, index)] === ':')
        ) {
            level.prefixes++;
        } else if (OPERATORS.has(image)) {
            level.operators++;
        } else if (image === 'else') {
            // An `else if` is nested in the one before it.
            level.elseIfs = images[index + 1] === 'if' ? level.elseIfs + 1 : 0;
        }
        if (outerDepth + depthOf(level) > depth + 1 || level.operators > chain) {
            return index;
        }
    }
    return -1;
}

/** The index of the token before the label that ends at a colon, and before its `end strong fair`. */
function beforeLabel(images: readonly string[], colon: number): number {
    let before = colon - 2;
    while (BEFORE_LABEL.has(images[before] ?? '')) {
        before--;
    }
    return before;
}

const BEFORE_LABEL = new Set(['end', 'strong', 'fair']);

/** Whether `-` after this token is a sign. */
function beginsOperand(previous: string): boolean {
    return (
        OPENING.has(previous) ||
        SEPARATORS.has(previous) ||
        OPERATORS.has(previous) ||
        PREFIXES.has(previous) ||
        previous === 'then' ||
        previous === 'else'
    );
}

/**
 * Tokens. Operators of other languages are tokens that no rule has, so that a message can name and replace the whole of
 * one. Some words of the language are names elsewhere, and real models use them as such: `end` is a word only before
 * a label, and `count`, `sum`, `min` and `max` only before a parenthesis and the variables of a quantifier.
 * Deciding that in the lexer keeps the parser's lookahead short.
 */
import { DefaultTokenBuilder, type GrammarAST, type TokenBuilder } from 'langium';
import { foreignOperators } from './unknown-words.js';

type TokenPattern = ReturnType<DefaultTokenBuilder['buildKeywordPattern']>;

/** Blanks and comments. All repetitions are bounded: a text without end must not exhaust the stack of the lexer. */
const GAP = '\\s*(?://[^\\n]*\\n\\s*){0,20}';
const QUANTIFIER_FOLLOWS = `(?=${GAP}\\(${GAP}\\w+(?:${GAP},${GAP}\\w+){0,60}${GAP}(?<!\\w)in\\b)`;
/** Where a word is a keyword, what follows it: `max(i in T: e)`, but `max(a, b)`; `end idle: …`, but `end := 1`. */
const FOLLOWED_BY: ReadonlyMap<string, string> = new Map([
    ['count', QUANTIFIER_FOLLOWS],
    ['sum', QUANTIFIER_FOLLOWS],
    ['min', QUANTIFIER_FOLLOWS],
    ['max', QUANTIFIER_FOLLOWS],
    ['end', '(?=\\s+\\w+\\s*:(?!=))'],
]);

export class OrbitTokenBuilder extends DefaultTokenBuilder implements TokenBuilder {
    /** Before the operators of the language, which some of them begin with. */
    protected override buildKeywordTokens(
        ...parameters: Parameters<DefaultTokenBuilder['buildKeywordTokens']>
    ): ReturnType<DefaultTokenBuilder['buildKeywordTokens']> {
        const foreign = foreignOperators.map(operator => ({ name: operator, PATTERN: operator }));
        return [...foreign, ...super.buildKeywordTokens(...parameters)];
    }

    protected override buildKeywordPattern(keyword: GrammarAST.Keyword, caseInsensitive: boolean): TokenPattern {
        const follows = FOLLOWED_BY.get(keyword.value);
        return follows === undefined
            ? super.buildKeywordPattern(keyword, caseInsensitive)
            : new RegExp(`${keyword.value}${follows}`);
    }
}

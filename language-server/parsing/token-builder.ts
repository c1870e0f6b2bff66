/**
 * Tokens. `count` and `sum` are words of the language only before a parenthesis; elsewhere they are names, which real
 * models use. Deciding that in the lexer keeps the parser's lookahead at one token.
 */
import { DefaultTokenBuilder, type GrammarAST, type TokenBuilder } from 'langium';

type TokenPattern = ReturnType<DefaultTokenBuilder['buildKeywordPattern']>;

/** Words that are functions: keywords before `(`, names elsewhere. */
const FUNCTIONS: ReadonlySet<string> = new Set(['count', 'sum']);

export class OrbitTokenBuilder extends DefaultTokenBuilder implements TokenBuilder {
    protected override buildKeywordPattern(keyword: GrammarAST.Keyword, caseInsensitive: boolean): TokenPattern {
        return FUNCTIONS.has(keyword.value)
            ? new RegExp(`${keyword.value}(?=[ \\t]*\\()`)
            : super.buildKeywordPattern(keyword, caseInsensitive);
    }
}

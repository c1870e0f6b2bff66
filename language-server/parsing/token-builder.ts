/**
 * Tokens and their values. Operators of other languages are tokens without a rule, so that a message can name the whole
 * operator.
 *
 * Some words are names in other places: `end` is a word only before a label, and `count`, `sum`, `min`, `max` and `the` only
 * before a parenthesis with the variables of a quantifier, `spawn` only before a name and a parenthesis, `new` only between
 * `:=` and a name. The lexer decides this, so that the parser's lookahead is short. No text matches a temporal word:
 * temporal-words.ts makes it of names.
 */
import {
    DefaultTokenBuilder,
    DefaultValueConverter,
    type CstNode,
    type GrammarAST,
    type TokenBuilder,
    type ValueType,
} from 'langium';
import { TEMPORAL_WORDS } from './temporal-words.js';
import { foreignOperators } from './unknown-words.js';

type TokenPattern = ReturnType<DefaultTokenBuilder['buildKeywordPattern']>;

/** Blanks and comments. Repetitions are bounded, since a long text must not exhaust the stack of the lexer. */
const GAP = '\\s*(?://[^\\n]*\\n\\s*){0,20}';
const QUANTIFIER_FOLLOWS = `(?=${GAP}\\(${GAP}\\w+(?:${GAP},${GAP}\\w+){0,60}${GAP}(?<!\\w)in\\b)`;
const LABEL_FOLLOWS = '\\s+\\w+\\s*:(?!=)';
/** Words before a parenthesis that are no name of a template: behind a variable `spawn` they begin what comes next. */
const NEVER_A_TEMPLATE =
    'assert|div|else|exists|forall|if|implies|in|mod|of|return|takes|then|until|when|where|while|at|for';
/** Words behind a variable `new` that are no name of a type: they go on with the expression, or begin what comes next. */
const NEVER_A_TYPE =
    `${NEVER_A_TEMPLATE}|union|minus|intersect|subset|is|any|bool|break|choose|const|enum|event|false|invariant|let|loop|none|` +
    'or|param|process|skip|terminate|true|var';
/** The text around a word that is a keyword only between the two. A name with a sign behind it begins a step. */
const BETWEEN: ReadonlyMap<string, readonly [string, string]> = new Map([
    ['new', [`(?<=:=${GAP})`, `(?=\\b${GAP}(?!(?:${NEVER_A_TYPE})\\b)[A-Za-z_]\\w*\\b(?!${GAP}[:[({.!?]))`]],
]);
/** The text after a word that is a keyword: `max(i in T: e)`, but `max(a, b)`; `end idle: …`, but `end := 1`. */
const FOLLOWED_BY: ReadonlyMap<string, string> = new Map([
    ['count', QUANTIFIER_FOLLOWS],
    ['sum', QUANTIFIER_FOLLOWS],
    ['min', QUANTIFIER_FOLLOWS],
    ['max', QUANTIFIER_FOLLOWS],
    ['the', QUANTIFIER_FOLLOWS],
    ['set', `(?=${GAP}(?<!\\w)of\\b)`],
    ['end', `(?=(?:\\s+strong)?(?:\\s+fair)?${LABEL_FOLLOWS})`],
    ['spawn', `(?=\\b${GAP}(?!(?:${NEVER_A_TEMPLATE})\\b)[A-Za-z_]\\w*${GAP}\\()`],
    // Whether these two are names the parser decides.
    ['fair', `(?=\\s+(?:process|event)\\b|${LABEL_FOLLOWS})`],
    ['strong', `(?=\\s+fair(?:\\s+(?:process|event)\\b|${LABEL_FOLLOWS}))`],
]);

export class OrbitTokenBuilder extends DefaultTokenBuilder implements TokenBuilder {
    /** Foreign operators come first: some begin with an operator of the language. */
    protected override buildKeywordTokens(
        ...parameters: Parameters<DefaultTokenBuilder['buildKeywordTokens']>
    ): ReturnType<DefaultTokenBuilder['buildKeywordTokens']> {
        const foreign = foreignOperators.map(operator => ({ name: operator, PATTERN: operator }));
        return [...foreign, ...super.buildKeywordTokens(...parameters)];
    }

    protected override buildKeywordPattern(keyword: GrammarAST.Keyword, caseInsensitive: boolean): TokenPattern {
        if (TEMPORAL_WORDS.has(keyword.value)) {
            // A pattern that no text matches.
            return new RegExp(`(?!\\w)${keyword.value}`);
        }
        const between = BETWEEN.get(keyword.value);
        if (between !== undefined) {
            return new RegExp(between.join(keyword.value));
        }
        const follows = FOLLOWED_BY.get(keyword.value);
        return follows === undefined
            ? super.buildKeywordPattern(keyword, caseInsensitive)
            : new RegExp(`${keyword.value}${follows}`);
    }
}

/** The name of a file is the text between the quotation marks; a backslash escapes nothing. */
export class OrbitValueConverter extends DefaultValueConverter {
    protected override runConverter(rule: GrammarAST.AbstractRule, input: string, cst: CstNode): ValueType {
        return rule.name === 'STRING' ? input.slice(1, -1) : super.runConverter(rule, input, cst);
    }
}

/** Words about runs are tokens of the language in properties and assumptions, and names everywhere else. */
import { AstUtils } from 'langium';
import { describe, expect, test } from 'vitest';
import { isBinaryExpression, isTemporalPrefix, type Model } from '../../language-server/generated/ast.js';
import { createOrbitCoreServices } from '../../language-server/module.js';
import { TEMPORAL_WORDS } from '../../language-server/parsing/temporal-words.js';

const { Lexer, LangiumParser } = createOrbitCoreServices().Orbit.parser;

/** The words about runs that the lexer finds. */
function wordsIn(text: string): string[] {
    return Lexer.tokenize(text)
        .tokens.filter(({ tokenType }) => TEMPORAL_WORDS.has(tokenType.name))
        .map(({ image }) => image);
}

describe('in a property, words about runs', () => {
    test.each([
        ['property p = always x', 'always'],
        ['assume p = infinitely\n often (x)', 'infinitely often'],
        ['property p = !eventually always !x', 'eventually always'],
        ['property p = always possible forall i in T: x', 'always possible'],
        ['property p = x until y weak\tuntil z leads   to P[i] takes l', 'until, weak until, leads to, takes'],
        ['property p = always always', 'always always'],
        ['property p = (x) until f(y)[1] until {1}', 'until until'],
        ['property p = x\nfair process P { x := 1 }\nassume q = always x', 'always'],
        ['property property = always property', 'always'],
        ['property p = always init && type\ninit always', 'always'],
        ['property p = always free\nproperty q = eventually free', 'always, eventually'],
        ['property p = always ', 'always'],
    ])('%j: %s', (text, words) => {
        expect(wordsIn(text).join(words.includes(',') ? ', ' : ' ')).toBe(words);
    });

    test.each([
        'property p = always == 1 && possible\nvar x: bool',
        'property p = always[i] implies P.eventually in always',
        'property p = forall always, possible in eventually: x > possible - 1',
        'property p = P[i] at until && P at leads && P at takes',
        'property always = x\nvar until: bool',
        'property p = x leads // not yet\n to y',
        'property p = possible\nproperty q = eventually\ntype T = 0 .. 1',
    ])('are names where none can stand: %j', text => {
        expect(wordsIn(text)).toEqual([]);
    });
});

test.each([
    'process P { always: until { takes := eventually } }',
    'invariant p = always until x leads to y',
    'process P { property := x; assume p; possible (x) }',
    'const c = property\nvar always: bool',
])('outside of properties they are names: %j', text => {
    expect(wordsIn(text)).toEqual([]);
});

test('an operator of two words is one, whatever is between them, and keeps its place', () => {
    const text = 'var x: bool\nproperty p = (x leads  \n to x) && infinitely   often x';
    const { value, parserErrors } = LangiumParser.parse<Model>(text);
    expect(parserErrors).toEqual([]);
    const nodes = AstUtils.streamAllContents(value).toArray();
    const operators = nodes.filter(node => isBinaryExpression(node) || isTemporalPrefix(node));
    expect(operators.map(({ operator, $cstNode }) => [operator, $cstNode?.text])).toEqual([
        ['&&', '(x leads  \n to x) && infinitely   often x'],
        ['leads to', '(x leads  \n to x)'],
        ['infinitely often', 'infinitely   often x'],
    ]);
});

describe('fair and strong', () => {
    test.each([
        'fair process P { skip }',
        'strong fair process fair { strong fair l: skip }',
        'fair event strong\nprocess P { end strong fair l: fair m: strong }',
        'process P { end fair: skip; fair: skip; strong: fair }',
        'invariant p = fair\nprocess P { let x = fair\n l: skip }',
        'invariant p = strong\nfair process P { let x = strong\n fair l: skip }',
        'init fair\nevent fair\nprocess P { fair; strong { fair := strong } }',
        'enum E = { fair }\nvar strong: fair\nprocess fair[fair: fair] { skip }',
    ])('are words before what is taken, and else names: %j', text => {
        expect(LangiumParser.parse(text).parserErrors).toEqual([]);
    });
});

/** The checks of grammar and parser that the parser leaves out for speed, and a comparison with Langium's parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { AstUtils, createDefaultCoreModule, createLangiumParser, inject, type LangiumParser } from 'langium';
import { expect, test, vi } from 'vitest';
import { OrbitGeneratedModule, OrbitLanguageMetaData } from '../../language-server/generated/module.js';
import { createOrbitCoreServices, OrbitModule } from '../../language-server/module.js';

test('no token hides another, and no text can be read in two ways by the rules that the models use', () => {
    const { shared } = createOrbitCoreServices();
    const { parser } = inject(createDefaultCoreModule({ shared }), OrbitGeneratedModule, OrbitModule, {
        LanguageMetaData: () => ({ ...OrbitLanguageMetaData, mode: 'development' as const }),
    });
    const log = vi.spyOn(console, 'log');
    for (const file of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        parser.LangiumParser.parse(readFileSync(`models/${file}`, 'utf8'));
    }
    // `fair next: …` could be an event `fair` and then a step: the first reading is meant.
    const isFair = (line: unknown): boolean => /^<(strong, )?fair, ID, :/m.test(String(line));
    // `= any` could be a part of an initial value and all of it at once: the word for the whole is meant.
    const isAny = (line: unknown): boolean => /inside <Variable\W*> Rule,\n<any, /.test(String(line));
    // `forall x in s` has a type or a set behind `in`: a name is read as a type, and what it names decides.
    const isName = (line: unknown): boolean =>
        /inside <(?:BinderGroup|LoopVariable)\W*> Rule,\n<ID, /.test(String(line));
    // `{ x in s }` has the elements of a set, not the truth value of `(x in s)`.
    const isSet = (line: unknown): boolean => /inside <SetLiteral\W*> Rule,\n<ID, in, /.test(String(line));
    // `ask(x)` in a pattern is an expression: what its name declares decides.
    const isPattern = (line: unknown): boolean => /inside <Pattern\W*> Rule,\n<ID, \(, /.test(String(line));
    const known = [isFair, isAny, isName, isSet, isPattern];
    expect(log.mock.calls.flat().filter(line => !known.some(is => is(line)))).toEqual([]);
});

test('texts with errors are parsed as by the parser that works everything out before', () => {
    const { Orbit } = createOrbitCoreServices();
    const text = readFileSync('models/german-cache.orbit', 'utf8').slice(0, 6_000);
    const inside = Math.floor(text.length / 3);
    const damaged = Array.from({ length: 25 }, (_, i) => inside + 37 * i).flatMap(place => [
        text.slice(0, place) + text.slice(place + 9),
        `${text.slice(0, place)} } ) ${text.slice(place)}`,
    ]);
    const reference = createLangiumParser(Orbit);
    const errorCounts = damaged.map(each => {
        expect(parsed(Orbit.parser.LangiumParser, each)).toEqual(parsed(reference, each));
        return reference.parse(each).parserErrors.length;
    });
    expect(errorCounts.filter(count => count > 0).length).toBeGreaterThan(25);
});

test('thousands of errors do not exhaust the stack, and the first ones are those of a shorter text', () => {
    const { Orbit } = createOrbitCoreServices();
    const messagesOf = (count: number): readonly string[] =>
        Orbit.parser.LangiumParser.parse('process P { { x := 1 break } \n y } z\n'.repeat(count))
            .parserErrors.slice(0, 30)
            .map(({ message }) => message);
    expect(messagesOf(4_000)).toEqual(messagesOf(50));
});

function parsed(parser: LangiumParser, text: string): object {
    const { value, parserErrors } = parser.parse(text);
    const tree = AstUtils.streamAst(value).map(({ $type, $cstNode }) => `${$type} ${$cstNode?.text}`);
    const errors = parserErrors.map(({ message, token, resyncedTokens }) => [message, token, resyncedTokens]);
    return { tree: tree.toArray(), errors };
}

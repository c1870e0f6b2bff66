/** The TextMate grammar, in the engine that VS Code uses: what color a word gets before the language server has answered. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import oniguruma from 'vscode-oniguruma';
import { beforeAll, expect, test } from 'vitest';
import textmate from 'vscode-textmate';
import type { IGrammar } from 'vscode-textmate';

const GRAMMAR_FILE = 'syntaxes/orbit.tmLanguage.json';

let grammar: IGrammar;

beforeAll(async () => {
    const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
    await oniguruma.loadWASM(wasm);
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: sources => new oniguruma.OnigScanner(sources),
            createOnigString: text => new oniguruma.OnigString(text),
        }),
        loadGrammar: () => Promise.resolve(textmate.parseRawGrammar(readFileSync(GRAMMAR_FILE, 'utf8'), GRAMMAR_FILE)),
    });
    const loaded = await registry.loadGrammar('source.orbit');
    if (loaded === null) {
        throw new Error(`${GRAMMAR_FILE} does not define source.orbit`);
    }
    grammar = loaded;
});

/** The words of a line with the innermost scope of each, as `word/scope`; white space is left out. */
function highlight(line: string): string {
    return grammar
        .tokenizeLine(line, textmate.INITIAL)
        .tokens.map(token => ({
            text: line.slice(token.startIndex, token.endIndex).trim(),
            scope: token.scopes.at(-1),
        }))
        .filter(({ text, scope }) => text !== '' && scope !== 'source.orbit')
        .map(({ text, scope }) => `${text}/${scope?.replace('.orbit', '')}`)
        .join(' ');
}

test('a declaration shows its keyword, its name and its type', () => {
    expect(highlight('var label: Bit[Agent] = any')).toBe(
        'var/storage.type label/variable.other :/punctuation.separator Bit/entity.name.type Agent/entity.name.type ' +
            '=/keyword.operator.assignment any/constant.language',
    );
});

test('a range keeps its dots apart from its numbers', () => {
    expect(highlight('param N: 2 .. 64')).toBe(
        'param/storage.type N/variable.other.constant :/punctuation.separator 2/constant.numeric ' +
            '../keyword.operator.range 64/constant.numeric',
    );
});

test('a name and a colon where an item begins are a label, wherever the item stands', () => {
    const label = 'entity.name.label :/punctuation.separator.label';
    expect(highlight('    enter: skip')).toBe(`enter/${label} skip/keyword.control`);
    expect(highlight('{ enter: skip; leave: skip }')).toBe(
        `enter/${label} skip/keyword.control ;/punctuation.separator leave/${label} skip/keyword.control`,
    );
});

test('a colon after a binder or a process index does not make a label', () => {
    expect(highlight('forall j in Proc: true')).not.toContain('label');
    expect(highlight('process P[i: Proc] {')).not.toContain('label');
    expect(highlight('count(i in Proc: true)')).not.toContain('label');
});

test('an assignment is not a label', () => {
    expect(highlight('    turn := 1')).toBe('turn/variable.other :=/keyword.operator.assignment 1/constant.numeric');
});

test('the name after "at" is a label', () => {
    expect(highlight('P[i] at critical')).toContain('at/keyword.operator.wordlike critical/entity.name.label');
});

test('words that may be names are names where no keyword can stand', () => {
    expect(highlight('x := count + 1')).toContain('count/variable.other');
    expect(highlight('x := count(i in Proc: true)')).toContain('count/keyword.operator.wordlike');
});

test('a doc comment differs from a comment', () => {
    expect(highlight('/// Says what N is.')).toBe('/// Says what N is./comment.line.documentation');
    expect(highlight('// a note')).toBe('// a note/comment.line.double-slash');
});

test('every word of the language has a color of its own', () => {
    const files = ['orbit', 'expressions'].map(name => readFileSync(`grammar/${name}.langium`, 'utf8'));
    const rules = files.join('\n').replace(/\/\*[^]*?\*\/|\/\/.*|^import .*$/gm, '');
    const words = new Set([...rules.matchAll(/'([a-z]{2,})'/g)].map(match => match[1] ?? ''));
    expect(words.size).toBeGreaterThan(30);
    for (const word of words) {
        // In the places where the word is a keyword: alone, before a name, before "(", in `allow deadlock`.
        const places = [word, `${word} name`, `${word}(i in T: true)`, 'allow deadlock'].map(highlight).join(' ');
        expect(places).toMatch(new RegExp(`\\b${word}/(keyword|storage|constant)`));
    }
});

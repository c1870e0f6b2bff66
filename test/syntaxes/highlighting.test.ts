/** The TextMate grammar, in the engine that VS Code uses: what color a word gets before the language server has answered. */
import { readFileSync, readdirSync } from 'node:fs';
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

/** The words of the last line with the innermost scope of each, as `word/scope`; white space is left out. */
function highlight(...lines: readonly string[]): string {
    let state = textmate.INITIAL;
    for (const line of lines.slice(0, -1)) {
        state = grammar.tokenizeLine(line, state).ruleStack;
    }
    const last = lines.at(-1) ?? '';
    return grammar
        .tokenizeLine(last, state)
        .tokens.map(({ startIndex, endIndex, scopes }) => ({
            text: last.slice(startIndex, endIndex).trim(),
            scope: scopes.at(-1),
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
    expect(highlight('P[i] at critical')).toContain('at/keyword.operator.expression critical/entity.name.label');
});

test('words that may be names are names where no keyword can stand', () => {
    expect(highlight('x := count + 1')).toContain('count/variable.other');
    expect(highlight('x := count(i in Proc: true)')).toContain('count/keyword.operator.expression');
});

test('"new" is a word between an assignment and a type, and a name elsewhere', () => {
    expect(highlight('x := new Nonce')).toContain('new/keyword.control Nonce/entity.name.type');
    expect(highlight('x := new; y := 1')).toContain('new/variable.other');
    expect(highlight('when y == new x := 1')).toContain('new/variable.other');
    expect(highlight('x := new union y')).toContain('new/variable.other');
});

test('"spawn" is a word before a template and its arguments, and a name elsewhere', () => {
    expect(highlight('w := spawn worker(1)')).toContain('spawn/keyword.control worker/entity.name.type');
    expect(highlight('spawn := 1')).toContain('spawn/variable.other');
    expect(highlight('let x = spawn if (a) {')).toContain('spawn/variable.other');
    expect(highlight('when alive(w)')).toContain('alive/support.function');
});

test('"set" and the operators of sets are words where sets stand, and names elsewhere', () => {
    expect(highlight('var s: set of Proc = {}')).toContain('set/storage.type of/storage.type Proc/entity.name.type');
    expect(highlight('    when a union { i } subset b { skip }')).toContain('union/keyword.operator.expression');
    expect(highlight('    union := set + minus')).not.toMatch(/(union|set|minus)\/(keyword|storage)/);
});

test('"seq" is a word before its length and "of", and a name elsewhere', () => {
    expect(highlight('var q: seq 3 of Proc = []')).toContain('seq/storage.type');
    expect(highlight('var q: seq (N + 1) of Proc[I]')).toContain('seq/storage.type');
    expect(highlight('    seq := seq + 1')).not.toMatch(/seq\/(keyword|storage)/);
});

test('"bag" is a word before the copies and the type of a bag, and a name elsewhere', () => {
    expect(highlight('channel c[P]: bag 2 of M = {}')).toContain('bag/storage.type 2/constant.numeric of/storage.type');
    expect(highlight('    bag := bag - 1')).not.toMatch(/bag\/(keyword|storage)/);
});

test('a doc comment differs from a comment', () => {
    expect(highlight('/// Says what N is.')).toBe('/// Says what N is./comment.line.documentation');
    expect(highlight('// a note')).toBe('// a note/comment.line.double-slash');
});

const PLACES = [
    'allow deadlock',
    'deadlock free',
    'run r = a then P takes l',
    'expect violated deadlock',
    'expect violated faults when a',
    'expect every step',
    'import "a.orbit"',
    'channel c: 0 of bool',
    'end l: skip',
    'assert symmetric values of T',
    'property p = a until b',
    'property p = P takes l',
    'strong fair process P',
    'spawn P(1)',
    'x := new P',
    'var q: seq 3 of T = []',
    'var b: bag 2 of T',
    'var s: set of T = t union u minus v intersect w subset x is y',
];

test('every word of the language has a color of its own', () => {
    const files = ['orbit', 'expressions'].map(name => readFileSync(`grammar/${name}.langium`, 'utf8'));
    const rules = files.join('\n').replace(/\/\*[^]*?\*\/|\/\/.*|^import .*$/gm, '');
    const words = new Set([...rules.matchAll(/'([a-z]{2,})'/g)].map(match => match[1] ?? ''));
    expect(words.size).toBeGreaterThan(30);
    for (const word of words) {
        // In the places where the word is a keyword: alone, before a name, before "(", and where only some stand.
        const places = [word, `${word} name`, `${word}(i in T: true)`, ...PLACES]
            .map(place => highlight(place))
            .join(' ');
        expect(places).toMatch(new RegExp(`\\b${word}/(keyword|storage|constant)`));
    }
});

/** Shorter names of the scopes that occur most. */
const NAME = 'variable.other';
const SEPARATOR = 'punctuation.separator';
const TYPE = 'entity.name.type';
const NUMBER = 'constant.numeric';
const CONTROL = 'keyword.control';
const ASSIGN = ':=/keyword.operator.assignment';

const constructs: readonly (readonly [text: string, ...tokens: string[]])[] = [
    [
        'import "lib/locks.orbit" // them',
        'import/keyword.control.import "lib/locks.orbit"/string.quoted.double // them/comment.line.double-slash',
    ],
    [
        'run r = a then P takes l',
        `run/keyword.declaration r/entity.name.function =/keyword.operator.assignment a/${NAME} then/${CONTROL} P/${NAME}`,
        'takes/keyword.operator.expression l/entity.name.label',
    ],
    [
        'expect violated deadlock',
        'expect/keyword.declaration violated/keyword.declaration deadlock/keyword.declaration',
    ],
    ['var t: nat', `var/storage.type t/${NAME} :/${SEPARATOR} nat/storage.type.primitive`],
    ['expect every step', 'expect/keyword.declaration every/keyword.declaration step/keyword.declaration'],
    [
        'var expect: bool = run',
        `var/storage.type expect/${NAME} :/${SEPARATOR} bool/storage.type.primitive`,
        `=/keyword.operator.assignment run/${NAME}`,
    ],
    ['assert a, "and in b"', `assert/${CONTROL} a/${NAME} ,/${SEPARATOR}`, '"and in b"/string.quoted.double'],
    ['import "lib', 'import/keyword.control.import', '"lib/string.quoted.double'],
    [
        'param clients: 0 .. 8[*] = [3, 2]',
        `param/storage.type clients/variable.other.constant :/${SEPARATOR} 0/${NUMBER} ../keyword.operator.range`,
        `8/${NUMBER} */keyword.operator.arithmetic =/keyword.operator.assignment 3/${NUMBER} ,/${SEPARATOR}`,
        `2/${NUMBER}`,
    ],
    [
        'type Client = { s: Server, n: 0 .. 7 where n < clients[s] }',
        `type/storage.type Client/${TYPE} =/keyword.operator.assignment s/variable.other.property :/${SEPARATOR}`,
        `Server/${TYPE} ,/${SEPARATOR} n/variable.other.property :/${SEPARATOR} 0/${NUMBER}`,
        `../keyword.operator.range 7/${NUMBER} where/keyword.operator.expression n/${NAME}`,
        `</keyword.operator.comparison clients/${NAME} s/${NAME}`,
    ],
    [
        'record Node = { next: Proc? }',
        `record/storage.type Node/${TYPE} =/keyword.operator.assignment next/variable.other.property :/${SEPARATOR}`,
        `Proc/${TYPE} ?/keyword.operator.optional`,
    ],
    ['enum Reply = { reply }', 'enum/storage.type', `Reply/${TYPE}`, '=/keyword.operator.assignment', `reply/${NAME}`],
    [
        'channel request[Server]: 0 of Client',
        `channel/storage.type request/${NAME} Server/${TYPE} :/${SEPARATOR} 0/${NUMBER} of/storage.type`,
        `Client/${TYPE}`,
    ],
    [
        'var to: channel of bool',
        `var/storage.type to/${NAME} :/${SEPARATOR} channel/storage.type of/storage.type bool/storage.type.primitive`,
    ],
    [
        'var a: bool[2] in {true, false}',
        `var/storage.type a/${NAME} :/${SEPARATOR} bool/storage.type.primitive 2/${NUMBER}`,
        `in/keyword.operator.expression true/constant.language ,/${SEPARATOR} false/constant.language`,
    ],
    [
        'var t: Proc? in {none}',
        `var/storage.type t/${NAME} :/${SEPARATOR} Proc/${TYPE} ?/keyword.operator.optional`,
        'in/keyword.operator.expression none/constant.language',
    ],
    ['init a != b', 'init/keyword.declaration', `a/${NAME}`, '!=/keyword.operator.comparison', `b/${NAME}`],
    ['    init := 1', `init/${NAME}`, ASSIGN, `1/${NUMBER}`],
    [
        'function next(p: Proc): Proc = p + 1',
        `function/keyword.declaration next/entity.name.function p/${NAME} :/${SEPARATOR} Proc/${TYPE} :/${SEPARATOR}`,
        `Proc/${TYPE} =/keyword.operator.assignment p/${NAME} +/keyword.operator.arithmetic 1/${NUMBER}`,
    ],
    ['init start[i: Proc] {', 'init/keyword.declaration', `start/${NAME}`, `i/${NAME} :/${SEPARATOR} Proc/${TYPE}`],
    [
        'procedure send(var p: Proc) { send(p) }',
        `procedure/keyword.declaration send/entity.name.function var/storage.type p/${NAME} :/${SEPARATOR} Proc/${TYPE}`,
        `send/entity.name.function p/${NAME}`,
    ],
    ['    let m = n', 'let/storage.type', `m/${NAME}`, '=/keyword.operator.assignment', `n/${NAME}`],
    [
        '    return max(m, next(n))',
        `return/${CONTROL} max/support.function m/${NAME} ,/${SEPARATOR} next/entity.name.function n/${NAME}`,
    ],
    [
        'x := max(i in T: i)',
        `x/${NAME} ${ASSIGN} max/keyword.operator.expression i/${NAME} in/keyword.operator.expression T/${NAME}`,
        `:/${SEPARATOR} i/${NAME}`,
    ],
    ['len(c) + len', 'len/support.function', `c/${NAME}`, '+/keyword.operator.arithmetic', `len/${NAME}`],
    [
        'c[i] ! Pair(a, 1)',
        `c/${NAME} i/${NAME} !/keyword.operator.channel Pair/${TYPE} a/${NAME} ,/${SEPARATOR} 1/${NUMBER}`,
    ],
    ['query ! s', `query/${NAME}`, '!/keyword.operator.channel', `s/${NAME}`],
    [
        'when !a && !b',
        `when/${CONTROL} !/keyword.operator.logical a/${NAME} &&/keyword.operator.logical !/keyword.operator.logical`,
        `b/${NAME}`,
    ],
    [
        'c ? (_, x) { y := x }',
        `c/${NAME} ?/keyword.operator.channel _/variable.language.wildcard ,/${SEPARATOR} x/${NAME} y/${NAME}`,
        `${ASSIGN} x/${NAME}`,
    ],
    ['c ? == e', `c/${NAME}`, '?/keyword.operator.channel', '==/keyword.operator.comparison', `e/${NAME}`],
    [
        'node[i].next.locked := 0 .. 1',
        `node/${NAME} i/${NAME} ./punctuation.accessor next/variable.other.property ./punctuation.accessor`,
        `locked/variable.other.property ${ASSIGN} 0/${NUMBER} ../keyword.operator.range 1/${NUMBER}`,
    ],
    [
        'choose { skip } or x in T where c { skip }',
        `choose/${CONTROL} skip/${CONTROL} or/${CONTROL} x/${NAME} in/keyword.operator.expression T/${NAME}`,
        `where/keyword.operator.expression c/${NAME} skip/${CONTROL}`,
    ],
    [
        'for i in T { break; terminate }',
        `for/${CONTROL} i/${NAME} in/keyword.operator.expression T/${NAME} break/${CONTROL} ;/${SEPARATOR}`,
        `terminate/${CONTROL}`,
    ],
    [
        '  end idle: when full(c)',
        `end/${CONTROL} idle/entity.name.label :/punctuation.separator.label when/${CONTROL} full/support.function`,
        `c/${NAME}`,
    ],
    ['  end := 1', `end/${NAME}`, ASSIGN, `1/${NUMBER}`],
    [
        '  end strong fair idle: skip',
        `end/${CONTROL} strong/${CONTROL} fair/${CONTROL} idle/entity.name.label :/punctuation.separator.label skip/${CONTROL}`,
    ],
    ['  fair: skip', `fair/entity.name.label :/punctuation.separator.label skip/${CONTROL}`],
    ['  fair := takes', `fair/${NAME}`, ASSIGN, `takes/${NAME}`],
    ['fair event e', 'fair/keyword.declaration event/keyword.declaration e/entity.name.function'],
    [
        'property p = always (a leads  to P[i] takes l)',
        'property/keyword.declaration p/entity.name.function =/keyword.operator.assignment',
        `always/keyword.operator.expression a/${NAME} leads  to/keyword.operator.expression P/${NAME} i/${NAME}`,
        'takes/keyword.operator.expression l/entity.name.label',
    ],
    [
        '  until := possible + always',
        `until/${NAME} ${ASSIGN} possible/${NAME} +/keyword.operator.arithmetic always/${NAME}`,
    ],
    ['deadlock free', 'deadlock/keyword.declaration', 'free/keyword.declaration'],
    ['assert symmetric P', 'assert/keyword.declaration', 'symmetric/keyword.declaration', `P/${NAME}`],
    ['assert symmetric values', 'assert/keyword.declaration', 'symmetric/keyword.declaration', `values/${NAME}`],
    [
        'assert symmetric values of T',
        'assert/keyword.declaration symmetric/keyword.declaration values/keyword.declaration of/keyword.declaration',
        `T/${NAME}`,
    ],
    ['    assert symmetric == 1', `assert/${CONTROL} symmetric/${NAME} ==/keyword.operator.comparison 1/${NUMBER}`],
    [
        'process P[i: T where i > 0] {',
        `process/keyword.declaration P/entity.name.function i/${NAME} :/${SEPARATOR} T/${NAME}`,
        `where/keyword.operator.expression i/${NAME} >/keyword.operator.comparison 0/${NUMBER}`,
    ],
    [
        'const t = [i in T: [j in T: i]]',
        `const/storage.type t/variable.other.constant =/keyword.operator.assignment i/${NAME}`,
        `in/keyword.operator.expression T/${NAME} :/${SEPARATOR} j/${NAME} in/keyword.operator.expression T/${NAME}`,
        `:/${SEPARATOR} i/${NAME}`,
    ],
];

test.each(constructs)('%s', (text, ...tokens) => {
    expect(highlight(text).split(' ')).toEqual(tokens.join(' ').split(' '));
});

test('the fields of a record may stand in lines of their own', () => {
    expect(highlight('record Node = {', '    next: Proc?,', '    // the lock', '    locked: bool')).toBe(
        `locked/variable.other.property :/${SEPARATOR} bool/storage.type.primitive`,
    );
    expect(highlight('record Node = {', '    locked: bool', '}', 'enter: skip')).toBe(
        'enter/entity.name.label :/punctuation.separator.label skip/keyword.control',
    );
    expect(highlight('type Odd = { n: 0 .. 9 where n in {1, 3} }', 'enter: skip')).toContain('enter/entity.name.label');
});

test('a line of a model leaves no state behind but the fields of a record', () => {
    for (const model of readdirSync('models').filter(name => name.endsWith('.orbit'))) {
        const text = readFileSync(`models/${model}`, 'utf8');
        let state = textmate.INITIAL;
        for (const line of text.split('\n')) {
            state = grammar.tokenizeLine(line, state).ruleStack;
        }
        expect(state.depth, model).toBe(1);
    }
});

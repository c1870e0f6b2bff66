/** Texts from a seed: random bytes, random words and damaged models. Kind and number of a case identify it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../../engine/common/random.js';

export type FuzzKind = 'bytes' | 'words' | 'models';

export const FUZZ_KINDS: readonly FuzzKind[] = ['bytes', 'words', 'models'];

/** The most lines of a random text: the limit of time is for texts of this length. */
const LINES = 200;

/** The case of this number; `seed` chooses the sequence of cases. */
export function fuzzCase(kind: FuzzKind, seed: number, number: number): Uint8Array {
    const random = createRandom(Math.imul(seed, 0x9e3779b1) + number);
    switch (kind) {
        case 'bytes':
            return randomBytes(random);
        case 'words':
            return new TextEncoder().encode(randomWords(random));
        case 'models':
            return damaged(random);
    }
}

/** Random bytes, or only printable ones, which the lexer accepts more often. */
function randomBytes(random: Random): Uint8Array {
    const length = random.below(1 << random.below(12));
    const isText = random.below(3) > 0;
    return Uint8Array.from({ length }, () =>
        isText ? (random.below(12) === 0 ? 10 : 32 + random.below(95)) : random.below(256),
    );
}

/** The tokens of the grammar, names, and some tokens without a rule. */
const WORDS = (
    'model import param const type record enum var init channel of event function process invariant allow deadlock free ' +
    'loop while for if then else choose or break terminate when skip assert return let end any where in at implies div ' +
    'mod forall exists count sum min max true false none bool len full empty pow xor x y P T c f e l 0 1 7 64 ' +
    '9007199254740993 "a.orbit" _ and not spawn join property'
).split(' ');
const SIGNS = '{ } { } ( ) [ ] : := = == != < <= > >= && || ! ? .. . , ; + - * /// // / | & % "'.split(' ');

function randomWords(random: Random): string {
    const count = 1 + random.below(400);
    let text = '';
    for (let word = 0; word < count; word++) {
        text += pick(random, random.below(2) === 0 ? WORDS : SIGNS);
        text += random.below(10) === 0 ? '\n' : random.below(8) === 0 ? '' : ' ';
    }
    return text;
}

/** Models that use every construct: the examples, and those of the documentation. */
const MODELS: readonly string[] = [
    ...filesOf('models', '.orbit'),
    ...filesOf('docs/language', '.md').flatMap(page =>
        [...page.matchAll(/^```orbit.*\n([\s\S]*?)^```$/gm)].map(match => match[1] ?? ''),
    ),
    ...filesOf('test/validation', '-accepted.orbit'),
    ...filesOf('test/regressions', '.orbit'),
].map(text => text.split('\n').slice(0, LINES).join('\n'));

function filesOf(folder: string, ending: string): string[] {
    return readdirSync(folder)
        .filter(name => name.endsWith(ending))
        .sort()
        .map(name => readFileSync(join(folder, name), 'utf8'));
}

const TOKEN = /\s+|\/\/.*|\w+|:=|\.\.|[=!<>]=|&&|\|\||[^\w\s]/g;

/** A model with one to four changes. */
function damaged(random: Random): Uint8Array {
    let tokens: string[] = [...(pick(random, MODELS).match(TOKEN) ?? [])];
    // Half of the changes keep the syntax right.
    const isShapely = random.below(2) === 0;
    const wounds = 1 + random.below(4);
    for (let wound = 0; wound < wounds; wound++) {
        tokens = isShapely ? exchanged(tokens, random) : wounded(tokens, random);
    }
    const bytes = new TextEncoder().encode(tokens.join(''));
    if (random.below(10) === 0) {
        // Ends anywhere, also inside a character.
        return bytes.slice(0, random.below(bytes.length + 1));
    }
    if (random.below(20) === 0 && bytes.length > 0) {
        bytes[random.below(bytes.length)] = random.below(256);
    }
    return bytes;
}

function wounded(tokens: readonly string[], random: Random): string[] {
    const at = random.below(tokens.length + 1);
    const length = random.below(1 << random.below(8));
    const before = tokens.slice(0, at);
    const part = tokens.slice(at, at + length);
    const behind = tokens.slice(at + length);
    switch (random.below(7)) {
        case 0:
            return [...before, ...behind];
        case 1:
            return [...before, ...part, ...part, ...behind];
        case 2:
            return [...before, ' ', pick(random, WORDS), ' ', ...part, ...behind];
        case 3:
            return [...before, pick(random, SIGNS), ...part, ...behind];
        case 4: {
            const other = pick(random, MODELS).match(TOKEN) ?? [];
            const from = random.below(other.length + 1);
            return [...before, ...other.slice(from, from + length), ...behind];
        }
        case 5:
            return exchanged(tokens, random);
        default:
            // A single token: most of the model stays right.
            return [...before, ...tokens.slice(at + 1)];
    }
}

/** Words that can replace each other without a syntax error. */
const ALIKE: readonly (readonly string[])[] = [
    '+ - * div mod'.split(' '),
    '== != < <= > >= in'.split(' '),
    '&& || implies'.split(' '),
    'true false none'.split(' '),
    'forall exists'.split(' '),
    'count sum min max'.split(' '),
    'skip break terminate'.split(' '),
    'let const'.split(' '),
    'while if'.split(' '),
    'len full empty'.split(' '),
];

/** Replaces tokens by others of the same kind: names, numbers, or words of one group. */
function exchanged(tokens: readonly string[], random: Random): string[] {
    const isSome = (): boolean => random.below(6) === 0;
    switch (random.below(3)) {
        case 0: {
            const names = tokens.filter(token => /^[A-Za-z_]/.test(token));
            const [from, to] = names.length === 0 ? ['', ''] : [pick(random, names), pick(random, names)];
            const isEverywhere = random.below(2) === 0;
            return tokens.map(token => (token === from && (isEverywhere || isSome()) ? to : token));
        }
        case 1:
            return tokens.map(token => (/^\d+$/.test(token) && isSome() ? number(random) : token));
        default: {
            const alike = pick(random, ALIKE);
            return tokens.map(token => (alike.includes(token) && isSome() ? pick(random, alike) : token));
        }
    }
}

function number(random: Random): string {
    return pick(random, ['0', '1', '2', '63', '64', '65', '1000000', '9007199254740991', '9007199254740992']);
}

function pick<T>(random: Random, values: readonly T[]): T {
    const value = values[random.below(values.length)];
    if (value === undefined) {
        throw new Error('there is nothing to choose from');
    }
    return value;
}

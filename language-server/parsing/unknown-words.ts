/** Words and operators of the planned language and of other languages, with the messages for them. */
import type { ProblemCode } from '../../language/problems/codes.js';
import { asAdvice, instead, written, type Advice } from '../../language/problems/remedy.js';

const LATER: Readonly<Record<string, string>> = {
    join: 'waiting for the end of an instance is written `when !alive(w)`',
};

const PROPERTY = 'what holds of runs is written `property name = …`';
const FAIR = 'fairness is written before what is taken: `fair process P`, `fair event e`, `fair label: …`';
const STRONG_FAIR = FAIR.replaceAll('`fair', '`strong fair');

const FOREIGN: Readonly<Record<string, string | Advice>> = {
    spawn: 'an instance of a template is created by `spawn W(…)`, with its arguments in parentheses',
    new: 'a new value of a type without end is assigned: `new` stands directly behind `:=`, `x := new Nonce`',
    kill: 'an instance ends by itself: at the end of its text or with `terminate`',
    and: written('“and”', '&&'),
    not: written('“not”', '!'),
    True: written('this truth value', 'true'),
    False: written('this truth value', 'false'),
    elif: written('this', 'else if'),
    elsif: written('this', 'else if'),
    elseif: written('this', 'else if'),
    do: 'a block follows its condition directly, without `do`',
    begin: 'a block begins with `{`',
    boolean: 'the type of truth values is `bool`',
    int: 'a type is finite: write a range, `0 .. 7`',
    integer: 'a type is finite: write a range, `0 .. 7`',
    nat: 'a type is finite: write a range, `0 .. 7`',
    goto: 'there is no `goto`; use `loop`, `while` and `if`',
    await: 'waiting is written `when`',
    wait: 'waiting is written `when`',
    atomic: 'a step is atomic as it is: its statements stand in braces',
    either: instead('`either` is written `choose`: `choose { … } or { … }`', 'choose'),
    print: 'a model writes nothing; a run shows every state it comes through',
    printf: 'a model writes nothing; a run shows every state it comes through',
    random: 'a value is chosen by `choose x in T { … }`, and at the start by `= any`',
    thread: written('this', 'process'),
    proc: written('this', 'process'),
    proctype: written('this', 'process'),
    parameter: written('this', 'param'),
    null: written('a value that is not there', 'none'),
    nil: written('a value that is not there', 'none'),
    None: written('a value that is not there', 'none'),
    include: written('this', 'import'),
    chan: written('this', 'channel'),
    struct: written('this', 'record'),
    class: written('this', 'record'),
    def: written('this', 'function'),
    func: written('this', 'function'),
    fun: written('this', 'function'),
    fn: written('this', 'function'),
    send: 'sending is written `channel ! message`',
    receive: 'receiving is written `channel ? pattern`',
    recv: 'receiving is written `channel ? pattern`',
    continue: 'there is no `continue`; put the rest of the loop into an `if`',
    repeat: written('this', 'loop'),
    exit: 'a process ends with `terminate`',
    ltl: PROPERTY,
    temporal: PROPERTY,
    fairness: FAIR,
    justice: FAIR,
    compassion: STRONG_FAIR,
};

export const IMPLICATION = written('an implication', 'implies');
const EQUAL = written('“equal”', '==');
const NOT_EQUAL = written('“not equal”', '!=');

/** Operators, each one token for the lexer. None is a sequence of operators of this language. */
const FOREIGN_OPERATORS: Readonly<Record<string, string | Advice>> = {
    '->': `${IMPLICATION.text}; what a step does stands in braces after its guard: \`when guard { … }\``,
    '=>': IMPLICATION,
    '==>': IMPLICATION,
    '<->': EQUAL,
    '<=>': EQUAL,
    '<==>': EQUAL,
    '===': EQUAL,
    '!==': NOT_EQUAL,
    '<>': NOT_EQUAL,
    '~>': instead('this is written `leads to`, in a `property`', 'leads to'),
    '/=': NOT_EQUAL,
    '~=': NOT_EQUAL,
    '=<': written('“at most”', '<='),
    '/\\': written('“and”', '&&'),
    '\\/': written('“or”', '||'),
    '<<': 'bits are moved by `shl(a, n)` and `shr(a, n)`',
    '>>': 'bits are moved by `shl(a, n)` and `shr(a, n)`',
    '**': 'powers are written `pow(a, b)`',
};

/** Longer operators first: the lexer takes the first that matches. */
export const foreignOperators: readonly string[] = Object.keys(FOREIGN_OPERATORS).sort((a, b) => b.length - a.length);

/** Words and operators of other languages for runs, with ours. They have these meanings in a property only. */
const FOREIGN_IN_PROPERTIES: Readonly<Record<string, string>> = {
    '[]': 'always',
    '<>': 'eventually',
    '[]<>': 'infinitely often',
    '<>[]': 'eventually always',
    G: 'always',
    F: 'eventually',
    U: 'until',
    W: 'weak until',
    AG: 'always',
    AF: 'eventually',
    EF: 'possible',
};

/** The words of this language for runs, by their first words. */
const RUN_WORDS: Readonly<Record<string, string>> = {
    always: 'always',
    eventually: 'eventually',
    infinitely: 'infinitely often',
    possible: 'possible',
    until: 'until',
    weak: 'weak until',
    leads: 'leads to',
    takes: 'takes',
};

/** A message about a word, with its code. */
export interface Explanation extends Advice {
    readonly code: ProblemCode;
}

/** The message for such a word or operator in a property. */
export function explainWordInProperty(word: string): Explanation | undefined {
    if (word === 'next' || word === 'X' || word === 'AX' || word === 'EX') {
        const text =
            'there is no `next`: what is one step and what are two is not part of a property; say until when it must hold';
        return { code: 'property/next', text };
    }
    return Object.hasOwn(FOREIGN_IN_PROPERTIES, word)
        ? { code: 'syntax/unexpected', ...written('this', FOREIGN_IN_PROPERTIES[word] ?? '') }
        : undefined;
}

/** The message for such a word or operator. */
export function explainWord(word: string): Explanation | undefined {
    if (Object.hasOwn(RUN_WORDS, word)) {
        const text = `\`${RUN_WORDS[word] ?? ''}\` is about runs and stands only in a \`property\` or an \`assume\``;
        return { code: 'property/place', text };
    }
    if (word === 'fair') {
        const text = '`fair` stands before a process, an event or the label of a step; here it changes nothing';
        return { code: 'fair/nothing', text };
    }
    if (/^[WS]F_/.test(word)) {
        return { code: 'syntax/unexpected', text: word.startsWith('W') ? FAIR : STRONG_FAIR };
    }
    const later = Object.hasOwn(LATER, word) ? LATER[word] : undefined;
    if (later !== undefined) {
        return { code: 'syntax/later', text: later };
    }
    const foreign = [FOREIGN, FOREIGN_OPERATORS].find(words => Object.hasOwn(words, word))?.[word];
    return foreign === undefined ? undefined : { code: 'syntax/unexpected', ...asAdvice(foreign) };
}

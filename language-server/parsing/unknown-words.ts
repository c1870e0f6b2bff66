/** Words and operators of the planned language and of other languages, with the messages for them. */
import type { ProblemCode } from '../problems/codes.js';

const LATER: Readonly<Record<string, string>> = {
    join: 'waiting for the end of an instance is written `when !alive(w)`',
    set: 'sets as values are not part of the language yet; use an array of truth values',
};

const PROPERTY = 'what holds of runs is written `property name = …`';
const FAIR = 'fairness is written before what is taken: `fair process P`, `fair event e`, `fair label: …`';
const STRONG_FAIR = FAIR.replaceAll('`fair', '`strong fair');

const FOREIGN: Readonly<Record<string, string>> = {
    spawn: 'an instance of a template is created by `spawn W(…)`, with its arguments in parentheses',
    kill: 'an instance ends by itself: at the end of its text or with `terminate`',
    and: '“and” is written `&&`',
    not: '“not” is written `!`',
    True: 'this truth value is written `true`',
    False: 'this truth value is written `false`',
    elif: 'this is written `else if`',
    elsif: 'this is written `else if`',
    elseif: 'this is written `else if`',
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
    either: '`either` is written `choose`: `choose { … } or { … }`',
    print: 'a model writes nothing; a run shows every state it comes through',
    printf: 'a model writes nothing; a run shows every state it comes through',
    random: 'a value is chosen by `choose x in T { … }`, and at the start by `= any`',
    thread: 'this is written `process`',
    proc: 'this is written `process`',
    proctype: 'this is written `process`',
    parameter: 'this is written `param`',
    null: 'a value that is not there is written `none`',
    nil: 'a value that is not there is written `none`',
    None: 'a value that is not there is written `none`',
    include: 'this is written `import`',
    chan: 'this is written `channel`',
    struct: 'this is written `record`',
    class: 'this is written `record`',
    def: 'this is written `function`',
    func: 'this is written `function`',
    fun: 'this is written `function`',
    fn: 'this is written `function`',
    send: 'sending is written `channel ! message`',
    receive: 'receiving is written `channel ? pattern`',
    recv: 'receiving is written `channel ? pattern`',
    continue: 'there is no `continue`; put the rest of the loop into an `if`',
    repeat: 'this is written `loop`',
    exit: 'a process ends with `terminate`',
    ltl: PROPERTY,
    temporal: PROPERTY,
    fairness: FAIR,
    justice: FAIR,
    compassion: STRONG_FAIR,
};

const IMPLICATION = 'an implication is written `implies`';
const EQUAL = '“equal” is written `==`';
const NOT_EQUAL = '“not equal” is written `!=`';

/** Operators, each one token for the lexer. None is a sequence of operators of this language. */
const FOREIGN_OPERATORS: Readonly<Record<string, string>> = {
    '->': `${IMPLICATION}; what a step does stands in braces after its guard: \`when guard { … }\``,
    '=>': IMPLICATION,
    '==>': IMPLICATION,
    '<->': EQUAL,
    '<=>': EQUAL,
    '<==>': EQUAL,
    '===': EQUAL,
    '!==': NOT_EQUAL,
    '<>': NOT_EQUAL,
    '~>': 'this is written `leads to`, in a `property`',
    '/=': NOT_EQUAL,
    '~=': NOT_EQUAL,
    '=<': '“at most” is written `<=`',
    '/\\': '“and” is written `&&`',
    '\\/': '“or” is written `||`',
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

interface Explanation {
    readonly code: ProblemCode;
    readonly text: string;
}

/** The message for such a word or operator in a property. */
export function explainWordInProperty(word: string): Explanation | undefined {
    if (word === 'next' || word === 'X' || word === 'AX' || word === 'EX') {
        const text =
            'there is no `next`: what is one step and what are two is not part of a property; say until when it must hold';
        return { code: 'property/next', text };
    }
    return Object.hasOwn(FOREIGN_IN_PROPERTIES, word)
        ? { code: 'syntax/unexpected', text: `this is written \`${FOREIGN_IN_PROPERTIES[word] ?? ''}\`` }
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
    return foreign === undefined ? undefined : { code: 'syntax/unexpected', text: foreign };
}

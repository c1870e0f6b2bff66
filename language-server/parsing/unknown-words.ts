/** Words that are no keywords but that people write as if they were: of the planned language, and of other ones. */
import type { ProblemCode } from '../validation/codes.js';

const LATER: Readonly<Record<string, string>> = {
    channel: 'channels are not part of the language yet',
    record: 'records are not part of the language yet',
    function: 'functions are not part of the language yet',
    spawn: 'creating processes with `spawn` is not part of the language yet',
    join: '`join` is not part of the language yet',
    property: 'temporal properties are not part of the language yet; state an `invariant`',
    fair: 'fairness is not part of the language yet',
    import: 'importing files is not part of the language yet',
    init: '`init` constraints are not part of the language yet; give each variable an initial value or `any`',
    let: '`let` is not part of the language yet; in a process `const` names an expression of its indices',
    terminate: '`terminate` is not part of the language yet; a process ends where its body ends',
    for: '`for` is not part of the language yet; use `while` with a local variable',
    end: '`end` is not part of the language yet; `allow deadlock` permits a model to stop',
};

const FOREIGN: Readonly<Record<string, string>> = {
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
    proc: 'this is written `process`',
    proctype: 'this is written `process`',
    parameter: 'this is written `param`',
};

/** What to say about such a word, if it is one. */
export function explainWord(word: string): { readonly code: ProblemCode; readonly text: string } | undefined {
    const later = Object.hasOwn(LATER, word) ? LATER[word] : undefined;
    if (later !== undefined) {
        return { code: 'syntax/later', text: later };
    }
    const foreign = Object.hasOwn(FOREIGN, word) ? FOREIGN[word] : undefined;
    return foreign === undefined ? undefined : { code: 'syntax/unexpected', text: foreign };
}

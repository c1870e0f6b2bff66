/** Words of the language that is planned, for messages that say so instead of complaining about the next token. */

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

/** What to say about a word that begins a construct of the planned language. */
export function laterConstruct(word: string): string | undefined {
    return Object.hasOwn(LATER, word) ? LATER[word] : undefined;
}

/** A lock for `type Id`: two workers look, and both enter, so that after 4 steps both stand at `leave`. */
export function unsafeLock(model: string, id: string, ...statements: readonly string[]): string {
    return `model ${model}

${id}
var taken: bool = false

process Worker[i: Id] {
    loop {
        look: when !taken;
        enter: taken := true;
        leave: taken := false
    }
}

invariant alone = count(i in Id: Worker[i] at leave) <= 1
${statements.map(statement => `${statement}\n`).join('')}`;
}

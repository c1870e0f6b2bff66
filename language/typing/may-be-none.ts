/** Why a place may be `none` where a value is needed, in the words of a message: a test that is over, or that is missing. */
import { enclosing, treeRootOf, type Node } from '../tree/node.js';
import { nodesOf } from '../tree/descendants.js';
import { rangeOf, spanOf, textOf } from '../tree/source-text.js';
import * as ast from '../generated/nodes.js';
import { placesWrittenIn, rootOf } from '../references/places.js';
import { isSame, mayChange, tested, testsAround } from './narrowing.js';

/** `needed` says what is expected: `` the left side of `+` must be an integer ``. */
export function whyMayBeNone(needed: string, expression: ast.Expression): string {
    if (!ast.isReference(expression) && !ast.isFieldAccess(expression)) {
        return `${needed}, but it may be \`none\``;
    }
    const place = textOf(expression) ?? '';
    const mayBe = `\`${place}\` may be \`none\` here`;
    const ended = [...testsAround(expression)].find(test => isSame(test.place, expression));
    const write = ended?.written.find(written => mayChange(written, expression));
    if (ended !== undefined && write !== undefined) {
        return `${mayBe}: \`${textOf(write) ?? ''}\` is written after the test (${lineOf(write)})`;
    }
    const earlier = earlierTest(expression);
    if (earlier === undefined) {
        return `${needed}, but \`${place}\` may be \`none\`; test it before, as in \`${place} != none && …\``;
    }
    const { condition, step } = earlier;
    const belongs = `${mayBe}: the test of ${lineOf(condition)} belongs to the step ${nameOf(step)}`;
    const other = writeElsewhere(expression);
    return other === undefined ? `${belongs}; test again or \`assert\`` : `${belongs}, and ${other}`;
}

/** The last test of the same place before it in the text that belongs to another step. */
function earlierTest(
    place: ast.Expression,
): { readonly condition: ast.Expression; readonly step: ast.Step } | undefined {
    const own = enclosing(place, ast.isStep);
    const { offset } = spanOf(place);
    const process = enclosing(place, ast.isProcess);
    return (process === undefined ? [] : nodesOf(process))
        .flatMap(node => {
            const [condition, outcomes] = testAt(node);
            const step = nodesOf(ast.isAssertion(node) ? (enclosing(node, ast.isStep) ?? node) : node).find(ast.isStep);
            return condition === undefined || step === undefined || step === own || spanOf(condition).offset > offset
                ? []
                : outcomes
                      .flatMap(outcome => [...tested(condition, outcome, [])])
                      .filter(test => isSame(test.place, place))
                      .map(() => ({ condition, step }));
        })
        .at(-1);
}

/** The condition at a node and the outcomes with which control goes on. */
function testAt(node: Node): readonly [ast.Expression | undefined, readonly boolean[]] {
    switch (true) {
        case ast.isStep(node):
            return [node.guard, [true]];
        case ast.isAssertion(node):
            return [node.condition, [true]];
        case ast.isAlternative(node):
            return [node.where, [true]];
        case ast.isIfControl(node):
        case ast.isWhile(node):
            return [node.condition, [true, false]];
        default:
            return [undefined, []];
    }
}

/** A write to a shared place by another process: `` `Other` writes `x` (line 20) ``. */
function writeElsewhere(place: ast.Expression): string | undefined {
    const process = enclosing(place, ast.isProcess);
    const model = treeRootOf(place);
    for (const other of ast.isModel(model) ? model.declarations.filter(ast.isProcess) : []) {
        const write = placesWrittenIn(other).find(written => mayChange(written, place));
        if (other !== process && write !== undefined) {
            return `\`${other.name}\` writes \`${rootOf(write)?.name ?? ''}\` (${lineOf(write)})`;
        }
    }
    return undefined;
}

function nameOf(step: ast.Step): string {
    return ast.isLabeled(step.$container) ? `\`${step.$container.name}\`` : `of ${lineOf(step)}`;
}

function lineOf(node: Node): string {
    return `line ${rangeOf(node).start.line + 1}`;
}

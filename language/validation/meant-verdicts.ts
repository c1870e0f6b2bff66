/** Runs that are to exist, and verdicts that are meant: `run`, `expect`. */
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { describeNamed } from '../problems/describe.js';
import { isTemporalNode, temporalWordOf } from '../references/temporal.js';
import { rangeOf, rangeOfProperty } from '../tree/source-text.js';
import { isAskedValue, setShapeOfAsked } from '../typing/asked-values.js';
import type { CheckContext } from './check-context.js';
import { checkStatic } from './static-expressions.js';
import { checkOperators } from './temporal.js';

export function checkStatedRun(run: ast.StatedRun, context: CheckContext): void {
    if (isAskedValue(run)) {
        checkAskedValue(run, context);
        return;
    }
    const { name, parts } = run;
    const { constants, inference, problems } = context;
    for (const part of parts) {
        inference.checkCondition(part, `run \`${name}\``);
        const word = nodesOf(part).find(node => isTemporalNode(node) && !ast.isReference(node));
        if (word !== undefined && isTemporalNode(word)) {
            const message =
                `\`${temporalWordOf(word)}\` is about all of a run, and a \`run\` is found at its end; ` +
                'write states one after the other, `c then d`';
            problems.error('run/temporal', message, rangeOf(word));
            continue;
        }
        checkOperators(part, problems);
        if (ast.isBooleanLiteral(part) && constants.evaluate(part) === 0) {
            problems.error('run/never-constant', 'this is never true, so there is no such run', rangeOf(part));
        }
    }
}

/** A value that is asked of a state may have any type. */
function checkAskedValue(run: ast.StatedRun, { inference, problems }: CheckContext): void {
    const [part, second] = run.parts;
    if (second !== undefined) {
        problems.error('syntax/unexpected', 'one value is asked for: `then` is for runs', rangeOf(second));
    }
    if (part === undefined) {
        return;
    }
    const word = nodesOf(part).find(isTemporalNode);
    if (word !== undefined) {
        const message = `\`${temporalWordOf(word)}\` is about a run, and a value is that of one state`;
        problems.error('run/temporal', message, rangeOf(word));
        return;
    }
    checkOperators(part, problems);
    const shape = inference.shapeOf(part);
    if (shape !== undefined) {
        setShapeOfAsked(run, shape);
    } else if (!problems.hasErrors()) {
        problems.error('type/mismatch', 'this alone has no type, so it has no value to show', rangeOf(part));
    }
}

export function checkExpectation(
    expectation: ast.Expectation,
    declarations: readonly ast.Declaration[],
    { inference, problems }: CheckContext,
): void {
    const { target, whole, when } = expectation;
    const named = target?.ref;
    if (ast.isStatedRun(named)) {
        const message = `a run that must not exist is an invariant: write \`invariant ${named.name} = !(…)\``;
        problems.error('expect/run', message, rangeOfProperty(expectation, 'target'));
    } else if (named !== undefined && !ast.isInvariant(named) && !ast.isProperty(named)) {
        const message = `\`${named.name}\` is ${describeNamed(named)}; an invariant, a property, \`deadlock\` or \`faults\` can be violated`;
        problems.error('expect/unknown', message, rangeOfProperty(expectation, 'target'));
    }
    if (whole === 'deadlock' && declarations.some(ast.isDeadlockAllowance)) {
        const message = 'the model allows deadlocks, so none is a violation; keep one of the two lines';
        problems.error('model/deadlock-conflict', message, rangeOf(expectation));
    }
    if (when !== undefined) {
        inference.checkCondition(when, 'what stands behind `when`');
        checkStatic(when, 'what is expected', problems, 'expect/not-constant');
    }
}

/**
 * Labels in properties that stand behind a test of what others write. In `if owner == p { leave: … }` nothing stands
 * between the test and the label, so `at leave` holds only as long as the test does: who came in and has lost `owner`
 * since is not there, and the property says nothing about it.
 */
import { enclosing } from '../tree/node.js';
import type { Fix } from '../../engine/common/problem.js';
import { remembered } from '../../engine/common/list-map.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { labelsOf } from '../references/labels.js';
import { isAnyProperty } from '../references/temporal.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import { FollowingSteps } from './following-steps.js';
import { readsWhatOthersWrite, type SharedWrites } from './test-and-step.js';

/** `declarations` are those of the model and its imports. */
export function checkTestedLabels(
    declarations: readonly ast.Declaration[],
    writes: SharedWrites,
    problems: ProblemCollector,
): void {
    const known = new Map<ast.Process, ReadonlyMap<ast.Labeled, ast.Expression>>();
    for (const node of declarations.filter(isAnyProperty).flatMap(nodesOf)) {
        const asked = ast.isReference(node) || ast.isInstanceAt(node) ? node.label?.ref : undefined;
        const process = asked && enclosing(asked, ast.isProcess);
        if (asked === undefined || process === undefined) {
            continue;
        }
        const tested = remembered(known, process, () => testedLabels(process, writes));
        const found = labelsOf(process).flatMap(label => {
            const test = label.name === asked.name ? tested.get(label) : undefined;
            return test === undefined ? [] : [{ label, test }];
        });
        const [first] = found;
        if (first !== undefined) {
            const message =
                `\`${asked.name}\` stands behind a test of what others write, so \`at ${asked.name}\` holds only as ` +
                'long as the test comes out this way; to test once and remember it, make the test a step';
            const related = [
                { message: 'the test', range: rangeOf(first.test) },
                { message: `the label \`${asked.name}\``, range: nameRangeOf(first.label) },
            ];
            problems.warning('property/tested-label', message, rangeOf(node), related, {
                title: 'Make the test a step',
                edits: found.flatMap(({ label }) => stepBefore(label)),
                isGuess: true,
            });
        }
    }
}

/** The labels behind a test that reads what others write, each with the first such test. */
function testedLabels(process: ast.Process, writes: SharedWrites): ReadonlyMap<ast.Labeled, ast.Expression> {
    const following = new FollowingSteps();
    const tested = new Map<ast.Labeled, ast.Expression>();
    for (const node of nodesOf(process)) {
        if (!ast.isWhile(node) && !ast.isIfControl(node) && !ast.isAlternative(node)) {
            continue;
        }
        const test = ast.isAlternative(node) ? node.where : node.condition;
        if (test !== undefined && readsWhatOthersWrite(test, process, writes)) {
            for (const label of following.labelsAfterTest(node)) {
                tested.set(label, tested.get(label) ?? test);
            }
        }
    }
    return tested;
}

/** A step that does nothing before a label: the test is one transition with it, and control then stays at the label. */
function stepBefore(label: ast.Labeled): Fix['edits'] {
    const range = rangeOf(label);
    return [{ range: { ...range, end: range.start }, newText: 'skip; ' }];
}

/**
 * Events that several processes would have to choose at the same time, while each of them may go on without it:
 * `choose { pass: skip } or { lost }` in two lines. An event is one step of all who name it, but here the one or the
 * other is often meant. Events with arguments say themselves who takes part.
 */
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { rootOf } from '../references/places.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import type { CheckContext } from './check-context.js';
import { FollowingSteps } from './following-steps.js';

/** `declarations` are those of the model and its imports. */
export function checkJointChoices(
    declarations: readonly ast.Declaration[],
    { constants, problems }: CheckContext,
): void {
    const following = new FollowingSteps();
    const processes = declarations.filter(ast.isProcess).filter(process => constants.instancesOf(process) > 0);
    for (const event of declarations.filter(ast.isEventDeclaration)) {
        const taking = processes
            .map(process => ({ process, steps: stepsWith(event, process) }))
            .filter(({ steps }) => steps.length > 0);
        const choosing = taking.filter(({ process, steps }) => areChosen(steps, process, following));
        const families = choosing.filter(({ process }) => constants.instancesOf(process) > 1);
        // The instances of one family that meet each other and nobody else are meant to.
        const isMeant = choosing.length < 2 && (families.length === 0 || taking.length < 2);
        if (isMeant || event.arguments.length > 0) {
            continue;
        }
        const names = choosing.map(one => `${families.includes(one) ? 'each ' : ''}\`${one.process.name}\``);
        const message =
            `\`${event.name}\` is one step of all that name it, so it needs ${names.join(' and ')} to choose it at ` +
            'the same time, and none of them has to; if one of them is enough, give each an event of its own';
        const related = choosing.flatMap(({ process, steps }) =>
            steps.map(step => ({ message: `\`${process.name}\` may go on without it`, range: rangeOf(step) })),
        );
        problems.warning('event/joint-choice', message, nameRangeOf(event), related);
    }
}

function stepsWith(event: ast.EventDeclaration, process: ast.Process): readonly ast.Step[] {
    return nodesOf(process)
        .filter(ast.isStep)
        .filter(({ place }) => place !== undefined && rootOf(place) === event);
}

/** Whether a process chooses each of these steps, where it may take another one. */
function areChosen(steps: readonly ast.Step[], process: ast.Process, following: FollowingSteps): boolean {
    const choices = nodesOf(process)
        .filter(ast.isChoose)
        .map(choice => following.atChoice(choice));
    return steps.every(step =>
        choices.some(choice => choice.includes(step) && choice.some(other => isWayOn(other, step))),
    );
}

/** Whether a process may take a step of its own accord where it could take part in an event. */
function isWayOn({ guard, place, pattern, message, value }: ast.Step, step: ast.Step): boolean {
    const isEvent = place !== undefined && message === undefined && value === undefined;
    return !isEvent && pattern === undefined && (guard === undefined || step.guard === undefined);
}

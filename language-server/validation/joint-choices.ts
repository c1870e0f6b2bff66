/**
 * Events that several processes would have to choose at the same time, while each of them may go on without it:
 * `choose { pass: skip } or { lost }` in two lines. An event is one step of all who name it, but here the one or the
 * other is often meant. Events with arguments say themselves who takes part.
 */
import { nodesOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import { rootOf } from '../references/places.js';
import { nameRangeOf, rangeOf } from '../source-range.js';
import { countOf } from '../typing/shape.js';
import type { CheckContext } from './check-context.js';
import { FollowingSteps } from './following-steps.js';

/** `declarations` are those of the model and its imports. */
export function checkJointChoices(
    declarations: readonly ast.Declaration[],
    { constants, problems }: CheckContext,
): void {
    const following = new FollowingSteps();
    for (const event of declarations.filter(ast.isEventDeclaration).filter(isForAll)) {
        const taking = declarations
            .filter(ast.isProcess)
            .map(process => ({ process, steps: stepsWith(event, process) }))
            .filter(({ process, steps }) => steps.length > 0 && instancesOf(process) > 0);
        const choosing = taking.filter(({ process, steps }) => areChosen(steps, process, following));
        // The instances of one family that meet each other and nobody else are meant to.
        const several =
            choosing.length > 1 || (taking.length > 1 && choosing.some(one => instancesOf(one.process) > 1));
        if (several) {
            const names = choosing.map(
                ({ process }) => `${instancesOf(process) > 1 ? 'each ' : ''}\`${process.name}\``,
            );
            const message =
                `\`${event.name}\` is one step of all that name it, so it needs ${names.join(' and ')} to choose it at ` +
                'the same time, and none of them has to; if one of them is enough, give each an event of its own';
            const related = choosing.flatMap(({ process, steps }) =>
                steps.map(step => ({ message: `\`${process.name}\` may go on without it`, range: rangeOf(step) })),
            );
            problems.warning('event/joint-choice', message, nameRangeOf(event), related);
        }
    }

    function instancesOf(process: ast.Process): number {
        return countOf(process.indices.map(index => constants.domainOfBinder(index)));
    }
}

function isForAll(event: ast.EventDeclaration): boolean {
    return event.arguments.length === 0;
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

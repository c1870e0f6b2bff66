/** `spawn`: where it may stand and how often, and that no joint step creates two instances of one template. */
import type { Node } from '../tree/node.js';
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { rootOf } from '../references/places.js';
import { isTemplate, spawnsIn } from '../references/templates.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';
import { channelOf } from '../representation/channel.js';
import { SequenceShape } from '../representation/sequence.js';
import type { CheckContext } from './check-context.js';

/** Each instance that a body creates doubles what the search looks at in that step. */
const MOST_IN_A_BODY = 3;

/** `declarations` are those of the model and its imports. */
export function checkSpawns(declarations: readonly ast.Declaration[], context: CheckContext): void {
    const { problems } = context;
    for (const node of declarations.flatMap(nodesOf)) {
        if (ast.isSpawn(node)) {
            checkPlaceOfSpawn(node, problems);
            checkTarget(node, context);
        } else if (ast.isStep(node)) {
            checkNumber(node, problems);
        }
    }
    checkCreated(declarations, problems);
    checkJointSteps(declarations.filter(ast.isProcess), context);
}

function checkPlaceOfSpawn(spawn: ast.Spawn, problems: ProblemCollector): void {
    const { $container: container, $containerProperty: property } = spawn;
    const isValue = (ast.isAssignment(container) || ast.isStep(container)) && property === 'value';
    if (spawn.isNew && !isValue) {
        const message = 'a new value is assigned by a statement of a step, `x := new Nonce`, and made nowhere else';
        problems.error('name/new', message, rangeOf(spawn));
        return;
    }
    if (!ast.isBody(container) && !isValue && property !== 'spawn') {
        const name = spawn.template.$refText;
        const message = `an instance is created by a statement of a step, \`w := spawn ${name}(…)\`, and not elsewhere`;
        problems.error('spawn/not-a-statement', message, rangeOf(spawn));
        return;
    }
    let isInLoop = false;
    let node: Node | undefined = container;
    while (node !== undefined && !ast.isStep(node) && !ast.isFunctionDeclaration(node) && !isOutside(node)) {
        isInLoop ||= ast.isWhileStatement(node) || ast.isForStatement(node);
        node = node.$container;
    }
    const [instance, instances, isThere] = spawn.isNew
        ? (['new value', 'new values', 'is held'] as const)
        : (['instance', 'instances', 'is there'] as const);
    const report = (code: 'spawn/in-function' | 'spawn/in-loop', message: string): void => {
        problems.error(spawn.isNew ? 'name/new' : code, message, rangeOf(spawn));
    };
    if (ast.isFunctionDeclaration(node)) {
        report(
            'spawn/in-function',
            `a function changes nothing, so \`${node.name}\` creates no ${instance}; a step does`,
        );
    } else if (ast.isInitialBody(node)) {
        report('spawn/in-function', `no ${instance} ${isThere} at the start; the first step of a process creates one`);
    } else if (ast.isProcedure(node)) {
        const message = `how many ${instances} a step creates must be seen in its text; create them beside the call`;
        report('spawn/in-function', message);
    } else if (isInLoop) {
        const message = `how many ${instances} a step creates must be seen in its text; put a loop around the step`;
        report('spawn/in-loop', message);
    }
}

/** Whether a body belongs to no process. */
function isOutside(node: Node): node is ast.Procedure | ast.InitialBody {
    return ast.isProcedure(node) || ast.isInitialBody(node);
}

/** A place of a sequence has no cell of its own. */
function checkTarget(spawn: ast.Spawn, { constants, problems }: CheckContext): void {
    const { $container: container } = spawn;
    const target = ast.isAssignment(container) ? container.target : ast.isStep(container) ? container.place : undefined;
    for (let part = target; part !== undefined; part = ast.isFieldAccess(part) ? part.record : undefined) {
        const named = ast.isFieldAccess(part) ? part.field.ref : ast.isReference(part) ? part.target.ref : undefined;
        const shape = ast.isVariable(named) || ast.isRecordField(named) ? constants.shapeOf(named.type) : undefined;
        const indices = ast.isFieldAccess(part) || ast.isReference(part) ? part.indices.length : 0;
        if (shape?.element instanceof SequenceShape && indices > shape.indices.length) {
            const message =
                'a place of a sequence is not written so; hold the new value in a variable, and put that in';
            problems.error(spawn.isNew ? 'name/new' : 'spawn/not-a-statement', message, rangeOf(spawn));
            return;
        }
    }
}

function checkNumber(step: ast.Step, problems: ProblemCollector): void {
    const beyond = spawnsIn(step)[MOST_IN_A_BODY];
    if (beyond !== undefined) {
        const what = beyond.isNew ? 'new values' : 'instances';
        const message = `one step creates at most three ${what}; divide it into several steps`;
        problems.error(beyond.isNew ? 'name/new' : 'spawn/too-many', message, rangeOf(beyond));
    }
}

/** A file without a process that is there from the start gives no warnings, since other files may import it. */
function checkCreated(declarations: readonly ast.Declaration[], problems: ProblemCollector): void {
    const processes = declarations.filter(ast.isProcess);
    if (processes.every(isTemplate)) {
        return;
    }
    const created = new Set(processes.flatMap(spawnsIn).map(spawn => spawn.template.ref));
    for (const process of processes.filter(isTemplate)) {
        if (!created.has(process) && !process.name.startsWith('_')) {
            const message = `no step creates a \`${process.name}\`: nowhere stands \`spawn ${process.name}(…)\``;
            problems.warning('process/never-created', message, nameRangeOf(process));
        }
    }
}

/** A step of a process that takes part in a joint step, with what it creates there. */
interface Participant {
    readonly process: ast.Process;
    readonly step: ast.Step;
    readonly side: 'event' | 'send' | 'receive';
    readonly spawns: readonly ast.Spawn[];
}

/** Two bodies of one joint step would take the same free slot. */
function checkJointSteps(processes: readonly ast.Process[], context: CheckContext): void {
    const participants = new Map<ast.Named, Participant[]>();
    for (const process of processes) {
        for (const step of nodesOf(process).filter(ast.isStep)) {
            // Of new values the linearization knows which steps meet (name/joint).
            const spawns = spawnsIn(step).filter(({ isNew }) => !isNew);
            for (const joint of spawns.length === 0 ? [] : jointOf(step, context)) {
                participants.set(joint, [
                    ...(participants.get(joint) ?? []),
                    { process, step, side: sideOf(step), spawns },
                ]);
            }
        }
    }
    for (const [joint, all] of participants) {
        all.forEach((second, position) => {
            for (const first of all.slice(0, position + 1)) {
                reportBoth(joint, first, second, context);
            }
        });
    }
}

/** The event, or the channels without a buffer, that a step may use. */
function jointOf({ place, value, message, pattern }: ast.Step, { constants, inference }: CheckContext): ast.Named[] {
    if (place === undefined || value !== undefined) {
        return [];
    }
    const root = rootOf(place);
    if (message === undefined && pattern === undefined) {
        return root === undefined ? [] : [root];
    }
    const channel = channelOf(inference.typeOf(place));
    const channels = ast.isChannelDeclaration(root)
        ? [root]
        : channel === undefined
          ? []
          : [...new Set(constants.channels.membersOf(channel.message).map(member => member.declaration))];
    return channels.filter(channel => constants.capacityOf(channel) === 0);
}

function sideOf({ message, pattern }: ast.Step): Participant['side'] {
    return message !== undefined ? 'send' : pattern !== undefined ? 'receive' : 'event';
}

function reportBoth(joint: ast.Named, first: Participant, second: Participant, context: CheckContext): void {
    if (!canMeet(first, second, context)) {
        return;
    }
    const pairs = second.spawns.flatMap(late =>
        first.spawns.filter(early => early.template.ref === late.template.ref).map(early => ({ early, late })),
    );
    const [pair] = pairs;
    if (pair !== undefined) {
        const { early, late } = pair;
        const related = early === late ? [] : [{ message: 'the other one', range: rangeOf(early) }];
        const message = `both sides of \`${joint.name}\` create a \`${late.template.$refText}\` in one step; let one of them do it`;
        context.problems.error('spawn/joint', message, rangeOf(late), related);
    }
}

/** Whether two different instances may take the two steps together. */
function canMeet(first: Participant, second: Participant, { constants }: CheckContext): boolean {
    if (first.side !== 'event' && first.side === second.side) {
        return false;
    }
    if (first.process !== second.process) {
        return true;
    }
    const { process } = first;
    const instances = process.isTemplate ? 2 : constants.instancesOf(process);
    return instances > 1 && !(first.side === 'event' && namesInstance(first) && namesInstance(second));
}

/** Whether the arguments of an event tell which instance takes the step. */
function namesInstance({ process, step }: Participant): boolean {
    const given = ast.isReference(step.place) ? step.place.indices : [];
    const names = given.map(argument => (ast.isReference(argument) ? argument.target.ref : undefined));
    return process.isTemplate ? names.some(ast.isSelf) : process.indices.every(index => names.includes(index));
}

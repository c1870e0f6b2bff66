/**
 * Declarations without use: names that occur nowhere, variables that are only written or only read, channels with one
 * end. The model has no errors. A file without a process gives no warnings, since other files may import it.
 *
 * A name counts as used wherever it occurs, also in a function that is never called. Names that begin with `_` are not
 * reported.
 */
import type { Node } from '../tree/node.js';
import { descendantsOf, nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { isConstructor } from '../references/constructors.js';
import { bagChannelOf, outermostPlace, placesGivenIn, rootOf } from '../references/places.js';
import { nameRangeOf } from '../tree/source-text.js';
import { describeNamed } from '../problems/describe.js';
import type { ProblemCode } from '../problems/codes.js';
import { isNarrower } from '../representation/type.js';
import type { CheckContext } from './check-context.js';

/** `declarations` are those of the model and its imports. */
export function checkUsage(
    model: ast.Model,
    declarations: readonly ast.Declaration[],
    { constants, inference, problems }: CheckContext,
): void {
    if (!model.declarations.some(node => ast.isProcess(node) && !node.isTemplate)) {
        return;
    }
    const usage = new Usage(declarations, ({ initializer, type }) => {
        const shape = constants.shapeOf(type);
        return initializer !== undefined && shape !== undefined && isNarrower(shape, inference.typeOf(initializer));
    });
    for (const node of descendantsOf(model)) {
        if (ast.isNamed(node) && !node.name.startsWith('_')) {
            const found = findingFor(node, usage);
            if (found !== undefined) {
                problems.warning(found.code, found.message, nameRangeOf(node));
            }
        }
    }
}

interface Finding {
    readonly code: ProblemCode;
    readonly message: string;
}

function findingFor(node: ast.Named, usage: Usage): Finding | undefined {
    switch (node.$type) {
        case 'Parameter':
        case 'FunctionParameter':
        case 'ProcedureParameter':
        case 'ProcessParameter':
            return unused(node, 'unused/parameter', usage);
        case 'Constant':
        case 'Let':
            return unused(node, 'unused/constant', usage);
        case 'TypeDeclaration':
        case 'RecordDeclaration':
            return unused(node, 'unused/type', usage);
        case 'Enumeration':
            return node.values.some(value => usage.has(value, 'used')) ? undefined : unused(node, 'unused/type', usage);
        case 'FunctionDeclaration':
        case 'Procedure':
            return unused(node, 'unused/function', usage);
        case 'EventDeclaration':
            return unused(node, 'unused/event', usage);
        case 'Variable':
            return findingForVariable(node, usage);
        case 'ChannelDeclaration':
            return findingForChannel(node, usage);
        default:
            return undefined;
    }
}

function unused(node: ast.Named, code: ProblemCode, usage: Usage): Finding | undefined {
    return usage.has(node, 'used')
        ? undefined
        : { code, message: `\`${node.name}\`, ${describeNamed(node)}, is never used` };
}

function findingForVariable(variable: ast.Variable, usage: Usage): Finding | undefined {
    const name = `\`${variable.name}\``;
    if (!usage.has(variable, 'used')) {
        return { code: 'unused/variable', message: `${name} is neither read nor written` };
    }
    if (!usage.has(variable, 'read')) {
        return { code: 'variable/never-read', message: `${name} is written, but nothing ever reads it` };
    }
    if (!usage.has(variable, 'written') && !keepsWhatItSaw(variable) && !usage.narrows(variable)) {
        const word = ast.isBody(variable.$container) ? 'let' : 'const';
        const hint = variable.initializer === undefined ? '' : `; \`${word}\` names a value that stays`;
        return {
            code: 'variable/never-written',
            message: `${name} always has its initial value: nothing writes it${hint}`,
        };
    }
    return undefined;
}

/** Whether the initial value is chosen or depends on the state, so that no constant can replace the variable. */
function keepsWhatItSaw(variable: ast.Variable): boolean {
    const { any, choices, initializer, $container: container } = variable;
    if (any || choices !== undefined) {
        return true;
    }
    return initializer !== undefined && !ast.isBody(container) && nodesOf(initializer).some(readsState);
}

function readsState(node: Node): boolean {
    const target = ast.isReference(node) ? node.target.ref : ast.isCall(node) ? node.function.ref : undefined;
    return (
        ast.isVariable(target) ||
        ast.isBinderVariable(target) ||
        ast.isFunctionDeclaration(target) ||
        ast.isSelf(target) ||
        ast.isInstanceAt(node) ||
        (ast.isReference(node) && node.label !== undefined)
    );
}

function findingForChannel(channel: ast.ChannelDeclaration, usage: Usage): Finding | undefined {
    const name = `\`${channel.name}\``;
    if (usage.hasChannelValues) {
        // A name of the channel as a value may be a sender or a receiver.
        return undefined;
    }
    const isSent = usage.has(channel, 'sent') || usage.has(channel, 'written') || channel.initializer !== undefined;
    const isReceived = usage.has(channel, 'received');
    if (isSent && isReceived) {
        return undefined;
    }
    if (!isSent && !isReceived) {
        return { code: 'unused/channel', message: `nothing is ever sent to ${name} or received from it` };
    }
    return isSent
        ? { code: 'channel/never-received', message: `what is sent to ${name} is never received` }
        : {
              code: 'channel/never-sent',
              message: `nothing is ever sent to ${name}, so who receives from it waits for ever`,
          };
}

type Use = 'used' | 'read' | 'written' | 'sent' | 'received';

/** The uses of the names of a model. */
class Usage {
    /** Whether some variable or message has channels as values. */
    hasChannelValues = false;
    /** Whether the type of a variable leaves out values that its first one may have, as no `let` does. */
    readonly narrows: (variable: ast.Variable) => boolean;
    private readonly uses = new Map<ast.Named, Set<Use>>();

    constructor(declarations: readonly ast.Declaration[], narrows: Usage['narrows']) {
        this.narrows = narrows;
        declarations.flatMap(nodesOf).forEach(node => {
            this.add(node);
        });
    }

    has(named: ast.Named, use: Use): boolean {
        return this.uses.get(named)?.has(use) === true;
    }

    private add(node: Node): void {
        if (ast.isChannelType(node)) {
            this.hasChannelValues = true;
        } else if (ast.isCall(node)) {
            this.note(node.function.ref, 'used');
        } else if (ast.isProcedureCall(node)) {
            this.note(node.procedure.ref, 'used');
            // The procedure may read and write what it is given.
            placesGivenIn(node).forEach(place => {
                this.note(rootOf(place), 'written');
            });
        } else if (ast.isSymmetryAssertion(node)) {
            this.note(node.target.ref, 'used');
        } else if (ast.isFieldAccess(node)) {
            // A local of a process in a property, or a parameter of an instance.
            this.note(node.field.ref, 'used');
            this.note(node.field.ref, 'read');
        } else if (ast.isReference(node)) {
            this.note(node.target.ref, 'used');
            this.note(node.target.ref, useOf(node));
        }
    }

    private note(named: ast.Named | undefined, use: Use): void {
        if (named !== undefined) {
            const uses = this.uses.get(named) ?? new Set();
            this.uses.set(named, uses.add(use));
        }
    }
}

/** The use of a name: it is read unless it is the beginning of a place that is written, sent to or received from. */
function useOf(reference: ast.Reference): Use {
    const place = outermostPlace(reference);
    const { $container: container, $containerProperty: property } = place;
    const isPlaceOfStep = ast.isStep(container) && property === 'place';
    if (isPlaceOfStep && container.value === undefined && !ast.isVariable(reference.target.ref)) {
        return container.message !== undefined ? 'sent' : container.pattern !== undefined ? 'received' : 'read';
    }
    const isAssigned =
        (ast.isAssignment(container) && property === 'target') ||
        (isPlaceOfStep && (container.value !== undefined || isSentTo(container)));
    if (isAssigned || isBoundByPattern(place)) {
        return 'written';
    }
    const areMessagesRead = ast.isChannelDeclaration(reference.target.ref) && !isAskedOf(container);
    return areMessagesRead ? 'received' : 'read';
}

/** Whether a call asks only how many messages a channel has. */
function isAskedOf(call: Node): boolean {
    return ast.isCall(call) && ['len', 'empty', 'full'].includes(call.function.$refText);
}

function isSentTo(step: ast.Step): boolean {
    return step.message !== undefined && bagChannelOf(step) !== undefined;
}

/** Whether an expression is a pattern, or a part of one, that writes a place. */
function isBoundByPattern(place: ast.Expression): boolean {
    const { $container: container } = place;
    if (ast.isExpressionPattern(container)) {
        return !container.equal;
    }
    return (
        ast.isCall(container) &&
        isConstructor(container.function.ref) &&
        container.arguments.includes(place) &&
        isBoundByPattern(container)
    );
}

/**
 * Declarations that nothing uses: names that occur nowhere, variables that are only written or only read, channels with
 * one end. In: a model without errors. Out: warnings for the declarations of one file; what another file imports from it
 * is not known here, so a file without a process, which others import, gives none.
 *
 * One pass over the text: a name counts as used wherever it occurs, be it in a function that nobody calls. A name that
 * begins with `_` is meant to be unused.
 */
import type { AstNode } from 'langium';
import { descendantsOf, nodesOf } from '../descendants.js';
import * as ast from '../generated/ast.js';
import type { ChannelDeclaration, Declaration, Model, Named, Variable } from '../generated/ast.js';
import { nameRangeOf } from '../source-range.js';
import { describeNamed } from '../typing/describe.js';
import type { ProblemCode } from '../problems/codes.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** `declarations` are those of the model and of what it imports. */
export function checkUsage(model: Model, declarations: readonly Declaration[], problems: ProblemCollector): void {
    if (!model.declarations.some(ast.isProcess)) {
        return;
    }
    const usage = new Usage(declarations);
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

function findingFor(node: Named, usage: Usage): Finding | undefined {
    switch (node.$type) {
        case 'Parameter':
        case 'FunctionParameter':
            return unused(node, 'unused/parameter', usage);
        case 'Constant':
        case 'Let':
            return unused(node, 'unused/constant', usage);
        case 'TypeDeclaration':
        case 'RecordDeclaration':
            return unused(node, 'unused/type', usage);
        case 'Enumeration':
            return node.values.some(value => usage.isUsed(value)) ? undefined : unused(node, 'unused/type', usage);
        case 'FunctionDeclaration':
            return unused(node, 'unused/function', usage);
        case 'EventDeclaration':
            return unused(node, 'unused/event', usage);
        case 'Variable':
            return findingForVariable(node, usage);
        case 'ChannelDeclaration':
            return findingForChannel(node, usage);
        case 'BinderVariable':
        case 'BuiltinFunction':
        case 'EnumerationValue':
        case 'Invariant':
        case 'Process':
        case 'ProcessIndex':
        case 'RecordField':
            return undefined;
    }
}

function unused(node: Named, code: ProblemCode, usage: Usage): Finding | undefined {
    return usage.isUsed(node)
        ? undefined
        : { code, message: `\`${node.name}\`, ${describeNamed(node)}, is never used` };
}

function findingForVariable(variable: Variable, usage: Usage): Finding | undefined {
    const name = `\`${variable.name}\``;
    if (!usage.isUsed(variable)) {
        return { code: 'unused/variable', message: `${name} is neither read nor written` };
    }
    if (!usage.isRead(variable)) {
        return { code: 'variable/never-read', message: `${name} is written, but nothing ever reads it` };
    }
    if (!usage.isWritten(variable) && !keepsWhatItSaw(variable)) {
        const word = ast.isBody(variable.$container) ? 'let' : 'const';
        const hint = variable.initializer === undefined ? '' : `; \`${word}\` names a value that stays`;
        return {
            code: 'variable/never-written',
            message: `${name} always has its initial value: nothing writes it${hint}`,
        };
    }
    return undefined;
}

/** Whether the initial value is one of several, or depends on the state: then no constant says the same. */
function keepsWhatItSaw(variable: Variable): boolean {
    const { any, choices, initializer, $container: container } = variable;
    if (any || choices !== undefined) {
        return true;
    }
    return initializer !== undefined && !ast.isBody(container) && nodesOf(initializer).some(readsState);
}

function readsState(node: AstNode): boolean {
    const target = ast.isReference(node) ? node.target.ref : ast.isCall(node) ? node.function.ref : undefined;
    return (
        ast.isVariable(target) ||
        ast.isBinderVariable(target) ||
        ast.isFunctionDeclaration(target) ||
        (ast.isReference(node) && node.label !== undefined)
    );
}

function findingForChannel(channel: ChannelDeclaration, usage: Usage): Finding | undefined {
    const name = `\`${channel.name}\``;
    if (usage.hasChannelValues) {
        // Whoever has it as a value may send and receive.
        return undefined;
    }
    const [isSent, isReceived] = [usage.isSent(channel), usage.isReceived(channel)];
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

/** How the names of a model are used. */
class Usage {
    /** Some variable or message holds channels. */
    hasChannelValues = false;
    private readonly used = new Set<Named>();
    private readonly read = new Set<Named>();
    private readonly written = new Set<Named>();
    private readonly sent = new Set<Named>();
    private readonly received = new Set<Named>();

    constructor(declarations: readonly Declaration[]) {
        for (const declaration of declarations) {
            for (const node of nodesOf(declaration)) {
                this.add(node);
            }
        }
    }

    isUsed(named: Named): boolean {
        return this.used.has(named);
    }

    isRead(variable: Variable): boolean {
        return this.read.has(variable);
    }

    isWritten(variable: Variable): boolean {
        return this.written.has(variable);
    }

    isSent(channel: ChannelDeclaration): boolean {
        return this.sent.has(channel);
    }

    isReceived(channel: ChannelDeclaration): boolean {
        return this.received.has(channel);
    }

    private add(node: AstNode): void {
        if (ast.isChannelType(node)) {
            this.hasChannelValues = true;
        } else if (ast.isCall(node)) {
            this.note(this.used, node.function.ref);
        } else if (ast.isSymmetryAssertion(node)) {
            this.note(this.used, node.target.ref);
        } else if (ast.isFieldAccess(node)) {
            // A local of a process, in a property.
            this.note(this.read, node.field.ref);
        } else if (ast.isReference(node)) {
            const target = node.target.ref;
            this.note(this.used, target);
            this.note(this.setFor(node), target);
        }
    }

    private note(set: Set<Named>, named: Named | undefined): void {
        if (named !== undefined) {
            set.add(named);
        }
    }

    /** What happens to the name: it is read unless it begins what is written, sent to or received from. */
    private setFor(reference: ast.Reference): Set<Named> {
        let place: ast.Expression = reference;
        while (ast.isFieldAccess(place.$container) && place.$containerProperty === 'record') {
            place = place.$container;
        }
        const { $container: container, $containerProperty: property } = place;
        if (ast.isStep(container) && property === 'place' && !ast.isVariable(reference.target.ref)) {
            return container.message !== undefined
                ? this.sent
                : container.pattern !== undefined
                  ? this.received
                  : this.read;
        }
        const isAssigned =
            (ast.isAssignment(container) && property === 'target') ||
            (ast.isStep(container) && property === 'place' && container.value !== undefined);
        if (isAssigned || isBoundByPattern(place)) {
            return this.written;
        }
        return this.read;
    }
}

/** Whether an expression is a pattern, or a part of one, that writes what it names. */
function isBoundByPattern(place: ast.Expression): boolean {
    const { $container: container } = place;
    if (ast.isExpressionPattern(container)) {
        return !container.equal;
    }
    return (
        ast.isCall(container) &&
        ast.isRecordDeclaration(container.function.ref) &&
        container.arguments.includes(place) &&
        isBoundByPattern(container)
    );
}

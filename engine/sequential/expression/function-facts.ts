/** What the functions of a model do, whoever calls them: whether they look at the state, and whether they may go round. */
import { unreachable } from '../../common/assert.js';
import type { ChannelPlace, Expression, Place } from '../../model/expression.js';
import type { FunctionDeclaration, Statement } from '../../model/model.js';

export interface FunctionFacts {
    /** It, or a function that it calls, reads a variable, the length of a channel or where a process is. */
    readonly readsState: boolean;
    /** It, or a function that it calls, has a `while` or calls itself. */
    readonly goesRound: boolean;
    /** The statements and expressions of its body that stand one inside the other. */
    readonly depth: number;
    /** The ids of the parameters and other names that its body reads. */
    readonly namesRead: ReadonlySet<number>;
}

/** The facts of each function, in the order of the declarations. Linear in the size of their bodies for each function. */
export function factsOfFunctions(functions: readonly FunctionDeclaration[]): readonly FunctionFacts[] {
    const own = functions.map(ownFacts);
    return own.map((_, index) => {
        const reached = new Set<number>();
        const waiting = [...own[index].calls];
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
            if (!reached.has(next)) {
                reached.add(next);
                waiting.push(...own[next].calls);
            }
        }
        const all = [own[index], ...[...reached].map(other => own[other])];
        return {
            readsState: all.some(({ readsState }) => readsState),
            goesRound: reached.has(index) || all.some(({ hasLoop }) => hasLoop),
            depth: own[index].depth,
            namesRead: own[index].namesRead,
        };
    });
}

interface OwnFacts {
    readonly readsState: boolean;
    readonly hasLoop: boolean;
    readonly depth: number;
    readonly namesRead: ReadonlySet<number>;
    readonly calls: ReadonlySet<number>;
}

function ownFacts(declaration: FunctionDeclaration): OwnFacts {
    let readsState = false;
    let hasLoop = false;
    let level = 0;
    let depth = 0;
    const namesRead = new Set<number>();
    const calls = new Set<number>();

    function inside(visitParts: () => void): void {
        level++;
        depth = Math.max(depth, level);
        visitParts();
        level--;
    }

    function visitStatement(statement: Statement): void {
        inside(() => {
            visitPartsOfStatement(statement);
        });
    }

    function visit(expression: Expression): void {
        inside(() => {
            visitParts(expression);
        });
    }

    function visitPartsOfStatement(statement: Statement): void {
        switch (statement.kind) {
            case 'assign':
                statement.assignments.forEach(({ target, value }) => {
                    visitPlace(target);
                    visit(value);
                });
                return;
            case 'declare':
                statement.declarations.forEach(({ values }) => {
                    values.forEach(visit);
                });
                return;
            case 'if':
                visit(statement.condition);
                statement.then.forEach(visitStatement);
                statement.otherwise.forEach(visitStatement);
                return;
            case 'while':
                hasLoop = true;
                visit(statement.condition);
                statement.body.forEach(visitStatement);
                return;
            case 'for':
                statement.body.forEach(visitStatement);
                return;
            case 'return':
                statement.values.flat().forEach(visit);
                return;
            case 'assert':
                visit(statement.condition);
                return;
            case 'skip':
                return;
            default:
                unreachable(statement);
        }
    }

    function visitParts(expression: Expression): void {
        switch (expression.kind) {
            case 'constant':
            case 'binder':
                return;
            case 'read':
                if (expression.place.kind === 'temporary') {
                    namesRead.add(expression.place.temporary.id);
                }
                visitPlace(expression.place);
                return;
            case 'unary':
                visit(expression.operand);
                return;
            case 'binary':
                visit(expression.left);
                visit(expression.right);
                return;
            case 'conditional':
                visit(expression.condition);
                visit(expression.then);
                visit(expression.otherwise);
                return;
            case 'quantifier':
                if (expression.where !== undefined) {
                    visit(expression.where);
                }
                visit(expression.body);
                return;
            case 'instance-local':
            case 'at':
            case 'message':
                readsState = true;
                return;
            case 'length':
                visitChannel(expression.channel);
                return;
            case 'select':
                visit(expression.index);
                expression.options.forEach(visit);
                return;
            case 'field':
                visit(expression.record);
                return;
            case 'record':
                expression.fields.forEach(visit);
                return;
            case 'call':
                calls.add(expression.function);
                expression.arguments.flat().forEach(visit);
                expression.indices.forEach(visit);
                return;
            default:
                unreachable(expression);
        }
    }

    function visitPlace(place: Place): void {
        readsState ||= place.kind !== 'temporary';
        place.indices.forEach(visit);
    }

    function visitChannel(channel: ChannelPlace): void {
        readsState = true;
        (channel.kind === 'declared' ? channel.indices : [channel.expression]).forEach(visit);
    }

    declaration.body.forEach(visitStatement);
    return { readsState, hasLoop, depth, namesRead, calls };
}

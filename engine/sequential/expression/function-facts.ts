/** Facts about the functions of a model: whether they read the state, and whether they may loop. */
import { templateOf } from '../../model/domain.js';
import type { Expression } from '../../model/expression.js';
import type { FunctionDeclaration, Statement } from '../../model/model.js';
import { expressionsOf, partsOf, statementsIn } from '../../model/walk-model.js';

export interface FunctionFacts {
    /** It, or a function that it calls, reads a variable, the length of a channel or the location of a process. */
    readonly readsState: boolean;
    /** It, or a function that it calls, has a `while` or calls itself. */
    readonly goesRound: boolean;
    /** The nesting depth of statements and expressions in its body. */
    readonly depth: number;
    /** The ids of the parameters and other names that its body reads. */
    readonly namesRead: ReadonlySet<number>;
}

/** The facts of each function, in the order of the declarations. */
export function factsOfFunctions(functions: readonly Body[]): readonly FunctionFacts[] {
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

/** Whether the value of an expression depends on the state, with what the functions read that it calls. */
export function readsState(expression: Expression, functions: readonly Body[]): boolean {
    const asserts: Body = { body: [{ kind: 'assert', condition: expression, range: expression.range }] };
    return factsOfFunctions([...functions, asserts])[functions.length].readsState;
}

type Body = Pick<FunctionDeclaration, 'body'>;

interface OwnFacts {
    readonly readsState: boolean;
    readonly hasLoop: boolean;
    readonly depth: number;
    readonly namesRead: ReadonlySet<number>;
    readonly calls: ReadonlySet<number>;
}

function ownFacts({ body }: Body): OwnFacts {
    let readsState = false;
    let hasLoop = false;
    let depth = 0;
    const namesRead = new Set<number>();
    const calls = new Set<number>();
    const visit = (expression: Expression, level: number): void => {
        depth = Math.max(depth, level);
        switch (expression.kind) {
            case 'read':
                if (expression.place.kind === 'temporary') {
                    namesRead.add(expression.place.temporary.id);
                } else {
                    readsState = true;
                }
                break;
            case 'at':
            case 'alive':
            case 'instance-local':
            case 'message':
                readsState = true;
                break;
            case 'call':
                calls.add(expression.function);
                break;
            case 'quantifier':
                readsState ||= expression.binders.some(({ domain }) => templateOf(domain) !== undefined);
                break;
            default:
        }
        partsOf(expression).forEach(part => {
            visit(part, level + 1);
        });
    };
    const visitStatement = (statement: Statement, level: number): void => {
        depth = Math.max(depth, level);
        hasLoop ||= statement.kind === 'while';
        expressionsOf(statement).forEach(expression => {
            visit(expression, level + 1);
        });
        statementsIn(statement).forEach(inner => {
            visitStatement(inner, level + 1);
        });
    };
    body.forEach(statement => {
        visitStatement(statement, 1);
    });
    return { readsState, hasLoop, depth, namesRead, calls };
}

/** Control flow: loops without a step, `break` outside of loops, unreachable text, functions that end without value. */
import { unreachable } from '../../engine/common/assert.js';
import { descendantsOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { nameRangeOf, rangeOf } from '../tree/source-text.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** The ways through a part of the control flow, if every test may have both outcomes. */
interface Ways {
    /** A way through it has no step. */
    readonly plain: boolean;
    /** A way through it has a step. */
    readonly stepped: boolean;
    /** A way leaves it by `break`. */
    readonly breaks: boolean;
}

const NOTHING: Ways = { plain: true, stepped: false, breaks: false };

export function checkControlFlow(process: ast.Process, problems: ProblemCollector): void {
    waysThrough(process.body, false, problems);
    reportReturns(process, 'a process ends with `terminate`', problems);
}

/** Reports each `return` of what is no function. */
export function reportReturns(
    owner: ast.Process | ast.Procedure | ast.InitialBody,
    instead: string,
    problems: ProblemCollector,
): void {
    for (const statement of descendantsOf(owner).filter(ast.isReturn)) {
        const message = `\`return\` gives the value of a function; ${instead}`;
        problems.error('function/return-outside', message, rangeOf(statement));
    }
}

function waysThrough(block: ast.Block, insideLoop: boolean, problems: ProblemCollector): Ways {
    let ways = NOTHING;
    let reported = false;
    for (const item of block.items) {
        if (!ways.plain && !ways.stepped && !reported) {
            problems.warning('process/unreachable', 'this is never reached', rangeOf(item));
            reported = true;
        }
        const next = waysOf(item, insideLoop, problems);
        ways = {
            plain: ways.plain && next.plain,
            stepped: (ways.stepped && (next.plain || next.stepped)) || (ways.plain && next.stepped),
            breaks: ways.breaks || next.breaks,
        };
    }
    return ways;
}

function waysOf(item: ast.Item, insideLoop: boolean, problems: ProblemCollector): Ways {
    switch (item.$type) {
        case 'Labeled':
            return waysOf(item.item, insideLoop, problems);
        case 'Step':
            return { plain: false, stepped: true, breaks: false };
        case 'Variable':
        case 'Constant':
        case 'Let':
            return NOTHING;
        case 'Break':
            if (!insideLoop) {
                problems.error('process/break-outside-loop', '`break` stands outside every loop', rangeOf(item));
            }
            return { plain: false, stepped: false, breaks: true };
        case 'Terminate':
            return { plain: false, stepped: false, breaks: false };
        case 'Loop':
        case 'While':
        case 'For':
            return waysThroughLoop(item, problems);
        case 'IfControl': {
            const then = waysThrough(item.then, insideLoop, problems);
            const otherwise =
                item.elseIf !== undefined
                    ? waysOf(item.elseIf, insideLoop, problems)
                    : item.otherwise !== undefined
                      ? waysThrough(item.otherwise, insideLoop, problems)
                      : NOTHING;
            return either(then, otherwise);
        }
        case 'Choose':
            return item.alternatives
                .map(alternative => waysThrough(alternative.body, insideLoop, problems))
                .reduce(either);
        default:
            return unreachable(item);
    }
}

/** A `for` has at least one value. */
function waysThroughLoop(loop: ast.Loop | ast.While | ast.For, problems: ProblemCollector): Ways {
    const round = waysThrough(loop.body, true, problems);
    // `while c { }` waits until `c` is false.
    const isWait = loop.$type === 'While' && loop.body.items.length === 0;
    if (round.plain && !round.stepped && !isWait) {
        const message = 'no way round this loop contains a step, so going round it changes nothing';
        problems.warning('process/loop-without-step', message, rangeOf(loop));
    }
    if (loop.$type === 'For') {
        return {
            plain: round.plain || round.breaks,
            stepped: round.stepped || round.breaks,
            breaks: false,
        };
    }
    // A way to a `break` may or may not contain a step.
    const leaves = round.breaks || loop.$type === 'While';
    return { plain: leaves, stepped: leaves && (round.stepped || round.breaks), breaks: false };
}

function either(first: Ways, second: Ways): Ways {
    return {
        plain: first.plain || second.plain,
        stepped: first.stepped || second.stepped,
        breaks: first.breaks || second.breaks,
    };
}

/** Checks that every way through the body of a function ends in a `return`, with no statement behind it. */
export function checkReturns(declaration: ast.FunctionDeclaration, problems: ProblemCollector): void {
    const { body, name } = declaration;
    if (body !== undefined && !alwaysReturns(body, problems)) {
        const message = `\`${name}\` can end without a value: some way through its body reaches no \`return\``;
        problems.error('function/no-return', message, nameRangeOf(declaration));
    }
}

function alwaysReturns(body: ast.Body, problems: ProblemCollector): boolean {
    let returned = false;
    let reported = false;
    for (const statement of body.statements) {
        if (returned && !reported) {
            problems.warning('process/unreachable', 'this is never reached', rangeOf(statement));
            reported = true;
        }
        returned = returns(statement, problems) || returned;
    }
    return returned;
}

function returns(statement: ast.Statement, problems: ProblemCollector): boolean {
    switch (statement.$type) {
        case 'Return':
            return true;
        case 'IfStatement': {
            const then = alwaysReturns(statement.then, problems);
            const otherwise =
                statement.elseIf !== undefined
                    ? returns(statement.elseIf, problems)
                    : statement.otherwise !== undefined && alwaysReturns(statement.otherwise, problems);
            return then && otherwise;
        }
        case 'WhileStatement':
            // The condition may be false at once.
            alwaysReturns(statement.body, problems);
            return false;
        case 'ForStatement': {
            const body = alwaysReturns(statement.body, problems);
            return body && statement.where === undefined;
        }
        case 'Assignment':
        case 'Spawn':
        case 'ProcedureCall':
        case 'Variable':
        case 'Let':
        case 'Assertion':
        case 'Skip':
            return false;
        default:
            return unreachable(statement);
    }
}

/** Where control can go: loops that go round without a step, `break` outside a loop, text that is never reached. */
import { unreachable } from '../../engine/common/assert.js';
import type { Block, Item, Process } from '../generated/ast.js';
import { rangeOf } from '../source-range.js';
import type { ProblemCollector } from './problem-collector.js';

/** The ways through a piece of control flow, whatever its tests say. */
interface Ways {
    /** It can be passed without a step. */
    readonly plain: boolean;
    /** It can be passed with a step. */
    readonly stepped: boolean;
    /** It can be left by `break`. */
    readonly breaks: boolean;
}

const NOTHING: Ways = { plain: true, stepped: false, breaks: false };

export function checkControlFlow(process: Process, problems: ProblemCollector): void {
    waysThrough(process.body, false, problems);
}

function waysThrough(block: Block, insideLoop: boolean, problems: ProblemCollector): Ways {
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

function waysOf(item: Item, insideLoop: boolean, problems: ProblemCollector): Ways {
    switch (item.$type) {
        case 'Labeled':
            return waysOf(item.item, insideLoop, problems);
        case 'Step':
            return { plain: false, stepped: true, breaks: false };
        case 'Variable':
        case 'Constant':
            return NOTHING;
        case 'Break':
            if (!insideLoop) {
                problems.error('process/break-outside-loop', '`break` stands outside every loop', rangeOf(item));
            }
            return { plain: false, stepped: false, breaks: true };
        case 'Loop':
        case 'While': {
            const round = waysThrough(item.body, true, problems);
            // `while c { }` waits until `c` is false; whoever writes it means that.
            const isWait = item.$type === 'While' && item.body.items.length === 0;
            if (round.plain && !round.stepped && !isWait) {
                problems.warning(
                    'process/loop-without-step',
                    'no way round this loop contains a step, so going round it changes nothing',
                    rangeOf(item),
                );
            }
            // The way of a `break` is not followed: it may or may not contain a step.
            const leaves = round.breaks || item.$type === 'While';
            return { plain: leaves, stepped: leaves && (round.stepped || round.breaks), breaks: false };
        }
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
            return item.alternatives.map(alternative => waysThrough(alternative, insideLoop, problems)).reduce(either);
        default:
            return unreachable(item);
    }
}

function either(first: Ways, second: Ways): Ways {
    return {
        plain: first.plain || second.plain,
        stepped: first.stepped || second.stepped,
        breaks: first.breaks || second.breaks,
    };
}

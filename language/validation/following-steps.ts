/** The steps that can come next from a place in the text of a process, with the labels before them, and its end. */
import { enclosing, type Node } from '../tree/node.js';
import { unreachable } from '../../engine/common/assert.js';
import * as ast from '../generated/nodes.js';

/** The end of the process comes next. */
const END = 'end';

type Next = ast.Step | ast.Labeled | typeof END;

/** The steps that can come next from a place in the text. A way that comes back to its start adds nothing. */
export class FollowingSteps {
    private readonly known = new Map<ast.Item, readonly Next[]>();

    /** The steps that are one transition with the test of a `while` or an `if`, whatever its outcome. */
    afterTest(node: ast.While | ast.IfControl): readonly ast.Step[] {
        return this.behindTest(node).filter(ast.isStep);
    }

    /** The steps with which the alternatives of a choice begin. */
    atChoice(choice: ast.Choose): readonly ast.Step[] {
        return this.at(choice).filter(ast.isStep);
    }

    /** The labels that control passes behind a test, before the next step. */
    labelsAfterTest(node: ast.While | ast.IfControl | ast.Alternative): readonly ast.Labeled[] {
        return (ast.isAlternative(node) ? this.atBlock(node.body) : this.behindTest(node)).filter(ast.isLabeled);
    }

    /** Whether the process may end directly behind a test, without another step. */
    mayEndAfterTest(node: ast.While | ast.IfControl): boolean {
        return this.behindTest(node).includes(END);
    }

    private behindTest(node: ast.While | ast.IfControl): readonly Next[] {
        if (ast.isWhile(node)) {
            return [...this.atBlock(node.body), ...this.behind(node)];
        }
        return [...this.atBlock(node.then), ...this.atElse(node)];
    }

    private atElse(node: ast.IfControl): readonly Next[] {
        if (node.elseIf !== undefined) {
            return this.at(node.elseIf);
        }
        return node.otherwise === undefined ? this.behind(node) : this.atBlock(node.otherwise);
    }

    private at(item: ast.Item): readonly Next[] {
        let steps = this.known.get(item);
        if (steps === undefined) {
            this.known.set(item, []);
            steps = [...new Set(this.compute(item))];
            this.known.set(item, steps);
        }
        return steps;
    }

    private compute(item: ast.Item): readonly Next[] {
        switch (item.$type) {
            case 'Step':
                return [item];
            case 'Labeled':
                return [item, ...this.at(item.item)];
            case 'Variable':
            case 'Constant':
            case 'Let':
                return this.behind(item);
            case 'Terminate':
                return [END];
            case 'Break': {
                const loop = enclosing(item, isLoop);
                return loop === undefined ? [] : this.behind(loop);
            }
            case 'Loop':
                return this.atBlock(item.body);
            case 'While':
            case 'IfControl':
                return this.behindTest(item);
            case 'For':
                return [...this.atBlock(item.body), ...this.behind(item)];
            case 'Choose':
                return item.alternatives.flatMap(alternative => this.atBlock(alternative.body));
            default:
                return unreachable(item);
        }
    }

    /** The steps with which a block begins; those behind it if it is empty. */
    private atBlock(block: ast.Block): readonly Next[] {
        const [first] = block.items;
        return first === undefined ? this.behindBlock(block) : this.at(first);
    }

    private behind(item: ast.Item): readonly Next[] {
        const container = item.$container;
        if (ast.isLabeled(container) || ast.isIfControl(container)) {
            return this.behind(container);
        }
        if (!ast.isBlock(container)) {
            return [];
        }
        const next = container.items[container.items.indexOf(item) + 1];
        return next === undefined ? this.behindBlock(container) : this.at(next);
    }

    private behindBlock(block: ast.Block): readonly Next[] {
        const container = block.$container;
        switch (container.$type) {
            case 'Loop':
            case 'While':
                return this.at(container);
            case 'For':
                return [...this.atBlock(block), ...this.behind(container)];
            case 'IfControl':
                return this.behind(container);
            case 'Alternative':
                return this.behind(container.$container);
            case 'Process':
                return [END];
            default:
                return unreachable(container);
        }
    }
}

function isLoop(node: Node): node is ast.Loop | ast.While | ast.For {
    return ast.isLoop(node) || ast.isWhile(node) || ast.isFor(node);
}

/**
 * Strongly connected parts of a graph that a fair path can stay in, by repeated search for components: in a component
 * in which a request is asked and never met, a fair path avoids the nodes that ask it.
 */

/** By node. A path is fair if each request that is asked infinitely often on it is met infinitely often. */
export interface Request {
    readonly asked: readonly boolean[];
    readonly met: readonly boolean[];
}

/** The nodes of some part, all of whose nodes lie on one fair cycle; undefined without one. */
export function fairComponent(
    successors: readonly (readonly number[])[],
    requests: readonly Request[],
): readonly number[] | undefined {
    const waiting: (readonly number[])[] = [[...successors.keys()]];
    for (let nodes = waiting.pop(); nodes !== undefined; nodes = waiting.pop()) {
        for (const component of components(nodes, successors)) {
            const unmet = requests.find(
                ({ asked, met }) => component.some(node => asked[node]!) && !component.some(node => met[node]!),
            );
            if (unmet === undefined) {
                return component;
            }
            waiting.push(component.filter(node => !unmet.asked[node]!));
        }
    }
    return undefined;
}

/** The strongly connected components with an edge, of the graph restricted to `nodes`: from each node back to it. */
function components(nodes: readonly number[], successors: readonly (readonly number[])[]): number[][] {
    const predecessors = new Map(nodes.map((node): [number, number[]] => [node, []]));
    for (const node of nodes) {
        successors[node]!.forEach(successor => predecessors.get(successor)?.push(node));
    }
    // The last node to be finished is in a component that no other one leads to.
    const placed = new Set<number>();
    const found: number[][] = [];
    for (const root of finishingOrder(nodes, successors).reverse()) {
        if (placed.has(root)) {
            continue;
        }
        placed.add(root);
        const component = [root];
        // The iteration includes nodes that are added during it.
        for (const node of component) {
            for (const predecessor of predecessors.get(node)!) {
                if (!placed.has(predecessor)) {
                    placed.add(predecessor);
                    component.push(predecessor);
                }
            }
        }
        if (component.length > 1 || successors[root]!.includes(root)) {
            found.push(component);
        }
    }
    return found;
}

/** In the order in which a depth-first search leaves them. */
function finishingOrder(nodes: readonly number[], successors: readonly (readonly number[])[]): number[] {
    const isOpen = new Set(nodes);
    const finished: number[] = [];
    for (const root of nodes) {
        if (!isOpen.delete(root)) {
            continue;
        }
        const path = [{ node: root, next: 0 }];
        for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
            const successor = successors[top.node]![top.next++];
            if (successor === undefined) {
                finished.push(top.node);
                path.pop();
            } else if (isOpen.delete(successor)) {
                path.push({ node: successor, next: 0 });
            }
        }
    }
    return finished;
}

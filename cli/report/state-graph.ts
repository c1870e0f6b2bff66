/** The state graph as a text: DOT for Graphviz, the format of Aldebaran (CADP, mCRL2), and data. */
import type { StateEdge, StateGraph } from '../../engine/explore/state-graph.js';
import { namesBySlot } from '../../engine/explore/instance-names.js';
import { describeStep } from '../../engine/explore/trace.js';
import { formatState } from '../../engine/describe/shown-state.js';
import type { TraceStep } from '../../engine/explore/verdict.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';

/** Initial states have a thick border; an orbit says how many states it has. */
export function toStateGraphDot(graph: StateGraph, model: SequentialModel): string {
    const nodes = graph.states.map((state, number) => {
        const values = Object.entries(formatState(model, state, namesBySlot(model, state))).map(
            ([name, value]) => `${name} = ${value}`,
        );
        const size = graph.orbitSizes[number] ?? 1;
        const label = [...values, ...(size > 1 ? [`${size} states`] : [])].map(escape).join('\\n');
        return `    ${number} [label="${label}"${graph.initial.includes(number) ? ', penwidth=3' : ''}];\n`;
    });
    const faults = faultsOf(graph).map(fault => `    "fault ${fault}" [color=red];\n`);
    const edges = graph.edges.map(edge => {
        const target = typeof edge.to === 'number' ? String(edge.to) : `"fault ${edge.to}"`;
        return `    ${edge.from} -> ${target} [label="${escape(labelOf(edge, graph, model))}"];\n`;
    });
    const head = `digraph "${escape(model.name)}" {\n    node [shape=box];\n`;
    return `${head}${nodes.join('')}${faults.join('')}${edges.join('')}}\n`;
}

/**
 * The format has one initial state, 0. If the model has several, 0 is a state before them, with a step `initial` to
 * each. Each kind of fault is a state without steps, after all others.
 */
export function toStateGraphAut(graph: StateGraph, model: SequentialModel): string {
    const offset = graph.initial.length === 1 && graph.initial[0] === 0 ? 0 : 1;
    const faults = faultsOf(graph);
    const numberOf = (target: StateEdge['to']): number =>
        offset + (typeof target === 'number' ? target : graph.states.length + faults.indexOf(target));
    const lines = [
        ...(offset === 0 ? [] : graph.initial.map(number => `(0,"initial",${number + offset})`)),
        ...graph.edges.map(edge => {
            const label = labelOf(edge, graph, model).replaceAll('"', "'");
            return `(${edge.from + offset},"${label}",${numberOf(edge.to)})`;
        }),
    ];
    return [`des (0,${lines.length},${offset + graph.states.length + faults.length})`, ...lines, ''].join('\n');
}

/** States with their values and sizes, and edges by the numbers of their states; a fault takes the place of `to`. */
export function toStateGraphJson(graph: StateGraph, model: SequentialModel): string {
    const document = {
        schemaVersion: 1,
        model: model.name,
        initial: graph.initial,
        states: graph.states.map((state, number) => ({
            state: formatState(model, state, namesBySlot(model, state)),
            orbitSize: graph.orbitSizes[number],
        })),
        transitions: graph.edges.map(({ from, summand, to }) => {
            const { process, label } = stepOf(from, summand, graph, model);
            return { from, process, label, ...(typeof to === 'number' ? { to } : { fault: to }) };
        }),
    };
    return `${JSON.stringify(document, undefined, 2)}\n`;
}

function faultsOf(graph: StateGraph): string[] {
    return [...new Set(graph.edges.flatMap(({ to }) => (typeof to === 'number' ? [] : [to])))].sort();
}

function stepOf(from: number, summand: number, { states }: StateGraph, model: SequentialModel): TraceStep {
    const state = states[from];
    return describeStep(model, summand, state && namesBySlot(model, state));
}

function labelOf({ from, summand, to }: StateEdge, graph: StateGraph, model: SequentialModel): string {
    const { process, label } = stepOf(from, summand, graph, model);
    return `${process} ${label}${typeof to === 'number' ? '' : ` (fault: ${to})`}`;
}

function escape(text: string): string {
    return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

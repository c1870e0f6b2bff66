/** The places of each declaration that holds values: of its type, or of its indices and messages. Made when they are met. */
import type { Node } from '../language/tree/node.js';
import { remembered } from '../engine/common/list-map.js';
import type * as ast from '../language/generated/nodes.js';
import { collectionOf } from '../language/references/binders.js';
import type { FactList } from './facts.js';
import type { ValueRules } from './rules-of-values.js';
import { arrayOf, scalarsOf, type Origin, type Structure, type StructureMaker } from './structure.js';

export class DeclaredPlaces {
    /** By declaration. */
    readonly all = new Map<Node, Structure>();
    readonly #facts: FactList;
    readonly #structures: StructureMaker;
    readonly #values: ValueRules;

    constructor(facts: FactList, structures: StructureMaker, values: ValueRules) {
        this.#facts = facts;
        this.#structures = structures;
        this.#values = values;
    }

    of(declaration: ast.Named): Structure {
        return remembered(this.all, declaration, () => this.#make(declaration));
    }

    #make(declaration: ast.Named): Structure {
        const { name } = declaration;
        const structures = this.#structures;
        const element = { name, node: declaration, kind: 'element' } as const;
        const value = { name, node: declaration, kind: 'value' } as const;
        switch (declaration.$type) {
            case 'Variable': {
                const process = processAround(declaration);
                return structures.ofType(declaration.type, {
                    ...(declaration.$container.$type === 'Body' ? value : element),
                    name: process === undefined ? name : `${process.name}.${name}`,
                });
            }
            case 'ProcessParameter':
                return structures.ofType(declaration.type, {
                    ...element,
                    name: `${declaration.$container.name}.${name}`,
                });
            case 'ProcessIndex': {
                const place = { ...element, name: `${declaration.$container.name}[${name}]`, kind: 'index' } as const;
                const structure = structures.ofType(declaration.type, place);
                structures.moved(structure);
                return structure;
            }
            case 'FunctionParameter':
            case 'ProcedureParameter':
                return structures.ofType(declaration.type, value);
            case 'FunctionDeclaration':
                return structures.ofType(declaration.result, value);
            case 'BinderVariable':
                return this.#ofBinder(declaration, value);
            case 'Parameter':
                return this.#parameter(declaration);
            case 'ChannelDeclaration': {
                const { capacity } = declaration;
                const indices = declaration.indices.map(index => structures.ofIndex(index, element));
                const isStored = capacity.$type !== 'NumberLiteral' || capacity.value > 0;
                const message = structures.ofType(declaration.message, isStored ? element : value);
                return arrayOf(indices, { kind: 'channel', message: () => message });
            }
            case 'EventDeclaration':
                return arrayOf(
                    declaration.arguments.map(index => structures.ofIndex(index, value)),
                    structures.newScalar(),
                );
            default:
                this.#values.notUnderstood(declaration);
                return structures.newScalar();
        }
    }

    #ofBinder(variable: ast.BinderVariable, origin: Origin): Structure {
        const { type } = variable.$container;
        if (type === undefined || collectionOf(variable.$container) !== undefined) {
            this.#values.notUnderstood(variable);
            return this.#structures.newScalar();
        }
        return this.#structures.ofType(type, origin);
    }

    /** Its entries are numbers; the values of an index are told apart by them. */
    #parameter(parameter: ast.Parameter): Structure {
        const { name, type } = parameter;
        const structure = this.#structures.ofType(type, { name, node: parameter, kind: 'parameter' });
        const [indices, element] =
            structure.kind === 'array' ? [structure.indices, structure.element] : [[], structure];
        this.#values.pin(element, parameter, 'table');
        if (indices.length > 1) {
            this.#values.pin(structure, parameter, 'relation');
        }
        indices.flatMap(scalarsOf).forEach(place => {
            this.#facts.add({ kind: 'labelled', place, table: parameter });
        });
        return structure;
    }
}

function processAround(node: Node): ast.Process | undefined {
    for (let outer = node.$container; outer !== undefined; outer = outer.$container) {
        if (outer.$type === 'Process') {
            return outer as ast.Process;
        }
    }
    return undefined;
}

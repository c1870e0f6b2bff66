/**
 * What `spawn` does: the arguments become the parameters of a free slot, its counter goes to the first location, and
 * then the declarations at the head of its body get their values, in the order of the text. These may ask for the instance,
 * and what nobody reads is evaluated, too, since it may be a fault. The elements and the channels for an instance hold what
 * they begin with before it comes to be, and again from its end on: so those for two instances need no creator of both.
 */
import { invariant } from '../../common/assert.js';
import { domainSize, templateOf, valueOfCode, type Domain } from '../../model/domain.js';
import type { Initializer, Model, Process, Statement } from '../../model/model.js';
import type { SourceRange } from '../../common/source-range.js';
import { withoutAbsentFields } from '../absent-fields.js';
import { cellsOfPlace, supportOf } from '../cell-access.js';
import { sizeOfArray, valuation, type SharedLayout } from '../cell-layout.js';
import { isEnd, type PlacedInstance } from '../control/instances.js';
import { assignment } from '../control/offers.js';
import type { Cell, SequentialExpression, SequentialStatement, TemplateSlots } from '../sequential-model.js';
import { binary, constant, isTrue } from '../expression/simplify.js';
import { assignable } from '../expression/substitute.js';
import { emptyScope, type Scope } from '../expression/scope.js';
import { assignment as assignPlace } from '../expression/specialize-statement.js';
import type { Specializer } from '../expression/specialize.js';

interface CreationOptions {
    readonly model: Model;
    readonly shared: SharedLayout;
    readonly cells: readonly Cell[];
    readonly instances: readonly PlacedInstance[];
    /** `live[instance][location][local]` is 1 where the local is live. */
    readonly live: readonly (readonly Uint8Array[])[];
    /** By process; undefined for a family. */
    readonly templates: readonly (TemplateSlots | undefined)[];
}

/** The slots of each template by process, with the cells that may hold references. */
export function slotsOfTemplates(
    model: Model,
    instances: readonly PlacedInstance[],
    cells: readonly Cell[],
): (TemplateSlots | undefined)[] {
    return model.processes.map(({ name, template, indices: [self] }, process) => {
        if (template === undefined) {
            return undefined;
        }
        const slots = instances.flatMap((placed, instance) => {
            const { counter, ended } = placed;
            return placed.process === process && ended !== undefined ? [{ instance, counter, ended }] : [];
        });
        const holders = cells.flatMap(({ domain, kind }, cell) =>
            templateOf(domain) === process && kind !== 'temporary' ? [cell] : [],
        );
        const named = self.domain.kind === 'enumeration' ? self.domain.named : undefined;
        const usage = { mostLive: 0, mostNamed: 0 };
        return { process, name, slots, holders, ...(named !== undefined && { named }), usage };
    });
}

export class Creation {
    readonly #options: CreationOptions;

    constructor(options: CreationOptions) {
        this.#options = options;
    }

    /** `slot` is where the instance comes to be. */
    statements(
        { process, arguments: args, target, range }: Extract<Statement, { kind: 'spawn' }>,
        slot: SequentialExpression,
        scope: Scope,
        specializer: Specializer,
    ): SequentialStatement[] {
        const { model, instances, live, templates, cells } = this.#options;
        const template = templates[process];
        invariant(template !== undefined, 'what is created is the instance of a template');
        const declaration = model.processes[process];
        const [{ domain }] = declaration.indices;
        const own = template.slots.map(({ instance }) => instances[instance]);
        const liveAtFirst = live[template.slots[0].instance][0];
        const initial = headValues(declaration, own, specializer);
        const mayFault = ({ local, values }: HeadValue): boolean =>
            values.some(value => !isTrue(assignable(value, declaration.locals[local].element, cells, range)));
        // Those that are read by initial values only hold none afterwards.
        const readOnce = new Set<number>();
        const isKept = (local: number): boolean => liveAtFirst[local] === 1 || readOnce.has(local);
        for (const head of [...initial].reverse()) {
            if (isKept(head.local) || mayFault(head)) {
                head.values.flatMap(supportOf).forEach(cell => {
                    localOf(cells[cell], template).forEach(read => readOnce.add(read));
                });
            }
        }
        const assign = (cellOf: (slot: number) => number, value: SequentialExpression): SequentialStatement => ({
            kind: 'assign',
            target: {
                kind: 'element',
                cells: own.map((_, each) => cellOf(each)),
                indices: [slot],
                domains: [domain],
                range,
            },
            value,
            range,
        });
        // What nobody reads is evaluated too, since it may be a fault.
        const evaluate = (local: number, value: SequentialExpression): SequentialStatement[] => {
            const condition = assignable(value, declaration.locals[local].element, cells, range);
            return isTrue(condition) ? [] : [{ kind: 'if', condition, then: [], otherwise: [], range }];
        };
        const parameters = args.flatMap((argument, local): SequentialStatement[] => {
            const value = specializer.expression(argument, scope);
            return isKept(local) ? [assign(each => own[each].locals[local].first, value)] : evaluate(local, value);
        });
        const heads = initial.flatMap((head): SequentialStatement[] => {
            const { local, position, values } = head;
            if (!isKept(local)) {
                return mayFault(head)
                    ? this.#inSlot(slot, range, own.length, each => evaluate(local, values[each]))
                    : [];
            }
            const cellOf = (each: number): number => own[each].locals[local].first + position;
            const [first] = values;
            return values.every(
                value => value.kind === 'constant' && first.kind === 'constant' && value.value === first.value,
            )
                ? [assign(cellOf, first)]
                : this.#inSlot(slot, range, own.length, each => [
                      { kind: 'assign', target: { kind: 'cell', cell: cellOf(each) }, value: values[each], range },
                  ]);
        });
        // An instance whose text is empty ends as soon as it is created.
        const endsNow = isEnd(own[0].locations[0]);
        const forgotten = [...liveAtFirst.keys()].filter(
            local => isKept(local) && (endsNow || liveAtFirst[local] === 0),
        );
        const forget = this.#inSlot(slot, range, own.length, each => [
            ...(endsNow ? [assignment(own[each].counter, constant(template.slots[each].ended), range)] : []),
            ...(endsNow ? this.released(process, each, specializer) : []),
            ...forgotten
                .flatMap(local => cellsOfLocal(own[each], local))
                .map((cell): SequentialStatement => ({ kind: 'clear', cell })),
        ]);
        const reference: SequentialStatement[] =
            target === undefined ? [] : [assignPlace(specializer.place(target, scope), slot, { ...range })];
        const kept = [...liveAtFirst.keys()].filter(isKept);
        const emptied = this.#inSlot(slot, range, own.length, each =>
            this.#emptied(
                kept.flatMap(local => cellsOfLocal(own[each], local)),
                range,
            ),
        );
        return [
            ...parameters,
            assign(each => own[each].counter, constant(0)),
            ...heads,
            ...emptied,
            ...forget,
            ...reference,
        ];
    }

    /** What takes away the fields of cases that are not at hand. */
    #emptied(written: readonly number[], range: SourceRange): SequentialStatement[] {
        return withoutAbsentFields(new Map(written.map(cell => [cell, undefined])), this.#options.cells, range);
    }

    #inSlot(
        slot: SequentialExpression,
        range: SourceRange,
        count: number,
        statements: (slot: number) => SequentialStatement[],
    ): SequentialStatement[] {
        return Array.from({ length: count }, (_, each) => statements(each)).flatMap((then, each) =>
            then.length === 0
                ? []
                : [{ kind: 'if', condition: binary('==', slot, constant(each), range), then, otherwise: [], range }],
        );
    }

    /** What ends with the instance in a slot, elements of arrays and channels: they hold again what they begin with. */
    released(process: number, slot: number, specializer: Specializer): SequentialStatement[] {
        const { model, shared } = this.#options;
        const positionsOf = (domains: readonly Domain[]): number[] =>
            domains.some(domain => templateOf(domain) === process)
                ? Array.from({ length: sizeOfArray(domains) }, (_, position) => position).filter(position =>
                      valuation(domains, position).some(
                          (value, dimension) => value === slot && templateOf(domains[dimension]) === process,
                      ),
                  )
                : [];
        const elements = model.variables.flatMap(({ indices, initializer, element, range }, variable) => {
            const positions = positionsOf(indices);
            if (positions.length === 0) {
                return [];
            }
            const value = firstValue(initializer, element, expression =>
                specializer.expression(expression, emptyScope()),
            );
            return positions.map(position => assignment(shared.variables[variable].first + position, value, range));
        });
        const emptied = this.#emptied(
            elements.flatMap(({ target }) => cellsOfPlace(target)),
            model.processes[process].range,
        );
        const channels = shared.channels.flatMap((channel, index) =>
            channel.capacity === 0
                ? []
                : positionsOf(channel.indices).flatMap((position): SequentialStatement[] => [
                      assignment(channel.lengthCell(position), constant(0), model.channels[index].range),
                      ...Array.from({ length: channel.stride - 1 }, (_, scalar): SequentialStatement => ({
                          kind: 'clear',
                          cell: channel.lengthCell(position) + 1 + scalar,
                      })),
                  ]),
        );
        return [...elements, ...emptied, ...channels];
    }
}

function cellsOfLocal({ locals }: PlacedInstance, local: number): number[] {
    const { first, indices } = locals[local];
    return Array.from({ length: sizeOfArray(indices) }, (_, position) => first + position);
}

/** The local of an instance of the template that the cell belongs to. */
function localOf({ kind, variable, instance }: Cell, { slots }: TemplateSlots): number[] {
    return kind === 'local' && slots.some(slot => slot.instance === instance) ? [variable] : [];
}

interface HeadValue {
    readonly local: number;
    /** In an array, row by row. */
    readonly position: number;
    /** By slot. */
    readonly values: readonly SequentialExpression[];
}

/** The values that the declarations at the head give to the locals, in their order. */
function headValues(declaration: Process, own: readonly PlacedInstance[], specializer: Specializer): HeadValue[] {
    return own[0].graph.headLocals.flatMap(local => {
        const { initializer, element, indices } = declaration.locals[local];
        return Array.from({ length: sizeOfArray(indices) }, (_, position) => ({
            local,
            position,
            values: own.map(({ locals, binding }) =>
                firstValue(
                    initializer,
                    element,
                    expression =>
                        specializer.expression(expression, {
                            locals,
                            binders: new Map(binding),
                            temporaries: new Map(),
                        }),
                    position,
                ),
            ),
        }));
    });
}

/** The value of an initializer that chooses nothing. */
function firstValue(
    initializer: Initializer,
    element: Domain,
    specialize: (expression: Parameters<Specializer['expression']>[0]) => SequentialExpression,
    position = 0,
): SequentialExpression {
    invariant(['default', 'value'].includes(initializer.kind), 'an instance that is created starts in one way');
    if (initializer.kind !== 'value') {
        return constant(domainSize(element) === 0 ? 0 : valueOfCode(element, 0));
    }
    const { expressions } = initializer;
    return specialize(expressions[expressions.length === 1 ? 0 : position]);
}

/**
 * The positions of the declarations of a checked document and its imports in the engine's model.
 *
 * A variable of a record type becomes several variables there; its slot has the position of the first one. Names of
 * bodies and functions become temporaries. Binders, temporaries and types of channels are numbered by their first use.
 */
import { invariant } from '../../engine/common/assert.js';
import { remembered } from '../../engine/common/list-map.js';
import type { Domain } from '../../engine/model/domain.js';
import type { Binder, Temporary } from '../../engine/model/expression.js';
import type { AssertionText, ChannelType } from '../../engine/model/model.js';
import * as ast from '../generated/nodes.js';
import { domainTextOf } from '../references/binders.js';
import { declarationsOf } from '../references/imports.js';
import { localsOf, receivesIn, type Local } from '../references/locals.js';
import { bagChannelOf } from '../references/places.js';
import { SELF } from '../references/templates.js';
import { rangeOf } from '../tree/source-text.js';
import type { Constants } from '../typing/constants.js';
import { BagShape } from '../representation/bag.js';
import { isUnknown } from '../representation/cell.js';
import type { SequenceShape } from '../representation/sequence.js';
import type { LoweredValue, Shape } from '../representation/shape.js';

/** The variables of the model, or the locals of a process, for one declaration: one for each leaf of its shape. */
export interface VariableSlot {
    readonly kind: 'shared' | 'local';
    readonly first: number;
    readonly shape: Shape;
}

/** The temporaries for a name of a body or a function: one for each leaf of its shape. */
export interface TemporarySlot {
    readonly temporaries: readonly Temporary[];
    readonly shape: Shape;
}

/** A variable, or a step with the message that it takes from a channel without order. */
export type SlotOwner = Local | ast.Step;

/** The name of what a step takes, which the text does not name. */
export function nameOf(owner: SlotOwner): string {
    return ast.isStep(owner) ? 'message' : owner.name;
}

/** A group of a loop has one for the set that it runs through. */
export type TemporaryName = ast.Variable | ast.FunctionParameter | ast.ProcedureParameter | ast.Let | ast.BinderGroup;

export class DeclarationTable {
    /** Those of the model, with those of imported files in the place of the imports. */
    readonly declarations: readonly ast.Declaration[];
    /** Complete only after all statements are lowered. */
    readonly assertionTexts: AssertionText[] = [];
    private readonly constants: Constants;
    private readonly slots = new Map<SlotOwner, VariableSlot>();
    private readonly positions = new Map<ast.Declaration, number>();
    private readonly binders = new Map<ast.ProcessIndex | ast.BinderVariable, Binder>();
    private readonly selves = new Map<ast.Process, Binder>();
    private readonly temporaries = new Map<TemporaryName, TemporarySlot>();
    private readonly places = new Map<ast.ProcedureParameter, LoweredValue>();
    private readonly channels: { readonly message: Shape; readonly type: ChannelType }[] = [];
    private binderCount = 0;
    private temporaryCount = 0;

    constructor(model: ast.Model, constants: Constants) {
        this.constants = constants;
        this.declarations = declarationsOf(model);
        this.addSlots(this.declarations.filter(ast.isVariable), 'shared');
        const counts = new Map<ast.Declaration['$type'], number>();
        for (const declaration of this.declarations) {
            const position = counts.get(declaration.$type) ?? 0;
            counts.set(declaration.$type, position + 1);
            this.positions.set(declaration, position);
            if (ast.isProcess(declaration)) {
                this.addSlots([...localsOf(declaration), ...receivesIn(declaration)], 'local');
            }
        }
    }

    /** The position of a declaration among those of its kind. */
    positionOf(
        declaration: ast.EventDeclaration | ast.Process | ast.ChannelDeclaration | ast.FunctionDeclaration,
    ): number {
        return found(this.positions.get(declaration), declaration.name);
    }

    /** The slot of a shared or a local variable; undefined for names of other kinds. */
    findSlot(name: Local): VariableSlot | undefined {
        return this.slots.get(name);
    }

    slotOf(name: SlotOwner): VariableSlot {
        return found(this.slots.get(name), nameOf(name));
    }

    temporariesOf(name: TemporaryName): TemporarySlot {
        return found(this.temporaries.get(name), ast.isBinderGroup(name) ? 'elements' : name.name);
    }

    /** The temporaries of what a loop runs through, if it is kept in some. */
    findTemporaries(group: ast.BinderGroup): TemporarySlot | undefined {
        return this.temporaries.get(group);
    }

    /** Gives a name of a body or a function its temporaries. */
    declareTemporaries(name: TemporaryName, shape: Shape): TemporarySlot {
        const temporaries = shape.leaves().map(({ path, element, indices }) => ({
            id: this.temporaryCount++,
            name: [ast.isBinderGroup(name) ? 'elements' : name.name, ...path].join('.'),
            ...(isUnknown(element) ? {} : { element }),
            indices,
            ...(ast.isProcedureParameter(name) && { isGiven: true as const }),
        }));
        const slot = { temporaries, shape };
        this.temporaries.set(name, slot);
        return slot;
    }

    /** A temporary for one value of any type, which the text does not declare. */
    newTemporary(name: string): Temporary {
        return { id: this.temporaryCount++, name, indices: [] };
    }

    /** The place that the present call of a procedure gives to a parameter. */
    placeOf(parameter: ast.ProcedureParameter): LoweredValue {
        return found(this.places.get(parameter), parameter.name);
    }

    givePlace(parameter: ast.ProcedureParameter, place: LoweredValue): void {
        this.places.set(parameter, place);
    }

    /** The binder of an index or a quantifier's variable. */
    binderOf(declaration: ast.ProcessIndex | ast.BinderVariable): Binder {
        return remembered(this.binders, declaration, () => {
            const text = ast.isProcessIndex(declaration) ? declaration.type : domainTextOf(declaration.$container);
            const domain = found(this.constants.domainOfBinder(declaration), declaration.name);
            return { ...this.newBinder(declaration.name, domain), range: rangeOf(text ?? declaration) };
        });
    }

    /** The index of the instances of a template. */
    selfOf(template: ast.Process): Binder {
        return remembered(this.selves, template, () => this.newBinder(SELF, this.constants.domainOfTemplate(template)));
    }

    /** A binder that the text does not declare. */
    newBinder(name: string, domain: Domain): Binder {
        return { id: this.binderCount++, name, domain };
    }

    /** The types whose values are channels, in the order of their first use. */
    get channelTypes(): readonly ChannelType[] {
        return this.channels.map(({ type }) => type);
    }

    /** The type whose values are the channels with messages of this shape. */
    channelTypeOf(message: Shape): { readonly index: number; readonly type: ChannelType } {
        const index = this.channels.findIndex(known => known.message.isSame(message));
        const known = this.channels[index];
        if (known !== undefined) {
            return { index, type: known.type };
        }
        const members = this.constants.channels
            .membersOf(message)
            .map(({ declaration, position }) => ({ channel: this.positionOf(declaration), position }));
        const type = { domain: this.constants.channels.domainOf(message), members };
        this.channels.push({ message, type });
        return { index: this.channels.length - 1, type };
    }

    private addSlots(variables: readonly SlotOwner[], kind: VariableSlot['kind']): void {
        let first = 0;
        for (const variable of variables) {
            const shape = found(this.shapeOf(variable), nameOf(variable));
            first += ast.isStep(variable) || this.sequenceOf(variable) === undefined ? 0 : 1;
            this.slots.set(variable, { kind, first, shape });
            first += shape.leaves().length;
        }
    }

    /** The variable of a choice is stored in one cell, but for an element of a sequence. */
    private shapeOf(variable: SlotOwner): Shape | undefined {
        if (ast.isStep(variable)) {
            const channel = bagChannelOf(variable);
            const bag = channel && this.constants.shapeOf(channel.type)?.element;
            return bag instanceof BagShape ? bag.member : undefined;
        }
        if (!ast.isBinderVariable(variable)) {
            return this.constants.shapeOf(variable.type);
        }
        const shape = this.constants.shapeOfBinder(variable);
        return this.sequenceOf(variable) === undefined ? shape?.asCell() : shape;
    }

    /** The sequence that a choice takes an element of: the local for its place stands before that for the element. */
    sequenceOf(variable: Local): SequenceShape | undefined {
        return ast.isBinderVariable(variable) ? this.constants.sequenceOfGroup(variable.$container) : undefined;
    }
}

function found<Found>(value: Found | undefined, name: string): Found {
    invariant(value !== undefined, `\`${name}\` belongs to the checked document`);
    return value;
}

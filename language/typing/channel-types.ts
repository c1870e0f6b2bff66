/** Types whose values are channels, one for each shape of messages; the domain lists the channels of such messages. */
import type { Domain, Value } from '../../engine/model/domain.js';
import { nameOfElement, sizeOfArray } from '../../engine/sequential/cell-layout.js';
import * as ast from '../generated/nodes.js';
import { hasCases } from '../references/constructors.js';
import { namedBy } from '../references/declared-type.js';
import { ChannelShape, type ChannelOfModel } from '../representation/channel.js';
import { EnumerationShape } from '../representation/enumeration.js';
import { RecordShape } from '../representation/record.js';
import { EXPANSION_LIMIT, type Shape } from '../representation/shape.js';

/** A channel, or an element of an array of channels. */
export interface ChannelMember {
    readonly declaration: ast.ChannelDeclaration;
    /** The row of the element. */
    readonly position: number;
}

interface ChannelTypeEntry {
    readonly message: Shape;
    readonly members: readonly ChannelMember[];
    /** The position of the first element of each declaration. */
    readonly firstOf: ReadonlyMap<ast.ChannelDeclaration, number>;
    domain: Domain | undefined;
}

interface Shapes {
    shapeOfDeclaredChannel(channel: ast.ChannelDeclaration): ChannelShape | undefined;
    indicesOf(channel: ast.ChannelDeclaration): readonly (Domain | undefined)[];
    capacityOf(channel: ast.ChannelDeclaration): number | undefined;
}

export class ChannelTypes {
    private readonly entries: ChannelTypeEntry[] = [];
    private readonly channels: readonly ast.ChannelDeclaration[];
    private readonly shapes: Shapes;

    constructor(declarations: readonly ast.Declaration[], shapes: Shapes) {
        this.channels = declarations.filter(ast.isChannelDeclaration);
        this.shapes = shapes;
    }

    /** The domain is computed when it is used: the messages of the channels may be channels. */
    shapeOf(message: () => Shape): ChannelShape {
        return new ChannelShape(
            message,
            () => this.domainOf(message()),
            () => this.membersOf(message()).map(member => this.inModel(member)),
            false,
        );
    }

    private inModel({ declaration, position }: ChannelMember): ChannelOfModel {
        return {
            channel: this.channels.indexOf(declaration),
            capacity: this.shapes.capacityOf(declaration) ?? 0,
            indices: this.knownIndicesOf(declaration),
            position,
        };
    }

    domainOf(message: Shape): Domain {
        const entry = this.entryOf(message);
        entry.domain ??= {
            kind: 'enumeration',
            name: `channel of ${message.format()}`,
            values: entry.members.map(member => this.nameOf(member)),
        };
        return entry.domain;
    }

    /** The channels with such messages: the values of `domainOf`. */
    membersOf(message: Shape): readonly ChannelMember[] {
        return this.entryOf(message).members;
    }

    /** The element of a channel as a value of its type. */
    valueOf(declaration: ast.ChannelDeclaration, position: number): Value | undefined {
        const shape = this.shapes.shapeOfDeclaredChannel(declaration);
        const first = shape && this.entryOf(shape.message).firstOf.get(declaration);
        return first === undefined ? undefined : first + position;
    }

    private entryOf(message: Shape): ChannelTypeEntry {
        let entry = this.entries.find(known => known.message.isSame(message));
        if (entry === undefined) {
            const members: ChannelMember[] = [];
            const firstOf = new Map<ast.ChannelDeclaration, number>();
            for (const declaration of this.channels) {
                const indices = this.knownIndicesOf(declaration);
                if (indices.length === declaration.indices.length && this.carries(declaration, message)) {
                    firstOf.set(declaration, members.length);
                    const count = Math.min(sizeOfArray(indices), EXPANSION_LIMIT);
                    for (let position = 0; position < count; position++) {
                        members.push({ declaration, position });
                    }
                }
            }
            entry = { message, members, firstOf, domain: undefined };
            this.entries.push(entry);
        }
        return entry;
    }

    /** Whether a channel has messages of this shape. Records are compared by name, also while they are computed. */
    private carries(channel: ast.ChannelDeclaration, message: Shape): boolean {
        const type = channel.message;
        const named = type.indices.length === 0 ? messageTypeNamedBy(type.element) : undefined;
        if (named !== undefined) {
            const isDeclared = message instanceof RecordShape || message instanceof EnumerationShape;
            return isDeclared && message.declaration === named;
        }
        return this.shapes.shapeOfDeclaredChannel(channel)?.message.isSame(message) ?? false;
    }

    private nameOf({ declaration, position }: ChannelMember): string {
        return nameOfElement({ name: declaration.name, indices: this.knownIndicesOf(declaration) }, position);
    }

    private knownIndicesOf(declaration: ast.ChannelDeclaration): Domain[] {
        return this.shapes.indicesOf(declaration).filter(domain => domain !== undefined);
    }
}

/** The record or enumeration with fields that a type is, possibly by the name of another type; an optional type is none. */
export function messageTypeNamedBy(element: ast.ElementType): ast.RecordDeclaration | ast.Enumeration | undefined {
    const seen = new Set<ast.ElementType>();
    let current = element;
    while (!seen.has(current)) {
        seen.add(current);
        const target = ast.isRangeType(current) && current.optional ? undefined : namedBy(current);
        if (!ast.isTypeDeclaration(target) || target.type.indices.length > 0) {
            return ast.isRecordDeclaration(target) || hasCases(target) ? target : undefined;
        }
        current = target.type.element;
    }
    return undefined;
}

/**
 * Random models whose processes are created and end: one or two templates, references in shared variables, locals, cells
 * over templates, messages and parameters. They are well-typed; what is asked of `none` or of an ended instance may be a
 * fault. Most bound how many instances live at once. Bodies of both sides of a rendezvous never touch the same cell.
 */
import * as fc from 'fast-check';
import { RandomDraw } from './random-draw.js';
import { shrinkModel } from './shrink-model.js';
import { parseModel } from '../reference/parse.js';
import { printModel } from '../reference/print.js';

/** The text of a random model with templates. Shrinks by parts of its tree, so smaller texts may have errors. */
export function templateModels(): fc.Arbitrary<string> {
    return new TemplateModelArbitrary();
}

class TemplateModelArbitrary extends fc.Arbitrary<string> {
    override generate(random: fc.Random): fc.Value<string> {
        return new fc.Value(new TemplateModel(random).text(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is string {
        return true;
    }

    override shrink(text: string): fc.Stream<fc.Value<string>> {
        return fc.stream(shrinkModel(parseModel(text))).map(smaller => new fc.Value(printModel(smaller), undefined));
    }
}

type Template = 'W' | 'V';

/** What holds a reference, or `none` if `isOptional`, and can be written if `isPlace`. */
interface Reference {
    readonly text: string;
    readonly template: Template;
    readonly isOptional: boolean;
    readonly isPlace: boolean;
    /** A cell over a template: not touched where another body may write it in the same step. */
    readonly isCell: boolean;
}

interface Channel {
    readonly name: string;
    /** The template over which there are such channels. */
    readonly over?: Template;
    readonly capacity: number;
    readonly message: Template | 'bool' | 'Pack';
}

/** What can be named where something is written. */
interface Scope {
    readonly self?: Template;
    readonly references: readonly Reference[];
    /** Boolean places; `x[self]` among them. */
    readonly flags: readonly string[];
    /** Gets the locals that steps declare for themselves. */
    readonly locals: Reference[];
}

class TemplateModel extends RandomDraw {
    private readonly templates: readonly Template[] = this.chance(45) ? ['W', 'V'] : ['W'];
    /** Parameters by template: a reference, a bit or both, under names that occur once in the model. */
    private readonly parameters = new Map(this.templates.map(template => [template, this.drawParameters(template)]));
    private readonly cells: { readonly name: string; readonly over: Template; readonly element: Template | 'bool' }[] =
        [];
    private readonly channels: Channel[] = [];
    private readonly labels: { readonly label: string; readonly template: Template }[] = [];
    private readonly hasPairs = this.chance(12);
    private readonly hasPacks = this.chance(15);
    private readonly hasEvent = this.chance(8);
    /** In one of a few models what may be a fault is not asked about before. */
    private readonly isCareless = this.chance(15);
    private readonly isBounded = this.chance(95);
    /** Instances send their names in their last steps or before, and who receives one touches a cell of the instance. */
    private readonly hasFarewell = this.chance(6);
    private labelCount = 0;

    text(): string {
        const shared: Reference[] = [];
        const declarations: string[] = this.hasPacks ? ['record Pack = { who: W?, bit: bool }'] : [];
        for (let count = this.between(1, 2); count > 0; count--) {
            const template = this.pick(this.templates);
            const name = `r${shared.length}`;
            if (this.chance(20)) {
                declarations.push(`var ${name}: ${template}?[0 .. 1] = none`);
                shared.push(
                    ...[0, 1].map(index => place(`${name}[${index}]`, template, { isOptional: true, isCell: false })),
                );
            } else {
                declarations.push(`var ${name}: ${template}? = none`);
                shared.push(place(name, template, { isOptional: true, isCell: false }));
            }
        }
        const flags = this.chance(50) ? ['f'] : [];
        declarations.push(...flags.map(flag => `var ${flag}: bool = false`));
        for (
            let count = this.weighted([
                [2, 0],
                [4, 1],
                [2, 2],
            ] as const);
            count > 0;
            count--
        ) {
            this.declareCells(declarations);
        }
        if (this.hasPairs) {
            declarations.push('var pair: bool[W, W] = false');
        }
        for (
            let count = this.weighted([
                [2, 0],
                [4, 1],
                [2, 2],
            ] as const);
            count > 0;
            count--
        ) {
            this.declareChannel(declarations);
        }
        if (this.hasEvent) {
            declarations.push('event go[W]');
        }
        if (this.hasFarewell) {
            declarations.push('channel bye: 0 of W', 'var last: bool[W] = false');
        }
        const global: Scope = { references: shared, flags, locals: [] };
        const templates = this.templates.map(template => this.template(template, global));
        const main = this.main(global);
        const others = this.chance(35) ? [this.other(global)] : [];
        const invariants = Array.from(
            {
                length: this.weighted([
                    [3, 0],
                    [5, 1],
                    [2, 2],
                ] as const),
            },
            (_, number) => `invariant safe${number} = ${this.property(global)}`,
        );
        const allowed = this.chance(30) ? ['allow deadlock'] : [];
        const parts = [...declarations, main, ...others, ...templates, ...invariants, ...allowed];
        return printModel(parseModel(`model Random\n${parts.join('\n')}`));
    }

    private drawParameters(template: Template): { references: Reference[]; bits: string[] } {
        const known = template.toLowerCase();
        const target = this.pick(this.templates);
        return {
            references: this.chance(45)
                ? [{ ...place(`${known}1`, target, { isOptional: true, isCell: false }), isPlace: false }]
                : [],
            bits: this.chance(30) ? [`${known}2`] : [],
        };
    }

    private declareCells(declarations: string[]): void {
        const over = this.pick(this.templates);
        const element = this.chance(45) ? this.pick(this.templates) : 'bool';
        const name = `c${this.cells.length}`;
        this.cells.push({ name, over, element });
        declarations.push(
            element === 'bool' ? `var ${name}: bool[${over}] = false` : `var ${name}: ${element}?[${over}] = none`,
        );
    }

    private declareChannel(declarations: string[]): void {
        const over = this.chance(40) ? this.pick(this.templates) : undefined;
        const message = this.weighted<Channel['message']>([
            [6, this.pick(this.templates)],
            [2, 'bool'],
            [this.hasPacks ? 6 : 0, 'Pack'],
        ]);
        const capacity = this.weighted([
            [4, 0],
            [5, 1],
            [1, 2],
        ] as const);
        const name = `ch${this.channels.length}`;
        this.channels.push({ name, capacity, message, ...(over && { over }) });
        declarations.push(`channel ${name}${over === undefined ? '' : `[${over}]`}: ${capacity} of ${message}`);
    }

    private template(template: Template, global: Scope): string {
        const { references, bits } = this.parameters.get(template)!;
        const head = [
            ...references.map(({ text, template: target }) => `${text}: ${target}?`),
            ...bits.map(bit => `${bit}: bool`),
        ].join(', ');
        const locals = this.chance(35) ? [place(`${template.toLowerCase()}l`, this.pick(this.templates), {})] : [];
        const ownCells = this.cells.filter(({ over }) => over === template);
        const scope: Scope = {
            self: template,
            references: [
                ...global.references,
                ...locals,
                ...references,
                { text: 'self', template, isOptional: false, isPlace: false, isCell: false },
                ...ownCells.flatMap(({ name, element }) =>
                    element === 'bool' ? [] : [place(`${name}[self]`, element, { isCell: true })],
                ),
            ],
            flags: [
                ...global.flags,
                ...ownCells.flatMap(({ name, element }) => (element === 'bool' ? [`${name}[self]`] : [])),
            ],
            locals,
        };
        const body = this.weighted([
            [5, () => this.steps(scope, 1, 3)],
            [
                this.hasFarewell && template === 'W' ? 40 : 0,
                () => `${this.steps(scope, 1, 2)} bye ! self; ${this.chance(40) ? 'skip;' : ''}`,
            ],
            [2, () => `${this.steps(scope, 1, 1)} if ${this.condition(scope, 'test')} { ${this.steps(scope, 1, 1)} }`],
            [2, () => `while ${this.condition(scope, 'test')} { ${this.steps(scope, 1, 2)} }`],
            [3, () => `loop { choose { ${this.steps(scope, 1, 2)} } or { ${this.steps(scope, 1, 1)} break } }`],
            [1, () => `choose { ${this.steps(scope, 1, 1)} terminate } or { ${this.steps(scope, 1, 1)} } skip;`],
            [1, () => `loop { ${this.steps(scope, 1, 2)} }`],
        ] as const)();
        return `process ${template}(${head}) { ${declared(locals)} ${body} }`;
    }

    /** The process that creates the first instances, in a loop or once. */
    private main(global: Scope): string {
        const locals = this.locals('m');
        const scope = { ...global, references: [...global.references, ...locals], locals };
        const first = this.creation(scope, this.templates[0]!);
        const second = this.templates.length > 1 ? this.creation(scope, 'V') : '';
        const later = this.steps(scope, 1, 2);
        const body = this.weighted([
            [2, () => `loop { ${first} ${second} ${later} }`],
            [
                this.hasFarewell ? 60 : 6,
                () => {
                    const others = [second, later, this.farewell(scope)].filter(steps => steps !== '');
                    return `loop { choose { ${first} } ${others.map(steps => `or { ${steps} }`).join(' ')} }`;
                },
            ],
            [1, () => `${first} ${second} ${later} ${this.steps(scope, 0, 1)}`],
        ] as const)();
        return `process M { ${declared(locals)} ${body} }`;
    }

    private farewell(scope: Scope): string {
        const targets = this.of(scope, 'W');
        if (!this.hasFarewell || targets.length === 0) {
            return '';
        }
        const target = this.pick(targets);
        return `bye ? ${target} { last[${target}] := true }`;
    }

    private other(global: Scope): string {
        const locals = this.locals('o');
        const scope = { ...global, references: [...global.references, ...locals], locals };
        const head = this.chance(30) ? 'process O[i: 0 .. 1]' : 'process O';
        const body = this.steps(scope, 1, 2);
        return `${head} { ${declared(locals)} ${this.chance(60) ? `loop { ${body} }` : body} }`;
    }

    private locals(known: string): Reference[] {
        return Array.from(
            {
                length: this.weighted([
                    [2, 0],
                    [4, 1],
                    [2, 2],
                ] as const),
            },
            (_, number) => place(`${known}${number}`, this.pick(this.templates), {}),
        );
    }

    private steps(scope: Scope, least: number, most: number): string {
        return Array.from({ length: this.between(least, most) }, () => this.step(scope)).join(' ');
    }

    private step(scope: Scope): string {
        return this.weighted([
            [3, () => this.communication(scope)],
            [3, () => this.plainStep(scope)],
            [2, () => this.creation(scope, this.pick(this.templates))],
            [1, () => this.wait(scope)],
            [1, () => this.chosen(scope)],
            [1, () => this.exchange(scope)],
            [2, () => this.labeled('skip;', scope)],
        ] as const)();
    }

    private labeled(step: string, { self }: Scope): string {
        const label = `l${this.labelCount++}`;
        if (self !== undefined) {
            this.labels.push({ label, template: self });
        }
        return `${this.chance(8) ? 'end ' : ''}${label}: ${step}`;
    }

    private plainStep(scope: Scope): string {
        const { guard, statements } = this.body(scope, this.between(1, 2));
        const conditions = [...guard, ...(this.chance(25) ? [this.condition(scope, 'step')] : [])];
        const when = conditions.length === 0 ? '' : `when ${conditions.map(operand).join(' && ')} `;
        return this.labeled(`${when}{ ${statements.join('; ')} }`, scope);
    }

    private creation(scope: Scope, template: Template, isHeld = 75): string {
        const spawn = this.spawn(scope, template, isHeld);
        const follows = isHeld < 100 && this.chance(25) ? this.body(scope, 1).statements : [];
        const both = this.isBounded && isHeld < 100 && this.chance(8) ? [this.spawn(scope, template)] : [];
        return this.labeled(`${when(this.bound(template))}{ ${[spawn, ...both, ...follows].join('; ')} }`, scope);
    }

    private bound(template: Template): string[] {
        return this.isBounded ? [`count(n in ${template}: true) < ${this.between(1, 3) === 3 ? 3 : 2}`] : [];
    }

    private spawn(scope: Scope, template: Template, isHeld = 75): string {
        const { references, bits } = this.parameters.get(template)!;
        const values = [
            ...references.map(({ template: target }) =>
                isHeld < 100 ? this.pick([...this.of(scope, target), 'none']) : 'none',
            ),
            ...bits.map(() => this.bit(scope)),
        ];
        const targets = scope.references.filter(to => to.template === template && to.isPlace && !to.isCell);
        const target = targets.length > 0 && this.chance(isHeld) ? `${this.pick(targets).text} := ` : '';
        return `${target}spawn ${template}(${values.join(', ')})`;
    }

    /** Waits for an end, or for something else. */
    private wait(scope: Scope): string {
        const held = scope.references.filter(({ isOptional }) => isOptional);
        if (held.length === 0 || this.chance(30)) {
            return this.labeled(`when ${this.condition(scope, 'step')};`, scope);
        }
        const { text } = this.pick(held);
        const condition = this.isCareless ? `!alive(${text})` : `${text} != none && !alive(${text})`;
        const forget = this.chance(40) && this.isPlace(text, scope) ? ` { ${text} := none }` : ';';
        return this.labeled(`when ${condition}${forget}`, scope);
    }

    private isPlace(text: string, scope: Scope): boolean {
        return scope.references.some(reference => reference.text === text && reference.isPlace);
    }

    private chosen(scope: Scope): string {
        const template = this.pick(this.templates);
        const known = `b${this.labelCount++}`;
        const bound = { text: known, template, isOptional: false, isPlace: false, isCell: false };
        const inner = { ...scope, references: [...scope.references, bound] };
        const where = this.chance(40) ? ` where ${this.condition(inner, 'test')}` : '';
        return `choose ${known} in ${template}${where} { ${this.plainStep(inner)} }`;
    }

    /** A step that gives a local its value, which is never none, and one that uses it. */
    private exchange(scope: Scope): string {
        const template = this.pick(this.templates);
        const local = place(`g${this.labelCount++}`, template, { isOptional: false });
        scope.locals.push(local);
        const alone = { ...scope, references: [local] };
        const channels = this.channels.filter(({ message, over }) => message === template && over === undefined);
        const first =
            channels.length > 0 && this.chance(60)
                ? this.labeled(`${this.pick(channels).name} ? ${local.text};`, scope)
                : this.creation(alone, template, 100);
        return `${first} ${this.plainStep({ ...scope, references: [...scope.references, { ...local, isPlace: false }] })}`;
    }

    private communication(scope: Scope): string {
        if (this.hasEvent && this.chance(30)) {
            const others = this.of(scope, 'W').filter(text => this.isOptional(text, scope));
            if (scope.self === 'W') {
                return this.labeled('go[self];', scope);
            }
            if (scope.self === undefined && others.length > 0) {
                const other = this.pick(others);
                return this.labeled(`when ${other} != none go[${other}];`, scope);
            }
        }
        if (this.channels.length === 0) {
            return this.plainStep(scope);
        }
        const channel = this.pick(this.channels);
        // The channels of an instance are for it to receive from, mostly.
        const isOwn = channel.over !== undefined && channel.over === scope.self && this.chance(75);
        const owners = channel.over === undefined ? [] : this.of(scope, channel.over);
        if (channel.over !== undefined && owners.length === 0) {
            return this.plainStep(scope);
        }
        const owner = channel.over === undefined ? undefined : isOwn ? 'self' : this.pick(owners);
        const name = channel.name + (owner === undefined ? '' : `[${owner}]`);
        const guard = owner === undefined || owner === 'self' ? [] : this.asked(owner, channel.over!, scope);
        return this.chance(isOwn ? 80 : channel.over === undefined ? 50 : 20)
            ? this.receive(channel, name, guard, scope)
            : this.send(channel, name, guard, scope);
    }

    private send(channel: Channel, name: string, guard: readonly string[], scope: Scope): string {
        const conditions = [...guard];
        const reference = (template: Template): string => {
            const text = this.pick([...this.of(scope, template), ...(scope.self === template ? ['self'] : [])]);
            if (this.isOptional(text, scope) && !this.isCareless) {
                conditions.push(`${text} != none`);
            }
            return text;
        };
        let message: string;
        if (channel.message === 'bool') {
            message = this.bit(scope);
        } else if (channel.message === 'Pack') {
            message = `Pack(${this.pick([...this.of(scope, 'W'), 'none'])}, ${this.bit(scope)})`;
        } else if (this.of(scope, channel.message).length === 0) {
            return this.plainStep(scope);
        } else {
            message = reference(channel.message);
        }
        return this.labeled(`${when(conditions)}${name} ! ${message};`, scope);
    }

    private receive(channel: Channel, name: string, guard: readonly string[], scope: Scope): string {
        const isJoint = channel.capacity === 0;
        const targets = (template: Template): string[] =>
            scope.references.flatMap(to => (to.template === template && to.isPlace && !to.isCell ? [to.text] : []));
        const flags = scope.flags.filter(flag => !(isJoint && flag.includes('[')));
        let pattern: string;
        if (channel.message === 'bool') {
            pattern = this.pick([...flags, '_', '== true']);
        } else if (channel.message === 'Pack') {
            pattern = `(${this.pick([...targets('W'), '_'])}, ${this.pick([...flags, '_', '== true'])})`;
        } else {
            const held = this.of(scope, channel.message);
            const equal = held.length > 0 && this.chance(15) ? [`== ${this.pick(held)}`] : [];
            pattern = this.pick([...targets(channel.message), ...targets(channel.message), '_', ...equal]);
        }
        if (this.chance(20)) {
            const template = this.pick(this.templates);
            const conditions = when([...guard, ...this.bound(template)]);
            return this.labeled(`${conditions}${name} ? ${pattern} { ${this.spawn(scope, template)} }`, scope);
        }
        const body = this.chance(25) ? ` { ${this.jointStatement(scope)} }` : ';';
        return this.labeled(`${when(guard)}${name} ? ${pattern}${body}`, scope);
    }

    /** What one body of a joint step may do: the other one does nothing. */
    private jointStatement(scope: Scope): string {
        const targets = scope.references.filter(({ isPlace, isCell }) => isPlace && !isCell);
        if (targets.length === 0) {
            return 'skip';
        }
        const target = this.pick(targets);
        const values = scope.references.filter(({ template, isCell }) => template === target.template && !isCell);
        return `${target.text} := ${this.pick([...values.map(({ text }) => text), 'none'])}`;
    }

    /** Statements, and what their step should ask before so that they are no faults. */
    private body(scope: Scope, count: number): { guard: string[]; statements: string[] } {
        const guard: string[] = [];
        const statements = Array.from({ length: count }, () => this.statement(scope, guard));
        return { guard, statements };
    }

    private statement(scope: Scope, guard: string[]): string {
        return this.weighted([
            [4, () => this.assignment(scope)],
            [this.cells.length > 0 ? 3 : 0, () => this.cellWrite(scope, guard)],
            [this.hasPairs ? 3 : 0, () => this.pairWrite(scope, guard)],
            [2, () => this.assertion(scope)],
            [
                1,
                () => {
                    const otherwise = this.chance(50) ? ` else { ${this.assignment(scope)} }` : '';
                    return `if ${this.condition(scope, 'step')} { ${this.assignment(scope)} }${otherwise}`;
                },
            ],
        ] as const)();
    }

    private assignment(scope: Scope): string {
        const targets = scope.references.filter(({ isPlace }) => isPlace);
        if (scope.flags.length > 0 && (targets.length === 0 || this.chance(30))) {
            const flag = this.pick(scope.flags);
            return `${flag} := ${this.bit(scope)}`;
        }
        if (targets.length === 0) {
            return 'skip';
        }
        const target = this.pick(targets);
        return `${target.text} := ${this.pick([...this.of(scope, target.template), 'none'])}`;
    }

    private cellWrite(scope: Scope, guard: string[]): string {
        const { name, over, element } = this.pick(this.cells);
        const known = `n${this.labelCount++}`;
        if (element === 'bool' && this.chance(15)) {
            const held = this.of(scope, over);
            const compared = held.length === 0 ? 'true' : `${known} == ${this.pick(held)}`;
            return `${name} := [${known} in ${over}: !${name}[${known}] && ${compared}]`;
        }
        const owners = this.of(scope, over);
        if (owners.length === 0) {
            return this.assignment(scope);
        }
        const owner = this.pick(owners);
        guard.push(...(owner === 'self' ? [] : this.asked(owner, over, scope)));
        return `${name}[${owner}] := ${element === 'bool' ? this.bit(scope) : this.pick([...this.of(scope, element), 'none'])}`;
    }

    private pairWrite(scope: Scope, guard: string[]): string {
        const held = this.of(scope, 'W');
        if (held.length === 0) {
            return this.assignment(scope);
        }
        const [first, second] = [this.pick(held), this.pick(held)];
        guard.push(...[first, second].flatMap(text => (text === 'self' ? [] : this.asked(text, 'W', scope))));
        return `pair[${first}, ${second}] := true`;
    }

    private assertion(scope: Scope): string {
        return `assert ${this.chance(60) ? `${this.condition(scope, 'step')} || ${this.condition(scope, 'step')}` : this.condition(scope, 'step')}`;
    }

    /** That a reference is of one that lives, mostly. */
    private asked(text: string, template: Template, scope: Scope): string[] {
        return !this.isOptional(text, scope) && this.chance(70)
            ? []
            : this.chance(this.isCareless ? 35 : 96)
              ? [this.isOptional(text, scope) || this.chance(50) ? `${text} in ${template}` : `alive(${text})`]
              : [];
    }

    private isOptional(text: string, scope: Scope): boolean {
        return scope.references.find(reference => reference.text === text)?.isOptional ?? true;
    }

    private of(scope: Scope, template: Template): string[] {
        return scope.references.flatMap(reference => (reference.template === template ? [reference.text] : []));
    }

    private bit(scope: Scope): string {
        return this.pick(['true', 'false', ...scope.flags.map(flag => `!${flag}`)]);
    }

    /** What a test before a step asks is about no label: who stands where may depend on such a test. */
    private condition(scope: Scope, where: 'test' | 'step' | 'property'): string {
        const reference = this.pick(scope.references);
        const { text, template, isOptional } = reference;
        const others = this.of(scope, template).filter(other => other !== text);
        const labels = this.labels.filter(label => label.template === template);
        const { bits } = this.parameters.get(template)!;
        const cells = this.cells.filter(({ over, element }) => over === template && element === 'bool');
        const buffers = this.channels.filter(({ capacity, over }) => capacity > 0 && over === undefined);
        const lives = `${text} in ${template}`;
        return this.weighted([
            [4, () => (this.chance(40) ? `!(${lives})` : lives)],
            [isOptional ? 2 : 0, () => `${text} ${this.pick(['==', '!='])} none`],
            [others.length > 0 ? 2 : 0, () => `${text} ${this.pick(['==', '!='])} ${this.pick(others)}`],
            [scope.flags.length > 0 ? 2 : 0, () => `${this.chance(50) ? '!' : ''}${this.pick(scope.flags)}`],
            [3, () => this.counted(scope)],
            [bits.length > 0 ? 2 : 0, () => `${this.guarded(lives)}${text}.${bits[0]!}`],
            [cells.length > 0 ? 2 : 0, () => `${this.guarded(lives)}${this.pick(cells).name}[${text}]`],
            [
                where !== 'test' && labels.length > 0 ? 2 : 0,
                () => `${this.guarded(`${text} != none`, isOptional)}${text} at ${this.pick(labels).label}`,
            ],
            [buffers.length > 0 ? 1 : 0, () => `${this.pick(['full', 'empty'])}(${this.pick(buffers).name})`],
        ] as const)();
    }

    private guarded(condition: string, isNeeded = true): string {
        return isNeeded && this.chance(this.isCareless ? 50 : 97) ? `${condition} && ` : '';
    }

    /** Of all instances of a template that live. */
    private counted(scope: Scope): string {
        const template = this.pick(this.templates);
        const known = `q${this.labelCount++}`;
        const cells = this.cells.filter(({ over, element }) => over === template && element === 'bool');
        const held = this.of(scope, template);
        const { references } = this.parameters.get(template)!;
        const about = this.weighted([
            [3, () => 'true'],
            [held.length > 0 ? 3 : 0, () => `${known} != ${this.pick(held)}`],
            [cells.length > 0 ? 3 : 0, () => `${this.pick(cells).name}[${known}]`],
            [references.length > 0 ? 2 : 0, () => `${known}.${references[0]!.text} == none`],
            [this.hasPairs && template === 'W' ? 3 : 0, () => `!pair[${known}, ${known}]`],
        ] as const)();
        return this.weighted([
            [3, () => `count(${known} in ${template}: ${about}) ${this.pick(['<', '==', '>='])} ${this.between(1, 2)}`],
            [2, () => `(forall ${known} in ${template}: ${about})`],
            [2, () => `(exists ${known} in ${template}: ${about})`],
        ] as const)();
    }

    private property(scope: Scope): string {
        const one = this.condition(scope, 'property');
        return this.chance(60) ? `${one} || ${this.condition(scope, 'property')}` : one;
    }
}

function place(
    text: string,
    template: Template,
    { isOptional = true, isCell = false }: { isOptional?: boolean; isCell?: boolean },
): Reference {
    return { text, template, isOptional, isPlace: true, isCell };
}

function declared(locals: readonly Reference[]): string {
    return locals
        .map(({ text, template, isOptional }) => `var ${text}: ${template}${isOptional ? '? = none' : ''}`)
        .join('  ');
}

function when(conditions: readonly string[]): string {
    return conditions.length === 0 ? '' : `when ${conditions.map(operand).join(' && ')} `;
}

function operand(condition: string): string {
    return `(${condition})`;
}
